"""`vnestruct explore`: a graph and its roles as one page to look around on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vnestruct.cli import options
from vnestruct.cli.console import Console, print_json
from vnestruct.cli.inputs import load_graph
from vnestruct.cli.interrupts import ending_soon
from vnestruct.cli.long_runs import resume_line
from vnestruct.cli.outputs import check_place
from vnestruct.cli.role_options import LabelColumn, Method, Roles, label_column_of, number_of_roles
from vnestruct.cli.role_signatures import Preset, Scaling, computed_signature
from vnestruct.errors import ParameterError

Page = Annotated[str, typer.Option("--output", "-o", metavar="PAGE", help="The page to write: an .html file.")]
Title = Annotated[
    str | None, typer.Option("--title", metavar="TEXT", help="Title of the page. Default: the name of the file.")
]
Labels = Annotated[
    str | None,
    typer.Option("--labels", metavar="FILE", help="Known labels to colour nodes by: a node and its label a line."),
]


def explore(
    input: options.Input,
    output: Page,
    n_roles: Roles = "auto",
    method: Method = "ward",
    preset: Preset = None,
    scaling: Scaling = "none",
    labels: Labels = None,
    label_column: LabelColumn = None,
    title: Title = None,
    radius: options.Radius = 2,
    kind: options.Kind = None,
    weighted: options.Weighted = False,
    direction: options.Direction = "all",
    aggregate: options.Aggregate = None,
    engine: options.Engine = "threads",
    address: options.Address = None,
    jobs: options.Jobs = None,
    checkpoint: options.Checkpoint = None,
    format: options.Format = None,
    source: options.Source = None,
    target: options.Target = None,
    weight: options.Weight = None,
    directed: options.Directed = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Make a page on which to explore the roles of a graph.

    It shows the graph beside its signatures, the profile of chosen nodes, a table of roles, and for each node those
    most similar to it, all linked: what is chosen in one is highlighted in all. The file holds everything, so that
    it opens anywhere, without a network.

    Examples
    --------
    vnestruct explore flights.csv -o flights.html
    vnestruct explore flights.csv --roles 4 --labels known.txt --radius 3 -o flights.html
    """
    from vnestruct.explore import write_page
    from vnestruct.explore.page import check_page, check_size
    from vnestruct.roles import RoleClusterer, read_labels

    console = Console(quiet)
    model = RoleClusterer(
        number_of_roles(n_roles), method, radius=radius, kind=options.words(kind) or "approx", preset=preset,
        weighted=weighted, direction=direction, aggregate=options.words(aggregate), scaling=scaling,
    )  # fmt: skip
    model.check_parameters()
    check_page(output)
    check_place(output)
    known = None if labels is None else read_labels(labels, label=label_column_of(label_column))
    with ending_soon(resume_line(checkpoint)):
        graph = load_graph(
            input, console, format=format, source=source, target=target, weight=weight, directed=directed
        )
        check_size(graph.n_nodes)
        if known is not None and not any(node in known for node in graph.nodes.tolist()):
            such = next(iter(known))
            raise ParameterError(f"{labels}: no node of the graph has a label; the file names nodes such as {such!r}")
        values, columns = computed_signature(
            graph, console, radius=radius, kind=kind, weighted=weighted, direction=direction, aggregate=aggregate,
            preset=preset, engine=engine, address=address, jobs=jobs, checkpoint=checkpoint,
        )  # fmt: skip
        model.fit_signatures(values, graph.nodes, columns)
        name = "standard input" if input == "-" else Path(input).name
        made = write_page(output, graph, model, labels=known, title=name if title is None else title)
    if as_json:
        print_json(
            {
                "input": input,
                "output": output,
                "bytes": made.n_bytes,
                "nodes": graph.n_nodes,
                "edges": graph.n_edges,
                "graph_hash": graph.hash,
                "n_roles": model.n_roles_,
                "columns": columns,
                "drawing": made.drawing,
                "projection": made.projection,
            }
        )
    megabytes = made.n_bytes / 1e6
    console.note(f"Wrote {output} ({megabytes:.1f} MB, {model.n_roles_} roles); open it in a browser. {made.drawing}.")
