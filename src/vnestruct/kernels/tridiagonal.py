"""Largest Ritz value of a growing Lanczos tridiagonal matrix, and its residual.

After step t the matrix T_t has diagonal alpha_0..alpha_t and squared off-diagonals beta2_1..beta2_t, where beta2_j
couples steps j-1 and j. The last pivot of the factorisation of T_t - x I,

    delta_t(x) = alpha_t - x - beta2_t / delta_{t-1}(x),

falls convexly from infinity, right of its last pole, the previous largest Ritz value, and vanishes at the new one.
Newton's method from the left therefore climbs to the root without a step back. It starts at the larger root of
(x - alpha_t)(x - theta_{t-1}) = residual2_{t-1}, which keeps only the last pole of delta_t and so lies left of it. Near
convergence root and pole nearly coincide, and all that matters is the distance between them: a step is small only if it
is small beside that distance, and a start that rounding has put left of the pole is moved right of it.

Hard by the pole Newton's steps are as small as the distance to it, though the root may be far: where eigenvalues tie to
eight digits, the second may have converged before the first shows. So a root hard by the pole is believed only if all
pivots are negative a few last bits right of it; otherwise the search jumps right, twice as far each time, and goes on.

The last component s of the Ritz vector follows from the slope at the root, -delta_t'(theta) = 1 / s**2, or, where root
and pole are too close for that, from the recurrence for the vector itself, run from its small end to its large end.

A Ritz value costs O(t), so long iterations ask for it now and then only; the previous pole is then unknown, and the
root is enclosed by bisection: all pivots are negative right of it, and not left of it.

`largest_ritz` and `largest_ritz_lanes` do the same operations in the same order, the latter for eight matrices.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

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
_SMALL = 1e-6
_CLOSE = 1e-6
_DOUBTFUL = 1e-10
_JUMP = 8.0 * _LAST_BIT
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
    if last >= _EACH:
        x = _enclosed(alpha, beta2, 0, 1, last, theta)
        return x, _last_component2(alpha, beta2, last, x)
    # The larger root, as an increment to theta in its two stable forms.
    difference = 0.5 * (alpha[last] - theta)
    discriminant = sqrt(difference * difference + residual2)
    if difference > 0.0:
        x = theta + (difference + discriminant)
    elif discriminant - difference > 0.0:
        x = theta + residual2 / (discriminant - difference)
    else:
        x = theta
    push = _LAST_BIT * x
    jump = _JUMP * x
    slope = -1.0
    for _ in range(_NEWTON_STEPS):
        pivot = alpha[0] - x
        largest = pivot
        slope = -1.0
        for j in range(1, last + 1):
            largest = pivot if pivot > largest else largest
            inverse = 1.0 / (_TINY if pivot > _TINY else pivot)
            ratio = beta2[j] * inverse
            slope = ratio * inverse * slope - 1.0
            pivot = (alpha[j] - x) - ratio
        if largest > 0.0:
            x += push
            push += push
            continue
        step = pivot / slope
        size = step if step > -step else -step
        reach = x - theta
        # From the right of the root, where rounding may have put the start, never back to the pole.
        floor = theta + 0.25 * reach
        x -= step
        x = floor if floor > x else x
        if not size > _LAST_BIT * x or not size > _SMALL * reach:
            if x - theta > _DOUBTFUL * x or _is_right(alpha, beta2, last, x + jump):
                break
            x += jump
            jump += jump
    if x - theta > _CLOSE * x:
        return x, -1.0 / slope
    return x, _last_component2(alpha, beta2, last, x)


@njit(nogil=True, cache=True, error_model="numpy")
def _is_right(alpha: ValueArray, beta2: ValueArray, last: int, x: float) -> bool:
    """Tell whether x lies right of all eigenvalues: every pivot is negative there."""
    pivot = alpha[0] - x
    largest = pivot
    for j in range(1, last + 1):
        pivot = (alpha[j] - x) - beta2[j] / (_TINY if pivot > _TINY else pivot)
        largest = pivot if pivot > largest else largest
    return largest < 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def _last_component2(alpha: ValueArray, beta2: ValueArray, last: int, x: float) -> float:
    """Return the squared last component of the unit eigenvector at x, by the recurrence from that component up."""
    pivot = alpha[last] - x
    share = 1.0
    total = 1.0
    for j in range(last, 0, -1):
        share *= pivot * pivot / beta2[j]
        total += share
        pivot = (alpha[j - 1] - x) - beta2[j] / (_TINY if pivot == 0.0 else pivot)
    return 1.0 / total


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
    if last >= _EACH:
        for j in range(WIDTH):
            result[j] = _enclosed(alpha, beta2, j, WIDTH, last, theta[j]) if (pending >> j) & 1 else theta[j]
        _last_components2(alpha, beta2, last, result)
        return
    nothing = zero()
    old = load(theta, 0)
    pole = load(residual2, 0)
    difference = mul(splat(0.5), sub(load(alpha, last), old))
    discriminant = square_root(add(mul(difference, difference), pole))
    denominator = sub(discriminant, difference)
    falling = where_greater(denominator, nothing, add(old, div(pole, denominator)), old)
    x = where_greater(difference, nothing, add(old, add(difference, discriminant)), falling)
    push = mul(splat(_LAST_BIT), x)
    jump = mul(splat(_JUMP), x)
    tiny = splat(_TINY)
    slopes = splat(-1.0)
    moving = pending
    for _ in range(_NEWTON_STEPS):
        pivot = sub(load(alpha, 0), x)
        largest = pivot
        slope = splat(-1.0)
        for j in range(1, last + 1):
            largest = where_greater(pivot, largest, pivot, largest)
            inverse = div(one, where_greater(pivot, tiny, tiny, pivot))
            ratio = mul(load(beta2, j), inverse)
            slope = sub(mul(mul(ratio, inverse), slope), one)
            pivot = sub(sub(load(alpha, j), x), ratio)
        behind = greater_bits(largest, nothing) & moving
        climbing = moving & ~behind
        slopes = where_bits(moving, slope, slopes)
        step = div(pivot, slope)
        back = sub(nothing, step)
        size = where_greater(step, back, step, back)
        reach = sub(x, old)
        floor = add(old, mul(splat(0.25), reach))
        climbed = sub(x, step)
        climbed = where_greater(floor, climbed, floor, climbed)
        x = where_bits(behind, add(x, push), where_bits(climbing, climbed, x))
        push = where_bits(behind, add(push, push), push)
        large = greater_bits(size, mul(splat(_LAST_BIT), x)) & greater_bits(size, mul(splat(_SMALL), reach))
        far = greater_bits(sub(x, old), mul(splat(_DOUBTFUL), x))
        short = climbing & ~large & ~far
        if short != 0:
            short &= ~_right_bits(alpha, beta2, last, add(x, jump))
            x = where_bits(short, add(x, jump), x)
            jump = where_bits(short, add(jump, jump), jump)
        moving = behind | (climbing & large) | short
        if moving == 0:
            break
    store(result, 0, x)
    far = greater_bits(sub(x, old), mul(splat(_CLOSE), x))
    components = div(splat(-1.0), slopes)
    if pending & ~far:
        _last_components2(alpha, beta2, last, result)
        components = where_bits(far, components, load(result, 1))
    store(result, 1, components)


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _right_bits(alpha: ValueArray, beta2: ValueArray, last: int, x: Any) -> int:
    """Do as `_is_right` does, for eight lanes."""
    tiny = splat(_TINY)
    pivot = sub(load(alpha, 0), x)
    largest = pivot
    for j in range(1, last + 1):
        pivot = sub(sub(load(alpha, j), x), div(load(beta2, j), where_greater(pivot, tiny, tiny, pivot)))
        largest = where_greater(pivot, largest, pivot, largest)
    return greater_bits(zero(), largest)


@njit(nogil=True, cache=True, error_model="numpy")
def _last_components2(alpha: ValueArray, beta2: ValueArray, last: int, result: ValueArray) -> None:
    """Do as `_last_component2` does, for the eight values in row 0 of `result`, into its row 1."""
    x = load(result, 0)
    nothing = zero()
    tiny = splat(_TINY)
    one = splat(1.0)
    pivot = sub(load(alpha, last), x)
    share = one
    total = one
    for j in range(last, 0, -1):
        coupling = load(beta2, j)
        share = mul(share, div(mul(pivot, pivot), coupling))
        total = add(total, share)
        nonzero = greater_bits(pivot, nothing) | greater_bits(nothing, pivot)
        pivot = sub(sub(load(alpha, j - 1), x), div(coupling, where_bits(nonzero, pivot, tiny)))
    store(result, 1, div(one, total))


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
        if not low < middle < high:
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
