"""What people see: notes and progress on standard error, results on standard output."""

import json
import logging
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from vnestruct.cli.errors import in_options
from vnestruct.embedding.progress import PlainProgress
from vnestruct.embedding.progress import duration as duration

_MANY_NODES = 100_000  # nodes for which clustering or drawing takes seconds
MoveBar = Callable[[float, float, str], None]  # moves a progress bar to (done, total) and shows the time left


@dataclass(frozen=True)
class Console:
    """Where a command writes, as a group of options; notes go to standard error, so standard output stays clean."""

    json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object, for programs.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only, no notes and no progress.")] = False

    def note(self, text: str | Warning) -> None:
        """Write one line that is worth knowing."""
        if not self.quiet:
            sys.stderr.write(f"{in_options(text)}\n")
            sys.stderr.flush()

    def phase(self, text: str, n_nodes: int) -> None:
        """Name what happens now, if there are so many nodes that it takes a while."""
        if n_nodes >= _MANY_NODES:
            self.note(f"{text} ...")

    def remark(self, text: str) -> None:
        """Write a note of the library, which has no full stop."""
        self.note(f"Note: {in_options(text)}.")

    @contextmanager
    def logs_as_notes(self, name: str = "vnestruct.io") -> Iterator[None]:
        """Show what readers, or another part of the package, log in the block."""
        handler = logging.Handler(logging.INFO)
        handler.emit = lambda record: self.remark(record.getMessage() if record.args else record.msg)  # type: ignore[method-assign]
        with logging_at(logging.INFO, name) as logger:
            logger.addHandler(handler)
            try:
                yield
            finally:
                logger.removeHandler(handler)


@contextmanager
def logging_at(level: int, name: str) -> Iterator[logging.Logger]:
    """Let a part of the package log from this level on while the block runs."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(level)
    try:
        yield logger
    finally:
        logger.setLevel(before)


def print_json(result: dict[str, Any]) -> None:
    """Print a result for programs on standard output."""
    sys.stdout.write(json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def count(number: float) -> str:
    """Write a large number so that it can be read at a glance."""
    for size, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if number >= size:
            amount = number / size
            return f"{amount:.1f} {name}" if amount < 10 else f"{amount:,.0f} {name}"
    return f"{number:,.0f}"


def command_line(without: str | None = None) -> str:
    """Return the command that runs now, ready to be pasted into a shell, without a given option and its value."""
    kept = ["vnestruct"]
    given = iter(sys.argv[1:])
    for word in given:
        if without is not None and word == without:
            next(given, None)
        elif without is None or not word.startswith(f"{without}="):
            kept.append(word)
    return shlex.join(kept)


@contextmanager
def shown_progress(
    console: Console, checkpoint: str | None, phase: str = "embedding", unit: str = "M arcs"
) -> "Iterator[CommandProgress]":
    """Yield what shows the progress of a command, in millions of a unit if any, while the block runs."""
    if console.quiet or not sys.stderr.isatty():
        yield CommandProgress(console, checkpoint)
        return
    # Rich takes a tenth of a second to import.
    from rich import progress as rich_progress
    from rich.console import Console as RichConsole
    from rich.text import Text

    class Rate(rich_progress.ProgressColumn):
        """Ball edges or bytes per second."""

        def render(self, task: rich_progress.Task) -> Text:
            speed = task.finished_speed or task.speed
            rate = "" if speed is None or not unit else f"{speed / 1e6:,.1f} {unit}/s"
            return Text(rate, style="progress.data.speed")

    columns = (
        rich_progress.TextColumn("{task.description}"),
        rich_progress.BarColumn(),
        rich_progress.TaskProgressColumn(),
        Rate(),
        rich_progress.TextColumn("{task.fields[left]}", style="progress.remaining"),
    )
    with rich_progress.Progress(*columns, console=RichConsole(stderr=True), transient=True) as bar:
        task = bar.add_task(phase, total=None, left="")

        def move(done: float, total: float, left: str) -> None:
            bar.update(task, completed=done, total=max(total, 1.0), left=left)

        yield CommandProgress(console, checkpoint, move)


class CommandProgress(PlainProgress):
    """Shows progress and messages of a run to the user of a command."""

    def __init__(self, console: Console, checkpoint: str | None, move: MoveBar | None = None) -> None:
        super().__init__()
        self._console, self._checkpoint, self._move = console, checkpoint, move

    def advance(self, done: float, total: float) -> None:
        """Show how much of the work is done."""
        if self._move is not None:
            self._move(done, total, self.time_left(done, total).removeprefix(", ") if done > 0 else "")
        elif not self._console.quiet:
            super().advance(done, total)

    def on_message(self, text: str) -> None:
        """Pass on what happens now."""
        self._console.note(text)
