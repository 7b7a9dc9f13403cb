"""The progress bar of terminals; kept apart because Rich takes a tenth of a second to import."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text


class _Rate(ProgressColumn):
    """Arcs of balls a second."""

    def render(self, task: Task) -> Text:
        """Show the rate once there is one."""
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed / 1e6:,.1f} M arcs/s", style="progress.data.speed")


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[float, float], None]]:
    """Show a bar on standard error; yield the function that moves it to (done, total)."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        _Rate(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)

        def report(done: float, total: float) -> None:
            progress.update(task, completed=done, total=max(total, 1.0))

        yield report
