"""Eight float64 lanes as one value inside Numba code.

A `lanes` value is an LLVM ``<8 x double>``: one AVX-512 register, two AVX2 registers or four of SSE2, whatever the
machine has. Every operation is elementwise and IEEE-exact, and products are fused only by `add_product`, so each lane
computes bit for bit what scalar code would. Loops over the eight lanes written in Python reach only half the speed:
LLVM does not keep the accumulators in vector registers.

Lanes have the operators ``+ - * /``, also with a float on either side. `load_like`, `store` and `keep_where_positive`
take floats as well: sums over neighbours and Lanczos steps of a single graph are the same source.
"""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, models, register_model, type_callable

from vnestruct.kernels.machine import instruction

WIDTH = 8
"""Lanes per vector, and so balls per group."""

SPREAD = np.array([sum(((m >> j) & 1) << (8 * j) for j in range(WIDTH)) for m in range(256)], dtype=np.uint64)
"""The bits of a byte spread over eight bytes."""

_VECTOR = ir.VectorType(ir.DoubleType(), WIDTH)
_INDEX = ir.IntType(32)


class _LanesType(types.Type):
    pass


_LANES = _LanesType("Float64x8")
register_model(_LanesType)(lambda manager, kind: models.PrimitiveModel(manager, kind, _VECTOR))


def _as_lanes(builder: Any, value: Any) -> Any:
    """Return lanes, eight copies of a float."""
    if value.type == _VECTOR:
        return value
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, value, ir.Constant(_INDEX, 0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(_INDEX, WIDTH), [0] * WIDTH))


def _register_operator(function: Any, name: str) -> None:
    def result(left: Any, right: Any) -> Any:
        return _LANES if {left, right} in ({_LANES}, {_LANES, types.float64}) else None

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return getattr(builder, name)(*(_as_lanes(builder, value) for value in arguments))

    type_callable(function)(lambda context: result)
    for kinds in ((_LanesType, _LanesType), (_LanesType, types.Float), (types.Float, _LanesType)):
        lower_builtin(function, *kinds)(generate)


for _operator, _name in (
    (operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul"), (operator.truediv, "fdiv"),
    (operator.iadd, "fadd"), (operator.isub, "fsub"), (operator.imul, "fmul"),
):  # fmt: skip
    _register_operator(_operator, _name)


def _address(builder: Any, data: Any, row: Any, kind: Any) -> Any:
    """Return the address of a row of lanes, or of one entry for a float."""
    if kind != _VECTOR:
        return builder.gep(data, [row], inbounds=True)
    place = builder.mul(row, ir.Constant(row.type, WIDTH))
    return builder.bitcast(builder.gep(data, [place], inbounds=True), _VECTOR.as_pointer())


@instruction(lambda array, row, like: like(array, types.intp, like))
def load_like(builder: Any, array: Any, row: Any, like: Any) -> Any:
    """Row `row` of a flat array of rows of eight if `like` is lanes, else the entry `row`."""
    return builder.load(_address(builder, array, row, like.type), align=8)


@instruction(lambda array, row: _LANES(array, types.intp))
def load(builder: Any, array: Any, row: Any) -> Any:
    """Lanes of row `row` of a flat array of rows of eight."""
    return builder.load(_address(builder, array, row, _VECTOR), align=8)


@instruction(lambda array, row, value: types.void(array, types.intp, value))
def store(builder: Any, array: Any, row: Any, value: Any) -> Any:
    """Write lanes to row `row` of a flat array of rows of eight, or a float to the entry `row`."""
    builder.store(value, _address(builder, array, row, value.type), align=8)


@instruction(lambda: _LANES())
def zero(builder: Any) -> Any:
    """Return eight zeros."""
    return ir.Constant(_VECTOR, None)


@instruction(lambda value: _LANES(types.float64))
def splat(builder: Any, value: Any) -> Any:
    """Eight copies of a float."""
    return _as_lanes(builder, value)


@instruction(lambda value, index: types.float64(value, types.int64))
def lane(builder: Any, value: Any, index: Any) -> Any:
    """Return one lane of a value."""
    return builder.extract_element(value, builder.trunc(index, _INDEX))


@instruction(lambda value: types.float64(value))
def sum_lanes(builder: Any, value: Any) -> Any:
    """Return the sum of all lanes: of both halves lane by lane, and so on down to one."""
    for half in (4, 2, 1):
        places = (ir.Constant(ir.VectorType(_INDEX, half), list(range(s, s + half))) for s in (0, half))
        undefined = ir.Constant(value.type, ir.Undefined)
        value = builder.fadd(*[builder.shuffle_vector(value, undefined, place) for place in places])
    return builder.extract_element(value, ir.Constant(_INDEX, 0))


@instruction(lambda a, b, c, d, e, f, g, h: a(a, b, c, d, e, f, g, h))
def sum_each(builder: Any, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> Any:
    """Return the sum of all lanes of each of eight values, as lanes: pairs first, then pairs of those."""
    rows = [a, b, c, d, e, f, g, h]
    for step in (1, 2, 4):
        left = [j + WIDTH - step if j & step else j for j in range(WIDTH)]
        places = [ir.Constant(ir.VectorType(_INDEX, WIDTH), place) for place in (left, [j + step for j in left])]
        rows = [
            builder.fadd(*(builder.shuffle_vector(*pair, place) for place in places))
            for pair in zip(rows[::2], rows[1::2], strict=True)
        ]
    return rows[0]


@instruction(lambda total, left, right: total(total, total, total))
def add_product(builder: Any, total: Any, left: Any, right: Any) -> Any:
    """Return ``total + left * right``, of lanes, rounded once: slow on processors without an instruction for it."""
    kind = ir.FunctionType(_VECTOR, [_VECTOR] * 3)
    return builder.call(builder.module.declare_intrinsic(f"llvm.fma.v{WIDTH}f64", fnty=kind), [left, right, total])


@instruction(lambda value, index, number: value(value, types.int64, types.float64))
def with_lane(builder: Any, value: Any, index: Any, number: Any) -> Any:
    """Return `value` with one lane replaced by `number`."""
    return builder.insert_element(value, number, builder.trunc(index, _INDEX))


@instruction(lambda value, condition: value(value, condition))
def keep_where_positive(builder: Any, value: Any, condition: Any) -> Any:
    """`value` where `condition` is positive, else 0."""
    null = ir.Constant(value.type, None)
    return builder.select(builder.fcmp_ordered(">", condition, null), value, null)


@instruction(lambda packed: _LANES(types.uint64))
def unpack_bytes(builder: Any, packed: Any) -> Any:
    """Eight lanes from the eight bytes of a uint64, the lowest byte first."""
    return builder.uitofp(builder.bitcast(packed, ir.VectorType(ir.IntType(8), WIDTH)), _VECTOR)


@instruction(lambda left, right, yes, no: left(left, left, left, left))
def where_greater(builder: Any, left: Any, right: Any, yes: Any, no: Any) -> Any:
    """``yes if left > right else no``, lane by lane."""
    return builder.select(builder.fcmp_ordered(">", left, right), yes, no)


def _bits(builder: Any, test: Any) -> Any:
    return builder.zext(builder.bitcast(test, ir.IntType(WIDTH)), ir.IntType(64))


@instruction(lambda left, right: types.int64(left, left))
def greater_bits(builder: Any, left: Any, right: Any) -> Any:
    """Bit set of the lanes where ``left > right``."""
    return _bits(builder, builder.fcmp_ordered(">", left, right))


@instruction(lambda left, right: types.int64(left, left))
def at_most_bits(builder: Any, left: Any, right: Any) -> Any:
    """Bit set of the lanes where ``left <= right``."""
    return _bits(builder, builder.fcmp_ordered("<=", left, right))


@instruction(lambda bits, yes, no: yes(types.int64, yes, yes))
def where_bits(builder: Any, bits: Any, yes: Any, no: Any) -> Any:
    """Lanes of `yes` where the bit is set, of `no` elsewhere."""
    test = builder.bitcast(builder.trunc(bits, ir.IntType(WIDTH)), ir.VectorType(ir.IntType(1), WIDTH))
    return builder.select(test, yes, no)


@instruction(lambda left, right: left(left, right))
def either(builder: Any, left: Any, right: Any) -> Any:
    """Return the bits that are set in `left` or in `right`, both lanes that hold words of bits."""
    words = [builder.bitcast(value, ir.VectorType(ir.IntType(64), WIDTH)) for value in (left, right)]
    return builder.bitcast(builder.or_(*words), _VECTOR)


@instruction(lambda value: value(value))
def square_root(builder: Any, value: Any) -> Any:
    """Return the square root, correctly rounded, lane by lane."""
    root = builder.module.declare_intrinsic(f"llvm.sqrt.v{WIDTH}f64", fnty=ir.FunctionType(_VECTOR, [_VECTOR]))
    return builder.call(root, [value])
