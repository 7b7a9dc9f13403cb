"""What people see: notes and progress on standard error, results on standard output."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Report = Callable[[float, float], None]


class Console:
    """Where a command speaks; notes go to standard error so that standard output stays clean.

    Parameters
    ----------
    quiet : bool
        Whether notes and progress are left out.
    """

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.is_terminal = sys.stderr.isatty()

    def note(self, text: str) -> None:
        """Tell something worth knowing, in one line."""
        if not self.quiet:
            sys.stderr.write(f"{text}\n")
            sys.stderr.flush()

    def note_compiling(self) -> None:
        """Say why nothing happens for a while, the first time on a machine."""
        if not self.is_terminal or self.quiet:
            return
        from vnestruct.cli.kernel_cache import is_empty

        if is_empty():
            self.note("Compiling once for this machine, which takes up to a minute ...")

    @contextmanager
    def progress(self, title: str) -> Iterator[Report | bool]:
        """Show a bar with rate and remaining time on a terminal, plain lines every few seconds elsewhere.

        Yields
        ------
        callable or bool
            What `embed` takes as `progress`.
        """
        if self.quiet or not self.is_terminal:
            yield not self.quiet
            return
        from vnestruct.cli.progress_bar import progress_bar

        with progress_bar(title) as report:
            yield report


def print_json(result: dict[str, Any]) -> None:
    """Print a result for programs on standard output."""
    sys.stdout.write(json.dumps(result, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def duration(seconds: float) -> str:
    """Say how long something takes, as people do.

    Examples
    --------
    >>> [duration(s) for s in (0.004, 3.21, 75, 5400, 200000)]
    ['under 0.1 s', '3.2 s', '75 s', '1.5 h', '2.3 days']
    """
    if seconds < 0.1:
        return "under 0.1 s"
    for limit, unit, size in ((100.0, "s", 1.0), (5400.0, "min", 60.0), (36 * 3600.0, "h", 3600.0)):
        if seconds < limit:
            amount = seconds / size
            return f"{amount:.1f} {unit}" if amount < 10 else f"{amount:.0f} {unit}"
    return f"{seconds / 86400.0:.1f} days"


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


def threads(number: int) -> str:
    """Count threads in words."""
    return f"{number} thread{'' if number == 1 else 's'}"
