"""What notebooks show: tables as HTML."""

import html
from collections.abc import Iterable, Sequence


def html_table(rows: Iterable[Sequence[object]], header: Sequence[str] = ()) -> str:
    """Return a table as HTML; every cell is text, whatever marks it contains."""
    lines = [*([("th", header)] if header else []), *(("td", row) for row in rows)]
    cells = ("".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in row) for tag, row in lines)
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in cells)}</table>"
