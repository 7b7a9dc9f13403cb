"""`vnestruct roles`: the structural roles of a graph, as a table, a file and a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.cli.console import Console, print_json, print_table, print_text, width
from vnestruct.cli.options import option
from vnestruct.cli.outputs import check_labels, refuse_mixed_output
from vnestruct.cli.role_options import NodeSignatures, RoleOptions
from vnestruct.files.output_checks import STANDARD_OUTPUT, check_place

if TYPE_CHECKING:
    from vnestruct.graph import Graph
    from vnestruct.roles import Agreement, RoleQuality, RoleSummary

_SHOWN = 5  # exceptional nodes that are listed
_LEGEND = "Separation: mean silhouette of the signatures. The split by degree has as many groups."
_STABILITY = "Stability: agreement with the roles found after a loss of 5% of the links (adjusted Rand index)."


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
    from vnestruct.drawing.pictures import check_graph_picture
    from vnestruct.roles import agreement, draw_roles
    from vnestruct.roles.labels import check_role_file, role_table_path, write_roles
    from vnestruct.roles.quality import degree_split
    from vnestruct.roles.views import role_rows

    model = roles.model(nodes)
    for path, check in ((output, check_role_file), (plot, check_graph_picture), (save, check_place)):
        if path is not None:
            check(path)
            check_place(path)
    refuse_mixed_output(output, console, "the roles")
    known = roles.known_labels()
    loaded = nodes.load(console)
    graph = loaded.graph
    for name, is_given in (("plot", plot is not None), ("stability", stability)):
        if is_given:
            loaded.with_graph(nodes.graph.input, f"--{name} needs the graph as well")
    if output is not None:
        check_labels(loaded.nodes, "csv")
    known = roles.matched(known, loaded.nodes, console)
    values, _ = nodes.fit(model, loaded, console)
    rows = role_rows(model, graph)
    quality = model.quality() if stability else None
    scores = {}
    if known is not None:
        splits = {"these roles": model.labels_}
        if graph is not None:
            splits["split by degree"] = degree_split(graph.degrees, model.n_roles_)
        scores = {name: agreement(known, split, values, nodes=loaded.nodes) for name, split in splits.items()}
    if output is not None:
        write_roles(output, model, rows)
    if save is not None:
        model.save(save)
    caption = None
    if plot is not None:
        plural = "" if model.n_roles_ == 1 else "s"
        title = f"{Path(nodes.graph.input).name}: {model.n_roles_} structural role{plural}"
        console.phase("Laying out", len(values))
        caption = draw_roles(plot, model, title=title)
    if console.json:
        facts = {"input": nodes.graph.input, "nodes": len(values)} if graph is None else nodes.graph.facts(graph)
        found = {"n_roles": model.n_roles_, "columns": model.columns_, "roles": rows}
        found |= {"quality": quality and asdict(quality)}
        found |= {name: asdict(scores[key]) if key in scores else None for name, key in _SCORES.items()}
        print_json(facts | found | {"output": output, "plot": plot, "shown": caption})
    elif output != STANDARD_OUTPUT:
        if graph is None:
            print_table(rows, wide=["examples"])
        else:
            print_roles(model.describe(), graph)
        if quality is not None or scores:
            print_scores(quality, scores, len(values))
    if output is not None and output != STANDARD_OUTPUT:
        table = f", and what is known of each role to {role_table_path(output)}"
        console.note(f"Wrote the role of {len(model.labels_):,} nodes to {output}{table}.")
    if save is not None:
        console.note(f"Wrote the fitted roles to {save}.")
    if plot is not None:
        console.note(f"Drew {plot}. {caption}.")


def print_roles(summaries: Sequence[RoleSummary], graph: Graph) -> None:
    """Print one row per role on standard output, and below them the nodes that no other node is like."""
    is_wide = width() >= 100
    rows: list[dict[str, Any]] = []
    for role in summaries:
        low, high = role.degree_range
        share = f"{role.share:.0%}" if role.share >= 0.01 else f"{role.share:.1%}"
        rows.append({"role": role.role, "description": role.description, "nodes": role.nodes, "share": share})
        if is_wide:
            rows[-1] |= {"degrees": f"{low:,}" if low == high else f"{low:,}-{high:,}", "examples": role.examples}
        else:
            rows[-1]["example"] = role.examples[0]
    print_table(rows, wide=["description", "examples", "example"])
    nodes = [node for role in summaries for node in role.exceptional]
    if nodes:
        print_text("")
    for node in nodes[:_SHOWN]:
        print_text(f"{node}, {graph.degrees[graph.position(node)]:,} links: no other node is like it")
    if len(nodes) > _SHOWN:
        print_text(f"{len(nodes) - _SHOWN:,} more nodes are like no other; the file of -o marks them")


def print_scores(quality: RoleQuality | None, scores: Mapping[str, Agreement], n_nodes: int) -> None:
    """Print on standard output how good roles are and how well they agree with known labels, next to a degree split."""
    rows: dict[str, dict[str, Any]] = {name: {"": name} for name in _SCORES.values()}
    print_text("")
    if quality is not None:
        print_text(_STABILITY, _LEGEND)
        for row, prefix in zip(rows.values(), ("", "degree_"), strict=True):
            row |= {key: getattr(quality, prefix + key) for key in ("stability", "separation")}
    if scores:
        first = scores["these roles"]
        part = "all" if first.n_nodes == n_nodes else f"{first.n_nodes:,} of"
        print_text(f"Agreement with {first.n_classes} known classes, on {part} {n_nodes:,} nodes (1 is perfect)")
    for name, score in scores.items():
        rows[name] |= {words: getattr(score, key) for key, words in _MEASURES.items()}
    shown = [row for row in rows.values() if len(row) == len(rows["these roles"])]
    print_table(
        [{key: f"{cell:.3f}" if isinstance(cell, float) else cell for key, cell in row.items()} for row in shown]
    )


_SCORES = {"agreement": "these roles", "degree_split_agreement": "split by degree"}
_MEASURES = {
    "homogeneity": "homogeneity", "completeness": "completeness", "v_measure": "V-measure (NMI)",
    "adjusted_rand": "adjusted Rand",
}  # fmt: skip
