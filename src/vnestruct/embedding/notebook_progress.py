"""Progress in a notebook: a bar in the output of the cell."""

from __future__ import annotations

import html
import sys
import time
from typing import Any

from vnestruct.embedding.progress import PlainProgress

_EVERY = 0.2


def in_notebook() -> bool:
    """Return whether this process runs the cells of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class NotebookProgress(PlainProgress):
    """Draws a bar with the share done and the time left; lines of text go below it, one at a time."""

    def __init__(self) -> None:
        super().__init__()
        self._handle: Any = None
        self._drawn = 0.0
        self._bar = self._text = ""

    def advance(self, done: float, total: float) -> None:
        """Draw the bar, unless it was drawn a moment ago."""
        now = time.monotonic()
        if total <= 0 or (done < total and now - self._drawn < _EVERY):
            return
        self._drawn = now
        left = f", about {(now - self._begin) * (total - done) / done:.0f} s left" if 0 < done < total else ""
        self._bar = f'<progress value="{done / total:.4f}"></progress> {done / total:.0%}{left}'
        self._show()

    def announce(self, text: str) -> None:
        """Show one line."""
        self._text = html.escape(text)
        self._show()

    def _show(self) -> None:
        from IPython.display import HTML, display

        content = HTML(f"<div>{self._bar} {self._text}</div>")
        if self._handle is None:
            self._handle = display(content, display_id=True)
        else:
            self._handle.update(content)
