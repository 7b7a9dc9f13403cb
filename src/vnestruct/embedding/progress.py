"""What a run says while it works: how far it is, how long it will take, what it is waiting for."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

from vnestruct.errors import Message, Parameter, ParameterError

_EVERY = 2.0


@dataclass(frozen=True)
class Forecast:
    """How long one signature will take.

    Attributes
    ----------
    seconds : float
        Estimated time.
    at_least : bool
        Whether that is only a lower bound.
    kind : str
        Kind of the entropy.
    n_signatures : int
        Number of signatures (kinds times directions) of the whole run.
    workers : str
        Who does the work, such as "2 threads".
    """

    seconds: float
    at_least: bool
    kind: str
    n_signatures: int
    workers: str


class Progress:
    """Hears about a run; override what you want to show.

    Attributes
    ----------
    forecast_above : float
        Seconds of work above which `expect` is called. Estimating takes half a second, and only long runs pay for it.
    """

    forecast_above = 60.0

    def advance(self, done: float, total: float) -> None:
        """Hear how much of the estimated cost is done."""

    def expect(self, forecast: Forecast) -> None:
        """Hear, before long work, how long it will take."""

    def announce(self, text: str) -> None:
        """Hear, in one line, what the run is waiting for."""


class _Silence(Progress):
    forecast_above = math.inf


class _Function(_Silence):
    """Calls a function with (done, total)."""

    def __init__(self, function: Callable[[float, float], object]) -> None:
        self._function = function

    def advance(self, done: float, total: float) -> None:
        self._function(done, total)


class PlainProgress(Progress):
    """Writes lines to standard error: the share done and the time left, at most every two seconds."""

    def __init__(self) -> None:
        self._begin = self._last = time.monotonic()

    def advance(self, done: float, total: float) -> None:
        """Write a line if it is time for one."""
        now = time.monotonic()
        if done <= 0 or (done < total and now - self._last < _EVERY) or now - self._begin < _EVERY:
            return
        self._last = now
        left = (now - self._begin) * (total - done) / done
        self.announce(f"{done / total:4.0%} done, about {left:.0f} s left")

    def expect(self, forecast: Forecast) -> None:
        """Write how long it will take."""
        about = "more than" if forecast.at_least else "about"
        self.announce(f"this will take {about} {forecast.seconds / 60:.0f} min on {forecast.workers}")

    def announce(self, text: str) -> None:
        """Write one line."""
        sys.stderr.write(f"vnestruct: {text}\n")


def as_progress(progress: object) -> Progress:
    """Turn the `progress` parameter (a bool, a function of cost done and total cost) into a `Progress`."""
    if progress is None or progress is False:
        return _Silence()
    if progress is True:
        from vnestruct.embedding.notebook_progress import NotebookProgress, in_notebook

        return NotebookProgress() if in_notebook() else PlainProgress()
    if isinstance(progress, Progress):
        return progress
    if callable(progress):
        return _Function(progress)
    raise ParameterError(
        Message(Parameter("progress"), f" must be True, False or a function (done, total), not {progress!r}")
    )
