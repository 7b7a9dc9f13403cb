"""How kernels are compiled, machine instructions that Python has no operator for, and pseudo-random numbers.

Kernels run without the GIL, are cached on disk, and divide as IEEE defines it. Callers pass integers as int64, never as
literals: Numba would compile a function once more for a literal 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.extending import intrinsic

kernel = njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)
"""A function that Python calls. None is called from C, so none has a wrapper for that."""

part = njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True, no_cpython_wrapper=True)
"""A function that only other compiled functions call. It has no wrapper for Python, which would crash on it: those
wrappers unpack a dozen arrays each and would take a fifth of the time to compile everything."""

inlined = njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True, inline="always")
"""A function that becomes a part of its callers: tests against None inside it then cost nothing."""


@intrinsic
def trailing_zeros(typing: Any, word: Any) -> Any:
    """Position of the lowest set bit of a uint64 that is not 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def count_ones(typing: Any, word: Any) -> Any:
    """Return the number of set bits of a uint64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def cycles(typing: Any) -> Any:
    """Return the processor's time stamp counter, for breakdowns of where time goes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(64), [])
        return builder.call(builder.module.declare_intrinsic("llvm.readcyclecounter", fnty=kind), [])

    return types.int64(), generate


@intrinsic
def prefetch(typing: Any, array: Any, index: Any) -> Any:
    """Ask for an element that will be read soon."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        at = context.cast(builder, arguments[1], signature.args[1], types.intp)
        address = builder.bitcast(builder.gep(data, [at]), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [address, word(0), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(array, index), generate


@intrinsic
def load_word(typing: Any, array: Any, index: Any) -> Any:
    """Return an element of a uint64 array, by itself: a sum over few of them is slower as a sum of vectors."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        at = context.cast(builder, arguments[1], signature.args[1], types.intp)
        return builder.load_atomic(builder.gep(data, [at], inbounds=True), "unordered", 8)

    return types.uint64(array, index), generate


@intrinsic
def add_atomically(typing: Any, array: Any, index: Any, amount: Any) -> Any:
    """Add an int32 to one element of an int32 array that several threads write at once."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.gep(data, [arguments[1]], inbounds=True)
        builder.atomic_rmw("add", address, arguments[2], "monotonic")
        return context.get_dummy_value()

    return types.void(array, types.intp, types.int32), generate


@intrinsic
def call_address(typing: Any, address: Any, arguments: Any) -> Any:
    """Call the compiled function at an address, which returns nothing, with a tuple of arguments."""
    for kind in arguments:
        is_plain = kind in (types.int64, types.float64, types.none)
        if not is_plain and kind != types.Array(kind.dtype, kind.ndim, "C"):
            raise TypingError(f"{kind} is not what the function is compiled for")

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        pointer = context.call_conv.get_function_type(types.none, arguments.types).as_pointer()
        function = builder.inttoptr(values[0], pointer)
        unpacked = cgutils.unpack_tuple(builder, values[1])
        status, _ = context.call_conv.call_function(builder, function, types.none, arguments.types, unpacked)
        with cgutils.if_unlikely(builder, status.is_error):
            context.call_conv.return_status_propagate(builder, status)
        return context.get_dummy_value()

    return types.void(types.int64, arguments), generate


@inlined
def mix(key: int) -> int:
    """Return a uint64 that looks random and depends on the uint64 `key` alone (splitmix64)."""
    z = key + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def uniform(key: int) -> float:
    """Return a pseudo-random float in [-1, 1) that depends on the integer `key` alone."""
    return np.float64(mix(np.uint64(key)) >> np.uint64(11)) * (2.0 / 9007199254740992.0) - 1.0
