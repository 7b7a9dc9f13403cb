"""Compiles kernels in less time than Numba alone, and says so first, so that nobody waits without knowing why."""

import gc
import logging
import math
import time
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import version_info
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.typing import Context
from numba.extending import models, register_model

SECONDS = 9  # what the kernels of a first run take to compile on a core of 2.8 GHz
_NEWEST = (0, 68)  # the newest Numba whose inside is known; later ones compile as they will
_PAUSE_SECONDS = 10.0  # compilations closer together than this share one line
_STACK_SLOTS = 70_000
"""CPython keeps frames in chunks of 16 KiB and returns a chunk to the system with its last frame: a loop whose calls
cross the end of one has the system clear a page for each of them. A frame of this many slots is larger than 512 KiB and
is given a chunk of 1 MiB; the frames of all its callees share the rest."""

_logger = logging.getLogger(__name__.rpartition(".")[0])


class KernelCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler with less work: it takes little more than half of the time.

    Its frames have room, it does not search for garbage, it looks for the signature of a call once, and functions that
    only kernels call become machine code only inside these.

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

    def _compile_core(self) -> Any:
        if version_info.short > _NEWEST:
            return super()._compile_core()
        target = self.state.targetctx
        self.state.typingctx = target.typing_context = _Typing(target.typing_context)
        if self.state.flags.no_cpython_wrapper:
            self.state.library = _PartLibrary(target.codegen(), self.state.func_id.func_qualname)
        compiled = super()._compile_core()
        for environment in compiled._find_referenced_environments():  # of parts, as when code is read from the cache
            compiled.library.codegen.set_env(environment.env_name, environment)
        return compiled


def _with_stack(function: Callable[[Any], Any], argument: Any) -> Any:
    return function(argument)


_with_stack.__code__ = _with_stack.__code__.replace(co_stacksize=_STACK_SLOTS)


class _Function(types.Function):
    """A function that Numba knows. It keeps the signatures of calls: kernels index a few kinds of array 2,000 times."""

    def get_call_type(self, context: Context, args: Any, kws: Any) -> Any:
        signatures = self.__dict__.setdefault("_signatures", {})
        key = (*args, *kws.items())
        if key not in signatures:
            signatures[key] = super().get_call_type(context, args, kws)
        return signatures[key]

    def augment(self, other: Any) -> Any:
        return types.Function(self.templates).augment(other)


register_model(_Function)(models.OpaqueModel)
_keeping = cache(_Function)  # by its templates


class _Typing(Context):  # type: ignore[misc]
    """Numba's typing rules, with functions that keep signatures. Its state is that of the context it is made from."""

    def __init__(self, context: Context) -> None:
        self.__dict__ = context.__dict__

    def _lookup_global(self, gv: Any) -> Any:
        found = super()._lookup_global(gv)
        return _keeping(found.templates) if type(found) is types.Function else found


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code of a function that others link: optimized, and kept in the cache, but never made into machine code."""

    codegen = property(lambda self: self)

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: there is no code yet to which an environment could be given."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def serialize_using_object_code(self) -> Any:
        return self.serialize_using_bitcode()
