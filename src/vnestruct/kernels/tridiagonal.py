"""Largest Ritz value of a growing Lanczos tridiagonal matrix, and its residual.

After step t the matrix T_t has diagonal alpha_0..alpha_t and squared off-diagonals beta2_1..beta2_t, where beta2_j
couples steps j-1 and j. The last pivot of the factorisation of T_t - x I,

    delta_t(x) = alpha_t - x - beta2_t / delta_{t-1}(x),

falls convexly from infinity, right of its last pole, the previous largest Ritz value, and vanishes at the new one. The
weight of that pole is known as well: it is residual2_{t-1}, so that

    delta_t(x) = rest(x) + residual2_{t-1} / (x - theta_{t-1})

where rest is smooth, convex and falls at least as fast as alpha_t - x. Each round replaces rest by a straight line,
alpha_t - x at first, then the tangent at x, and moves to the root of that, which is never beyond the root sought. If
rounding in the weight leaves no falling tangent, the round is one of Newton's method for the whole of delta_t. Near
convergence root and pole nearly coincide, and only the distance between them matters: a step is small only if it is
small compared with that distance, and a start that rounding has put left of the pole is moved right of it.

Close to the pole the other poles are hidden: where eigenvalues agree to eight digits, the second may have converged
before the first shows. So a root close to the pole is accepted only if all pivots are negative a few last bits right of
it; otherwise the search jumps right, twice as far each time, and continues.

Pivots are quotients of the leading minors of x I - T_t, up to sign. The minors are computed instead: each follows from
the two before without a division, which is slow. Each row is divided by the first guess of x, so that they neither
overflow nor vanish in the few steps of an iteration that asks for each Ritz value. The minors from the other end give
the Ritz vector; if its entries span too large a range for that, pivots do. The last component s of the Ritz vector
follows from the slope at the root, -delta_t'(theta) = 1 / s**2, or, where root and pole are too close for that, from
the recurrence for the vector itself, run from its small end to its large end. A Ritz value costs O(t), so long
iterations compute it only now and then; the previous pole is then unknown, and the root is enclosed by bisection: all
pivots are negative right of it, and not left of it. Eight matrices are eight lanes, each with the bits it would have
beside any others.
"""

from math import sqrt
from typing import Any

from vnestruct.kernels.machine import inlined, internal
from vnestruct.kernels.vector import (
    WIDTH,
    at_most_bits,
    greater_bits,
    lane,
    load,
    splat,
    square_root,
    where_bits,
    where_greater,
    with_lane,
    zero,
)
from vnestruct.types import ValueArray

EACH = 40  # steps up to which every Ritz value is computed: later ones cost more than the steps they might save
_EVERY = 16  # steps from one Ritz value to the next after that: a step too many costs little beside so many
_ROUNDS = 60  # rounds after which bisection takes over; a handful is usual, and no matrix seen has needed so many
_LAST_BIT = 4e-16  # two units in the last place, relative: a step below this is rounding
_LEAST = 0.25 * _LAST_BIT  # distance to the pole, relative, below which root and pole are the same number
_JUMP = 8.0 * _LAST_BIT  # how far right of a doubtful root the pivots are looked at: beyond what rounding can do
_DOUBTFUL = 1e-10  # distance to the pole, relative, within which another eigenvalue may hide
_CLOSE = 1e-6  # distance to the pole, relative, below which the slope loses half of its digits to cancellation
_SMALL = 1e-3  # share of the distance to the pole above which no step is the last; below, convergence is quadratic
_FLAT = -0.5
"""The smooth part falls with slope -1 or steeper; anything flatter than this is rounding in the weight of the pole."""

_TINY = -1e-300  # stands for a pivot of 0, which would be divided by
_LARGE = 1e300  # sum of squares above which products have overflowed, or are about to


@inlined
def is_checked(step: int) -> bool:
    """Tell whether the Ritz value is computed after `step` (counted from 0)."""
    return step < EACH or step % _EVERY == 0


@internal
def largest_ritz(
    alpha: ValueArray, beta2: ValueArray, last: int, pending: int, theta: Any, residual2: Any
) -> tuple[Any, Any]:
    """Return the new largest Ritz values and the squared last components of their Ritz vectors.

    `theta` and `residual2` are those of the last step checked. Only the lanes of the bit set `pending` count. `alpha`
    and `beta2` hold one row of lanes per step.
    """
    one = splat(1.0)
    if last == 0:
        return load(alpha, 0), one
    if last >= EACH:
        x = _enclosed(alpha, beta2, last, pending, theta, theta)
        return x, _last_component2_by_pivots(alpha, beta2, last, x)
    nothing = zero()
    # The larger root, as an increment to theta in its two stable forms.
    difference = 0.5 * (load(alpha, last) - theta)
    discriminant = square_root(difference * difference + residual2)
    denominator = discriminant - difference
    falling = where_greater(denominator, nothing, theta + residual2 / denominator, theta)
    x = where_greater(difference, nothing, theta + (difference + discriminant), falling)
    push = _LAST_BIT * x
    jump = _JUMP * x
    level = splat(-1.0)
    steepest = level
    # A root that rounding cannot tell from the pole stays where it is, unless another lies beyond.
    moving = pending & greater_bits(x - theta, _LEAST * x)
    short = pending & ~moving
    if short != 0:
        short &= ~_right_bits(alpha, beta2, last, x + jump)
        x = where_bits(short, x + jump, x)
        jump = where_bits(short, jump + jump, jump)
        moving |= short
    rounds = 0
    unit = x
    scale = one / unit
    scale2 = scale * scale
    while moving != 0 and rounds < _ROUNDS:
        rounds += 1
        before = one
        here = (x - load(alpha, 0)) * scale
        change_before = nothing
        change = one
        smallest = here
        for j in range(1, last + 1):
            factor = (x - load(alpha, j)) * scale
            coupling = load(beta2, j) * scale2
            smallest = where_greater(smallest, here, here, smallest)
            following = factor * here - coupling * before
            following_change = (here + factor * change) - coupling * change_before
            before = here
            here = following
            change_before = change
            change = following_change
        inverse = one / before
        quotient = here * inverse
        pivot = nothing - quotient * unit
        slope = nothing - (change - quotient * change_before) * inverse
        behind = at_most_bits(smallest, nothing) & moving
        climbing = moving & ~behind
        least = _LEAST * x
        reach = x - theta
        reach = where_greater(reach, least, reach, least)
        inverse = one / reach
        pole = residual2 * inverse
        steep = slope + pole * inverse
        whole = greater_bits(steep, splat(_FLAT))
        held = where_greater(steep, level, level, steep)
        inverse = one / held
        middle = 0.5 * (reach - (pivot - pole) * inverse)
        weight = (nothing - residual2) * inverse
        discriminant = square_root(middle * middle + weight)
        lower = weight / (discriminant - middle)
        following = where_greater(middle, nothing, middle + discriminant, lower)
        if whole & climbing:
            # The weight of the pole is not known well enough to separate it from the rest.
            newton = reach - pivot / slope
            floor = 0.25 * reach
            newton = where_greater(newton, floor, newton, floor)
            following = where_bits(whole, newton, following)
        steep = where_bits(whole, steep, held)
        step = following - reach
        back = nothing - step
        size = where_greater(step, back, step, back)
        steepest = where_bits(climbing, steep, steepest)
        x = where_bits(behind, x + push, where_bits(climbing, theta + following, x))
        push = where_bits(behind, push + push, push)
        bit = _LAST_BIT * x
        coarse = greater_bits(size, _SMALL * reach) | greater_bits(size * size, bit * reach)
        large = greater_bits(size, bit) & coarse
        far = greater_bits(x - theta, _DOUBTFUL * x)
        short = climbing & ~large & ~far
        if short != 0:
            short &= ~_right_bits(alpha, beta2, last, x + jump)
            x = where_bits(short, x + jump, x)
            jump = where_bits(short, jump + jump, jump)
        moving = behind | (climbing & large) | short
    reach = x - theta
    far = greater_bits(reach, _CLOSE * x) & at_most_bits(steepest, level) & ~moving
    component2 = level / (steepest - residual2 / (reach * reach))
    if moving != 0:
        x = _enclosed(alpha, beta2, last, moving, theta, x)
    if pending & ~far:
        component2 = where_bits(far, component2, _last_component2(alpha, beta2, last, pending & ~far, x))
    return x, component2


@inlined
def _right_bits(alpha: ValueArray, beta2: ValueArray, last: int, x: Any) -> int:
    """Return the lanes in which x lies right of all eigenvalues: every pivot is negative there."""
    one = splat(1.0)
    scale = one / x
    scale2 = scale * scale
    before = one
    here = (x - load(alpha, 0)) * scale
    smallest = here
    for j in range(1, last + 1):
        factor = (x - load(alpha, j)) * scale
        following = factor * here - (load(beta2, j) * scale2) * before
        before = here
        here = following
        smallest = where_greater(smallest, here, here, smallest)
    return greater_bits(smallest, zero())


@internal
def _last_component2(alpha: ValueArray, beta2: ValueArray, last: int, wanted: int, x: Any) -> Any:
    """Return the squared last component of the unit eigenvector at x, by the recurrence from that component up."""
    one = splat(1.0)
    scale = one / x
    scale2 = scale * scale
    before = one
    here = (x - load(alpha, last)) * scale
    product = one
    total = one
    for j in range(last, 0, -1):
        coupling = load(beta2, j) * scale2
        product = product * coupling
        total = total + here * here / product
        following = ((x - load(alpha, j - 1)) * scale) * here - coupling * before
        before = here
        here = following
    good = greater_bits(splat(_LARGE), total)
    component2 = one / total
    if wanted & ~good:
        component2 = where_bits(good, component2, _last_component2_by_pivots(alpha, beta2, last, x))
    return component2


@internal
def _last_component2_by_pivots(alpha: ValueArray, beta2: ValueArray, last: int, x: Any) -> Any:
    """Do the same in a way that can neither overflow nor vanish, however many steps there are."""
    nothing = zero()
    one = splat(1.0)
    tiny = splat(_TINY)
    pivot = load(alpha, last) - x
    share = one
    total = one
    for j in range(last, 0, -1):
        coupling = load(beta2, j)
        share = share * (pivot * pivot / coupling)
        total = total + share
        nonzero = greater_bits(pivot, nothing) | greater_bits(nothing, pivot)
        pivot = (load(alpha, j - 1) - x) - coupling / where_bits(nonzero, pivot, tiny)
    return one / total


@inlined
def _enclosed(alpha: ValueArray, beta2: ValueArray, last: int, wanted: int, theta: Any, x: Any) -> Any:
    """Return x with the roots of the lanes `wanted`, which lie right of `theta`, found by bisection."""
    for j in range(WIDTH):
        if (wanted >> j) & 1:
            x = with_lane(x, j, _bisect(alpha, beta2, j, last, lane(theta, j)))
    return x


@internal
def _bisect(alpha: ValueArray, beta2: ValueArray, base: int, last: int, theta: float) -> float:
    """Return a point right of the root by no more than rounding, given a point `theta` left of it."""
    low = theta
    high = theta
    coupling = 0.0
    for j in range(last + 1):
        following = sqrt(beta2[base + (j + 1) * WIDTH]) if j < last else 0.0
        high = max(high, alpha[base + j * WIDTH] + coupling + following)
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
            pivot = (alpha[base + j * WIDTH] - middle) - beta2[base + j * WIDTH] / pivot
            above = pivot < 0.0
        if above:
            high = middle
        else:
            low = middle
