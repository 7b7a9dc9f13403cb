"""Largest Laplacian eigenvalue of a local graph by the Lanczos method.

The local graph is a CSR (`ptr`, `columns`, `weights` or None) whose rows stand in ascending rank. Vectors are kept
unnormalised, with their inverse norm beside them: that saves one pass a step. `vnestruct.kernels.lanczos_lanes` does
the same for eight balls at once. Rows may stand for twins (`vnestruct.kernels.balls` says what changes then).

Stopping: with an upper bound u on the second largest eigenvalue, a Ritz value theta > u with residual res misses the
largest eigenvalue by at most res**2 / (theta - u) (Kato and Temple). Where no such bound is at hand, the start has a
random part as large as the rest, and the residual itself must be small.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from vnestruct.kernels.neighbour_sums import rows_by_length, sum_neighbours
from vnestruct.kernels.tridiagonal import is_checked, largest_ritz
from vnestruct.kernels.workspace import COUNT, INNER, SHARE
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

RESIDUAL = 2e-11
"""Relative residual that ends the iteration without a bound on the second eigenvalue."""


@njit(nogil=True, cache=True, error_model="numpy")
def lanczos_one(
    ptr: OffsetArray,
    columns: IdArray,
    weights: ValueArray | None,
    twins: ValueArray | None,
    degree: ValueArray,
    k: int,
    v: ValueArray,
    before: ValueArray,
    w: ValueArray,
    second: float,
    tolerance: float,
    alpha: ValueArray,
    beta2: ValueArray,
    cancel: FlagArray,
) -> tuple[float, int]:
    """Return (largest eigenvalue, steps) for the start vector in `v`; `v`, `before`, `w` are overwritten."""
    norm2 = 0.0
    for i in range(k):
        square = v[i] * v[i]
        norm2 += square if twins is None else twins[i, SHARE] * square
        before[i] = 0.0
    inverse = 1.0 / np.sqrt(norm2)
    order = rows_by_length(ptr, k)
    return go_on(
        ptr, columns, weights, twins, degree, k, order, v, before, w, 0, inverse, 0.0, 0.0, 0.0, second, tolerance,
        alpha, beta2, cancel,
    )  # fmt: skip


@njit(nogil=True, cache=True, error_model="numpy")
def go_on(
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
    """Iterate from step `first` on; the arguments up to `residual2` are the state the steps before left."""
    last = alpha.size - 1
    for t in range(first, last + 1):
        sum_neighbours(ptr, columns, weights, k, order, v, w)
        total = 0.0
        for i in range(k):
            if twins is None:
                x = degree[i] * v[i] - w[i]
            else:
                x = (degree[i] - twins[i, INNER]) * v[i] - twins[i, COUNT] * w[i]
            x = x * inverse - carry * before[i]
            product = x * v[i]
            total += product if twins is None else twins[i, SHARE] * product
            w[i] = x
        coefficient = total * inverse
        alpha[t] = coefficient
        coefficient *= inverse
        norm2 = 0.0
        for i in range(k):
            x = w[i] - coefficient * v[i]
            w[i] = x
            square = x * x
            norm2 += square if twins is None else twins[i, SHARE] * square
        is_end = t == last or norm2 == 0.0 or cancel[0] != 0
        if is_checked(t) or is_end:
            theta, component2 = largest_ritz(alpha, beta2, t, theta, residual2)
            residual2 = norm2 * component2
            small = RESIDUAL * theta
            if is_end or residual2 <= small * small:
                return theta, t + 1
            if theta > second and residual2 <= tolerance * theta * (theta - second):
                return theta, t + 1
        beta = np.sqrt(norm2)
        beta2[t + 1] = norm2
        carry = beta * inverse
        inverse = 1.0 / beta
        v, before, w = w, v, before
    return theta, last + 1
