"""Largest Ritz values of eight growing Lanczos tridiagonal matrices at once.

The same operations in the same order as in `vnestruct.kernels.tridiagonal`, which explains them, on eight lanes: a lane
has the same value bit for bit as it would alone.
"""

from __future__ import annotations

from typing import Any

from numba import njit

from vnestruct.kernels.tridiagonal import (
    CLOSE,
    DOUBTFUL,
    EACH,
    FLAT,
    JUMP,
    LARGE,
    LAST_BIT,
    LEAST,
    ROUNDS,
    SMALL,
    TINY,
    enclosed,
)
from vnestruct.kernels.vector import (
    WIDTH,
    add,
    at_most_bits,
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


@njit(nogil=True, cache=True, error_model="numpy")
def largest_ritz_lanes(
    alpha: ValueArray,
    beta2: ValueArray,
    last: int,
    pending: int,
    lane: ValueArray,
) -> None:
    """Do as `largest_ritz` does for the lanes of the bit set `pending`.

    `alpha` and `beta2` hold a row of eight lanes a step. `lane` has four rows: `theta` and `residual2` of the last step
    checked, and the two results.
    """
    one = splat(1.0)
    if last == 0:
        store(lane, 2, load(alpha, 0))
        store(lane, 3, one)
        return
    if last >= EACH:
        for j in range(WIDTH):
            lane[2 * WIDTH + j] = enclosed(alpha, beta2, j, WIDTH, last, lane[j]) if (pending >> j) & 1 else lane[j]
        _last_components2_by_pivots(alpha, beta2, last, lane)
        return
    nothing = zero()
    old = load(lane, 0)
    pole = load(lane, 1)
    difference = mul(splat(0.5), sub(load(alpha, last), old))
    discriminant = square_root(add(mul(difference, difference), pole))
    denominator = sub(discriminant, difference)
    falling = where_greater(denominator, nothing, add(old, div(pole, denominator)), old)
    x = where_greater(difference, nothing, add(old, add(difference, discriminant)), falling)
    push = mul(splat(LAST_BIT), x)
    jump = mul(splat(JUMP), x)
    level = splat(-1.0)
    steeps = level
    moving = pending & greater_bits(sub(x, old), mul(splat(LEAST), x))
    short = pending & ~moving
    if short != 0:
        short &= ~_right_bits(alpha, beta2, last, add(x, jump))
        x = where_bits(short, add(x, jump), x)
        jump = where_bits(short, add(jump, jump), jump)
        moving |= short
    rounds = 0
    unit = x
    scale = div(one, unit)
    scale2 = mul(scale, scale)
    while moving != 0 and rounds < ROUNDS:
        rounds += 1
        before = one
        here = mul(sub(x, load(alpha, 0)), scale)
        change_before = nothing
        change = one
        smallest = here
        for j in range(1, last + 1):
            factor = mul(sub(x, load(alpha, j)), scale)
            coupling = mul(load(beta2, j), scale2)
            smallest = where_greater(smallest, here, here, smallest)
            following = sub(mul(factor, here), mul(coupling, before))
            following_change = sub(add(here, mul(factor, change)), mul(coupling, change_before))
            before = here
            here = following
            change_before = change
            change = following_change
        inverse = div(one, before)
        quotient = mul(here, inverse)
        pivot = sub(nothing, mul(quotient, unit))
        slope = sub(nothing, mul(sub(change, mul(quotient, change_before)), inverse))
        behind = at_most_bits(smallest, nothing) & moving
        climbing = moving & ~behind
        least = mul(splat(LEAST), x)
        reach = sub(x, old)
        reach = where_greater(reach, least, reach, least)
        inverse = div(one, reach)
        beside = mul(pole, inverse)
        steep = add(slope, mul(beside, inverse))
        whole = greater_bits(steep, splat(FLAT))
        held = where_greater(steep, level, level, steep)
        inverse = div(one, held)
        middle = mul(splat(0.5), sub(reach, mul(sub(pivot, beside), inverse)))
        weight = mul(sub(nothing, pole), inverse)
        discriminant = square_root(add(mul(middle, middle), weight))
        lower = div(weight, sub(discriminant, middle))
        following = where_greater(middle, nothing, add(middle, discriminant), lower)
        if whole & climbing:
            newton = sub(reach, div(pivot, slope))
            floor = mul(splat(0.25), reach)
            newton = where_greater(newton, floor, newton, floor)
            following = where_bits(whole, newton, following)
        steep = where_bits(whole, steep, held)
        step = sub(following, reach)
        back = sub(nothing, step)
        size = where_greater(step, back, step, back)
        steeps = where_bits(climbing, steep, steeps)
        x = where_bits(behind, add(x, push), where_bits(climbing, add(old, following), x))
        push = where_bits(behind, add(push, push), push)
        bit = mul(splat(LAST_BIT), x)
        coarse = greater_bits(size, mul(splat(SMALL), reach)) | greater_bits(mul(size, size), mul(bit, reach))
        large = greater_bits(size, bit) & coarse
        far = greater_bits(sub(x, old), mul(splat(DOUBTFUL), x))
        short = climbing & ~large & ~far
        if short != 0:
            short &= ~_right_bits(alpha, beta2, last, add(x, jump))
            x = where_bits(short, add(x, jump), x)
            jump = where_bits(short, add(jump, jump), jump)
        moving = behind | (climbing & large) | short
    store(lane, 2, x)
    for j in range(WIDTH):
        if (moving >> j) & 1:
            lane[2 * WIDTH + j] = enclosed(alpha, beta2, j, WIDTH, last, lane[j])
    reach = sub(x, old)
    far = greater_bits(reach, mul(splat(CLOSE), x)) & at_most_bits(steeps, level) & ~moving
    components = div(level, sub(steeps, div(pole, mul(reach, reach))))
    if pending & ~far:
        _last_components2(alpha, beta2, last, pending & ~far, lane)
        components = where_bits(far, components, load(lane, 3))
    store(lane, 3, components)


@njit(nogil=True, cache=True, error_model="numpy", inline="always")
def _right_bits(alpha: ValueArray, beta2: ValueArray, last: int, x: Any) -> int:
    """Do as `_is_right` does, for eight lanes."""
    one = splat(1.0)
    scale = div(one, x)
    scale2 = mul(scale, scale)
    before = one
    here = mul(sub(x, load(alpha, 0)), scale)
    smallest = here
    for j in range(1, last + 1):
        factor = mul(sub(x, load(alpha, j)), scale)
        following = sub(mul(factor, here), mul(mul(load(beta2, j), scale2), before))
        before = here
        here = following
        smallest = where_greater(smallest, here, here, smallest)
    return greater_bits(smallest, zero())


@njit(nogil=True, cache=True, error_model="numpy")
def _last_components2(alpha: ValueArray, beta2: ValueArray, last: int, wanted: int, lane: ValueArray) -> None:
    """Do as `_last_component2` does, for values in row 2 of `lane`, into its row 3."""
    x = load(lane, 2)
    one = splat(1.0)
    scale = div(one, x)
    scale2 = mul(scale, scale)
    before = one
    here = mul(sub(x, load(alpha, last)), scale)
    product = one
    total = one
    for j in range(last, 0, -1):
        coupling = mul(load(beta2, j), scale2)
        product = mul(product, coupling)
        total = add(total, div(mul(here, here), product))
        following = sub(mul(mul(sub(x, load(alpha, j - 1)), scale), here), mul(coupling, before))
        before = here
        here = following
    found = div(one, total)
    good = greater_bits(splat(LARGE), total)
    if wanted & ~good:
        _last_components2_by_pivots(alpha, beta2, last, lane)
        found = where_bits(good, found, load(lane, 3))
    store(lane, 3, found)


@njit(nogil=True, cache=True, error_model="numpy")
def _last_components2_by_pivots(alpha: ValueArray, beta2: ValueArray, last: int, lane: ValueArray) -> None:
    """Do as `_last_component2_by_pivots` does, for the eight values in row 2 of `lane`, into its row 3."""
    x = load(lane, 2)
    nothing = zero()
    tiny = splat(TINY)
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
    store(lane, 3, div(one, total))
