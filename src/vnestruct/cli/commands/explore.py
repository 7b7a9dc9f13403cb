"""`vnestruct explore`: a graph and its roles as one interactive page."""

from pathlib import Path
from typing import Annotated, Any

from vnestruct import explore as pages
from vnestruct import live
from vnestruct.cli.options import Every, Span, option
from vnestruct.cli.output import Console, print_json
from vnestruct.cli.role_options import LoadedNodes, NodeSignatures, RoleOptions
from vnestruct.errors import ParameterError
from vnestruct.explore.page import check_page, check_size


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
    from vnestruct.roles.labels import labels_of_nodes

    model = roles.model(nodes)
    if time is None and (window, every) != ("7d", "1d"):
        raise ParameterError("--window and --every are about periods; add --time COLUMN")
    if name is not None and nodes_table is None:
        raise ParameterError("--name is a column of a table; add --nodes-table FILE")
    check_page(output)
    console.check_outputs(output)
    known = roles.known_labels()
    timeline: dict[str, Any] = {}
    if time is None:
        loaded = nodes.load(console, "a page shows the graph as well")
    else:
        loaded, timeline = _load_over_time(nodes, console, time=time, window=window, every=every)
    graph = loaded.graph
    check_size(graph.n_nodes)
    known = None if known is None else labels_of_nodes(known, loaded.nodes)
    table = None
    if nodes_table is not None:
        table = pages.read_node_table(nodes_table, loaded.nodes.tolist(), name=name)
        console.note(f"{nodes_table}: rows for {table.n_found:,} of {graph.n_nodes:,} nodes.")
    roles.fit(model, nodes, loaded, console)
    if title is None:
        title = "standard input" if nodes.graph.input == "-" else Path(nodes.graph.input).name
    console.phase("Laying out", graph.n_nodes)
    page = pages.write_page(output, graph, model, labels=known, table=table, title=title, **timeline)
    if console.json:
        found = {"output": output, "bytes": page.n_bytes, "n_roles": model.n_roles_, "columns": model.columns_}
        print_json(nodes.graph.facts(graph) | found | {"drawing": page.drawing, "links": page.links})
    megabytes = page.n_bytes / 1e6
    console.note(f"Wrote {output} ({megabytes:.1f} MB, {model.n_roles_} roles); open it in a browser. {page.drawing}.")


def _load_over_time(
    nodes: NodeSignatures, console: Console, *, time: str, window: str, every: str
) -> tuple[LoadedNodes, dict[str, Any]]:
    """Return the graph of all time-stamped edges with mean signatures over time, and periods with their scores."""
    from vnestruct.live.periods import mean_signatures

    file, signature = nodes.graph, nodes.signature
    if signature.aggregate:
        raise ParameterError(
            "roles over time are not found from means over neighbours; leave out --aggregate, or --time"
        )
    if file.bipartite:
        raise ParameterError("--bipartite names nodes by columns, which --time does not; leave one out")
    skipped: dict[int, str] = {}
    weight = file.weight if signature.weighted else None
    columns: Any = {"source": file.source, "target": file.target, "weight": weight}
    events = live.read_events(file.input, time=time, **columns, report=skipped.__setitem__)
    options: Any = {"kind": signature.kind or ["roles"], "weighted": signature.weighted}
    graph, rows, names, periods = mean_signatures(events, signature.radius, window=window, every=every, **options)
    console.note(f"{file.input}: {graph.report.edges_read:,} events, {graph.n_nodes:,} nodes, {graph.n_edges:,} edges.")
    if skipped:
        console.note(f"{len(skipped):,} lines are not events, e.g. line {min(skipped)}: {skipped[min(skipped)]}.")
    long = min(14, max(2, len(periods) // 4))  # as in watch, or shorter in a short stream
    scores = live.change_scores([period.entropies for period in periods], short=long // 2, long=long)
    return LoadedNodes(graph.nodes, graph, rows, tuple(names)), {"periods": periods, "scores": scores}
