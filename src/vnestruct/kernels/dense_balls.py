"""Entropies that need every eigenvalue of a ball: `exact`, `normalized` and `punctured`, radii 1..R.

One node at a time. The entropy is ln T less the sum of x ln x over the eigenvalues x, divided by their sum T, and what
is known of the eigenvalues is taken apart before anything is dense:

- A centre joined to all others (radius 1) leaves the Laplacian spectrum of the rest plus 1, without one of its zeros,
  and adds k (`exact`, no weights). A punctured ball has no centre at all.
- m twins, nodes with the same neighbours, have m - 1 eigenvectors that vanish elsewhere: of the eigenvalue d, their
  degree, or d + 1 where they are joined; of the normalised Laplacian, 1 or 1 + 1/d. On vectors that are constant on
  each class, the matrix is a quotient of one row per class, symmetric after scaling by the roots of the class sizes.
  Leaves of one node, cliques, stars and complete bipartite parts thereby take closed forms. Twins are not looked for
  where edges have weights.
- The quotient is reduced component by component (`vnestruct.kernels.householder`), and its sum follows from
  determinants (`vnestruct.kernels.spectral_sums`); large sparse components are eliminated instead
  (`vnestruct.kernels.elimination`).

The cost is cubic in the rows that are dense in the end, so components with more of them than a limit are refused.
"""

from math import isnan, log, sqrt

import numpy as np

from vnestruct.kernels.elimination import sum_by_elimination
from vnestruct.kernels.householder import tridiagonalise
from vnestruct.kernels.local_rows import count_probes, find_edges, join_rows
from vnestruct.kernels.machine import internal, kernel
from vnestruct.kernels.quotient import (
    DenseScratch,
    count_arcs,
    lead_twins,
    quotient_diagonal,
    sort_components,
    write_quotient,
)
from vnestruct.kernels.search import clear_search, list_members, next_level, start_search
from vnestruct.kernels.spectral_sums import tridiagonal_sum, x_log_x
from vnestruct.kernels.workspace import Arcs, RankedGraph, Workspace
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

EXACT, NORMALIZED, PUNCTURED = range(3)

# Why `fill_dense_rows` stopped.
DONE, ENLARGE, ENLARGE_MATRIX, TOO_LARGE = range(4)

SPARSE_FROM, SPARSE = 200, 0.15
"""Rows of a component from which on, and share of entries that are not 0 up to which, elimination may be quicker."""

REDUCTION = 1 / 24
"""Time of a dense reduction to n rows, relative to n^3 operations of an elimination; half of them suffice for cones."""

ELIMINATED = 10
"""Rows of a component, for each that may stay dense, above which elimination is not tried."""


@kernel
def fill_dense_rows(
    graph: RankedGraph, arcs: Arcs, space: Workspace, dense: DenseScratch, kind: int, work: IdArray, rows: ValueArray,
    cancel: FlagArray,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Fill ``rows[i]`` with radii 1..R of node ``work[i]``.

    Returns (position, reason, nodes or matrix rows needed, arcs needed).
    """
    search = space.search
    for position in range(work.size):
        length = start_search(search, work[position : position + 1])
        value = 0.0
        for r in range(1, rows.shape[1] + 1):
            if cancel[0] != 0:
                break
            length, reached = next_level(search, arcs, length, r == rows.shape[1])
            if reached != 0:
                k = list_members(search)
                probes = count_probes(graph.split, search.ball, k)
                reason = DONE
                needed = k
                if k > space.rows.masks.size or probes > space.rows.low.size - 1 or k > dense.leader.size:
                    reason = ENLARGE
                else:
                    value, needed = _ball_entropy(graph, space, dense, kind, work[position], k, cancel)
                    if needed > 0:
                        reason = TOO_LARGE if needed > dense.limit else ENLARGE_MATRIX
                if reason != DONE:
                    clear_search(search, k)
                    return position, reason, needed, probes
            rows[position, r - 1] = value
        clear_search(search, list_members(search))
        if cancel[0] != 0:
            return position, DONE, 0, 0
    return work.size, DONE, 0, 0


@internal
def _ball_entropy(
    graph: RankedGraph, space: Workspace, dense: DenseScratch, kind: int, centre: int, k: int, cancel: FlagArray
) -> tuple[float, int]:
    """Return the entropy of a ball, or the number of rows of a component that has no room in `dense`."""
    search, local = space.search, space.rows
    middle = np.int64(0)
    for i in range(k):
        u = search.ball[i]
        search.local[np.uint32(u)] = i
        if u == centre:
            middle = i
    find_edges(graph, search, local, graph.weights, local.low_weights, search.ball, k, np.uint8(1))
    join_rows(local, local.low_weights, local.weights, k)
    is_cone = kind == EXACT and graph.weights is None and local.ptr[middle + 1] - local.ptr[middle] == k - 1
    without = middle if is_cone or kind == PUNCTURED else np.int64(-1)
    return graph_entropy(
        local.ptr[: k + 1], local.columns, local.weights, without, is_cone, kind == NORMALIZED, dense, cancel
    )


@kernel
def graph_entropy(
    ptr: OffsetArray, columns: IdArray, weights: ValueArray | None, without: int, is_cone: bool, normalized: bool,
    dense: DenseScratch, cancel: FlagArray,
) -> tuple[float, int]:  # fmt: skip
    """Return the entropy of a local graph less the node `without` (-1: none), or the room that is missing.

    With `is_cone` that node is joined to all others, and counts. Of components beyond the limits of `dense`, the number
    of rows is returned.
    """
    k = ptr.size - 1
    leader, copies, degree = dense.leader, dense.copies, dense.degree
    for i in range(k):
        leader[i] = i
        copies[i] = 1
        degree[i] = float(ptr[i + 1] - ptr[i])
        if weights is not None:
            degree[i] = 0.0
            for a in range(ptr[i], ptr[i + 1]):
                degree[i] += weights[a] if columns[a] != without else 0.0
    n_left = k
    if without >= 0:
        n_left -= 1
        leader[without] = -1
        degree[without] = 0.0
        if weights is None:
            for a in range(ptr[without], ptr[without + 1]):
                degree[np.uint32(columns[a])] -= 1.0
    trace = 0.0
    for i in range(k):
        trace += 1.0 if normalized and degree[i] > 0.0 else degree[i]
    shift = 0.0
    total = 0.0
    if is_cone:
        shift = 1.0
        trace += 2.0 * (k - 1)
        total = x_log_x(float(k))
    if trace <= 0.0:
        return 0.0, 0
    if weights is None:
        lead_twins(ptr, columns, k, without, dense)
    # `place` is -1 for nodes that another stands for, -2 for others as long as their component is not known.
    place, root, bounds = dense.place, dense.root, dense.table
    for i in range(k):
        place[i] = -2 if leader[i] == i else -1
        root[i] = 1.0
        if leader[i] == i and copies[i] != 1:
            known = degree[i] if copies[i] > 0 else degree[i] + 1.0
            if normalized:
                known = min(degree[i], 1.0) if copies[i] > 0 else known / degree[i]
            others = abs(copies[i]) - 1
            total += others * x_log_x(known + shift)
            n_left -= others
            root[i] = sqrt(1.0 + others)
        if normalized and degree[i] > 0.0:
            root[i] /= sqrt(degree[i])
    n_components = sort_components(ptr, columns, k, n_left, dense)
    for component in range(n_components):
        own = dense.rows[bounds[component] : bounds[component + 1]]
        size = own.size
        if size > dense.sparse_limit:
            return 0.0, size
        is_sparse = size >= SPARSE_FROM and count_arcs(ptr, own) <= SPARSE * size * size
        if size > dense.limit or is_sparse:
            found = _eliminated_sum(ptr, columns, weights, own, normalized, shift, dense, cancel)
            if not isnan(found):
                total += found
                continue
        if size > dense.diagonal.size:
            return 0.0, size
        write_quotient(ptr, columns, weights, own, normalized, dense)
        if not tridiagonalise(size, dense, cancel):
            return 0.0, 0
        total += tridiagonal_sum(dense.diagonal, dense.off, size, shift)
    return max(log(trace) - total / trace, 0.0), 0


@internal
def _eliminated_sum(
    ptr: OffsetArray, columns: IdArray, weights: ValueArray | None, rows: IdArray, normalized: bool, shift: float,
    dense: DenseScratch, cancel: FlagArray,
) -> float:  # fmt: skip
    """Return the sum of x ln x over the eigenvalues of a component, or NaN if elimination is not the way to it."""
    size, n_arcs, place, root = rows.size, count_arcs(ptr, rows), dense.place, dense.root
    own_ptr, own_columns = np.empty(size + 1, np.int64), np.empty(n_arcs, np.int32)
    values, diagonal = np.empty(n_arcs), np.empty(size)
    p = 0
    for row in range(size):
        i = rows[row]
        own_ptr[row], diagonal[row] = p, quotient_diagonal(i, normalized, dense)
        for a in range(ptr[i], ptr[i + 1]):
            j = columns[a]
            if place[j] >= 0:
                own_columns[p] = place[j]
                values[p] = -(1.0 if weights is None else weights[a]) * (root[i] * root[j])
                p += 1
    own_ptr[size] = p
    most = REDUCTION * (1.0 + shift) * float(size) ** 3 if size <= dense.limit else np.inf
    return sum_by_elimination(own_ptr, own_columns, values, diagonal, shift, dense.limit, most, cancel)
