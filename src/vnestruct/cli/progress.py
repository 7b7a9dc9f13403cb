"""The progress of a long run: a bar on a terminal, plain lines elsewhere, and a forecast before long work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from vnestruct.cli.console import Console
from vnestruct.embedding.progress import Forecast, PlainProgress, time_range

MoveBar = Callable[[float, float], None]
"""Moves a progress bar to (done, total)."""


@contextmanager
def shown_progress(console: Console, checkpoint: str | None) -> Iterator[CommandProgress]:
    """Yield what shows the progress of a command while the block runs."""
    if console.quiet or not console.is_terminal:
        yield CommandProgress(console, checkpoint)
        return
    with _progress_bar() as move:
        yield CommandProgress(console, checkpoint, move)


class CommandProgress(PlainProgress):
    """Shows progress, forecasts and announcements of a run to the user of a command."""

    def __init__(self, console: Console, checkpoint: str | None, move: MoveBar | None = None) -> None:
        super().__init__()
        self._console = console
        self._checkpoint = checkpoint
        self._move = move

    def advance(self, done: float, total: float) -> None:
        """Show how much of the work is done."""
        if self._move is not None:
            self._move(done, total)
        elif not self._console.quiet:
            super().advance(done, total)

    def expect(self, forecast: Forecast) -> None:
        """Say how long the work will take."""
        which = f" for the next of {forecast.n_signatures} signatures (kind {forecast.kind})"
        self._console.note(
            f"This will take {time_range(forecast.low, forecast.high)}{which if forecast.n_signatures > 1 else ''} on "
            f"{forecast.workers}{'' if self._checkpoint else '; --checkpoint DIR would let you interrupt it'}."
        )

    def announce(self, text: str) -> None:
        """Pass on what happens now."""
        self._console.note(text)


@contextmanager
def _progress_bar() -> Iterator[MoveBar]:
    """Show a bar on standard error; yield the function that moves it."""
    # Rich takes a tenth of a second to import.
    from rich import progress as rich_progress
    from rich.console import Console as RichConsole
    from rich.text import Text

    class Rate(rich_progress.ProgressColumn):
        """Ball edges per second."""

        def render(self, task: rich_progress.Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text("" if speed is None else f"{speed / 1e6:,.1f} M arcs/s", style="progress.data.speed")

    columns = (
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(),
        rich_progress.TaskProgressColumn(),
        Rate(),
        rich_progress.TimeRemainingColumn(elapsed_when_finished=True),
    )
    with rich_progress.Progress(*columns, console=RichConsole(stderr=True), transient=True) as bar:
        task = bar.add_task("embedding", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=max(total, 1.0))
