"""Largest Laplacian eigenvalues of eight balls at once by the Lanczos method.

Vectors are flat arrays of rows of eight lanes, one ball a lane, over the union of the balls; rows outside a lane's ball
hold zeros. The additions are those of `vnestruct.kernels.lanczos` in the same order (a zero changes no sum), so a ball
has the same value bit for bit as it would alone.

Lanes need different numbers of steps. Once few are left, each goes on alone on its own ball: a gather then moves a
value rather than a row of eight, and skips what the other balls brought into the union.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from vnestruct.kernels.lanczos import RESIDUAL, go_on
from vnestruct.kernels.neighbour_sums import rows_by_length, sum_neighbours_lanes
from vnestruct.kernels.tridiagonal import is_checked
from vnestruct.kernels.tridiagonal_lanes import largest_ritz_lanes
from vnestruct.kernels.vector import (
    WIDTH,
    add,
    at_most_bits,
    div,
    greater_bits,
    keep_where_positive,
    load,
    mul,
    splat,
    square_root,
    store,
    sub,
    where_bits,
    zero,
)
from vnestruct.kernels.workspace import COUNT, INNER, N_TWIN_COLUMNS, SHARE
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

ALONE = 0.6
"""Lanes whose balls have together at most so many times the nodes of the union are better off alone."""

ALONE_ARCS = 512
"""The union must have so many arcs to be worth a change of place."""


@njit(nogil=True, cache=True, error_model="numpy")
def lanczos_lanes(
    ptr: OffsetArray,
    columns: IdArray,
    weights: ValueArray | None,
    twins: ValueArray | None,
    degree: ValueArray,
    k: int,
    order: IdArray,
    v: ValueArray,
    before: ValueArray,
    w: ValueArray,
    rows: ValueArray,
    second: ValueArray,
    tolerance: float,
    pending: int,
    alpha: ValueArray,
    beta2: ValueArray,
    lane: ValueArray,
    theta: ValueArray,
    steps: OffsetArray,
    cancel: FlagArray,
) -> None:
    """Advance the lanes of the bit set `pending` until all are finished; fills `theta` and `steps` per lane.

    `order` is from `rows_by_length`; `rows` counts each lane's; `lane` is scratch of four rows of eight; `alpha` and
    `beta2` hold a row of eight lanes a step.
    """
    last = alpha.size // WIDTH - 1
    nothing = zero()
    one = splat(1.0)
    norm = zero()
    for i in range(k):
        x = load(v, i)
        norm = _plus_square(twins, i, x, norm)
        store(before, i, nothing)
    # Lanes outside `pending` carry zeros from here on: their inverse norm is 0.
    inverse = where_bits(pending, div(one, square_root(norm)), nothing)
    carry = zero()
    bound = load(second, 0)
    ritz = zero()
    residual2 = zero()
    few = False
    for t in range(last + 1):
        sum_neighbours_lanes(ptr, columns, weights, k, order, v, w)
        total = zero()
        for i in range(k):
            own = load(v, i)
            d = load(degree, i)
            # A row outside a lane's ball may have neighbours inside.
            others = keep_where_positive(load(w, i), d)
            if twins is None:
                x = sub(mul(d, own), others)
            else:
                x = sub(mul(sub(d, splat(twins[i, INNER])), own), mul(splat(twins[i, COUNT]), others))
            x = sub(mul(x, inverse), mul(carry, load(before, i)))
            product = mul(x, own)
            total = add(total, product if twins is None else mul(splat(twins[i, SHARE]), product))
            store(w, i, x)
        coefficient = mul(total, inverse)
        store(alpha, t, coefficient)
        coefficient = mul(coefficient, inverse)
        norm = zero()
        for i in range(k):
            x = sub(load(w, i), mul(coefficient, load(v, i)))
            store(w, i, x)
            norm = _plus_square(twins, i, x, norm)
        ended = at_most_bits(norm, nothing) & pending
        is_end = t == last or cancel[0] != 0
        if is_checked(t) or is_end or ended != 0:
            store(lane, 0, ritz)
            store(lane, 1, residual2)
            largest_ritz_lanes(alpha, beta2, t, pending, lane)
            # A lane that is not checked at this step keeps its earlier state, as it would on its own.
            checked = pending if is_checked(t) or is_end else ended
            ritz = where_bits(checked, load(lane, 2), ritz)
            residual2 = where_bits(checked, mul(norm, load(lane, 3)), residual2)
            small = mul(splat(RESIDUAL), ritz)
            settled = at_most_bits(residual2, mul(small, small))
            room = mul(mul(splat(tolerance), ritz), sub(ritz, bound))
            proven = greater_bits(ritz, bound) & at_most_bits(residual2, room)
            finished = (settled | proven | ended) & checked
            if is_end:
                finished = pending
            store(lane, 0, ritz)
            for j in range(WIDTH):
                if (finished >> j) & 1:
                    theta[j] = lane[j]
                    steps[j] = t + 1
            pending &= ~finished
            if pending == 0:
                return
            left = 0.0
            for j in range(WIDTH):
                left += rows[j] if (pending >> j) & 1 else 0.0
            few = left <= ALONE * k and ptr[k] >= ALONE_ARCS
        beta = square_root(norm)
        store(beta2, t + 1, norm)
        carry = where_bits(pending, mul(beta, inverse), nothing)
        inverse = where_bits(pending, div(one, beta), nothing)
        v, before, w = w, v, before
        if few:
            store(lane, 0, inverse)
            store(lane, 1, carry)
            store(lane, 2, ritz)
            store(lane, 3, residual2)
            for j in range(WIDTH):
                if (pending >> j) & 1:
                    theta[j], steps[j] = _go_on_alone(
                        ptr, columns, weights, twins, degree, k, v, before, j, t + 1, lane[j], lane[WIDTH + j],
                        lane[2 * WIDTH + j], lane[3 * WIDTH + j], second[j], tolerance, alpha, beta2, cancel,
                    )  # fmt: skip
            return


@njit(nogil=True, cache=True, inline="always")
def _plus_square(twins: ValueArray | None, row: int, x: Any, total: Any) -> Any:
    square = mul(x, x)
    if twins is None:
        return add(total, square)
    return add(total, mul(splat(twins[row, SHARE]), square))


@njit(nogil=True, cache=True, error_model="numpy")
def _go_on_alone(
    ptr: OffsetArray,
    columns: IdArray,
    weights: ValueArray | None,
    twins: ValueArray | None,
    degree: ValueArray,
    k: int,
    v: ValueArray,
    before: ValueArray,
    lane: int,
    first: int,
    inverse: float,
    carry: float,
    theta: float,
    residual2: float,
    second: float,
    tolerance: float,
    alpha: ValueArray,
    beta2: ValueArray,
    cancel: FlagArray,
) -> tuple[float, int]:
    """Take one lane's ball and state out of the eight, and iterate from step `first` on."""
    place = np.empty(k, np.int32)
    rows = 0
    arcs = 0
    for i in range(k):
        if degree[i * WIDTH + lane] > 0.0:
            place[i] = rows
            rows += 1
            arcs += ptr[i + 1] - ptr[i]
        else:
            place[i] = -1
    own_ptr = np.empty(rows + 1, np.int64)
    own_columns = np.empty(arcs, np.int32)
    own_weights = None if weights is None else np.empty(arcs)
    own_twins = None if twins is None else np.empty((rows, N_TWIN_COLUMNS))
    vectors = np.empty((4, rows))
    arcs = 0
    for i in range(k):
        row = place[i]
        if row < 0:
            continue
        own_ptr[row] = arcs
        for a in range(ptr[i], ptr[i + 1]):
            column = place[np.uint32(columns[a])]
            own_columns[arcs] = column
            if weights is not None:
                own_weights[arcs] = weights[a]
            arcs += column >= 0
        if twins is not None:
            own_twins[row, COUNT] = twins[i, COUNT]
            own_twins[row, SHARE] = twins[i, SHARE]
            own_twins[row, INNER] = twins[i, INNER]
        vectors[0, row] = degree[i * WIDTH + lane]
        vectors[1, row] = v[i * WIDTH + lane]
        vectors[2, row] = before[i * WIDTH + lane]
    own_ptr[rows] = arcs
    length = alpha.size // WIDTH
    own_alpha = np.empty(length)
    own_beta2 = np.empty(length)
    for t in range(first):
        own_alpha[t] = alpha[t * WIDTH + lane]
        own_beta2[t + 1] = beta2[(t + 1) * WIDTH + lane]
    return go_on(
        own_ptr, own_columns, own_weights, own_twins, vectors[0], rows, rows_by_length(own_ptr, rows), vectors[1],
        vectors[2], vectors[3], first, inverse, carry, theta, residual2, second, tolerance, own_alpha, own_beta2,
        cancel,
    )  # fmt: skip
