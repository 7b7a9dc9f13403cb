"""What people see: notes on standard error, results on standard output."""

from __future__ import annotations

import json
import logging
import shlex
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from vnestruct.cli.errors import in_options
from vnestruct.embedding.progress import duration as duration

_MANY_NODES = 100_000
"""Nodes for which clustering or drawing takes seconds."""


@dataclass(frozen=True)
class Console:
    """Where a command writes, as a group of options; notes go to standard error, so standard output stays clean."""

    json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object, for programs.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only, no notes and no progress.")] = False

    @property
    def is_terminal(self) -> bool:
        """Whether notes go to a terminal."""
        return sys.stderr.isatty()

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
    def warnings_as_notes(self) -> Iterator[None]:
        """Show warnings of the block as one line each, without the place in the source that Python adds."""
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_: self.note(message)
            yield

    @contextmanager
    def logs_as_notes(self, name: str = "vnestruct.io") -> Iterator[None]:
        """Show what readers, or another part of the package, log in the block."""
        logger, handler = logging.getLogger(name), _NoteHandler(self)
        level = logger.level
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
        try:
            yield
        finally:
            logger.setLevel(level)
            logger.removeHandler(handler)


class _NoteHandler(logging.Handler):
    def __init__(self, console: Console) -> None:
        super().__init__(logging.INFO)
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        self._console.remark(record.getMessage() if record.args else record.msg)


@contextmanager
def notes_of_the_library(quiet: bool) -> Iterator[None]:
    """Let the library log that it compiles, unless only errors are wanted."""
    logger = logging.getLogger("vnestruct.kernels")
    level = logger.level
    if quiet:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def print_json(result: dict[str, Any]) -> None:
    """Print a result for programs on standard output."""
    sys.stdout.write(json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def count(number: float) -> str:
    """Write a large number so that it can be read at a glance.

    Examples
    --------
    >>> [count(n) for n in (12, 34567, 8.1e6, 2.5e10)]
    ['12', '34,567', '8.1 million', '25 billion']
    """
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
