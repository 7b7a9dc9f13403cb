"""`vnestruct entropy`: the entropy of a whole graph."""

from __future__ import annotations

import sys

from vnestruct.cli.console import Console, print_json
from vnestruct.cli.options import GraphOptions, Kind, Weighted, kinds_of


def entropy(*, kind: Kind = None, weighted: Weighted = False, graph: GraphOptions, console: Console) -> None:
    """Print the Von Neumann entropy of a whole graph, in nats.

    One kind prints only its number, several print one line each. The kinds exact and normalized need every eigenvalue
    and take graphs of up to 4,000 nodes.

    Examples
    --------
    vnestruct entropy friends.csv
    vnestruct entropy friends.csv --kind approx,exact --json
    """
    import vnestruct

    loaded = graph.load(console, weighted=weighted)
    values = {name: vnestruct.entropy(loaded, name, weighted=weighted) for name in kinds_of(kind)}
    if console.json:
        print_json({**graph.facts(loaded), "entropy": values})
    elif len(values) == 1:
        sys.stdout.write(f"{next(iter(values.values()))!r}\n")
    else:
        width = max(map(len, values))
        sys.stdout.writelines(f"{name:<{width}}  {value!r}\n" for name, value in values.items())
