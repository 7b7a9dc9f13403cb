"""Progress of training: a bar on a terminal, a line now and then elsewhere, or a function of the caller's."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from vnestruct.errors import ParameterError

_SECONDS = 5.0


@contextmanager
def training_progress(
    progress: bool | Callable[[float, float], None], epochs: int
) -> Iterator[Callable[[int], None] | None]:
    """Yield what a trainer calls after each epoch, None if nothing is to be shown."""
    if progress is False:
        yield None
        return
    if progress is not True and not callable(progress):
        raise ParameterError(f"progress is {progress!r}; it must be True, False or a function of (done, total)")
    report = progress if callable(progress) else ProgressLines("epoch")
    yield lambda epoch: report(float(epoch + 1), float(epochs))


class ProgressLines:
    """One line that is rewritten on a terminal, and one every few seconds elsewhere.

    Parameters
    ----------
    what : str
        What is counted, such as "epoch".
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self.begin = self.last = time.monotonic()
        self.is_terminal = sys.stderr.isatty()

    def __call__(self, done: float, total: float) -> None:
        """Say how much is done, if it is time to."""
        now = time.monotonic()
        if now - self.last < (0.1 if self.is_terminal else _SECONDS) and done < total:
            return
        self.last = now
        left = (now - self.begin) / done * (total - done)
        filled = int(24 * done / total)
        shown = f"{'#' * filled}{'-' * (24 - filled)} " if self.is_terminal else ""
        text = f"{shown}{self.what} {done:.0f} of {total:.0f}, {left:.0f} s left"
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r{text:<60}{end}" if self.is_terminal else f"{text}\n")
        sys.stderr.flush()
