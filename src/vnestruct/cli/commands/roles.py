"""`vnestruct roles`: the structural roles of a graph, as a table, a file and a picture."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vnestruct.cli import options
from vnestruct.cli.console import Console, print_json
from vnestruct.cli.inputs import load_graph
from vnestruct.cli.interrupts import ending_soon
from vnestruct.cli.long_runs import resume_line
from vnestruct.cli.outputs import STANDARD_OUTPUT, check_labels, check_place
from vnestruct.cli.role_options import LabelColumn, Method, Roles, label_column_of, number_of_roles
from vnestruct.cli.role_signatures import Preset, Scaling, computed_signature, json_label
from vnestruct.errors import ParameterError

if TYPE_CHECKING:
    from vnestruct.graph import Graph
    from vnestruct.roles import Agreement, RoleClusterer, RoleSummary

Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="OUT", help="Write the role of each node: .csv or .tsv, - for CSV here."),
]
Labels = Annotated[
    str | None,
    typer.Option(
        "--labels", metavar="FILE", help="Known labels to score the roles against: a node and its label a line."
    ),
]
Plot = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE", help="Draw the graph beside its signatures: .png, .svg or .pdf."),
]
Save = Annotated[
    str | None, typer.Option("--save", metavar="FILE", help="Keep the fitted roles for RoleClusterer.load in Python.")
]


def roles(
    input: options.Input,
    output: Output = None,
    n_roles: Roles = "auto",
    method: Method = "ward",
    preset: Preset = None,
    scaling: Scaling = "none",
    labels: Labels = None,
    label_column: LabelColumn = None,
    plot: Plot = None,
    save: Save = None,
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
    """Find the structural roles of a graph and say what they look like.

    Nodes are clustered by their signatures. The table shows, for each role, its size, the median and range of the
    degree, the median clustering coefficient, typical nodes, and one line in words that follows from these numbers.

    Examples
    --------
    vnestruct roles flights.csv
    vnestruct roles flights.csv --roles 4 -o roles.csv --plot roles.png
    vnestruct roles flights.csv --preset noisy --labels known.txt --json
    """
    from vnestruct.drawing.pictures import check_graph_picture
    from vnestruct.roles import RoleClusterer, agreement, draw_roles, read_labels, summarise_roles
    from vnestruct.roles.role_files import check_role_file, write_roles

    console = Console(quiet)
    model = RoleClusterer(
        number_of_roles(n_roles), method, radius=radius, kind=options.words(kind) or "approx", preset=preset,
        weighted=weighted, direction=direction, aggregate=options.words(aggregate), scaling=scaling,
    )  # fmt: skip
    model.check_parameters()
    for path, check in ((output, check_role_file), (plot, check_graph_picture), (save, None)):
        if path is not None:
            if check is not None:
                check(path)
            check_place(path)
    if as_json and output == STANDARD_OUTPUT:
        raise ParameterError("--json prints to standard output, where the roles go already; name a file with -o")
    known = None if labels is None else read_labels(labels, label=label_column_of(label_column))
    with ending_soon(resume_line(checkpoint)):
        graph = load_graph(
            input, console, format=format, source=source, target=target, weight=weight, directed=directed
        )
        if output is not None:
            check_labels(graph.nodes, "csv")
        values, columns = computed_signature(
            graph, console, radius=radius, kind=kind, weighted=weighted, direction=direction, aggregate=aggregate,
            preset=preset, engine=engine, address=address, jobs=jobs, checkpoint=checkpoint,
        )  # fmt: skip
        model.fit_signatures(values, graph.nodes, columns)
        summaries = summarise_roles(graph, model)
        scores = None if known is None else agreement(known, model.labels_, values, nodes=graph.nodes)
        if output is not None:
            write_roles(output, graph.nodes, model.labels_)
        if save is not None:
            model.save(save)
        caption = None
        if plot is not None:
            title = f"{Path(input).name}: {model.n_roles_} structural role{'' if model.n_roles_ == 1 else 's'}"
            caption = draw_roles(plot, graph, model.labels_, values, title=title, summaries=summaries)
    if as_json:
        print_json(_result(input, graph, model, summaries, scores) | {"output": output, "plot": plot, "shown": caption})
    elif output != STANDARD_OUTPUT:
        from vnestruct.cli.role_table import print_roles, print_scores

        print_roles(summaries)
        if scores is not None:
            print_scores(scores, graph.n_nodes)
    for text in _notes(model, output, plot, caption, save):
        console.note(text)


def _result(
    input: str, graph: Graph, model: RoleClusterer, summaries: list[RoleSummary], scores: Agreement | None
) -> dict[str, Any]:
    return {
        "input": input,
        "nodes": graph.n_nodes,
        "edges": graph.n_edges,
        "graph_hash": graph.hash,
        "n_roles": model.n_roles_,
        "method": model.method,
        "scaling": model.scaling,
        "columns": model.columns_,
        "silhouettes": {str(number): score for number, score in model.silhouettes_.items()},
        "roles": [asdict(one) | {"examples": [json_label(label) for label in one.examples]} for one in summaries],
        "agreement": None if scores is None else asdict(scores),
    }


def _notes(
    model: RoleClusterer, output: str | None, plot: str | None, caption: str | None, save: str | None
) -> list[str]:
    notes = []
    if model.silhouettes_:
        best = model.silhouettes_[model.n_roles_]
        tried = f"{min(model.silhouettes_)} to {max(model.silhouettes_)}"
        notes.append(
            f"{model.n_roles_} roles chosen among {tried} by silhouette ({best:.3f}); --roles K takes another number."
        )
    if output not in (None, STANDARD_OUTPUT):
        notes.append(f"Wrote the role of {len(model.labels_):,} nodes to {output}.")
    if save is not None:
        notes.append(f"Wrote the fitted roles to {save}.")
    if plot is not None and caption is not None:
        notes.append(f"Drew {plot}. {caption}.")
    return notes
