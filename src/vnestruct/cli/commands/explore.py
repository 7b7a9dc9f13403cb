"""`vnestruct explore`: a graph and its roles as one interactive page."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from vnestruct.cli.console import Console, print_json
from vnestruct.cli.interrupts import interruptible
from vnestruct.cli.options import Every, Window, kinds_of, option
from vnestruct.cli.role_options import LoadedNodes, NodeSignatures, RoleOptions
from vnestruct.errors import ParameterError
from vnestruct.files.output_checks import check_place


def explore(
    *,
    output: Annotated[str, option("--output -o", "PAGE", "The page to write: an .html file.")],
    title: Annotated[str | None, option("--title", "TEXT", "Title of the page. Default: the name of the file.")] = None,
    nodes_table: Annotated[
        str | None, option("--nodes-table", "FILE", "Names and attributes: a table with one row per node.")
    ] = None,
    name: Annotated[str | None, option("--name", "COLUMN", "Column of --nodes-table with the names to show.")] = None,
    time: Annotated[
        str | None, option("--time", "COLUMN", "Column of IN with times: adds a slider over periods, as in watch.")
    ] = None,
    window: Window = "7d",
    every: Every = "1d",
    roles: RoleOptions,
    nodes: NodeSignatures,
    console: Console,
) -> None:
    """Write a web page for exploring the roles of a graph.

    It shows the roles as cards and as a graph, a drawing of the nodes next to their signatures, and for each node its
    ego network and the nodes most similar to it. All views are linked: what is selected in one is highlighted in all.
    The file contains everything it needs and opens in any browser, without a network.

    With --time, IN has one time-stamped edge per line. Roles are those of the nodes'
    mean signatures over the periods in which they have a link, and a slider shows each node's role in each period.

    Examples
    --------
    vnestruct explore flights.csv -o flights.html
    vnestruct explore flights.csv --roles 4 --labels known.txt --radius 3 -o flights.html
    vnestruct explore flights.csv --nodes-table airports.csv --name city -o flights.html
    vnestruct explore payments.csv --time when --window 30d --every 7d -o payments.html
    """
    from vnestruct.explore import read_node_table, write_page
    from vnestruct.explore.page import check_page, check_size

    model = roles.model(nodes)
    if time is None and (window, every) != ("7d", "1d"):
        raise ParameterError("--window and --every are about periods; add --time COLUMN")
    if name is not None and nodes_table is None:
        raise ParameterError("--name is a column of a table; add --nodes-table FILE")
    check_page(output)
    check_place(output)
    known = roles.known_labels()
    with interruptible(nodes.run.resume_line):
        periods: list[Any] = []
        if time is None:
            loaded = nodes.load(console)
        else:
            periods, loaded = _load_periods(nodes, time, window, every, console)
        graph = loaded.with_graph(nodes.graph.input, "a page shows the graph as well")
        check_size(graph.n_nodes)
        known = roles.matched(known, loaded.nodes, console)
        table = None
        if nodes_table is not None:
            table = read_node_table(nodes_table, loaded.nodes.tolist(), name=name)
            console.note(f"{nodes_table}: rows for {table.n_found:,} of {graph.n_nodes:,} nodes.")
        _, columns = nodes.fit(model, loaded, console)
        file = "standard input" if nodes.graph.input == "-" else Path(nodes.graph.input).name
        console.phase("Laying out", graph.n_nodes)
        shown = {"labels": known, "table": table, "periods": periods, "scores": _scores(periods)}
        page = write_page(output, graph, model, **shown, title=file if title is None else title)
    if console.json:
        facts = {"output": output, "bytes": page.n_bytes, "n_roles": model.n_roles_, "columns": columns}
        print_json(nodes.graph.facts(graph) | facts | {"drawing": page.drawing, "links": page.links})
    megabytes = page.n_bytes / 1e6
    console.note(f"Wrote {output} ({megabytes:.1f} MB, {model.n_roles_} roles); open it in a browser. {page.drawing}.")


def _load_periods(
    nodes: NodeSignatures, time: str, window: str, every: str, console: Console
) -> tuple[list[Any], LoadedNodes]:
    """Return the periods of a file of time-stamped edges; the graph of all edges, with mean signatures."""
    import numpy as np

    from vnestruct.graph import graph_from_pairs
    from vnestruct.live import read_events
    from vnestruct.live.stream import Stream
    from vnestruct.store import Embedding

    if nodes.preset is not None or nodes.signature.aggregate:
        raise ParameterError("roles over time need plain entropies; leave out --preset and --aggregate, or --time")
    file, weighted, skipped = nodes.graph, nodes.signature.weighted, dict[int, str]()
    stream = Stream(nodes.radius, window=window, every=every, kind=kinds_of(nodes.signature.kind), weighted=weighted)
    columns = {"source": file.source, "target": file.target, "weight": file.weight if weighted else None}
    batches = list(read_events(file.input, time=time, **columns, report=skipped.__setitem__))
    if not batches:
        raise ParameterError("there are no events; check the file and --time")
    _, *ends, weights, _ = (list(chain.from_iterable(column)) for column in zip(*batches, strict=True))
    graph = graph_from_pairs(*ends, weights if weighted else None)
    console.note(f"{file.input}: {len(weights):,} events, {graph.n_nodes:,} nodes, {graph.n_edges:,} edges.")
    if skipped:
        console.note(f"{len(skipped):,} lines are no events, e.g. line {min(skipped)}: {skipped[min(skipped)]}.")
    periods = list(stream.periods(batches))
    sums, counts = np.zeros((graph.n_nodes, len(stream.columns))), np.zeros((graph.n_nodes, 1))
    for period in periods:
        places = graph.positions(period.nodes)
        sums[places] += period.signatures
        counts[places] += 1.0
    means = Embedding(graph.nodes, sums / np.maximum(counts, 1.0), tuple(stream.columns))
    return periods, LoadedNodes(graph.nodes, graph, means)


def _scores(periods: list[Any]) -> Any:
    """Return the change score of each period, by the contexts of watch, or shorter ones in a short stream."""
    from vnestruct.live import change_scores

    long = min(14, max(2, len(periods) // 4))
    return change_scores([period.entropies for period in periods], short=long // 2, long=long) if periods else 0.0
