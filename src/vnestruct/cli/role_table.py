"""Roles as tables for people."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vnestruct.roles import Agreement, RoleSummary

_WIDTH_ELSEWHERE = 150
"""Columns of a table that does not go to a terminal."""


def print_roles(summaries: Sequence[RoleSummary]) -> None:
    """Print one row per role on standard output: median degree and its range, median clustering coefficient."""
    from rich import box
    from rich.table import Table

    is_wide = _width() >= 100
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("role", "nodes", "share"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("degree", no_wrap=True)
    table.add_column("clustering", justify="right", no_wrap=True)
    table.add_column("examples" if is_wide else "example", max_width=24)
    table.add_column("what they are")
    for one in summaries:
        low, high = one.degree_range
        table.add_row(
            str(one.role),
            f"{one.size:,}",
            f"{one.share:.0%}" if one.share >= 0.01 else f"{one.share:.1%}",
            f"{one.degree:,g}" + ("" if low == high else f" ({low:,}-{high:,})"),
            f"{one.clustering:.2f}",
            ", ".join(map(str, one.examples if is_wide else one.examples[:1])),
            # The first words say what they are, the rest what the number before says of their neighbours.
            one.brief if is_wide else one.brief.partition(", ")[0],
        )
    _print(table)


def print_scores(scores: Agreement, n_nodes: int) -> None:
    """Print how roles agree with known labels on standard output."""
    from rich import box
    from rich.table import Table

    part = "all" if scores.n_nodes == n_nodes else f"{scores.n_nodes:,} of"
    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title=f"Agreement with {scores.n_classes} known classes, on {part} {n_nodes:,} nodes (1 is perfect)",
        title_justify="left",
        title_style="",
    )
    rows = {
        "homogeneity": scores.homogeneity,
        "completeness": scores.completeness,
        "V-measure (NMI)": scores.v_measure,
        "adjusted Rand": scores.adjusted_rand,
        "silhouette of roles": scores.silhouette,
    }
    for name in rows:
        table.add_column(name, justify="right")
    table.add_row(*("-" if value is None else f"{value:.3f}" for value in rows.values()))
    _print(table)


def _width() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDTH_ELSEWHERE


def _print(table: object) -> None:
    from rich.console import Console

    # Labels are the user's own words: no markup, no highlighting.
    console = Console(file=sys.stdout, width=_width(), markup=False, highlight=False, emoji=False)
    with console.capture() as captured:
        console.print(table)
    # Rich fills every line with blanks and sets empty lines around tables without a frame.
    lines = [line.rstrip() for line in captured.get().splitlines()]
    sys.stdout.write("\n".join(lines).strip("\n") + "\n\n")
