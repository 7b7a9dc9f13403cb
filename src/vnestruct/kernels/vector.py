"""Eight float64 lanes as one value inside Numba code.

A `lanes` value is an LLVM ``<8 x double>``: one AVX-512 register, two AVX2 registers or four of SSE2, whatever the
machine has. Every operation is elementwise and IEEE-exact without contraction, so each lane computes bit for bit what
scalar code would. Loops over the eight lanes written in Python reach only half the speed: LLVM does not keep the
accumulators in vector registers.

Lanes have the operators ``+ - * /``, also with a float on either side. The functions below take floats as well, as
values of a single lane, so that one source serves eight balls at once and one ball alone.
"""

# Numba reads the signature, not the annotation, of an intrinsic; the bodies below build LLVM instructions.
from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing import signature as sign
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, lower_builtin, models, register_model

WIDTH = 8
"""Lanes per vector, and so balls per group."""

SPREAD = np.array([sum(((m >> j) & 1) << (8 * j) for j in range(WIDTH)) for m in range(256)], dtype=np.uint64)
"""The bits of a byte spread over eight bytes."""

_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
_INDEX = ir.IntType(32)


class _LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Float64x8")


_LANES = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, frontend_type: Any) -> None:
        super().__init__(manager, frontend_type, _VECTOR)


def _is_lanes(kind: Any) -> bool:
    return isinstance(kind, _LanesType)


def _as_lanes(builder: Any, kind: Any, value: Any) -> Any:
    """Return lanes, eight copies of a float."""
    if _is_lanes(kind):
        return value
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(_INDEX, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(_INDEX, WIDTH), [0] * WIDTH))


def _register_operator(function: Any, instruction: str) -> None:
    class Operator(AbstractTemplate):
        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == 2 and any(map(_is_lanes, args)) and all(_is_lanes(a) or a == types.float64 for a in args):
                return sign(_LANES, *args)
            return None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        both = [_as_lanes(builder, kind, value) for kind, value in zip(signature.args, arguments, strict=True)]
        return getattr(builder, instruction)(*both)

    infer_global(function)(Operator)
    for kinds in ((_LanesType, _LanesType), (_LanesType, types.Float), (types.Float, _LanesType)):
        lower_builtin(function, *kinds)(generate)


for _operator, _instruction in (
    (operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul"), (operator.truediv, "fdiv"),
    (operator.iadd, "fadd"), (operator.isub, "fsub"), (operator.imul, "fmul"),
):  # fmt: skip
    _register_operator(_operator, _instruction)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, index_type: Any, index: Any, kind: Any) -> Any:
    """Return the address of a row of lanes, or of one entry for a float."""
    place = context.cast(builder, index, index_type, types.intp)
    data = context.make_array(array_type)(context, builder, array).data
    if not _is_lanes(kind):
        return builder.gep(data, [place], inbounds=True)
    place = builder.mul(place, ir.Constant(place.type, WIDTH))
    return builder.bitcast(builder.gep(data, [place], inbounds=True), _VECTOR.as_pointer())


@intrinsic
def load_like(typing: Any, array: Any, row: Any, like: Any) -> Any:
    """Row `row` of a flat array of rows of eight if `like` is lanes, else the entry `row`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        address = _pointer(context, builder, kinds[0], arguments[0], kinds[1], arguments[1], kinds[2])
        return builder.load(address, align=8)

    return like(array, row, like), generate


@intrinsic
def load(typing: Any, array: Any, row: Any) -> Any:
    """Lanes of row `row` of a flat array of rows of eight."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        return builder.load(_pointer(context, builder, kinds[0], arguments[0], kinds[1], arguments[1], _LANES), align=8)

    return _LANES(array, row), generate


@intrinsic
def store(typing: Any, array: Any, row: Any, value: Any) -> Any:
    """Write lanes to row `row` of a flat array of rows of eight, or a float to the entry `row`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        address = _pointer(context, builder, kinds[0], arguments[0], kinds[1], arguments[1], kinds[2])
        builder.store(arguments[2], address, align=8)
        return context.get_dummy_value()

    return types.void(array, row, value), generate


@intrinsic
def zero(typing: Any) -> Any:
    """Return eight zeros."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return cgutils.get_null_value(_VECTOR)

    return _LANES(), generate


@intrinsic
def splat(typing: Any, value: Any) -> Any:
    """Eight copies of a float."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _as_lanes(builder, types.float64, arguments[0])

    return _LANES(types.float64), generate


@intrinsic
def fill_like(typing: Any, value: Any, like: Any) -> Any:
    """Return a float as `like` is: in all lanes, or as it stands."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _as_lanes(builder, types.float64, arguments[0]) if _is_lanes(like) else arguments[0]

    return like(types.float64, like), generate


@intrinsic
def width(typing: Any, value: Any) -> Any:
    """Return the number of lanes of a value: 8, or 1 for a float."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return ir.Constant(ir.IntType(64), WIDTH if _is_lanes(value) else 1)

    return types.int64(value), generate


@intrinsic
def lane(typing: Any, value: Any, index: Any) -> Any:
    """Return one lane of a value; a float is its own only lane."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not _is_lanes(value):
            return arguments[0]
        return builder.extract_element(arguments[0], builder.trunc(arguments[1], _INDEX))

    return types.float64(value, types.int64), generate


@intrinsic
def sum_lanes(typing: Any, value: Any) -> Any:
    """Return the sum of all lanes: of both halves lane by lane, and so on down to one."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        [found] = arguments
        for half in (4, 2, 1):
            places = (ir.Constant(ir.VectorType(_INDEX, half), list(range(s, s + half))) for s in (0, half))
            undefined = ir.Constant(found.type, ir.Undefined)
            found = builder.fadd(*(builder.shuffle_vector(found, undefined, place) for place in places))
        return builder.extract_element(found, ir.Constant(_INDEX, 0))

    return types.float64(value), generate


@intrinsic
def with_lane(typing: Any, value: Any, index: Any, number: Any) -> Any:
    """Return `value` with one lane replaced by `number`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not _is_lanes(value):
            return arguments[2]
        return builder.insert_element(arguments[0], arguments[2], builder.trunc(arguments[1], _INDEX))

    return value(value, types.int64, types.float64), generate


@intrinsic
def keep_where_positive(typing: Any, value: Any, condition: Any) -> Any:
    """`value` where `condition` is positive, else 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        null = cgutils.get_null_value(arguments[0].type)
        return builder.select(builder.fcmp_ordered(">", arguments[1], null), arguments[0], null)

    return value(value, condition), generate


@intrinsic
def unpack_bytes(typing: Any, packed: Any) -> Any:
    """Eight lanes from the eight bytes of a uint64, the lowest byte first."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        small = builder.bitcast(arguments[0], ir.VectorType(ir.IntType(8), WIDTH))
        return builder.uitofp(small, _VECTOR)

    return _LANES(types.uint64), generate


@intrinsic
def where_greater(typing: Any, left: Any, right: Any, yes: Any, no: Any) -> Any:
    """``yes if left > right else no``, lane by lane."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", arguments[0], arguments[1]), arguments[2], arguments[3])

    return left(left, left, left, left), generate


def _bits(symbol: str) -> Any:
    def typer(typing: Any, left: Any, right: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            test = builder.fcmp_ordered(symbol, arguments[0], arguments[1])
            bits = builder.bitcast(test, ir.IntType(WIDTH)) if _is_lanes(left) else test
            return builder.zext(bits, ir.IntType(64))

        return types.int64(left, left), generate

    return intrinsic(typer)


greater_bits = _bits(">")
"""Bit set of the lanes where ``left > right``."""

at_most_bits = _bits("<=")
"""Bit set of the lanes where ``left <= right``."""


@intrinsic
def where_bits(typing: Any, bits: Any, yes: Any, no: Any) -> Any:
    """Lanes of `yes` where the bit is set, of `no` elsewhere."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if _is_lanes(yes):
            test = builder.bitcast(builder.trunc(arguments[0], ir.IntType(WIDTH)), ir.VectorType(ir.IntType(1), WIDTH))
        else:
            test = builder.trunc(arguments[0], ir.IntType(1))
        return builder.select(test, arguments[1], arguments[2])

    return yes(types.int64, yes, yes), generate


@intrinsic
def either(typing: Any, left: Any, right: Any) -> Any:
    """Return the bits that are set in `left` or in `right`, both lanes that hold words of bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        words = [builder.bitcast(value, ir.VectorType(ir.IntType(64), WIDTH)) for value in arguments]
        return builder.bitcast(builder.or_(*words), _VECTOR)

    return left(left, right), generate


@intrinsic
def square_root(typing: Any, value: Any) -> Any:
    """Return the square root, correctly rounded, lane by lane."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = arguments[0].type
        name = f"llvm.sqrt.v{WIDTH}f64" if _is_lanes(value) else "llvm.sqrt.f64"
        root = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind]), name)
        return builder.call(root, [arguments[0]])

    return value(value), generate
