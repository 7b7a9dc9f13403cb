"""`vnestruct explore`: a graph and its roles as one interactive page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from vnestruct.cli.console import Console, print_json
from vnestruct.cli.interrupts import interruptible
from vnestruct.cli.options import option
from vnestruct.cli.role_options import NodeSignatures, RoleOptions
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
    roles: RoleOptions,
    nodes: NodeSignatures,
    console: Console,
) -> None:
    """Write a web page for exploring the roles of a graph.

    It shows the roles as cards and as a graph, a drawing of the nodes next to their signatures, and for each node its
    ego network and the nodes most similar to it. All views are linked: what is selected in one is highlighted in all.
    The file contains everything it needs and opens in any browser, without a network.

    Examples
    --------
    vnestruct explore flights.csv -o flights.html
    vnestruct explore flights.csv --roles 4 --labels known.txt --radius 3 -o flights.html
    vnestruct explore flights.csv --nodes-table airports.csv --name city -o flights.html
    """
    from vnestruct.explore import read_node_table, write_page
    from vnestruct.explore.page import check_page, check_size

    model = roles.model(nodes)
    if name is not None and nodes_table is None:
        raise ParameterError("--name is a column of a table; add --nodes-table FILE")
    check_page(output)
    check_place(output)
    known = roles.known_labels()
    with interruptible(nodes.run.resume_line):
        loaded = nodes.load(console)
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
        page = write_page(output, graph, model, labels=known, table=table, title=file if title is None else title)
    if console.json:
        facts = {"output": output, "bytes": page.n_bytes, "n_roles": model.n_roles_, "columns": columns}
        print_json(nodes.graph.facts(graph) | facts | {"drawing": page.drawing, "links": page.links})
    megabytes = page.n_bytes / 1e6
    console.note(f"Wrote {output} ({megabytes:.1f} MB, {model.n_roles_} roles); open it in a browser. {page.drawing}.")
