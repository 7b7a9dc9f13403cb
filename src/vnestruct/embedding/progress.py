"""What a run says while it works: how far it is, how long it will take, what it is waiting for."""

import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from vnestruct.errors import Message, Parameter, ParameterError

_EVERY = 2.0
_DRAW_EVERY = 0.2


@dataclass(frozen=True)
class Forecast:
    """How long one signature will take."""

    low: float  # range of the estimated time in seconds
    high: float  # may be infinite
    kind: str
    n_signatures: int  # kinds times directions of the whole run
    workers: str  # who does the work, such as "2 threads"


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


class _Function(Progress):
    """Calls a function with (done, total)."""

    forecast_above = math.inf

    def __init__(self, function: Callable[[float, float], object] = lambda done, total: None) -> None:
        self._function = function

    def advance(self, done: float, total: float) -> None:
        self._function(done, total)


class PlainProgress(Progress):
    """Writes lines to standard error: the share done and the time left, at most every two seconds."""

    def __init__(self) -> None:
        self._begin = self._last = time.monotonic()
        self._first: tuple[float, float] | None = None
        self._earliest_end = 0.0
        self._is_done = False

    def advance(self, done: float, total: float) -> None:
        """Write a line if it is time for one; of parts that end one soon after the other, one says that it is done."""
        now = time.monotonic()
        if done <= 0:
            return
        left = self.time_left(done, total)
        if ((done < total or self._is_done) and now - self._last < _EVERY) or now - self._begin < _EVERY:
            return
        self._last, self._is_done = now, done >= total
        self.announce(f"{done / total:4.0%} done{left}")

    def time_left(self, done: float, total: float) -> str:
        """Write the time left behind the share done, or nothing if it is short or not known yet."""
        now = time.monotonic()
        # Pace is measured from here: before, the graph was planned and kernels were compiled.
        begin, skipped = self._first = self._first or (now, done)
        left = (now - begin) / (done - skipped) * (total - done) if done > skipped else 0.0
        # The pace of the first balls, which are the largest, says little about the others.
        left = max(left, self._earliest_end - now if done < total else 0.0)
        return f", about {duration(left)} left" if left >= 0.1 else ""

    def expect(self, forecast: Forecast) -> None:
        """Write how long it will take."""
        self._earliest_end = time.monotonic() + forecast.low
        self.announce(f"this will take {time_range(forecast.low, forecast.high)} on {forecast.workers}")

    def announce(self, text: str) -> None:
        """Write one line."""
        sys.stderr.write(f"vnestruct: {text}\n")


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

    def announce(self, text: str) -> None:
        """Show one line."""
        from html import escape

        self._text = escape(text)
        self._show()

    def _show(self) -> None:
        from IPython.display import HTML, display

        content = HTML(f"<div>{self._bar} {self._text}</div>")
        if self._handle is None:
            self._handle = display(content, display_id=True)
        else:
            self._handle.update(content)


def duration(seconds: float) -> str:
    """Write a time span the way people say it, e.g. 3.2 s or 1.5 h."""
    amount, unit = _amount(seconds)
    return f"{amount} {unit}"


def time_range(low: float, high: float) -> str:
    """Write a range of times, e.g. 90 s to 2.2 min; `high` may be infinite."""
    if math.isinf(high):
        return f"more than {duration(low)}"
    (least, small), (most, large) = _amount(low), _amount(high)
    if (least, small) == (most, large):
        return f"{'' if high < 0.1 else 'about '}{most} {large}"
    if low < 0.1:
        return f"up to {most} {large}"
    return f"{least} to {most} {large}" if small == large else f"{least} {small} to {most} {large}"


def _amount(seconds: float) -> tuple[str, str]:
    if seconds < 0.1:
        return "under 0.1", "s"
    for limit, unit, size in ((100.0, "s", 1.0), (5400.0, "min", 60.0), (36 * 3600.0, "h", 3600.0)):
        if seconds < limit:
            amount = seconds / size
            return (f"{amount:.1f}" if amount < 10 else f"{amount:.0f}"), unit
    return f"{seconds / 86400.0:.1f}", "days"


def as_progress(progress: object) -> Progress:
    """Turn the `progress` parameter (a bool, a function of cost done and total cost) into a `Progress`."""
    if progress is None or progress is False:
        return _Function()
    if progress is True:
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        in_notebook = type(shell).__name__ == "ZMQInteractiveShell"
        return NotebookProgress() if in_notebook else PlainProgress()
    if isinstance(progress, Progress):
        return progress
    if callable(progress):
        return _Function(progress)
    expected = f" must be True, False or a function (done, total), not {progress!r}"
    raise ParameterError(Message(Parameter("progress"), expected))
