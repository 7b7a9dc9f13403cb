"""What people see: notes and progress on standard error, results on standard output."""

import json
import logging
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from vnestruct.cli.errors import in_options
from vnestruct.embedding.progress import PlainProgress
from vnestruct.embedding.progress import duration as duration

_MANY_NODES = 100_000  # nodes for which clustering or drawing takes seconds
_WIDTH_ELSEWHERE = 150  # columns of a table that does not go to a terminal
_NUMBER = set("0123456789.,-+e% ")
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
    sys.stdout.write(json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False, default=_plain) + "\n")


def _plain(value: Any) -> Any:
    """Return what JSON has no word for: a number of NumPy, or a node label, as text."""
    return value.tolist() if hasattr(value, "tolist") else str(value)


def print_text(*lines: str) -> None:
    """Print lines on standard output at once."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def print_table(rows: Sequence[Mapping[str, Any]], wide: Iterable[str] = (), max_width: int | None = None) -> None:
    """Print rows on standard output, numbers on the right; only the `wide` columns are broken into lines."""
    from rich import box
    from rich.console import Console as RichConsole
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    texts = [[_cell_text(value) for value in row.values()] for row in rows]
    for name, *column in zip(rows[0], *texts, strict=True):
        justify: Any = "right" if all(_NUMBER.issuperset(cell) for cell in column) else "left"
        table.add_column(Text(name), justify=justify, no_wrap=name not in wide)
    for row in texts:
        # Labels are the user's own words: no markup, no highlighting.
        table.add_row(*map(Text, row))
    console = RichConsole(file=sys.stdout, width=max_width or width(), markup=False, highlight=False, emoji=False)
    with console.capture() as captured:
        console.print(table)
    # Rich pads every line and puts empty lines around tables without a frame.
    lines = "\n".join(line.rstrip() for line in captured.get().splitlines()).strip("\n")
    print_text(lines)


def width() -> int:
    """Return the number of columns of the terminal, or of what stands for it."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDTH_ELSEWHERE


def _cell_text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def count(number: float) -> str:
    """Write a large number so that it can be read at a glance."""
    for size, name in ((1e12, "trillion"), (1e9, "billion"), (1e6, "million")):
        if number >= size:
            amount = number / size
            return f"{amount:.1f} {name}" if amount < 10 else f"{amount:,.0f} {name}"
    return f"{number:,.0f}"


@contextmanager
def shown_progress(
    console: Console, checkpoint: str | None, phase: str = "embedding", unit: str = "M arcs"
) -> "Iterator[CommandProgress]":
    """Yield what shows the progress of a command, in millions of a unit if any, while the block runs."""
    if console.quiet or not sys.stderr.isatty():
        yield CommandProgress(console, checkpoint)
        return
    # Rich takes a tenth of a second to import.
    from rich import progress as bars
    from rich.console import Console as RichConsole

    words = ("{task.description}", "{task.fields[speed]}", "{task.fields[left]}")
    what, speed, left = (
        bars.TextColumn(word, style=style)
        for word, style in zip(words, ("", "progress.data.speed", "progress.remaining"), strict=True)
    )
    columns = (what, bars.BarColumn(), bars.TaskProgressColumn(), speed, left)
    with bars.Progress(*columns, console=RichConsole(stderr=True), transient=True) as bar:
        task = bar.add_task(phase, total=None, left="", speed="")

        def move(done: float, total: float, left: str) -> None:
            pace = bar.tasks[0].finished_speed or bar.tasks[0].speed
            shown = "" if pace is None or not unit else f"{pace / 1e6:,.1f} {unit}/s"
            bar.update(task, completed=done, total=max(total, 1.0), left=left, speed=shown)

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
