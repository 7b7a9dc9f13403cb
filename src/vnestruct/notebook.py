"""What notebooks show: tables as HTML."""

import html
from collections.abc import Iterable, Sequence
from typing import Any


def html_table(rows: Iterable[Sequence[object]], header: Sequence[str] = ()) -> str:
    """Return a table as HTML; every cell is text, whatever marks it contains."""
    lines = [_line("th", header)] if header else []
    return f"<table>{''.join([*lines, *(_line('td', row) for row in rows)])}</table>"


def graph_table(graph: Any) -> str:
    """Return what a `Graph` is, as an HTML table."""
    some = ", ".join(map(str, graph.nodes[:5].tolist())) + (", ..." if graph.n_nodes > 5 else "")
    kind = f"directed, {graph.n_arcs:,} arcs" if graph.directed else "undirected"
    rows = [
        ("nodes", f"{graph.n_nodes:,}: {some}" if graph.n_nodes else "0"),
        ("edges", f"{graph.n_edges:,}, {kind}{'' if graph.weights is None else ', weighted'}"),
        ("cleaning", graph.report),
    ]
    if graph.n_nodes:
        rows.insert(2, ("degrees", f"{graph.degrees.mean():.1f} on average, {graph.degrees.max()} at most"))
    return html_table(rows)


def _line(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(str(cell))}</{tag}>' for cell in cells)}</tr>"
