"""Eight float64 lanes as one value inside Numba code.

A `lanes` value is an LLVM ``<8 x double>``: one AVX-512 register, two AVX2 registers or four of SSE2, whatever the
machine has. Every operation is elementwise and IEEE-exact without contraction, so each lane computes bit for bit what
scalar code would. Loops over the eight lanes written in Python reach only half the speed: LLVM does not keep the
accumulators in vector registers.
"""

# Numba reads the signature, not the annotation, of an intrinsic; the bodies below build LLVM instructions.
from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, models, register_model

WIDTH = 8
"""Lanes per vector."""

SPREAD = np.array([sum(((m >> j) & 1) << (8 * j) for j in range(WIDTH)) for m in range(256)], dtype=np.uint64)
"""The bits of a byte spread over eight bytes."""

_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)


class _LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Float64x8")


_LANES = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, frontend_type: Any) -> None:
        super().__init__(manager, frontend_type, _VECTOR)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, offset: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    address = builder.gep(data, [offset], inbounds=True)
    return builder.bitcast(address, _VECTOR.as_pointer())


@intrinsic
def load(typing: Any, array: Any, row: Any) -> Any:
    """Lanes of row `row` of a flat array of rows of eight."""
    if not isinstance(row, types.Integer):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        index = context.cast(builder, arguments[1], signature.args[1], types.intp)
        offset = builder.mul(index, ir.Constant(index.type, WIDTH))
        return builder.load(_pointer(context, builder, signature.args[0], arguments[0], offset), align=8)

    return _LANES(array, row), generate


@intrinsic
def store(typing: Any, array: Any, row: Any, value: Any) -> Any:
    """Write lanes to row `row` of a flat array of rows of eight."""
    if not isinstance(row, types.Integer):
        return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        index = context.cast(builder, arguments[1], signature.args[1], types.intp)
        offset = builder.mul(index, ir.Constant(index.type, WIDTH))
        builder.store(arguments[2], _pointer(context, builder, signature.args[0], arguments[0], offset), align=8)
        return context.get_dummy_value()

    return types.void(array, row, _LANES), generate


@intrinsic
def zero(typing: Any) -> Any:
    """Return eight zeros."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.get_null_value(_VECTOR)

    return _LANES(), generate


def _binary(instruction: str) -> Any:
    def typer(typing: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(builder, instruction)(arguments[0], arguments[1])

        return _LANES(_LANES, _LANES), generate

    return intrinsic(typer)


add = _binary("fadd")
sub = _binary("fsub")
mul = _binary("fmul")
div = _binary("fdiv")


@intrinsic
def keep_where_positive(typing: Any, value: Any, condition: Any) -> Any:
    """Lanes of `value` where `condition` is positive, else 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        null = cgutils.get_null_value(_VECTOR)
        positive = builder.fcmp_ordered(">", arguments[1], null)
        return builder.select(positive, arguments[0], null)

    return _LANES(_LANES, _LANES), generate


@intrinsic
def unpack_bytes(typing: Any, packed: Any) -> Any:
    """Eight lanes from the eight bytes of a uint64, the lowest byte first."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        small = builder.bitcast(arguments[0], ir.VectorType(ir.IntType(8), WIDTH))
        return builder.uitofp(small, _VECTOR)

    return _LANES(types.uint64), generate


@intrinsic
def splat(typing: Any, value: Any) -> Any:
    """Eight copies of a float."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        undefined = ir.Constant(_VECTOR, ir.Undefined)
        zero_index = ir.Constant(ir.IntType(32), 0)
        first = builder.insert_element(undefined, arguments[0], zero_index)
        picks = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
        return builder.shuffle_vector(first, undefined, picks)

    return _LANES(types.float64), generate


def _comparison(symbol: str) -> Any:
    def typer(typing: Any, left: Any, right: Any, yes: Any, no: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            test = builder.fcmp_ordered(symbol, arguments[0], arguments[1])
            return builder.select(test, arguments[2], arguments[3])

        return _LANES(_LANES, _LANES, _LANES, _LANES), generate

    return intrinsic(typer)


where_greater = _comparison(">")
"""Lanewise ``yes if left > right else no``."""


def _bits(symbol: str) -> Any:
    def typer(typing: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            test = builder.fcmp_ordered(symbol, arguments[0], arguments[1])
            return builder.zext(builder.bitcast(test, ir.IntType(8)), ir.IntType(64))

        return types.int64(_LANES, _LANES), generate

    return intrinsic(typer)


greater_bits = _bits(">")
"""Bit set of the lanes where ``left > right``."""

at_most_bits = _bits("<=")
"""Bit set of the lanes where ``left <= right``."""


@intrinsic
def where_bits(typing: Any, bits: Any, yes: Any, no: Any) -> Any:
    """Lanes of `yes` where the bit is set, of `no` elsewhere."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        small = builder.trunc(arguments[0], ir.IntType(WIDTH))
        test = builder.bitcast(small, ir.VectorType(ir.IntType(1), WIDTH))
        return builder.select(test, arguments[1], arguments[2])

    return _LANES(types.int64, _LANES, _LANES), generate


@intrinsic
def square_root(typing: Any, value: Any) -> Any:
    """Lanewise square root, correctly rounded like the scalar one."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        root = cgutils.get_or_insert_function(builder.module, kind, f"llvm.sqrt.v{WIDTH}f64")
        return builder.call(root, [arguments[0]])

    return _LANES(_LANES), generate
