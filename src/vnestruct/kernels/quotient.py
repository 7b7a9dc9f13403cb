"""The quotient of a ball's matrix by its twins, component by component: what is left when known eigenvalues are out.

`vnestruct.kernels.dense_balls` says why this is exact.
"""

from typing import NamedTuple

import numpy as np

from vnestruct.kernels.machine import internal, mix
from vnestruct.kernels.reductions import are_twins
from vnestruct.kernels.vector import WIDTH, store, zero
from vnestruct.kernels.workspace import aligned
from vnestruct.types import IdArray, OffsetArray, ValueArray, WordArray


class DenseScratch(NamedTuple):
    """Scratch for the spectrum of one ball: arrays over its nodes, and over the rows of a matrix; and limits."""

    limit: int  # rows of a component that are reduced, or left by elimination
    sparse_limit: int  # rows of a component that is eliminated
    leader: IdArray
    copies: IdArray
    place: IdArray
    rows: IdArray
    label: IdArray
    degree: ValueArray
    root: ValueArray
    words: WordArray
    keys: WordArray
    table: IdArray
    matrix: ValueArray
    diagonal: ValueArray
    off: ValueArray
    v: ValueArray
    w: ValueArray
    x: ValueArray
    p: ValueArray


def make_dense_scratch(n_nodes: int, size: int, limit: int, sparse_limit: int) -> DenseScratch:
    """Return scratch for balls of up to `n_nodes` nodes with matrices of up to `size` rows."""
    rows = -(-size // WIDTH) * WIDTH
    leader, copies, place, label, members = (np.empty(n_nodes, np.int32) for _ in range(5))
    degree, root = np.empty(n_nodes), np.empty(n_nodes)
    words, keys = np.empty(n_nodes, np.uint64), np.empty(n_nodes, np.uint64)
    by_node = leader, copies, place, members, label, degree, root, words, keys
    table = np.empty(max(64, 4 * n_nodes), np.int32)
    return DenseScratch(limit, sparse_limit, *by_node, table, aligned(rows * rows), *(aligned(rows) for _ in range(6)))


@internal
def lead_twins(ptr: OffsetArray, columns: IdArray, k: int, without: int, dense: DenseScratch) -> None:
    """Give twins a leader, the first of them, and count them there: below 0 where they are joined to one another."""
    leader, copies, table, words, keys = dense.leader, dense.copies, dense.table, dense.words, dense.keys
    for i in range(k):
        words[i] = np.uint64(0) if i == without else mix(np.uint64(i))
        table[i] = 0
    for i in range(k):
        table[np.uint64(ptr[i + 1] - ptr[i])] += 1
    for i in range(k):
        # A node whose number of neighbours no other has needs no key: it has no twins.
        keys[i] = table[np.uint64(ptr[i + 1] - ptr[i])] > 1
        if keys[i]:
            for a in range(ptr[i], ptr[i + 1]):
                keys[i] += words[np.uint32(columns[np.uint64(a)])]
    slots = 64
    while slots < 2 * k:
        slots *= 2
    for joined in range(2):
        for s in range(slots):
            table[s] = -1
        for i in range(k):
            if leader[i] != i or copies[i] != 1 or keys[i] == 0:
                continue  # no node has twins of both sorts
            if joined == 1:
                keys[i] += words[i]
            s = np.int64(keys[i] >> np.uint64(32)) & (slots - 1)
            while table[s] >= 0:
                j = table[s]
                if keys[j] == keys[i] and are_twins(ptr, columns, None, None, i, j, joined != 0, without):
                    leader[i] = j
                    copies[j] += 1 if joined == 0 else (-3 if copies[j] == 1 else -1)
                    break
                s = (s + 1) & (slots - 1)
            if leader[i] == i:
                table[s] = i


@internal
def sort_components(ptr: OffsetArray, columns: IdArray, k: int, n_left: int, dense: DenseScratch) -> int:
    """List the nodes of each component in `dense.rows`, ascending; return the number of components.

    They start where `dense.table` says; `dense.place` of a node becomes its place in its component.
    """
    place, rows, label, bounds = dense.place, dense.rows, dense.label, dense.table
    count, met, end = 0, 0, 0
    for start in range(k):
        if place[start] != -2:
            continue
        rows[end] = start
        place[start] = 0
        label[start] = count
        bounds[count] = end
        end += 1
        while met < end and end < n_left:
            i = rows[met]
            for a in range(ptr[i], ptr[i + 1]):
                j = np.uint32(columns[np.uint64(a)])
                if place[j] == -2:
                    place[j] = 0
                    label[j] = count
                    rows[end] = j
                    end += 1
            met += 1
        met = end
        count += 1
    bounds[count] = end
    # Again, by counting, so that rows of a component ascend.
    for c in range(count):
        bounds[count + 1 + c] = bounds[c]
    for i in range(k):
        if place[i] == 0:
            c = label[i]
            place[i] = bounds[count + 1 + c] - bounds[c]
            rows[bounds[count + 1 + c]] = i
            bounds[count + 1 + c] += 1
    return count


@internal
def quotient_diagonal(i: int, normalized: bool, dense: DenseScratch) -> float:
    """Return an entry of the diagonal of the quotient."""
    inner = max(-dense.copies[i] - 1, 0)
    if normalized:
        return 1.0 - inner / dense.degree[i] if dense.degree[i] > 0.0 else 0.0
    return dense.degree[i] - inner


@internal
def count_arcs(ptr: OffsetArray, rows: IdArray) -> int:
    """Return the number of arcs of some rows."""
    count = 0
    for i in rows:
        count += ptr[i + 1] - ptr[i]
    return count


@internal
def write_quotient(
    ptr: OffsetArray, columns: IdArray, weights: ValueArray | None, rows: IdArray, normalized: bool, dense: DenseScratch
) -> None:
    """Write the quotient of a component as `tridiagonalise` takes it."""
    size, matrix, root, place = rows.size, dense.matrix, dense.root, dense.place
    n_vectors = (size + WIDTH - 1) // WIDTH
    stride = WIDTH * n_vectors
    for row in range(stride):
        # Nobody reads what is right of the blocks on the diagonal.
        end = row // WIDTH + 1
        for c in range(end):
            store(matrix, row * n_vectors + c, zero())
        if row >= size:
            continue
        i = rows[row]
        scale = -root[i]
        for a in range(ptr[i], ptr[i + 1]):
            u = np.uint32(columns[np.uint64(a)])
            j = place[u]
            if j >= WIDTH * end:
                break
            if j >= 0:
                value = scale * root[u]
                if weights is not None:
                    value *= weights[a]
                matrix[np.uint64(row * stride + j)] = value
        matrix[row * stride + row] = quotient_diagonal(i, normalized, dense)
