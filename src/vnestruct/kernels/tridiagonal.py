"""Largest Ritz value of a growing Lanczos tridiagonal matrix, and its residual.

After step t the matrix T_t has diagonal alpha_0..alpha_t and squared off-diagonals beta2_1..beta2_t, where beta2_j
couples steps j-1 and j. The last pivot of the factorisation of T_t - x I,

    delta_t(x) = alpha_t - x - beta2_t / delta_{t-1}(x),

falls convexly from infinity, right of its last pole, the previous largest Ritz value, and vanishes at the new one. The
weight of that pole is known as well: it is residual2_{t-1}, so that

    delta_t(x) = rest(x) + residual2_{t-1} / (x - theta_{t-1})

where rest is smooth, convex and falls at least as fast as alpha_t - x. Each round puts a straight line in its place,
alpha_t - x at first, then the tangent at x, and goes to the root of that, never beyond the root sought. Where rounding
in the weight leaves no tangent that falls, the round is one of Newton's method for the whole of delta_t. Near
convergence root and pole nearly coincide, and all that matters is the distance between them: a step is small only if it
is small beside that distance, and a start that rounding has put left of the pole is moved right of it.

Hard by the pole the other poles hide: where eigenvalues tie to eight digits, the second may have converged before the
first shows. So a root hard by the pole is believed only if all pivots are negative a few last bits right of it;
otherwise the search jumps right, twice as far each time, and goes on.

Pivots are quotients of the leading minors of x I - T_t, up to sign. The minors are computed in their place: they follow
from the two before without a division, which a processor is slow to finish. Each row is divided by the first guess of
x, so that they neither overflow nor vanish in the few steps of an iteration that asks for each Ritz value. The minors
from the other end give the Ritz vector; where its entries span too much for that, pivots do.

The last component s of the Ritz vector follows from the slope at the root, -delta_t'(theta) = 1 / s**2, or, where root
and pole are too close for that, from the recurrence for the vector itself, run from its small end to its large end.

A Ritz value costs O(t), so long iterations ask for it now and then only; the previous pole is then unknown, and the
root is enclosed by bisection: all pivots are negative right of it, and not left of it.

`vnestruct.kernels.tridiagonal_lanes` does the same for eight matrices.
"""

from __future__ import annotations

from math import sqrt

from numba import njit

from vnestruct.types import ValueArray

ROUNDS = 60
TINY = -1e-300
LARGE = 1e300
LAST_BIT = 4e-16
LEAST = 0.25 * LAST_BIT
SMALL = 1e-3
CLOSE = 1e-6
DOUBTFUL = 1e-10
JUMP = 8.0 * LAST_BIT
EACH = 40
FLAT = -0.5
_EVERY = 16


@njit(nogil=True, cache=True, inline="always")
def is_checked(step: int) -> bool:
    """Tell whether the Ritz value is computed after `step` (counted from 0)."""
    return step < EACH or step % _EVERY == 0


@njit(nogil=True, cache=True, error_model="numpy")
def largest_ritz(
    alpha: ValueArray, beta2: ValueArray, last: int, theta: float, residual2: float
) -> tuple[float, float]:
    """Return the new largest Ritz value and the squared last component of its Ritz vector.

    `theta` and `residual2` are those of the last step checked.
    """
    if last == 0:
        return alpha[0], 1.0
    if last >= EACH:
        x = enclosed(alpha, beta2, 0, 1, last, theta)
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
    push = LAST_BIT * x
    jump = JUMP * x
    steep = -1.0
    # A root that rounding cannot tell from the pole stays where it is, unless another lies beyond.
    moving = x - theta > LEAST * x
    if not moving and not _is_right(alpha, beta2, last, x + jump):
        x += jump
        jump += jump
        moving = True
    rounds = 0
    unit = x
    scale = 1.0 / unit
    scale2 = scale * scale
    while moving and rounds < ROUNDS:
        rounds += 1
        before = 1.0
        here = (x - alpha[0]) * scale
        change_before = 0.0
        change = 1.0
        smallest = here
        for j in range(1, last + 1):
            factor = (x - alpha[j]) * scale
            coupling = beta2[j] * scale2
            smallest = here if here < smallest else smallest
            following = factor * here - coupling * before
            following_change = (here + factor * change) - coupling * change_before
            before = here
            here = following
            change_before = change
            change = following_change
        inverse = 1.0 / before
        quotient = here * inverse
        pivot = -(quotient * unit)
        slope = -((change - quotient * change_before) * inverse)
        if smallest <= 0.0:
            x += push
            push += push
            continue
        least = LEAST * x
        reach = x - theta
        reach = reach if reach > least else least
        inverse = 1.0 / reach
        pole = residual2 * inverse
        steep = slope + pole * inverse
        if steep > FLAT:
            # The weight of the pole is not known well enough to be told from the rest.
            following = reach - pivot / slope
            floor = 0.25 * reach
            following = following if following > floor else floor
        else:
            steep = -1.0 if steep > -1.0 else steep
            inverse = 1.0 / steep
            middle = 0.5 * (reach - (pivot - pole) * inverse)
            weight = -residual2 * inverse
            discriminant = sqrt(middle * middle + weight)
            following = middle + discriminant if middle > 0.0 else weight / (discriminant - middle)
        step = following - reach
        size = step if step > -step else -step
        x = theta + following
        bit = LAST_BIT * x
        moving = size > bit and (size > SMALL * reach or size * size > bit * reach)
        if not moving and not x - theta > DOUBTFUL * x and not _is_right(alpha, beta2, last, x + jump):
            x += jump
            jump += jump
            moving = True
    if moving:
        x = enclosed(alpha, beta2, 0, 1, last, theta)
        return x, _last_component2(alpha, beta2, last, x)
    reach = x - theta
    if reach > CLOSE * x and steep <= -1.0:
        return x, -1.0 / (steep - residual2 / (reach * reach))
    return x, _last_component2(alpha, beta2, last, x)


@njit(nogil=True, cache=True, error_model="numpy")
def _is_right(alpha: ValueArray, beta2: ValueArray, last: int, x: float) -> bool:
    """Tell whether x lies right of all eigenvalues: every pivot is negative there."""
    scale = 1.0 / x
    scale2 = scale * scale
    before = 1.0
    here = (x - alpha[0]) * scale
    smallest = here
    for j in range(1, last + 1):
        following = ((x - alpha[j]) * scale) * here - (beta2[j] * scale2) * before
        before = here
        here = following
        smallest = here if here < smallest else smallest
    return smallest > 0.0


@njit(nogil=True, cache=True, error_model="numpy")
def _last_component2(alpha: ValueArray, beta2: ValueArray, last: int, x: float) -> float:
    """Return the squared last component of the unit eigenvector at x, by the recurrence from that component up."""
    if last < EACH:
        scale = 1.0 / x
        scale2 = scale * scale
        before = 1.0
        here = (x - alpha[last]) * scale
        product = 1.0
        total = 1.0
        for j in range(last, 0, -1):
            coupling = beta2[j] * scale2
            product *= coupling
            total += here * here / product
            following = ((x - alpha[j - 1]) * scale) * here - coupling * before
            before = here
            here = following
        if total < LARGE:
            return 1.0 / total
    return _last_component2_by_pivots(alpha, beta2, last, x)


@njit(nogil=True, cache=True, error_model="numpy")
def _last_component2_by_pivots(alpha: ValueArray, beta2: ValueArray, last: int, x: float) -> float:
    """Do the same in a way that can neither overflow nor vanish, however many steps there are."""
    pivot = alpha[last] - x
    share = 1.0
    total = 1.0
    for j in range(last, 0, -1):
        share *= pivot * pivot / beta2[j]
        total += share
        pivot = (alpha[j - 1] - x) - beta2[j] / (TINY if pivot == 0.0 else pivot)
    return 1.0 / total


@njit(nogil=True, cache=True, error_model="numpy")
def enclosed(alpha: ValueArray, beta2: ValueArray, base: int, stride: int, last: int, theta: float) -> float:
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
