"""Entropies that need every eigenvalue of a ball: `exact`, `normalized` and `punctured`, radii 1..R.

One node at a time: its ball as a local graph, the dense Laplacian, its spectrum, the Shannon entropy of the
eigenvalues over their sum. The cost is cubic in the size of the ball, so balls above a limit are refused.
"""

from __future__ import annotations

from math import log, sqrt

import numpy as np

from vnestruct.kernels.local_rows import count_probes, find_edges, join_rows
from vnestruct.kernels.machine import kernel, part
from vnestruct.kernels.search import clear_search, list_members, next_level, start_search
from vnestruct.kernels.symmetric_eigenvalues import symmetric_eigenvalues
from vnestruct.kernels.workspace import Arcs, DenseScratch, RankedGraph, Workspace
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

EXACT, NORMALIZED, PUNCTURED = range(3)

# Why `fill_dense_rows` stopped.
DONE, ENLARGE, TOO_LARGE = range(3)


@kernel
def spectral_entropy(values: ValueArray, k: int) -> float:
    """Shannon entropy of non-negative numbers divided by their sum; what rounding left below 0 counts as 0."""
    largest = 0.0
    total = 0.0
    for i in range(k):
        largest = max(largest, values[i])
        total += values[i]
    if total <= 0.0:
        return 0.0
    entropy = 0.0
    for i in range(k):
        if values[i] > 1e-13 * largest:
            share = values[i] / total
            entropy -= share * log(share)
    return max(entropy, 0.0)


@kernel
def laplacian(
    ptr: OffsetArray,
    columns: IdArray,
    weights: ValueArray | None,
    k: int,
    without: int,
    normalized: bool,
    a: ValueArray,
) -> int:
    """Write the Laplacian of a local graph less the node `without` (-1: none); return its size."""
    size = k if without < 0 else k - 1
    for i in range(size):
        for j in range(size):
            a[i, j] = 0.0
    for i in range(k):
        if i == without:
            continue
        row = i - (0 <= without < i)
        for x in range(ptr[i], ptr[i + 1]):
            j = columns[x]
            if j != without:
                weight = 1.0 if weights is None else weights[x]
                a[row, j - (0 <= without < j)] = -weight
                a[row, row] += weight
    if normalized:
        for i in range(size):
            for j in range(size):
                if i != j and a[i, j] != 0.0:
                    a[i, j] /= sqrt(a[i, i] * a[j, j])
        for i in range(size):
            if a[i, i] > 0.0:
                a[i, i] = 1.0
    return size


@kernel
def fill_dense_rows(
    graph: RankedGraph, search: Arcs, work: IdArray, first: int, last: int, radius: int, kind: int, limit: int,
    space: Workspace, dense: DenseScratch, rows: ValueArray, cancel: FlagArray,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Fill ``rows[i]`` with radii 1..R of node ``work[i]``, i = first..last-1.

    `dense` holds the matrix and three vectors. Returns (position, reason, nodes needed, arcs needed).
    """
    for position in range(first, last):
        centres = work[position : position + 1]
        length = start_search(centres, space.seen, space.front, space.members, space.summary, space.frontier)
        value = 0.0
        for r in range(1, radius + 1):
            if cancel[0] != 0:
                break
            length, reached = next_level(
                search.indptr, search.indices, space.seen, space.front, space.new, space.members, space.summary,
                space.frontier, length, space.following, r == radius,
            )  # fmt: skip
            if reached != 0:
                k = list_members(space.members, space.summary, space.ball)
                probes = count_probes(graph.split, space.ball, k)
                small = k > space.masks.size or probes > space.low.size - 1 or k > dense.values.size
                if small or k > limit:
                    clear_search(space.ball, k, space.seen, space.members, space.summary)
                    return position, TOO_LARGE if k > limit else ENLARGE, k, probes
                value = _ball_entropy(
                    graph, graph.weights, centres[0], k, kind, space, space.low_weights, space.values, dense, cancel
                )
            rows[position, r - 1] = value
        k = list_members(space.members, space.summary, space.ball)
        clear_search(space.ball, k, space.seen, space.members, space.summary)
        if cancel[0] != 0:
            return position, DONE, 0, 0
    return last, DONE, 0, 0


@part
def _ball_entropy(
    graph: RankedGraph, weights: ValueArray | None, centre: int, k: int,
    kind: int, space: Workspace, low_weights: ValueArray | None, local_weights: ValueArray | None,
    dense: DenseScratch, cancel: FlagArray,
) -> float:  # fmt: skip
    without = np.int64(-1)
    for i in range(k):
        u = space.ball[i]
        space.local[np.uint32(u)] = i
        if u == centre and kind == PUNCTURED:
            without = i
    find_edges(
        graph.indptr, graph.indices, weights, graph.split, space.seen, space.local, space.ball, k, np.uint8(1),
        space.low, low_weights, space.low_ptr, space.high,
    )  # fmt: skip
    join_rows(
        space.low, low_weights, space.low_ptr, space.high, k, space.ptr, space.place, space.columns, local_weights
    )
    size = laplacian(space.ptr, space.columns, local_weights, k, without, kind == NORMALIZED, dense.matrix)
    symmetric_eigenvalues(dense.matrix, size, dense.values, dense.off, dense.work, cancel)
    return spectral_entropy(dense.values, size)
