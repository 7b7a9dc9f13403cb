"""Largest Laplacian eigenvalues of local graphs by the Lanczos method: of eight balls at once, or of a whole graph.

The local graph is a CSR (`ptr`, `columns`, `weights` or None) whose rows stand in ascending rank. Vectors are kept
unnormalised, with their inverse norm beside them: that saves one pass per step. Rows may stand for twins
(`vnestruct.kernels.balls` says what changes then).

For eight balls, vectors are flat arrays of rows of eight lanes, one lane per ball, over the union of the balls; rows
outside a lane's ball hold zeros. A zero changes no sum, and the additions are those of one ball in the same order, so
a ball has the same value bit for bit as it would alone. All go on until the slowest has ended.

Stopping: with an upper bound u on the second largest eigenvalue, a Ritz value theta > u with residual res misses the
largest eigenvalue by at most res**2 / (theta - u) (Kato and Temple). Where no such bound is known, the start has a
random part as large as the rest, and the residual itself must be small.
"""

from typing import Any

import numpy as np

from vnestruct.kernels.machine import inlined, internal, kernel
from vnestruct.kernels.neighbour_sums import rows_by_length, sum_neighbours
from vnestruct.kernels.tridiagonal import is_checked, largest_ritz
from vnestruct.kernels.vector import (
    WIDTH,
    at_most_bits,
    greater_bits,
    keep_where_positive,
    lane,
    load,
    load_like,
    splat,
    square_root,
    store,
    where_bits,
    zero,
)
from vnestruct.kernels.workspace import COUNT, INNER, N_ROWS, SHARE, Lanes, Rows
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

RESIDUAL = 2e-11  # relative residual that ends the iteration without a bound on the second eigenvalue
FINE_RESIDUAL = 1e-14
FEW_ROWS = 16
"""A weighted ball of up to this many rows ends at `FINE_RESIDUAL` instead. Weights that differ by orders of magnitude
make pairs of eigenvalues that differ by 1e-9 of their size; where the start happens to be nearly the eigenvector of the
smaller one, the residual is below 1e-11 from the beginning. A few more steps leave nothing of such a small ball out."""


@inlined
def _shared(twins: ValueArray | None, row: int, x: Any) -> Any:
    """Return a term of an inner product: row i counts 1 / m_i, where it stands for m_i twins."""
    return x if twins is None else twins[row, SHARE] * x


@internal
def _start_norm2(twins: ValueArray | None, k: int, v: ValueArray, before: ValueArray, nothing: Any) -> Any:
    """Return the squared norm of the start, and clear the vector before it."""
    norm2 = nothing
    for i in range(k):
        x = load_like(v, i, nothing)
        norm2 = norm2 + _shared(twins, i, x * x)
        store(before, i, nothing)
    return norm2


@internal
def _multiply(
    twins: ValueArray | None, degree: ValueArray, k: int, v: ValueArray, before: ValueArray, w: ValueArray,
    inverse: Any, carry: Any,
) -> Any:  # fmt: skip
    """Turn the sums over neighbours in `w` into L v, less the part along `before`; return its product with `v`."""
    total = inverse - inverse  # zero: eight lanes or a float
    for i in range(k):
        own = load_like(v, i, inverse)
        d = load_like(degree, i, inverse)
        # A row outside a lane's ball may have neighbours inside.
        others = keep_where_positive(load_like(w, i, inverse), d)
        if twins is not None:
            d = d - twins[i, INNER]
            others = twins[i, COUNT] * others
        x = d * own - others
        x = x * inverse - carry * load_like(before, i, inverse)
        total = total + _shared(twins, i, x * own)
        store(w, i, x)
    return total


@internal
def _subtract(twins: ValueArray | None, k: int, v: ValueArray, w: ValueArray, coefficient: Any, nothing: Any) -> Any:
    """Take the part along `v` out of `w`; return the squared norm of what is left."""
    norm2 = nothing
    for i in range(k):
        x = load_like(w, i, nothing) - coefficient * load_like(v, i, nothing)
        store(w, i, x)
        norm2 = norm2 + _shared(twins, i, x * x)
    return norm2


@internal
def lanczos_lanes(
    local: Rows, weights: ValueArray | None, twins: ValueArray | None, k: int, lanes: Lanes, tolerance: float,
    pending: int, cancel: FlagArray,
) -> None:  # fmt: skip
    """Advance the lanes of the bit set `pending` until all are finished; fills `theta` and `steps` per lane."""
    degree, v, before, w, alpha, beta2 = local.degree, lanes.v, lanes.before, lanes.w, lanes.alpha, lanes.beta2
    rows = lanes.stats[N_ROWS]
    last = alpha.size // WIDTH - 1
    nothing = zero()
    one = splat(1.0)
    norm2 = _start_norm2(twins, k, v, before, nothing)
    # Lanes outside `pending` carry zeros from here on: their inverse norm is 0.
    inverse = where_bits(pending, one / square_root(norm2), nothing)
    carry = nothing
    bound = load(lanes.second, 0)
    ritz = nothing
    residual2 = nothing
    enough = splat(RESIDUAL)
    if weights is not None:
        enough = where_bits(at_most_bits(load(rows, 0), splat(np.float64(FEW_ROWS))), splat(FINE_RESIDUAL), enough)
    for t in range(last + 1):
        sum_neighbours(local.ptr, local.columns, weights, k, local.order, v, w, nothing)
        coefficient = _multiply(twins, degree, k, v, before, w, inverse, carry) * inverse
        store(alpha, t, coefficient)
        norm2 = _subtract(twins, k, v, w, coefficient * inverse, nothing)
        ended = at_most_bits(norm2, nothing) & pending
        is_end = t == last or cancel[0] != 0
        if is_checked(t) or is_end or ended != 0:
            value, component2 = largest_ritz(alpha, beta2, t, pending, ritz, residual2)
            # A lane that is not checked at this step keeps its earlier state, as it would on its own.
            checked = pending if is_checked(t) or is_end else ended
            ritz = where_bits(checked, value, ritz)
            residual2 = where_bits(checked, norm2 * component2, residual2)
            small = enough * ritz
            settled = at_most_bits(residual2, small * small)
            proven = greater_bits(ritz, bound) & at_most_bits(residual2, tolerance * ritz * (ritz - bound))
            finished = pending if is_end else (settled | proven | ended) & checked
            pending &= ~finished
            for j in range(WIDTH):
                if (finished >> j) & 1:
                    lanes.theta[j] = lane(ritz, j)
                    lanes.steps[j] = t + 1
            if pending == 0:
                return
        beta = square_root(norm2)
        store(beta2, t + 1, norm2)
        carry = where_bits(pending, beta * inverse, nothing)
        inverse = where_bits(pending, one / beta, nothing)
        v, before, w = w, v, before


@kernel
def lanczos_one(
    ptr: OffsetArray, columns: IdArray, weights: ValueArray | None, degree: ValueArray, v: ValueArray, second: float,
    tolerance: float,
) -> tuple[float, int]:  # fmt: skip
    """Return (largest eigenvalue, steps) of one graph for the start vector `v`, which is overwritten."""
    k = degree.size
    last = 2 * k + 63
    before, w = np.empty(k), np.empty(k)
    alpha, beta2 = np.empty((last + 1) * WIDTH), np.empty((last + 1) * WIDTH)
    order = np.empty(k, np.int32)
    rows_by_length(ptr, k, np.empty(k + 1, np.int64), order)
    inverse, carry, theta, residual2 = 1.0 / np.sqrt(_start_norm2(None, k, v, before, 0.0)), 0.0, 0.0, 0.0
    enough = FINE_RESIDUAL if weights is not None and k <= FEW_ROWS else RESIDUAL
    for t in range(last + 1):
        sum_neighbours(ptr, columns, weights, k, order, v, w, 0.0)
        coefficient = _multiply(None, degree, k, v, before, w, inverse, carry) * inverse
        store(alpha, t, splat(coefficient))
        norm2 = _subtract(None, k, v, w, coefficient * inverse, 0.0)
        is_end = t == last or norm2 == 0.0
        if is_checked(t) or is_end:
            ritz, component2 = largest_ritz(alpha, beta2, t, np.int64(1), splat(theta), splat(residual2))
            theta, residual2 = lane(ritz, 0), norm2 * lane(component2, 0)
            settled = residual2 <= (enough * theta) * (enough * theta)
            if is_end or settled or (theta > second and residual2 <= tolerance * theta * (theta - second)):
                return theta, t + 1
        beta = np.sqrt(norm2)
        store(beta2, t + 1, splat(norm2))
        carry = beta * inverse
        inverse = 1.0 / beta
        v, before, w = w, v, before
    return theta, last + 1
