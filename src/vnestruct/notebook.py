"""What notebooks show: tables as HTML."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def html_table(rows: Iterable[Sequence[object]], header: Sequence[str] = ()) -> str:
    """Return a table as HTML; every cell is text, whatever marks it contains.

    Examples
    --------
    >>> html_table([("a<b", 1)], ["node", "role"])
    '<table><tr><th>node</th><th>role</th></tr><tr><td>a&lt;b</td><td>1</td></tr></table>'
    """
    lines = [_line("th", header)] if header else []
    return f"<table>{''.join([*lines, *(_line('td', row) for row in rows)])}</table>"


def _line(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(str(cell))}</{tag}>' for cell in cells)}</tr>"
