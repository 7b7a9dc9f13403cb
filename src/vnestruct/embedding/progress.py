"""What a run says while it works: how far it is, how long it will take, what it is waiting for."""

import sys
import time
from collections.abc import Callable

from vnestruct.errors import ParameterError
from vnestruct.lazy import load

_EVERY = 2.0
_NOTEBOOK = "vnestruct.embedding.notebook_progress:NotebookProgress"


class Progress:
    """Base class for progress listeners; override what you want to show."""

    def advance(self, done: float, total: float) -> None:
        """Take how much of the estimated cost is done."""

    def on_message(self, text: str) -> None:
        """Take one line about what the run is waiting for."""


class _Function(Progress):
    """Calls a function with (done, total)."""

    def __init__(self, function: Callable[[float, float], object]) -> None:
        self.advance = function  # type: ignore[assignment,method-assign]


class PlainProgress(Progress):
    """Writes lines to standard error: the share done and the time left, at most every two seconds."""

    def __init__(self) -> None:
        self._begin = self._last = time.monotonic()
        self._first: tuple[float, float] | None = None
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
        self.on_message(f"{done / total:4.0%} done{left}")

    def time_left(self, done: float, total: float) -> str:
        """Write the time left behind the share done, or nothing if it is short or not known yet."""
        now = time.monotonic()
        # Pace is measured from here: before, the graph was planned and kernels were compiled.
        begin, skipped = self._first = self._first or (now, done)
        left = (now - begin) / (done - skipped) * (total - done) if done > skipped else 0.0
        return f", about {duration(left)} left" if left >= 0.1 else ""

    def on_message(self, text: str) -> None:
        """Write one line."""
        sys.stderr.write(f"vnestruct: {text}\n")


def duration(seconds: float) -> str:
    """Write a time span the way people say it, e.g. 3.2 s or 1.5 h."""
    if seconds < 0.1:
        return "under 0.1 s"
    for limit, unit, size in ((100.0, "s", 1.0), (5400.0, "min", 60.0), (36 * 3600.0, "h", 3600.0)):
        if seconds < limit:
            return f"{seconds / size:.{1 if seconds < 10 * size else 0}f} {unit}"
    return f"{seconds / 86400.0:.1f} days"


def as_progress(progress: object) -> Progress:
    """Turn the `progress` parameter (a bool, a function of cost done and total cost) into a `Progress`."""
    if progress is None or progress is False:
        return Progress()
    if progress is True:
        shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
        in_notebook = type(shell).__name__ == "ZMQInteractiveShell"
        listener: Progress = (load(_NOTEBOOK) if in_notebook else PlainProgress)()
        return listener
    if isinstance(progress, Progress):
        return progress
    if callable(progress):
        return _Function(progress)
    raise ParameterError(f"`progress` must be True, False or a function (done, total), not {progress!r}")
