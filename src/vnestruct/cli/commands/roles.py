"""`vnestruct roles`: the structural roles of a graph, as a table, a file and a picture."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.cli.console import Console, print_json
from vnestruct.cli.interrupts import interruptible
from vnestruct.cli.options import option
from vnestruct.cli.outputs import check_labels, refuse_mixed_output
from vnestruct.cli.role_options import NodeSignatures, RoleOptions, json_label
from vnestruct.files.output_checks import STANDARD_OUTPUT, check_place

if TYPE_CHECKING:
    from vnestruct.roles import Agreement, RoleQuality, RoleSummary

_WIDTH_ELSEWHERE = 150  # columns of a table that does not go to a terminal
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
    with interruptible(nodes.run.resume_line):
        loaded = nodes.load(console)
        graph = loaded.graph
        for name, is_given in (("plot", plot is not None), ("stability", stability)):
            if is_given:
                loaded.with_graph(nodes.graph.input, f"--{name} needs the graph as well")
        if output is not None:
            check_labels(loaded.nodes, "csv")
        known = roles.matched(known, loaded.nodes, console)
        values, _ = nodes.fit(model, loaded, console)
        summaries = None if graph is None else model.describe()
        rows = role_rows(model, graph)
        quality = model.quality() if stability else None
        scores: dict[str, Agreement] = {}
        if known is not None:
            scores["these roles"] = agreement(known, model.labels_, values, nodes=loaded.nodes)
        if known is not None and graph is not None:
            by_degree = degree_split(graph.degrees, model.n_roles_)
            scores["split by degree"] = agreement(known, by_degree, values, nodes=loaded.nodes)
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
        listed = [row | {name: [json_label(v) for v in row[name]] for name in _LABELS if name in row} for row in rows]
        found = {"n_roles": model.n_roles_, "columns": model.columns_, "roles": listed}
        found |= {"quality": quality and asdict(quality)}
        found |= {name: asdict(scores[key]) if key in scores else None for name, key in _SCORES.items()}
        print_json(facts | found | {"output": output, "plot": plot, "shown": caption})
    elif output != STANDARD_OUTPUT:
        if summaries is None:
            print_signatures(rows)
        else:
            print_roles(summaries)
            _print_exceptional(summaries, graph)
        if quality is not None or scores:
            print_scores(quality, scores, len(values))
    if output is not None and output != STANDARD_OUTPUT:
        table = f", and what is known of each role to {role_table_path(output)}"
        console.note(f"Wrote the role of {len(model.labels_):,} nodes to {output}{table}.")
    if save is not None:
        console.note(f"Wrote the fitted roles to {save}.")
    if plot is not None:
        console.note(f"Drew {plot}. {caption}.")


_LABELS = ("examples", "exceptional")
_SCORES = {"agreement": "these roles", "degree_split_agreement": "split by degree"}


def print_roles(summaries: Sequence[RoleSummary]) -> None:
    """Print one row per role on standard output: description, size, range of degrees, examples."""
    is_wide = _width() >= 100
    number = {"justify": "right", "no_wrap": True}
    table = _table({
        "role": number, "description": {"min_width": 20}, "nodes": number, "share": number,
        **({"degrees": {"no_wrap": True}} if is_wide else {}), "examples" if is_wide else "example": {"max_width": 30},
    })  # fmt: skip
    for role in summaries:
        low, high = role.degree_range
        share = f"{role.share:.0%}" if role.share >= 0.01 else f"{role.share:.1%}"
        degrees = f"{low:,}" if low == high else f"{low:,}-{high:,}"
        row = [str(role.role), role.description, f"{role.nodes:,}", share, *([degrees] if is_wide else [])]
        table.add_row(*row, ", ".join(map(str, role.examples if is_wide else role.examples[:1])))
    _print(table)


def _print_exceptional(summaries: Sequence[RoleSummary], graph: Any) -> None:
    """Print the nodes that no other node is like."""
    nodes = [node for role in summaries for node in role.exceptional]
    for node in nodes[:_SHOWN]:
        _print(f"{node}, {graph.degrees[graph.position(node)]:,} links: no other node is like it")
    if len(nodes) > _SHOWN:
        _print(f"{len(nodes) - _SHOWN:,} more nodes are like no other; the file of -o marks them")


def print_signatures(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print one row per role on standard output, with what signatures alone say: size, examples, centre."""
    from vnestruct.roles.views import cell_text

    table = _table({name: {} if name == "examples" else {"justify": "right", "no_wrap": True} for name in rows[0]})
    for row in rows:
        table.add_row(*map(cell_text, row.values()))
    _print(table)


def print_scores(quality: RoleQuality | None, scores: dict[str, Agreement], n_nodes: int) -> None:
    """Print on standard output how good roles are and how well they agree with known labels, next to a degree split."""
    legend, measures = [], {}
    if quality is not None:
        legend += [_STABILITY, _LEGEND]
    if scores:
        first = scores["these roles"]
        part = "all" if first.n_nodes == n_nodes else f"{first.n_nodes:,} of"
        legend.append(f"Agreement with {first.n_classes} known classes, on {part} {n_nodes:,} nodes (1 is perfect)")
        names = ("homogeneity", "completeness", "V-measure (NMI)", "adjusted Rand")
        measures = dict(zip(("homogeneity", "completeness", "v_measure", "adjusted_rand"), names, strict=True))
    numbers = (*(() if quality is None else ("stability", "separation")), *measures.values())
    table = _table({"": {}} | {name: {"justify": "right"} for name in numbers})
    for name, prefix in (("these roles", ""), ("split by degree", "degree_")):
        values = [] if quality is None else [getattr(quality, prefix + key) for key in ("stability", "separation")]
        values += [getattr(scores[name], measure) for measure in measures if name in scores]
        if values:
            table.add_row(name, *map(_score, values))
    _print("\n".join(legend))
    _print(table)


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _table(columns: Mapping[str, Mapping[str, Any]]) -> Any:
    from rich import box
    from rich.table import Column, Table

    heads = [Column(name, **options) for name, options in columns.items()]
    return Table(*heads, box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))


def _width() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDTH_ELSEWHERE


def _print(table: Any) -> None:
    from rich.console import Console as RichConsole

    # Labels are the user's own words: no markup, no highlighting.
    console = RichConsole(file=sys.stdout, width=_width(), markup=False, highlight=False, emoji=False)
    with console.capture() as captured:
        console.print(table)
    # Rich pads every line and puts empty lines around tables without a frame.
    sys.stdout.write("\n".join(line.rstrip() for line in captured.get().splitlines()).strip("\n") + "\n\n")
