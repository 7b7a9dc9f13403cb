"""Eight lanes as one value: every operation is the scalar one, lane by lane, bit for bit."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
from numba import config, njit

from vnestruct.kernels import vector
from vnestruct.kernels.machine import add_atomically
from vnestruct.kernels.vector import WIDTH

load, store = vector.load, vector.store

LEFT = np.array([0.0, -0.0, 1.5, -2.25, 1e308, 5e-324, np.inf, 3.0])
RIGHT = np.array([0.0, 1.0, 1.5, 3.0, 1e-308, 2.0, -1.0, np.nan])


@njit
def _apply(a, b, out):  # type: ignore[no-untyped-def]
    x, y = load(a, 0), load(b, 0)
    store(out, 0, x + y)
    store(out, 1, x - y)
    store(out, 2, x * y)
    store(out, 3, x / y)
    store(out, 4, 0.3 * x - 0.3)
    store(out, 5, 0.3 - x / 0.3)
    store(out, 6, vector.square_root(x * x))
    store(out, 7, vector.where_greater(x, y, x, vector.splat(2.5)))
    store(out, 8, vector.keep_where_positive(x, y))
    store(out, 9, vector.where_bits(vector.greater_bits(x, y), x, y))
    store(out, 10, vector.where_bits(vector.at_most_bits(x, y), x, vector.zero()))
    store(out, 11, vector.with_lane(x, 5, vector.lane(y, 3)))


def same_bits(found: np.ndarray, expected: np.ndarray) -> bool:
    """Equal to the sign of zero; one NaN is as good as another."""
    nan = np.isnan(found) & np.isnan(expected)
    return bool(np.all(nan | (found.view(np.int64) == expected.view(np.int64))))


def test_every_operation_lane_by_lane() -> None:
    generator = np.random.default_rng(1)
    pairs = [(LEFT, RIGHT), (RIGHT, LEFT)]
    pairs += [generator.normal(size=(2, WIDTH)) * 10.0 ** generator.integers(-9, 9, (2, WIDTH)) for _ in range(50)]
    for a, b in pairs:
        out = np.full(12 * WIDTH, 7.0)
        with np.errstate(all="ignore"):
            _apply(a, b, out)
            results = [a + b, a - b, a * b, a / b, 0.3 * a - 0.3, 0.3 - a / 0.3, np.sqrt(a * a)]
            results += [np.where(a > b, a, 2.5), np.where(b > 0.0, a, 0.0), np.where(a > b, a, b)]
            results += [np.where(a <= b, a, 0.0), np.where(np.arange(WIDTH) == 5, b[3], a)]
        for found, expected in zip(out.reshape(12, WIDTH), results, strict=True):
            assert same_bits(found, expected)


@njit
def _add_product(a, out):  # type: ignore[no-untyped-def]
    store(out, 0, vector.add_product(load(a, 0), load(a, 1), load(a, 2)))


def test_a_sum_with_a_product_is_rounded_once() -> None:
    rows, out = np.random.default_rng(3).normal(size=(3, WIDTH)), np.empty(WIDTH)
    _add_product(rows.ravel(), out)
    if config.DISABLE_JIT:  # its Python twin rounds twice
        assert np.allclose(out, rows[0] + rows[1] * rows[2], rtol=1e-13)
    else:
        assert out.tolist() == [float(Fraction(a) + Fraction(b) * Fraction(c)) for a, b, c in rows.T]


@njit(nogil=True)
def _add_often(array, times):  # type: ignore[no-untyped-def]
    for _ in range(times):
        add_atomically(array, 1, np.int32(1))


def test_additions_of_several_threads_are_not_lost() -> None:
    array = np.zeros(3, np.int32)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: _add_often(array, 200_000), range(3)))
    assert array.tolist() == [0, 600_000, 0]
