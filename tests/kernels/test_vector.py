"""Eight lanes as one value: every operation is the scalar one, lane by lane, bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numba import config, njit

from vnestruct.kernels import vector
from vnestruct.kernels.machine import add_atomically, trailing_zeros, uniform
from vnestruct.kernels.vector import WIDTH

LEFT = np.array([0.0, -0.0, 1.5, -2.25, 1e308, 5e-324, np.inf, 3.0])
RIGHT = np.array([0.0, 1.0, 1.5, 3.0, 1e-308, 2.0, -1.0, np.nan])

load, store = vector.load, vector.store


def lanewise(operation: Any, *, count: int) -> Callable[..., np.ndarray]:
    """A Python function that runs one operation of `count` operands on rows of eight."""
    if count == 1:

        @njit
        def run(a, out):  # type: ignore[no-untyped-def]
            store(out, 0, operation(load(a, 0)))

    elif count == 2:

        @njit
        def run(a, b, out):  # type: ignore[no-untyped-def]
            store(out, 0, operation(load(a, 0), load(b, 0)))

    else:

        @njit
        def run(a, b, c, d, out):  # type: ignore[no-untyped-def]
            store(out, 0, operation(load(a, 0), load(b, 0), load(c, 0), load(d, 0)))

    def call(*arguments: np.ndarray) -> np.ndarray:
        out = np.full(WIDTH, 7.0)
        run(*arguments, out)
        return out

    return call


def same_bits(found: np.ndarray, expected: np.ndarray) -> bool:
    """Equal to the sign of zero; one NaN is as good as another."""
    nan = np.isnan(found) & np.isnan(expected)
    return bool(np.all(nan | (found.view(np.int64) == expected.view(np.int64))))


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        (njit(lambda a, b: a + b), np.add),
        (njit(lambda a, b: a - b), np.subtract),
        (njit(lambda a, b: a * b), np.multiply),
        (njit(lambda a, b: a / b), np.divide),
    ],
    ids=["add", "sub", "mul", "div"],
)
def test_arithmetic(operation: Any, expected: Callable[..., np.ndarray]) -> None:
    run = lanewise(operation, count=2)
    with np.errstate(all="ignore"):
        assert same_bits(run(LEFT, RIGHT), expected(LEFT, RIGHT))
        assert same_bits(run(RIGHT, LEFT), expected(RIGHT, LEFT))
        generator = np.random.default_rng(1)
        for _ in range(50):
            a, b = generator.normal(size=(2, WIDTH)) * 10.0 ** generator.integers(-9, 9, (2, WIDTH))
            assert same_bits(run(a, b), expected(a, b))


def test_square_root_is_correctly_rounded() -> None:
    run = lanewise(vector.square_root, count=1)
    generator = np.random.default_rng(1)
    for _ in range(50):
        a = 10.0 ** generator.uniform(-300, 300, WIDTH)
        assert same_bits(run(a), np.sqrt(a))


def test_choices() -> None:
    yes, no = np.arange(8.0), -np.arange(8.0)
    run = lanewise(vector.where_greater, count=4)
    with np.errstate(invalid="ignore"):
        assert same_bits(run(LEFT, RIGHT, yes, no), np.where(LEFT > RIGHT, yes, no))
        kept = lanewise(vector.keep_where_positive, count=2)(yes, RIGHT)
        assert same_bits(kept, np.where(RIGHT > 0.0, yes, 0.0))


@njit
def _bit_sets(a, b, out):  # type: ignore[no-untyped-def]
    greater = vector.greater_bits(load(a, 0), load(b, 0))
    at_most = vector.at_most_bits(load(a, 0), load(b, 0))
    store(out, 0, vector.where_bits(greater, load(a, 0), load(b, 0)))
    return greater, at_most


def test_bit_sets() -> None:
    out = np.empty(WIDTH)
    greater, at_most = _bit_sets(LEFT, RIGHT, out)
    with np.errstate(invalid="ignore"):
        assert greater == sum(int(LEFT[i] > RIGHT[i]) << i for i in range(WIDTH))
        assert at_most == sum(int(LEFT[i] <= RIGHT[i]) << i for i in range(WIDTH))
        assert same_bits(out, np.where(LEFT > RIGHT, LEFT, RIGHT))


@njit
def _spread(word, value, out):  # type: ignore[no-untyped-def]
    store(out, 0, vector.unpack_bytes(word))
    store(out, 1, vector.splat(value))
    store(out, 2, vector.zero())


def test_bytes_splats_and_zeros() -> None:
    out = np.empty(3 * WIDTH)
    _spread(np.uint64(0xFF0180000A000201), 2.5, out)
    assert out[:WIDTH].tolist() == [1, 2, 0, 10, 0, 128, 1, 255]
    assert out[WIDTH : 2 * WIDTH].tolist() == [2.5] * WIDTH
    assert same_bits(out[2 * WIDTH :], np.zeros(WIDTH))


@njit
def _lowest(word):  # type: ignore[no-untyped-def]
    return trailing_zeros(word)


def test_lowest_bit() -> None:
    for place in range(64):
        assert _lowest(np.uint64(1 << place)) == place
        assert _lowest(np.uint64((0xF << place | 1 << 63) & (2**64 - 1))) == place


@njit(nogil=True)
def _add_often(array, times):  # type: ignore[no-untyped-def]
    for _ in range(times):
        add_atomically(array, 1, np.int32(1))


def test_additions_of_several_threads_are_not_lost() -> None:
    from concurrent.futures import ThreadPoolExecutor

    array = np.zeros(3, np.int32)
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda _: _add_often(array, 200_000), range(3)))
    assert array.tolist() == [0, 600_000, 0]


def test_random_numbers_depend_on_their_key_alone() -> None:
    first = np.array([uniform(key) for key in range(20_000)])
    assert np.array_equal(first[::-1], [uniform(key) for key in range(19_999, -1, -1)])
    assert first.min() >= -1.0
    assert first.max() < 1.0
    assert abs(first.mean()) < 0.02
    assert abs(first.var() - 1 / 3) < 0.01
    # Neighbouring keys have nothing to do with each other.
    assert abs(np.corrcoef(first[1:], first[:-1])[0, 1]) < 0.03


@njit
def _with_floats(a, number, out):  # type: ignore[no-untyped-def]
    store(out, 0, number * load(a, 0) - number)
    store(out, 1, number - load(a, 0) / number)


def test_arithmetic_with_a_float_on_either_side() -> None:
    out = np.empty(2 * WIDTH)
    values = np.array([0.0, -0.0, 1.5, -2.25, 1e300, 5e-324, 0.1, 3.0])
    _with_floats(values, 0.3, out)
    assert same_bits(out[:WIDTH], 0.3 * values - 0.3)
    assert same_bits(out[WIDTH:], 0.3 - values / 0.3)


@njit
def _one_lane(a, b, out):  # type: ignore[no-untyped-def]
    x = vector.load_like(a, 3, 0.0)
    store(out, 0, vector.keep_where_positive(x, vector.load_like(b, 3, 0.0)))
    lanes = vector.load_like(a, 0, vector.zero())
    return vector.lane(vector.with_lane(lanes, 2, x), 2), vector.lane(lanes, 3), vector.sum_lanes(lanes)


def test_floats_and_single_lanes() -> None:
    a, b, out = np.arange(8.0) + 0.5, np.arange(8.0), np.zeros(1)
    assert _one_lane(a, b, out) == (3.5, 3.5, 32.0)
    assert out[0] == 3.5
    _one_lane(a, -b, out)
    assert out[0] == 0.0


@njit
def _sums_and_products(a, out):  # type: ignore[no-untyped-def]
    x = load(a, 0), load(a, 1), load(a, 2), load(a, 3), load(a, 4), load(a, 5), load(a, 6), load(a, 7)
    store(out, 0, vector.sum_each(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]))
    store(out, 1, vector.add_product(x[0], x[1], x[2]))


def test_sums_of_eight_values_and_sums_with_a_product() -> None:
    generator = np.random.default_rng(3)
    for _ in range(50):
        rows, out = generator.normal(size=(WIDTH, WIDTH)), np.empty(2 * WIDTH)
        _sums_and_products(rows.ravel(), out)
        pairs = rows[:, ::2] + rows[:, 1::2]
        fours = pairs[:, ::2] + pairs[:, 1::2]
        assert same_bits(out[:WIDTH], fours[:, 0] + fours[:, 1])
        if not config.DISABLE_JIT:  # its Python twin rounds twice
            once = [float(Fraction(a) + Fraction(b) * Fraction(c)) for a, b, c in rows[:3].T]
            assert same_bits(out[WIDTH:], np.array(once))
