"""Compiles kernels in less time than Numba alone, and says so first, so that nobody waits without knowing why."""

from __future__ import annotations

import gc
import logging
import math
import time
from collections.abc import Callable
from typing import Any

from numba.core.compiler import Compiler

SECONDS = 11
"""What the kernels of a first run take to compile on a core of 2.8 GHz."""

_PAUSE_SECONDS = 10.0
"""Compilations closer together than this share one line."""

_STACK_SLOTS = 70_000
"""CPython keeps frames in chunks of 16 KiB and returns a chunk to the system with its last frame: a loop whose calls
cross the end of one has the system clear a page for each of them. A frame of this many slots is larger than 512 KiB and
is given a chunk of 1 MiB; the frames of all its callees share the rest."""

_logger = logging.getLogger(__name__.rpartition(".")[0])


class KernelCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler with room for its frames and no search for garbage: together a quarter of its time.

    It logs a line, which Python shows on standard error unless told otherwise, before kernels are compiled. Kernels
    that the cache holds are not.
    """

    n_compiled = 0  # in this process, callees included
    _n_open = 0
    _last = -math.inf

    def compile_extra(self, func: Any) -> Any:
        """Compile a function, and what it calls. Numba lets one thread do so at a time."""
        state = KernelCompiler
        if not state._n_open and time.monotonic() - state._last > _PAUSE_SECONDS:
            _logger.warning("Compiling kernels for this machine, about %d s, once", SECONDS)
        state.n_compiled += 1
        state._n_open += 1
        collects = gc.isenabled()
        gc.disable()
        try:
            return _with_stack(super().compile_extra, func)
        finally:
            if collects:
                gc.enable()
            state._n_open -= 1
            state._last = time.monotonic()


def _with_stack(function: Callable[[Any], Any], argument: Any) -> Any:
    return function(argument)


_with_stack.__code__ = _with_stack.__code__.replace(co_stacksize=_STACK_SLOTS)
