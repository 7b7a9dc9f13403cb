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
    from vnestruct.roles import Agreement, RoleClusterer, RoleQuality, RoleSummary

_WIDTH_ELSEWHERE = 150  # columns of a table that does not go to a terminal
_LEGEND = """Stability: agreement with the roles found after a loss of 5% of the links (adjusted Rand index; above, of
each role, Jaccard index). Separation: mean silhouette of the signatures. The split by degree has as many groups."""
_LEGEND_WITHOUT_GRAPH = "Separation: mean silhouette of the signatures. For names and stability add --graph FILE."


def roles(
    *,
    output: Annotated[
        str | None, option("--output -o", "OUT", "Write the role of each node: .csv or .tsv; - for standard output.")
    ] = None,
    roles: RoleOptions,
    plot: Annotated[str | None, option("FILE", "Draw the graph next to its signatures: .png, .svg or .pdf.")] = None,
    save: Annotated[str | None, option("FILE", "Save the fitted roles for RoleClusterer.load in Python.")] = None,
    nodes: NodeSignatures,
    console: Console,
) -> None:
    """Find the structural roles of a graph and describe them.

    Nodes are clustered by their signatures. For each role, the table shows a name, its size, the median and range of
    the degree, the median clustering coefficient, its stability if 5% of the links are lost, typical nodes, and what
    distinguishes it from the others. A second table compares the roles with a plain split by degree. With -o, all this
    goes to a second file as well: roles.summary.csv next to roles.csv.

    The default signature is the paper's, with the entropies of balls up to --radius. --preset noisy is better where
    edges may be missing or wrong. --preset profile is the most detailed and describes nodes of large networks best;
    to predict known labels, use it with vnestruct embed.

    Examples
    --------
    vnestruct roles flights.csv
    vnestruct roles flights.csv --roles 4 -o roles.csv --plot roles.png
    vnestruct roles friends.csv --preset profile
    vnestruct roles flights.csv --preset noisy --labels known.txt --json
    """
    from vnestruct.drawing.pictures import check_graph_picture
    from vnestruct.roles import agreement, draw_roles, summarise_roles
    from vnestruct.roles.quality import degree_split
    from vnestruct.roles.role_files import check_role_file, role_table_path, write_role_table, write_roles

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
        if plot is not None:
            loaded.with_graph(nodes.graph.input, "--plot draws the graph as well")
        if output is not None:
            check_labels(loaded.nodes, "csv")
        known = roles.matched(known, loaded.nodes, console)
        values, _ = nodes.fit(model, loaded, console)
        quality = model.quality(graph)
        summaries = None if graph is None else summarise_roles(graph, model)
        scores: dict[str, Agreement] = {}
        if known is not None:
            scores["these roles"] = agreement(known, model.labels_, values, nodes=loaded.nodes)
        if known is not None and graph is not None:
            by_degree = degree_split(graph.degrees, None, model.n_roles_, model.method, model.random_state)
            scores["split by degree"] = agreement(known, by_degree, values, nodes=loaded.nodes)
        if output is not None:
            names = None if summaries is None else [summary.name for summary in summaries]
            write_roles(output, loaded.nodes, model.labels_, names)
            if summaries is not None and output != STANDARD_OUTPUT:
                write_role_table(output, summaries, quality)
        if save is not None:
            model.save(save)
        caption = None
        if plot is not None:
            plural = "" if model.n_roles_ == 1 else "s"
            title = f"{Path(nodes.graph.input).name}: {model.n_roles_} structural role{plural}"
            console.phase("Laying out", len(values))
            caption = draw_roles(plot, graph, model.labels_, values, title=title, summaries=summaries)
    if console.json:
        facts = {"input": nodes.graph.input, "nodes": len(values)} if graph is None else nodes.graph.facts(graph)
        result = facts | _result(model, summaries, quality, scores)
        print_json(result | {"output": output, "plot": plot, "shown": caption})
    elif output != STANDARD_OUTPUT:
        if summaries is None:
            print_signatures(model)
        else:
            print_roles(summaries)
        print_scores(quality, scores, len(values))
    if model.silhouettes_:
        best = model.silhouettes_[model.n_roles_]
        tried = f"{min(model.silhouettes_)} to {max(model.silhouettes_)}"
        chosen = f"{model.n_roles_} roles chosen among {tried} by silhouette ({best:.3f})"
        console.note(f"{chosen}; --roles K sets another number.")
    if output is not None and output != STANDARD_OUTPUT:
        table = "" if model.graph_ is None else f", and what is known of each role to {role_table_path(output)}"
        console.note(f"Wrote the role of {len(model.labels_):,} nodes to {output}{table}.")
    if save is not None:
        console.note(f"Wrote the fitted roles to {save}.")
    if plot is not None:
        console.note(f"Drew {plot}. {caption}.")


def _result(
    model: RoleClusterer, summaries: list[RoleSummary] | None, quality: RoleQuality, scores: dict[str, Agreement]
) -> dict[str, Any]:
    from vnestruct.roles.views import role_rows

    entries = role_rows(model, None) if summaries is None else map(asdict, summaries)
    found = {name: asdict(score) for name, score in scores.items()}
    return {
        "n_roles": model.n_roles_,
        "method": model.method,
        "scaling": model.scaling,
        "columns": model.columns_,
        "silhouettes": {str(number): score for number, score in model.silhouettes_.items()},
        "quality": asdict(quality),
        "roles": [role | {"examples": [json_label(label) for label in role["examples"]]} for role in entries],
        "agreement": found.get("these roles"),
        "degree_split_agreement": found.get("split by degree"),
    }


def print_roles(summaries: Sequence[RoleSummary]) -> None:
    """Print one row per role on standard output: median degree and its range, median clustering coefficient."""
    is_wide = _width() >= 100
    number = {"justify": "right", "no_wrap": True}
    table = _table({
        "role": number, "name": {"min_width": 12, "max_width": 30}, "nodes": number, "share": number,
        "degree (range)": {"no_wrap": True}, **({"clustering": number} if is_wide else {}), "stability": number,
        "examples" if is_wide else "example": {"max_width": 20},
        **({"compared with all other nodes": {}} if is_wide else {}),
    })  # fmt: skip
    for role in summaries:
        low, high = role.degree_range
        share = f"{role.share:.0%}" if role.share >= 0.01 else f"{role.share:.1%}"
        degree = f"{role.degree:,g}" + ("" if low == high else f" ({low:,}-{high:,})")
        examples = ", ".join(map(str, role.examples if is_wide else role.examples[:1]))
        row = [str(role.role), role.name, f"{role.size:,}", share, degree, f"{role.clustering:.2f}"]
        row += [_score(role.stability, 2), examples, role.sentence]
        table.add_row(*(row if is_wide else [*row[:5], *row[6:8]]))
    _print(table)


def print_signatures(model: RoleClusterer) -> None:
    """Print one row per role on standard output, with what signatures alone say: size, examples, mean signature."""
    from vnestruct.roles.views import cell_text, role_rows

    rows = role_rows(model, None)
    table = _table({name: {} if name == "examples" else {"justify": "right", "no_wrap": True} for name in rows[0]})
    for row in rows:
        table.add_row(*map(cell_text, row.values()))
    _print(table)


def print_scores(quality: RoleQuality, scores: dict[str, Agreement], n_nodes: int) -> None:
    """Print on standard output how good roles are and how well they agree with known labels, next to a degree split."""
    legend, measures = _LEGEND_WITHOUT_GRAPH if quality.degree_separation is None else _LEGEND, {}
    if scores:
        first = scores["these roles"]
        part = "all" if first.n_nodes == n_nodes else f"{first.n_nodes:,} of"
        legend += f"\nAgreement with {first.n_classes} known classes, on {part} {n_nodes:,} nodes (1 is perfect)"
        names = ("homogeneity", "completeness", "V-measure (NMI)", "adjusted Rand")
        measures = dict(zip(("homogeneity", "completeness", "v_measure", "adjusted_rand"), names, strict=True))
    numbers = ("stability", "separation", *measures.values())
    table = _table({"": {}} | {name: {"justify": "right"} for name in numbers})
    for name, prefix in (("these roles", ""), ("split by degree", "degree_")):
        values = [getattr(quality, prefix + key) for key in ("stability", "separation")]
        values += [getattr(scores[name], measure) for measure in measures if name in scores]
        if values[1] is not None:
            table.add_row(name, *(_score(value, 3) for value in values))
    _print(legend)
    _print(table)


def _score(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


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
