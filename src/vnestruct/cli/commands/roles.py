"""`vnestruct roles`: the structural roles of a graph, as a table, a file and a picture."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import vnestruct
from vnestruct import roles as library
from vnestruct.cli.options import option
from vnestruct.cli.output import Console, print_json, print_table, print_text, width
from vnestruct.cli.role_options import NodeSignatures, RoleOptions
from vnestruct.drawing.pictures import check_graph_picture
from vnestruct.files.atomic import STANDARD_OUTPUT

_SHOWN = 5  # exceptional nodes that are listed
_LEGEND = "Separation: mean silhouette of the signatures. The split by degree has as many groups."
_STABILITY = "Stability: agreement with the roles found after a loss of 5% of the links (adjusted Rand index)."
_MEASURES = {
    "homogeneity": "homogeneity", "completeness": "completeness", "v_measure": "V-measure (NMI)",
    "adjusted_rand": "adjusted Rand",
}  # fmt: skip


def roles(
    *,
    output: Annotated[
        str | None, option("--output -o", "OUT", "Write the role of each node: .csv or .tsv; - for standard output.")
    ] = None,
    roles: RoleOptions,
    stability: Annotated[
        bool,
        option("--stability", None, "Also find the roles again after losses of links; takes 5 to 20 times as long."),
    ] = False,
    plot: Annotated[str | None, option("FILE", "Draw the graph next to its signatures: .png, .svg or .pdf.")] = None,
    save: Annotated[
        str | None, option("FILE", "Save the fitted roles for watch, and RoleClusterer.load in Python.")
    ] = None,
    nodes: NodeSignatures,
    console: Console,
) -> None:
    """Find the structural roles of a graph and describe them.

    Nodes are clustered by their signatures. For each role, the table shows a name, with the numbers that decide it,
    its size, the range of its degrees, and typical nodes. Nodes that no other node is like are listed below it. With
    -o, the table goes to a second file as well: roles.summary.csv next to roles.csv.

    The default signature, kind roles, is meant for this. Other kinds describe nodes differently: approx, by the
    entropies of balls up to --radius, is the paper's; noisy is for graphs whose edges may be missing or wrong.

    Examples
    --------
    vnestruct roles flights.csv
    vnestruct roles flights.csv --roles 4 -o roles.csv --plot roles.png
    vnestruct roles calls.csv --directed --direction out+in
    vnestruct roles flights.csv --kind noisy --labels known.txt --stability --json
    """
    from vnestruct.roles.labels import check_role_file, labels_of_nodes, role_table_path, write_roles
    from vnestruct.roles.quality import degree_split
    from vnestruct.roles.views import role_rows
    from vnestruct.store.tables import writable_labels

    model = roles.model(nodes)
    if output is not None:
        check_role_file(output)
    if plot is not None:
        check_graph_picture(plot)
    console.check_outputs(save, plot, shown=output)
    known = roles.known_labels()
    option = "--stability" if plot is None else "--plot"
    loaded = nodes.load(console, f"{option} needs the graph as well" if plot or stability else None)
    graph = loaded.graph
    if output is not None:
        writable_labels(loaded.nodes, loaded.nodes.size)
    known = None if known is None else labels_of_nodes(known, loaded.nodes)
    roles.fit(model, nodes, loaded, console)
    rows = role_rows(model, graph)
    quality = model.quality() if stability else None
    scores: dict[str, Any] = dict.fromkeys(("agreement", "degree_split_agreement"))
    if known is not None:
        splits = [model.labels_, *([] if graph is None else [degree_split(graph.degrees, model.n_roles_)])]
        for name, split in zip(scores, splits, strict=False):
            scores[name] = asdict(library.agreement(known, split, model.signatures_, nodes=loaded.nodes))
    if output is not None:
        write_roles(output, model, rows)
    if save is not None:
        model.save(save)
    caption = None
    if plot is not None:
        plural = "" if model.n_roles_ == 1 else "s"
        title = f"{Path(nodes.graph.input).name}: {model.n_roles_} structural role{plural}"
        console.phase("Laying out", loaded.nodes.size)
        caption = library.draw_roles(plot, model, title=title)
    if console.json:
        facts = {"input": nodes.graph.input, "nodes": loaded.nodes.size} if graph is None else nodes.graph.facts(graph)
        found = {"n_roles": model.n_roles_, "columns": model.columns_, "roles": rows}
        files = {"output": output, "plot": plot, "shown": caption}
        print_json(facts | found | {"quality": quality and asdict(quality)} | scores | files)
    elif output != STANDARD_OUTPUT:
        if graph is None:
            print_table(rows, wide=["examples"])
        else:
            print_roles(rows, graph)
        if quality is not None or known is not None:
            print_scores(quality, [score for score in scores.values() if score], loaded.nodes.size)
    if output is not None and output != STANDARD_OUTPUT:
        table = f", and what is known of each role to {role_table_path(output)}"
        console.note(f"Wrote the role of {len(model.labels_):,} nodes to {output}{table}.")
    if save is not None:
        console.note(f"Wrote the fitted roles to {save}.")
    if plot is not None:
        console.note(f"Drew {plot}. {caption}.")


def print_roles(roles: Sequence[Mapping[str, Any]], graph: "vnestruct.Graph") -> None:
    """Print one row per role on standard output, and below them the nodes that no other node is like."""
    rows = []
    for role in roles:
        low, high = role["degree_range"]
        share = f"{role['share']:.0%}" if role["share"] >= 0.01 else f"{role['share']:.1%}"
        row = {name: role[name] for name in ("role", "description", "nodes")} | {"share": share}
        if width() >= 100:
            degrees = f"{low:,}" if low == high else f"{low:,}-{high:,}"
            rows.append(row | {"degrees": degrees, "examples": role["examples"]})
        else:
            rows.append(row | {"example": role["examples"][0]})
    print_table(rows, wide=["description", "examples", "example"])
    nodes = [node for role in roles for node in role["exceptional"]]
    lines = [
        f"{node}, {graph.degrees[graph.position(node)]:,} links: no other node is like it" for node in nodes[:_SHOWN]
    ]
    if len(nodes) > _SHOWN:
        lines.append(f"{len(nodes) - _SHOWN:,} more nodes are like no other; the file of -o marks them")
    if lines:
        print_text("", *lines)


def print_scores(quality: Any, scores: Sequence[Mapping[str, Any]], n_nodes: int) -> None:
    """Print on standard output how good roles are and how well they agree with known labels, next to a degree split."""
    rows = [{"": "these roles"}, {"": "split by degree"}]
    print_text("")
    if quality is not None:
        print_text(_STABILITY, _LEGEND)
        for row, whose in zip(rows, ("", "degree_"), strict=True):
            row |= {name: _decimals(getattr(quality, whose + name)) for name in ("stability", "separation")}
    if scores:
        part = "all" if scores[0]["n_nodes"] == n_nodes else f"{scores[0]['n_nodes']:,} of"
        n_classes = scores[0]["n_classes"]
        print_text(f"Agreement with {n_classes} known classes, on {part} {n_nodes:,} nodes (1 is perfect)")
    for row, score in zip(rows, scores, strict=False):
        row |= {words: _decimals(score[name]) for name, words in _MEASURES.items()}
    print_table([row for row in rows if len(row) == len(rows[0])])


def _decimals(score: float | None) -> str:
    return "-" if score is None else f"{score:.3f}"
