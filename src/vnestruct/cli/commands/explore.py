"""`vnestruct explore`: a graph and its roles as one interactive page."""

from pathlib import Path
from typing import Annotated, Any

from vnestruct.cli.console import Console, print_json
from vnestruct.cli.options import Every, Span, kinds_of, option
from vnestruct.cli.role_options import LoadedNodes, NodeSignatures, RoleOptions
from vnestruct.errors import ParameterError
from vnestruct.files.output_checks import check_place


def explore(
    *,
    output: Annotated[str, option("--output -o", "PAGE", "The page to write: an .html file.")],
    title: Annotated[str | None, option("TEXT", "Title of the page. Default: the name of the file.")] = None,
    nodes_table: Annotated[str | None, option("FILE", "Names and attributes: a table with one row per node.")] = None,
    name: Annotated[str | None, option("COLUMN", "Column of --nodes-table with the names to show.")] = None,
    time: Annotated[
        str | None, option("COLUMN", "Column of IN with times: adds a slider over periods, as in watch.")
    ] = None,
    window: Span = "7d",
    every: Every = "1d",
    roles: RoleOptions,
    nodes: NodeSignatures,
    console: Console,
) -> None:
    """Write a web page for exploring the roles of a graph.

    It shows the roles as cards and as a graph, a drawing of the nodes next to their signatures, and for each node its
    ego network and the nodes most similar to it. All views are linked: what is selected in one is highlighted in all.
    The file contains everything it needs and opens in any browser, without a network.

    With --time, IN has one time-stamped edge per line. Roles are found from the mean signature of each node over the
    periods in which it has a link, and a slider shows the role of each node in each period.

    Examples
    --------
    vnestruct explore flights.csv -o flights.html
    vnestruct explore flights.csv --roles 4 --labels known.txt -o flights.html
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
    time_line, loaded = ({}, nodes.load(console)) if time is None else _load(nodes, time, window, every, console)
    graph = loaded.with_graph(nodes.graph.input, "a page shows the graph as well")
    check_size(graph.n_nodes)
    known = roles.matched(known, loaded.nodes, console)
    table = None
    if nodes_table is not None:
        table = read_node_table(nodes_table, loaded.nodes.tolist(), name=name)
        console.note(f"{nodes_table}: rows for {table.n_found:,} of {graph.n_nodes:,} nodes.")
    _, columns = nodes.fit(model, loaded, console)
    if title is None:
        title = "standard input" if nodes.graph.input == "-" else Path(nodes.graph.input).name
    console.phase("Laying out", graph.n_nodes)
    page = write_page(output, graph, model, labels=known, table=table, title=title, **time_line)
    if console.json:
        facts = {"output": output, "bytes": page.n_bytes, "n_roles": model.n_roles_, "columns": columns}
        print_json(nodes.graph.facts(graph) | facts | {"drawing": page.drawing, "links": page.links})
    megabytes = page.n_bytes / 1e6
    console.note(f"Wrote {output} ({megabytes:.1f} MB, {model.n_roles_} roles); open it in a browser. {page.drawing}.")


def _load(nodes: NodeSignatures, time: str, window: str, every: str, console: Console) -> tuple[Any, LoadedNodes]:
    """Return periods with their scores, and the graph of all time-stamped edges with mean signatures over time."""
    import numpy as np

    from vnestruct.graph import graph_from_pairs
    from vnestruct.live import change_scores, read_events
    from vnestruct.live.stream import Stream
    from vnestruct.store import Embedding

    if nodes.signature.aggregate:
        raise ParameterError(
            "roles over time are not found from means over neighbours; leave out --aggregate, or --time"
        )
    file, weighted, skipped = nodes.graph, nodes.signature.weighted, dict[int, str]()
    stream = Stream(
        nodes.radius, window=window, every=every, kind=kinds_of(nodes.signature.kind, "roles"), weighted=weighted
    )
    columns: Any = {"source": file.source, "target": file.target, "weight": file.weight if weighted else None}
    batches = list(read_events(file.input, time=time, **columns, report=skipped.__setitem__))
    if not batches:
        raise ParameterError("there are no events; check the file and --time")
    _, source, target, weights, _ = ([x for part in column for x in part] for column in zip(*batches, strict=True))
    if file.bipartite:
        raise ParameterError("--bipartite names nodes by columns, which --time does not; leave one out")
    graph = graph_from_pairs(source, target, weights if weighted else None, bipartite=False)
    console.note(f"{file.input}: {len(weights):,} events, {graph.n_nodes:,} nodes, {graph.n_edges:,} edges.")
    if skipped:
        console.note(f"{len(skipped):,} lines are not events, e.g. line {min(skipped)}: {skipped[min(skipped)]}.")
    periods = list(stream.periods(batches))
    places = np.concatenate([graph.positions(period.nodes) for period in periods])
    rows = np.concatenate([period.signatures for period in periods])
    times = np.maximum(np.bincount(places, minlength=graph.n_nodes), 1)
    means = np.stack([np.bincount(places, column, graph.n_nodes) / times for column in rows.T], axis=1)
    long = min(14, max(2, len(periods) // 4))  # as in watch, or shorter in a short stream
    scores = change_scores([period.entropies for period in periods], short=long // 2, long=long)
    stored = Embedding(graph.nodes, means, tuple(stream.columns))
    return {"periods": periods, "scores": scores}, LoadedNodes(graph.nodes, graph, stored)
