"""Progress for people without a progress bar of their own: a plain line every few seconds."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from vnestruct.errors import ParameterError

_EVERY = 2.0


@dataclass(frozen=True)
class Forecast:
    """What is expected of a long run."""

    seconds: float
    at_least: bool
    kind: str
    n_signatures: int
    workers: str


class Progress:
    """Listens to a run; every method does nothing."""

    def advance(self, done: float, total: float) -> None:
        """Hear how much of the cost is done."""

    def expect(self, forecast: Forecast) -> None:
        """Hear how long the work will take, before work of more than a minute."""

    def announce(self, text: str) -> None:
        """Hear one line about what happens now."""


def as_report(progress: object) -> Callable[[float, float], None] | None:
    """Turn the `progress` parameter (a bool or a function of cost done and cost in all) into a function or None."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return PlainProgress().advance
    if isinstance(progress, Progress):
        return progress.advance
    if callable(progress):
        return progress
    raise ParameterError(f"progress must be True, False or a function (done, total), not {progress!r}")


class PlainProgress(Progress):
    """Write share done and time left to standard error, at most every two seconds."""

    def __init__(self) -> None:
        self._begin = self._last = time.monotonic()

    def advance(self, done: float, total: float) -> None:
        """Tell how much of the work is done."""
        now = time.monotonic()
        if done <= 0 or (done < total and now - self._last < _EVERY) or now - self._begin < _EVERY:
            return
        self._last = now
        left = (now - self._begin) * (total - done) / done
        sys.stderr.write(f"vnestruct: {done / total:4.0%} done, about {left:.0f} s left\n")
