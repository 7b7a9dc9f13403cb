"""How kernels are compiled, machine instructions that Python has no operator for, and pseudo-random numbers.

Kernels run without the GIL, are cached on disk, and divide as IEEE defines it. Callers pass integers as int64, never as
literals: Numba would compile a function once more for a literal 0.
"""

from functools import wraps
from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, njit, types
from numba.extending import intrinsic

from vnestruct.kernels import FOLDER


def kernel(function: Any) -> Any:
    """Compile a function that Python calls, and cache it in our folder; other users of Numba have theirs."""
    before, config.CACHE_DIR = config.CACHE_DIR, str(FOLDER)
    try:
        return njit(nogil=True, cache=True, error_model="numpy", no_cfunc_wrapper=True)(function)
    finally:
        config.CACHE_DIR = before


internal = njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, no_cpython_wrapper=True)
"""A function that only kernels call. It is cached as a part of them, and compiled without a wrapper for Python."""

inlined = njit(nogil=True, error_model="numpy", inline="always")
"""The same, written out in its callers before types are known."""


def instruction(signature: Any) -> Any:
    """Make a function of compiled code from one that builds its LLVM instructions.

    That function takes a builder and LLVM values, the address of its data for an array. `signature` makes the types of
    the call, by which Numba converts what it passes, from the types of the arguments.
    """

    def define(build: Any) -> Any:
        @wraps(build)
        def type_call(typing: Any, *kinds: Any) -> Any:
            def generate(context: Any, builder: Any, typed: Any, values: Any) -> Any:
                arguments = [
                    context.make_array(kind)(context, builder, value).data if isinstance(kind, types.Array) else value
                    for kind, value in zip(typed.args, values, strict=True)
                ]
                found = build(builder, *arguments)
                return context.get_dummy_value() if found is None else found

            return signature(*kinds), generate

        return intrinsic(type_call)

    return define


@instruction(lambda word: types.uint64(types.uint64))
def trailing_zeros(builder: Any, word: Any) -> Any:
    """Position of the lowest set bit of a uint64 that is not 0."""
    return builder.cttz(word, ir.Constant(ir.IntType(1), 1))


@instruction(lambda word: types.int64(types.uint64))
def count_ones(builder: Any, word: Any) -> Any:
    """Return the number of set bits of a uint64."""
    return builder.ctpop(word)


@instruction(lambda array, index: types.void(array, types.intp))
def prefetch(builder: Any, array: Any, index: Any) -> Any:
    """Ask for an element that will be read soon."""
    address = builder.bitcast(builder.gep(array, [index]), ir.IntType(8).as_pointer())
    word = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address.type, word, word, word])
    function = builder.module.declare_intrinsic("llvm.prefetch.p0i8", fnty=kind)
    builder.call(function, [address, word(0), word(3), word(1)])


@instruction(lambda array, index, amount: types.void(array, types.intp, array.dtype))
def add_atomically(builder: Any, array: Any, index: Any, amount: Any) -> Any:
    """Add an integer to one element of an array of integers that several threads write at once."""
    builder.atomic_rmw("add", builder.gep(array, [index], inbounds=True), amount, "monotonic")


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
