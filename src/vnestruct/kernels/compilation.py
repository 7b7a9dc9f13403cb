"""Says that kernels are about to be compiled, so that nobody waits without knowing why."""

from __future__ import annotations

import logging
import math
import time
from typing import Any

from numba.core import event as numba_events

SECONDS = 15
"""What the kernels of a first run take to compile on a core of 2.8 GHz."""

_PAUSE_SECONDS = 10.0
"""Compilations closer together than this share one line."""

_PACKAGE = __name__.rpartition(".")[0]
_logger = logging.getLogger(_PACKAGE)


class CompilationListener(numba_events.Listener):  # type: ignore[misc]
    """Logs a line, which Python shows on standard error unless told otherwise, before kernels are compiled.

    Numba triggers the events only for functions that its cache does not hold.
    """

    def __init__(self) -> None:
        self.n_compiled = 0
        self._n_open = 0
        self._last = -math.inf

    def on_start(self, event: Any) -> None:
        """Hear that a function will be compiled, which may be one of another package."""
        if _is_kernel(event):
            if not self._n_open and time.monotonic() - self._last > _PAUSE_SECONDS:
                _logger.warning("Compiling kernels for this machine, about %d s, once", SECONDS)
            self.n_compiled += 1
            self._n_open += 1

    def on_end(self, event: Any) -> None:
        """Hear that a function was compiled."""
        if _is_kernel(event):
            self._n_open -= 1
            self._last = time.monotonic()


def _is_kernel(event: Any) -> bool:
    return str(event.data["dispatcher"].py_func.__module__).startswith(f"{_PACKAGE}.")


listener = CompilationListener()
"""Hears of every compilation in this process."""

numba_events.register("numba:compile", listener)
