"""Largest Ritz value of a growing Lanczos tridiagonal matrix, and its residual.

After step t the matrix T_t has diagonal alpha_0..alpha_t and squared off-diagonals beta2_1..beta2_t, where beta2_j
couples steps j-1 and j. The last pivot of the factorisation of T_t - x I,

    delta_t(x) = alpha_t - x - beta2_t / delta_{t-1}(x),

falls convexly from infinity, right of the previous largest Ritz value, and vanishes at the new one. Newton's method
from the left therefore climbs to the root without a step back. It starts at the larger root of
(x - alpha_t)(x - theta_{t-1}) = residual2_{t-1}, which keeps only the last pole of delta_t and so lies left of it.
The slope at the root gives the last component s of the Ritz vector: -delta_t'(theta) = 1 / s**2.

A Ritz value costs O(t), so long iterations ask for it now and then only; the previous pole is then unknown, and the
root is enclosed by bisection first: all pivots are negative right of it, and not left of it.

`largest_ritz` and `largest_ritz_lanes` do the same operations in the same order, the latter for eight matrices.
"""

from __future__ import annotations

from math import sqrt

from numba import njit

from vnestruct.kernels.vector import (
    WIDTH,
    add,
    div,
    greater_bits,
    load,
    mul,
    splat,
    square_root,
    store,
    sub,
    where_bits,
    where_greater,
    zero,
)
from vnestruct.types import ValueArray

_NEWTON_STEPS = 60
_TINY = -1e-300
_LAST_BIT = 4e-16
_QUADRATIC = 1e-12
_EACH = 40
_EVERY = 16


@njit(nogil=True, cache=True, inline="always")
def is_checked(step: int) -> bool:
    """Tell whether the Ritz value is computed after `step` (counted from 0)."""
    return step < _EACH or step % _EVERY == 0


@njit(nogil=True, cache=True, error_model="numpy")
def largest_ritz(
    alpha: ValueArray, beta2: ValueArray, last: int, theta: float, residual2: float
) -> tuple[float, float]:
    """Return the new largest Ritz value and the squared last component of its Ritz vector.

    `theta` and `residual2` are those of the last step checked.
    """
    if last == 0:
        return alpha[0], 1.0
    if last < _EACH:
        # The larger root, as an increment to theta in its two stable forms.
        difference = 0.5 * (alpha[last] - theta)
        discriminant = sqrt(difference * difference + residual2)
        if difference > 0.0:
            x = theta + (difference + discriminant)
        elif discriminant - difference > 0.0:
            x = theta + residual2 / (discriminant - difference)
        else:
            x = theta
    else:
        x = _enclosed(alpha, beta2, 0, 1, last, theta)
    slope = -1.0
    for _ in range(_NEWTON_STEPS):
        pivot = alpha[0] - x
        slope = -1.0
        for j in range(1, last + 1):
            # Right of every earlier Ritz value all pivots but the last are negative; rounding must not undo that.
            inverse = 1.0 / (_TINY if pivot > _TINY else pivot)
            ratio = beta2[j] * inverse
            slope = ratio * inverse * slope - 1.0
            pivot = (alpha[j] - x) - ratio
        step = pivot / slope
        # Convergence is quadratic from the left: a step down is rounding, and after a small one nothing is left.
        if not step < -_LAST_BIT * x:
            break
        x -= step
        if not step < -_QUADRATIC * x:
            break
    return x, -1.0 / slope


@njit(nogil=True, cache=True, error_model="numpy")
def largest_ritz_lanes(
    alpha: ValueArray,
    beta2: ValueArray,
    last: int,
    theta: ValueArray,
    residual2: ValueArray,
    pending: int,
    result: ValueArray,
) -> None:
    """Do as `largest_ritz` does for the lanes of the bit set `pending`; rows 0 and 1 of `result` receive both values.

    Arrays hold a row of eight lanes a step; `theta` and `residual2` one row.
    """
    one = splat(1.0)
    if last == 0:
        store(result, 0, load(alpha, 0))
        store(result, 1, one)
        return
    nothing = zero()
    if last < _EACH:
        old = load(theta, 0)
        pole = load(residual2, 0)
        difference = mul(splat(0.5), sub(load(alpha, last), old))
        discriminant = square_root(add(mul(difference, difference), pole))
        denominator = sub(discriminant, difference)
        falling = where_greater(denominator, nothing, add(old, div(pole, denominator)), old)
        x = where_greater(difference, nothing, add(old, add(difference, discriminant)), falling)
    else:
        for j in range(WIDTH):
            if (pending >> j) & 1:
                result[j] = _enclosed(alpha, beta2, j, WIDTH, last, theta[j])
            else:
                result[j] = theta[j]
        x = load(result, 0)
    tiny = splat(_TINY)
    slopes = splat(-1.0)
    for _ in range(_NEWTON_STEPS):
        pivot = sub(load(alpha, 0), x)
        slope = splat(-1.0)
        for j in range(1, last + 1):
            inverse = div(one, where_greater(pivot, tiny, tiny, pivot))
            ratio = mul(load(beta2, j), inverse)
            slope = sub(mul(mul(ratio, inverse), slope), one)
            pivot = sub(sub(load(alpha, j), x), ratio)
        step = div(pivot, slope)
        slopes = where_bits(pending, slope, slopes)
        moving = greater_bits(mul(splat(-_LAST_BIT), x), step) & pending
        x = where_bits(moving, sub(x, step), x)
        pending = greater_bits(mul(splat(-_QUADRATIC), x), step) & moving
        if pending == 0:
            break
    store(result, 0, x)
    store(result, 1, div(splat(-1.0), slopes))


@njit(nogil=True, cache=True, error_model="numpy")
def _enclosed(alpha: ValueArray, beta2: ValueArray, base: int, stride: int, last: int, theta: float) -> float:
    """Return a point right of the root by no more than rounding, given a point `theta` left of it."""
    low = theta
    high = theta
    coupling = 0.0
    for j in range(last + 1):
        following = sqrt(beta2[base + (j + 1) * stride]) if j < last else 0.0
        high = max(high, alpha[base + j * stride] + coupling + following)
        coupling = following
    while True:
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            return high
        pivot = alpha[base] - middle
        above = pivot < 0.0
        for j in range(1, last + 1):
            if not above:
                break
            pivot = (alpha[base + j * stride] - middle) - beta2[base + j * stride] / pivot
            above = pivot < 0.0
        if above:
            high = middle
        else:
            low = middle
