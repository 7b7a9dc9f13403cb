"""Radius 1 of a graph that changes: sums per node that every added or removed edge brings up to date.

A hash table holds each edge once, with the number c of common neighbours of its ends; unsorted rows of neighbours grow
and shrink in blocks of one pool. For a new edge a-b, a the end of smaller degree, the common neighbours w are found by
looking up the edges b-w for all w in the row of a. Only a, b and these w change: each edge a-w and b-w gets one more
common neighbour. Removing is the reverse. All sums are integers, so nothing drifts, and the entropies of
`kernels.closed_form` are those of a fresh computation, bit for bit.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vnestruct.kernels.machine import inlined, internal, kernel, mix
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

DONE, TABLE_FULL, POOL_FULL, NO_SUCH_EDGE = 0, 1, 2, 3  # why `apply_changes` has returned
EDGES, POOL_USED, N_CHANGED, FREE = 0, 1, 2, 3  # places in `LiveState.counts`; from FREE on, a free block of each size
_ONE_MORE = 1 << 32
_COMMON = _ONE_MORE - 1
_LEAST_WEIGHT = 1e-300


class LiveState(NamedTuple):
    """The arrays that describe a changing graph."""

    start: OffsetArray  # where the row of each node begins in the pool
    size: npt.NDArray[np.int8]  # the row has a block of 1 << size entries; 0 for none
    degree: OffsetArray
    triangles: OffsetArray  # sum of c over the edges of each node
    squares: OffsetArray  # sum of (1 + c)**2 over the edges of each node
    is_changed: FlagArray
    changed: IdArray  # the marked nodes; `counts` says how many
    pool: IdArray  # rows of neighbours; a free block begins with the number of the next one of its size
    table: OffsetArray  # slots (ends of an edge, low end in high bits, or -1; occurrences << 32 | common neighbours)
    weights: ValueArray  # weight of each slot; no entries if the graph has no weights
    counts: OffsetArray


@inlined
def _slot(table: OffsetArray, u: int, v: int) -> int:
    """Return the slot of an edge, or the free slot where it belongs."""
    key = np.int64(min(u, v)) << 32 | np.int64(max(u, v))
    mask = table.shape[0] - 1
    i = np.int64(mix(np.uint64(key))) & mask
    while table[i, 0] != key and table[i, 0] >= 0:
        i = (i + 1) & mask
    return i


@kernel
def apply_changes(
    state: LiveState, ends: IdArray, signs: npt.NDArray[np.int8], weights: ValueArray, begin: int
) -> tuple[int, int]:
    """Add (sign 1) or remove (-1) edges from `begin` on; return how many are done, and why no more.

    Each node must have its place in the arrays. An edge that is there already, or more than once, only changes its
    number of occurrences.
    """
    table, counts = state.table, state.counts
    for i in range(begin, signs.size):
        u, v = ends[i, 0], ends[i, 1]
        slot = _slot(table, u, v)
        if signs[i] > 0:
            if u == v or weights[i] == 0.0:
                continue
            if table[slot, 0] < 0:
                if 10 * counts[EDGES] >= 7 * table.shape[0]:
                    return i, TABLE_FULL
                if not (_has_room(state, u) and _has_room(state, v)):
                    return i, POOL_FULL
                table[slot, 1] = _change(state, u, v, np.int64(1))
                table[slot, 0] = np.int64(min(u, v)) << 32 | np.int64(max(u, v))
                counts[EDGES] += 1
                _append(state, u, v)
                _append(state, v, u)
            table[slot, 1] += _ONE_MORE
            if state.weights.size:
                state.weights[slot] += weights[i]
        else:
            if table[slot, 0] < 0:
                return i, NO_SUCH_EDGE
            table[slot, 1] -= _ONE_MORE
            if state.weights.size:
                # Rounding must not leave an edge without weight.
                state.weights[slot] = max(state.weights[slot] - weights[i], _LEAST_WEIGHT)
            if table[slot, 1] < _ONE_MORE:
                _drop(state, u, v)
                _drop(state, v, u)
                _change(state, u, v, np.int64(-1))
                _empty(table, state.weights, slot)
                counts[EDGES] -= 1
    return signs.size, DONE


@internal
def _change(state: LiveState, u: int, v: int, sign: int) -> int:
    """Change the sums for an edge that is in neither row; return the number of common neighbours."""
    a, b = (u, v) if state.degree[u] <= state.degree[v] else (v, u)
    table = state.table
    common = np.int64(0)
    for x in range(state.start[a], state.start[a] + state.degree[a]):
        w = state.pool[x]
        other = _slot(table, b, w)
        if table[other, 0] < 0:
            continue
        own = _slot(table, a, w)
        # (1 + c)**2 grows by 2 c + 3 when c grows by one, and shrinks by 2 c + 1.
        with_a = sign * (2 * (table[own, 1] & _COMMON) + 2) + 1
        with_b = sign * (2 * (table[other, 1] & _COMMON) + 2) + 1
        table[own, 1] += sign
        table[other, 1] += sign
        state.squares[a] += with_a
        state.squares[b] += with_b
        state.squares[w] += with_a + with_b
        state.triangles[w] += 2 * sign
        _mark(state, w)
        common += 1
    for end in (a, b):
        state.squares[end] += sign * (1 + common) * (1 + common)
        state.triangles[end] += 2 * sign * common
        _mark(state, end)
    return common


@inlined
def _mark(state: LiveState, node: int) -> None:
    if not state.is_changed[node]:
        state.is_changed[node] = 1
        state.changed[state.counts[N_CHANGED]] = node
        state.counts[N_CHANGED] += 1


@inlined
def _capacity(size: int) -> int:
    return (np.int64(1) << size) & -2


@inlined
def _has_room(state: LiveState, node: int) -> bool:
    """Return whether one more neighbour fits, should both ends of an edge need a block."""
    size = state.size[node]
    return state.degree[node] < _capacity(size) or state.counts[POOL_USED] + 2 * _capacity(size + 1) <= state.pool.size


@internal
def _move(state: LiveState, node: int, size: int) -> None:
    """Move a row to a block of another size, or of none at all (0)."""
    pool, counts = state.pool, state.counts
    old, old_size = state.start[node], state.size[node]
    if size > 0:
        new = counts[FREE + size] * 2
        if new >= 0:
            counts[FREE + size] = pool[new]
        else:
            new = counts[POOL_USED]
            counts[POOL_USED] += _capacity(size)
        for i in range(state.degree[node]):
            pool[new + i] = pool[old + i]
        state.start[node] = new
    if old_size > 0:
        pool[old] = counts[FREE + old_size]
        counts[FREE + old_size] = old // 2
    state.size[node] = size


@internal
def _append(state: LiveState, node: int, neighbour: int) -> None:
    if state.degree[node] == _capacity(state.size[node]):
        _move(state, node, state.size[node] + 1)
    state.pool[state.start[node] + state.degree[node]] = neighbour
    state.degree[node] += 1


@internal
def _drop(state: LiveState, node: int, neighbour: int) -> None:
    place, size = state.start[node], state.size[node]
    while state.pool[place] != neighbour:
        place += 1
    state.degree[node] -= 1
    state.pool[place] = state.pool[state.start[node] + state.degree[node]]
    if state.degree[node] == 0:
        _move(state, node, np.int64(0))
    elif 4 * state.degree[node] <= _capacity(size) and state.counts[POOL_USED] + _capacity(size) <= state.pool.size:
        _move(state, node, size - 1)


@internal
def _empty(table: OffsetArray, weights: ValueArray, slot: int) -> None:
    """Empty a slot, and move later ones up so that searches that passed it still end where they must."""
    mask = table.shape[0] - 1
    i = (slot + 1) & mask
    while table[i, 0] >= 0:
        home = np.int64(mix(np.uint64(table[i, 0]))) & mask
        if (i - home) & mask >= (i - slot) & mask:
            table[slot] = table[i]
            if weights.size:
                weights[slot] = weights[i]
            slot = i
        i = (i + 1) & mask
    table[slot, 0] = -1
    if weights.size:
        weights[slot] = 0.0


@kernel
def rehash(old: LiveState, new: LiveState) -> None:
    """Enter the edges of one table into another, which is empty."""
    for i in range(old.table.shape[0]):
        if old.table[i, 0] >= 0:
            slot = _slot(new.table, old.table[i, 0] >> 32, old.table[i, 0] & _COMMON)
            new.table[slot] = old.table[i]
            if old.weights.size:
                new.weights[slot] = old.weights[i]


@kernel
def rows_of(state: LiveState, n_nodes: int) -> tuple[OffsetArray, IdArray, ValueArray]:
    """Return (indptr, indices, weights) with ascending rows, and the weights if there are any."""
    indptr = np.zeros(n_nodes + 1, np.int64)
    indptr[1:] = np.cumsum(state.degree[:n_nodes])
    indices = np.empty(indptr[n_nodes], np.int32)
    weights = np.empty(indices.size if state.weights.size else 0, np.float64)
    place = indptr[:-1].copy()
    # Neighbours in ascending order write themselves into rows.
    for u in range(n_nodes):
        for x in range(state.start[u], state.start[u] + state.degree[u]):
            w = state.pool[x]
            indices[place[w]] = u
            if weights.size:
                weights[place[w]] = state.weights[_slot(state.table, u, w)]
            place[w] += 1
    return indptr, indices, weights
