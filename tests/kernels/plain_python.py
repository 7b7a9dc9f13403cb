"""A pytest plugin that runs kernels as plain Python: for ``NUMBA_DISABLE_JIT=1``, where Numba leaves functions alone.

Instructions that the kernels build in LLVM get a Python twin here, which also checks what LLVM takes on trust: that an
index lies inside its array. Eight lanes are an array of eight floats.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numba
import numba.extending
import numpy as np

WIDTH = 8


def _place(array: Any, index: Any, width: int = 1) -> int:
    place = int(index)
    assert 0 <= place < array.size // width, f"index {place} is outside an array of {array.size // width}"
    return place


def _is_lanes(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _row(array: Any, row: Any, like: Any) -> Any:
    """An index of one entry, or of the eight of a row."""
    if not _is_lanes(like):
        return _place(array, row)
    place = _place(array, row, WIDTH)
    return slice(place * WIDTH, place * WIDTH + WIDTH)


def load_like(array: Any, row: Any, like: Any) -> Any:
    found = array.reshape(-1)[_row(array, row, like)]
    return found.copy() if _is_lanes(like) else np.float64(found)


def store(array: Any, row: Any, value: Any) -> None:
    array.reshape(-1)[_row(array, row, value)] = value


def with_lane(value: Any, index: Any, number: Any) -> Any:
    changed = value.copy()
    changed[_place(value, index)] = number
    return changed


def sum_lanes(value: Any) -> Any:
    return value[0] if value.size == 1 else sum_lanes(value[: value.size // 2] + value[value.size // 2 :])


def _bits(test: Any) -> int:
    return sum(int(bit) << place for place, bit in enumerate(np.atleast_1d(test)))


def where_bits(bits: Any, yes: Any, no: Any) -> Any:
    return np.where([(int(bits) >> place) & 1 for place in range(WIDTH)], yes, no)


def add_atomically(array: Any, index: Any, amount: Any) -> None:
    array[_place(array, index)] += amount


def _select(test: Any, yes: Any, no: Any) -> Any:
    return np.where(test, yes, no) if _is_lanes(yes) else (yes if test else no)


_TWINS: dict[str, Callable[..., Any]] = {
    "load_like": load_like,
    "load": lambda array, row: load_like(array, row, np.zeros(WIDTH)),
    "store": store,
    "zero": lambda: np.zeros(WIDTH),
    "splat": lambda value: np.full(WIDTH, value),
    "lane": lambda value, index: value[_place(value, index)],
    "sum_lanes": sum_lanes,
    "sum_each": lambda *values: reduce(lambda x, _: x[:, ::2] + x[:, 1::2], range(3), np.array(values))[:, 0],
    "add_product": lambda total, left, right: total + left * right,  # rounded twice
    "with_lane": with_lane,
    "keep_where_positive": lambda value, condition: _select(condition > 0, value, value * 0),
    "unpack_bytes": lambda packed: np.array([(int(packed) >> (8 * place)) & 255 for place in range(WIDTH)], float),
    "where_greater": lambda left, right, yes, no: _select(left > right, yes, no),
    "greater_bits": lambda left, right: _bits(left > right),
    "at_most_bits": lambda left, right: _bits(left <= right),
    "where_bits": where_bits,
    "either": lambda left, right: (left.view(np.uint64) | right.view(np.uint64)).view(float),
    "square_root": np.sqrt,
    "trailing_zeros": lambda word: np.uint64((int(word) & -int(word)).bit_length() - 1),
    "count_ones": lambda word: int(word).bit_count(),
    "prefetch": lambda array, index: None,
    "add_atomically": add_atomically,
}


if numba.config.DISABLE_JIT:
    numba.extending.intrinsic = lambda definition: _TWINS[definition.__name__]
