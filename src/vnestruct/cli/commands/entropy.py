"""`vnestruct entropy`: the entropy of a whole graph."""

from dataclasses import asdict
from typing import Annotated, Any

from vnestruct.cli.console import Console, print_json, print_text
from vnestruct.cli.options import GraphOptions, Weighted, kinds_of, option
from vnestruct.embedding.parameters import WHOLE_GRAPH_KINDS


def entropy(
    *,
    kind: Annotated[
        list[str] | None,
        option("KIND", "Kinds of entropy, separated by commas (default: approx)", words=WHOLE_GRAPH_KINDS),
    ] = None,
    weighted: Weighted = False,
    interval: Annotated[
        bool, option("--interval", None, "Print a 95% confidence interval; graphs that are too large are estimated.")
    ] = False,
    random_state: Annotated[int, option("N", "Seed of the estimate.")] = 0,
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
    import vnestruct

    loaded = graph.load(console, weighted=weighted)
    how: dict[str, Any] = {"interval": True, "random_state": random_state} if interval else {}
    values = {name: vnestruct.entropy(loaded, name, weighted=weighted, **how) for name in kinds_of(kind)}
    if console.json:
        shown = {name: value if isinstance(value, float) else asdict(value) for name, value in values.items()}
        print_json({**graph.facts(loaded), "entropy": shown})
        return
    wide = max(map(len, values)) + 2 if len(values) > 1 else 0
    for name, value in values.items():
        numbers = repr(value) if isinstance(value, float) else f"{value.value!r}  {value.low!r}  {value.high!r}"
        print_text(f"{name:<{wide}}{numbers}" if wide else numbers)
