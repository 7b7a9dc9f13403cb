"""What a notebook shows of a run."""

import time
from html import escape
from typing import Any

from vnestruct.embedding.progress import PlainProgress

_DRAW_EVERY = 0.2


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
        if total <= 0 or (done < total and now - self._drawn < _DRAW_EVERY):
            return
        self._drawn = now
        left = self.time_left(done, total) if done > 0 else ""
        self._bar = f'<progress value="{done / total:.4f}"></progress> {done / total:.0%}{left}'
        self._show()

    def on_message(self, text: str) -> None:
        """Show one line."""
        self._text = escape(text)
        self._show()

    def _show(self) -> None:
        from IPython.display import HTML, display

        content = HTML(f"<div>{self._bar} {self._text}</div>")
        if self._handle is None:
            self._handle = display(content, display_id=True)
        else:
            self._handle.update(content)
