"""What notebooks show: tables as HTML."""

import html
from collections.abc import Iterable, Sequence


def html_table(rows: Iterable[Sequence[object]], header: Sequence[str] = ()) -> str:
    """Return a table as HTML; every cell is text, whatever marks it contains."""
    lines = [_line("th", header)] if header else []
    return f"<table>{''.join([*lines, *(_line('td', row) for row in rows)])}</table>"


def _line(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(str(cell))}</{tag}>' for cell in cells)}</tr>"
