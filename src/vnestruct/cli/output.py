"""What people and programs see: results on standard output or in files, notes and progress on standard error."""

import json
import logging
import shutil
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from vnestruct.cli.errors import in_options
from vnestruct.embedding.progress import PlainProgress
from vnestruct.embedding.progress import duration as duration
from vnestruct.errors import ParameterError
from vnestruct.files.atomic import STANDARD_OUTPUT, check_picture, check_place

_MANY_NODES = 100_000  # nodes for which clustering or drawing takes seconds
_WIDTH_ELSEWHERE = 150  # columns of a table that does not go to a terminal
_NUMBER = set("0123456789.,-+e% ")


@dataclass(frozen=True)
class Console:
    """Where a command writes, as a group of options; notes go to standard error, so standard output stays clean."""

    json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object, for programs.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only, no notes and no progress.")] = False

    def note(self, text: object) -> None:
        """Write one line that is worth knowing."""
        if not self.quiet:
            sys.stderr.write(f"{in_options(text)}\n")
            sys.stderr.flush()

    def phase(self, text: str, n_nodes: int) -> None:
        """Name what happens now, if there are so many nodes that it takes a while."""
        if n_nodes >= _MANY_NODES:
            self.note(f"{text} ...")

    def check_outputs(self, *paths: str | None, picture: str | None = None, shown: str | None = None) -> None:
        """Refuse, before any work, files that could not be written after it, and JSON among what is `shown`."""
        if picture is not None:
            check_picture(picture)
        for path in filter(None, (*paths, picture, shown)):
            check_place(path)
        if self.json and shown == STANDARD_OUTPUT:
            raise ParameterError("--json prints to standard output, and so would the result; name a file for it")

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Show what the library logs and warns of as notes, one line each."""
        handler, logger = logging.Handler(), logging.getLogger("vnestruct")
        handler.emit = lambda record: self.note(record.getMessage())  # type: ignore[method-assign]
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("always")
                warnings.showwarning = lambda message, *_: self.note(message)
                yield
        finally:
            logger.removeHandler(handler)

    @contextmanager
    def progress(self, phase: str = "embedding", unit: str = "M arcs") -> "Iterator[CommandProgress]":
        """Yield what shows the progress of the block: a bar on a terminal, else lines; the rate in a unit, if any."""
        if self.quiet or not sys.stderr.isatty():
            yield CommandProgress(self)
            return
        # Rich takes a tenth of a second to import.
        from rich import progress as bars
        from rich.console import Console as RichConsole

        columns = ("{task.description}", bars.BarColumn(), bars.TaskProgressColumn(), "{task.fields[left]}")
        with bars.Progress(*columns, console=RichConsole(stderr=True), transient=True) as bar:
            bar.add_task(phase, total=None, left="")
            yield CommandProgress(self, bar, unit)


class CommandProgress(PlainProgress):
    """Shows progress and messages of a run: by a bar of Rich, or in lines."""

    def __init__(self, console: Console, bar: Any = None, unit: str = "") -> None:
        super().__init__()
        self._console, self._bar, self._unit = console, bar, unit

    def advance(self, done: float, total: float) -> None:
        """Show how much of the work is done."""
        if self._bar is not None:
            [task] = self._bar.tasks
            pace = task.finished_speed or task.speed
            rate = f"{pace / 1e6:,.1f} {self._unit}/s" if pace and self._unit else ""
            left = rate + (self.time_left(done, total) if done > 0 else "")
            self._bar.update(task.id, completed=done, total=max(total, 1.0), left=left.removeprefix(", "))
        elif not self._console.quiet:
            super().advance(done, total)

    def on_message(self, text: str) -> None:
        """Pass on what happens now."""
        self._console.note(text)


def print_json(result: Mapping[str, Any]) -> None:
    """Print a result for programs on standard output."""

    def plain(value: Any) -> Any:
        # What JSON has no word for: a number of NumPy, or a node label, as text.
        return value.tolist() if hasattr(value, "tolist") else str(value)

    print_text(json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False, default=plain))


def print_text(*lines: str) -> None:
    """Print lines on standard output at once."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def print_table(rows: Sequence[Mapping[str, Any]], wide: Iterable[str] = ()) -> None:
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
    console = RichConsole(file=sys.stdout, width=width(), markup=False, highlight=False, emoji=False)
    with console.capture() as captured:
        console.print(table)
    # Rich pads every line and puts empty lines around tables without a frame.
    print_text("\n".join(line.rstrip() for line in captured.get().splitlines()).strip("\n"))


def width() -> int:
    """Return the number of columns of the terminal, or of what stands for it."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _WIDTH_ELSEWHERE


def _cell_text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.4g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def place_of(output: str) -> str:
    """Return how notes name a file, or standard output."""
    return "standard output" if output == STANDARD_OUTPUT else output
