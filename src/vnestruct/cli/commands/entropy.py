"""`vnestruct entropy`: the entropy of a whole graph."""

from dataclasses import asdict
from typing import Annotated, Any

import vnestruct
from vnestruct.cli.options import GraphOptions, RandomState, Weighted, option, separate_words
from vnestruct.cli.output import Console, print_json, print_text
from vnestruct.embedding.parameters import WHOLE_GRAPH_KINDS

_KINDS = "Kinds of entropy, separated by commas (default: approx)"


def entropy(
    *,
    kind: Annotated[list[str] | None, option("KIND", _KINDS, words=WHOLE_GRAPH_KINDS, callback=separate_words)] = None,
    weighted: Weighted = False,
    interval: Annotated[
        bool, option("--interval", None, "Print a 95% confidence interval; graphs that are too large are estimated.")
    ] = False,
    random_state: RandomState = 0,
    graph: GraphOptions,
    console: Console,
) -> None:
    """Print the Von Neumann entropy of a whole graph, in nats.

    One kind prints only its number, several print one line each. The kinds exact and normalized need every eigenvalue
    and take graphs with components of up to 4,000 nodes, nodes with the same neighbours counted once. With --interval
    they take any graph: the ends of the interval follow the number.

    Examples
    --------
    vnestruct entropy friends.csv
    vnestruct entropy friends.csv --kind approx,exact --json
    vnestruct entropy web.txt.gz --kind exact --interval
    """
    loaded = graph.load(console, weighted=weighted)
    how: dict[str, Any] = {"interval": True, "random_state": random_state} if interval else {}
    values = {name: vnestruct.entropy(loaded, name, weighted=weighted, **how) for name in kind or ["approx"]}
    numbers: dict[str, Any] = {name: asdict(value) if interval else value for name, value in values.items()}
    if console.json:
        print_json(graph.facts(loaded) | {"entropy": numbers})
        return
    wide = max(map(len, values)) + 2
    for name, shown in numbers.items():
        text = "  ".join(map(repr, shown.values())) if interval else repr(shown)
        print_text(f"{name:<{wide}}{text}" if len(values) > 1 else text)
