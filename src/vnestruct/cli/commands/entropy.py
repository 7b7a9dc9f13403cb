"""`vnestruct entropy`: the entropy of a whole graph."""

from __future__ import annotations

import sys

from vnestruct.cli import options
from vnestruct.cli.console import Console, print_json
from vnestruct.cli.inputs import load_graph


def entropy(
    input: options.Input,
    kind: options.Kind = None,
    weighted: options.Weighted = False,
    format: options.Format = None,
    source: options.Source = None,
    target: options.Target = None,
    weight: options.Weight = None,
    directed: options.Directed = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Print the Von Neumann entropy of a whole graph, in nats.

    One kind prints its number alone, several print a line each. Kinds exact and normalized need every eigenvalue and
    take graphs of up to 4,000 nodes.

    Examples
    --------
    vnestruct entropy friends.csv
    vnestruct entropy friends.csv --kind approx,exact --json
    """
    from vnestruct.graph_entropy import entropy as graph_entropy

    console = Console(quiet)
    graph = load_graph(input, console, format=format, source=source, target=target, weight=weight, directed=directed)
    console.note_compiling()
    kinds = options.words(kind) or ["approx"]
    values = {name: graph_entropy(graph, name, weighted=weighted) for name in kinds}
    if as_json:
        print_json({"input": input, "nodes": graph.n_nodes, "edges": graph.n_edges, "entropy": values})
    elif len(values) == 1:
        sys.stdout.write(f"{values[kinds[0]]!r}\n")
    else:
        width = max(map(len, values))
        sys.stdout.writelines(f"{name:<{width}}  {value!r}\n" for name, value in values.items())
