"""Sums over the neighbours of each row of a graph, the product of its adjacency matrix with a vector, and moments.

Rows are taken from the longest to the shortest, several side by side. Additions wait for one another within a row only,
so that sums of different rows overlap; and rows of one length end together, which a processor foresees. Within a row
the order of additions is that of its columns, whatever stands beside it: no bit depends on the grouping.
"""

from math import sqrt
from typing import Any

import numpy as np

from vnestruct.kernels.machine import inlined, internal, kernel
from vnestruct.kernels.vector import load_like, store
from vnestruct.kernels.workspace import COUNT
from vnestruct.types import IdArray, OffsetArray, ValueArray


@internal
def rows_by_length(ptr: OffsetArray, k: int, place: OffsetArray, order: IdArray) -> None:
    """Write into `order` the rows from the longest to the shortest; `place` is scratch of k + 1 entries."""
    longest = 0
    for i in range(k):
        longest = max(longest, ptr[i + 1] - ptr[i])
    for length in range(longest + 2):
        place[length] = 0
    for i in range(k):
        place[longest - (ptr[i + 1] - ptr[i]) + 1] += 1
    for length in range(longest + 1):
        place[length + 1] += place[length]
    for i in range(k):
        key = longest - (ptr[i + 1] - ptr[i])
        order[place[key]] = i
        place[key] += 1


@inlined
def entry(weights: ValueArray | None, twins: ValueArray | None, a: int, column: int) -> float:
    """Return what arc `a` to the row `column` counts: its weight, or the nodes that the row stands for."""
    if weights is not None:
        return weights[a]
    if twins is not None:
        return twins[np.uint32(column), COUNT]
    return 1.0


@inlined
def _plus_entry(columns: IdArray, weights: ValueArray | None, a: int, v: ValueArray, total: Any) -> Any:
    entry = load_like(v, np.uint32(columns[a]), total)
    return total + entry if weights is None else total + weights[a] * entry


@inlined
def _plus_rest(columns: IdArray, weights: ValueArray | None, a: int, end: int, v: ValueArray, total: Any) -> Any:
    for b in range(a, end):
        total = _plus_entry(columns, weights, b, v, total)
    return total


@internal
def sum_neighbours(
    ptr: OffsetArray, columns: IdArray, weights: ValueArray | None, k: int,
    order: IdArray, v: ValueArray, sums: ValueArray, nothing: Any,
) -> None:  # fmt: skip
    """Write into `sums` the (weighted) sum of `v` over each row's neighbours; `order` is from `rows_by_length`.

    `nothing` is ``zero()`` where `v` and `sums` are rows of eight lanes, ``0.0`` where they are plain vectors.
    """
    whole = k - k % 4
    for x in range(0, whole, 4):
        i0 = np.uint32(order[x])
        i1 = np.uint32(order[x + 1])
        i2 = np.uint32(order[x + 2])
        i3 = np.uint32(order[x + 3])
        a0 = np.uint64(ptr[i0])
        a1 = np.uint64(ptr[i1])
        a2 = np.uint64(ptr[i2])
        a3 = np.uint64(ptr[i3])
        s0 = s1 = s2 = s3 = nothing
        shared = np.uint64(ptr[i3 + 1]) - a3
        for y in range(shared):
            s0 = _plus_entry(columns, weights, a0 + y, v, s0)
            s1 = _plus_entry(columns, weights, a1 + y, v, s1)
            s2 = _plus_entry(columns, weights, a2 + y, v, s2)
            s3 = _plus_entry(columns, weights, a3 + y, v, s3)
        store(sums, i0, _plus_rest(columns, weights, a0 + shared, np.uint64(ptr[i0 + 1]), v, s0))
        store(sums, i1, _plus_rest(columns, weights, a1 + shared, np.uint64(ptr[i1 + 1]), v, s1))
        store(sums, i2, _plus_rest(columns, weights, a2 + shared, np.uint64(ptr[i2 + 1]), v, s2))
        store(sums, i3, s3)
    for x in range(whole, k):
        i = np.uint32(order[x])
        store(sums, i, _plus_rest(columns, weights, np.uint64(ptr[i]), np.uint64(ptr[i + 1]), v, nothing))


@kernel
def fill_moments(
    indptr: OffsetArray, indices: IdArray, rows: OffsetArray, values: ValueArray, deviate: bool, moments: ValueArray
) -> None:
    """Fill the columns of `moments`: means of `values` over the neighbours of each of `rows`, then deviations.

    0 for a row without neighbours. Without `deviate` only means are filled. Deviations are summed in a second pass,
    from the mean: the mean of squares minus the square of the mean loses all digits where neighbours agree.
    """
    n_columns = values.shape[1]
    sums = np.empty(n_columns)
    squares = np.empty(n_columns)
    for i in range(rows.size):
        begin = indptr[rows[i]]
        end = indptr[rows[i] + 1]
        sums[:] = 0.0
        squares[:] = 0.0
        count = np.float64(max(end - begin, 1))
        for a in range(begin, end):
            u = np.uint32(indices[a])
            for c in range(n_columns):
                sums[c] += values[u, c]
        for c in range(n_columns):
            sums[c] /= count
            moments[i, c] = sums[c]
        if not deviate:
            continue
        for a in range(begin, end):
            u = np.uint32(indices[a])
            for c in range(n_columns):
                gap = values[u, c] - sums[c]
                squares[c] += gap * gap
        for c in range(n_columns):
            moments[i, n_columns + c] = sqrt(squares[c] / count)
