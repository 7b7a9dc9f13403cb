"""Nodes whose signature follows from another node's, and the order in which the others are worked on.

Leaves: if v has the single neighbour u, the r-ball of v is the (r-1)-ball of u for r >= 2. Twins: nodes with the same
open or the same closed neighbourhood can be swapped without changing the graph, so they share their signature, and
inside balls one can stand for all. Components and cut nodes are here, too, and alone are not in ranks.
"""

from typing import NamedTuple

import numpy as np

from vnestruct.kernels.machine import inlined, internal, kernel, mix
from vnestruct.kernels.ranking import SERIAL, Parallel
from vnestruct.types import BoolArray, FlagArray, IdArray, OffsetArray, ValueArray, WordArray

_KEY_BITS = 21  # three neighbours in one word


def neighbourhood_keys(
    indptr: OffsetArray, indices: IdArray, parallel: Parallel = SERIAL
) -> tuple[WordArray, WordArray]:
    """Return numbers that are equal for equal open, and closed, neighbourhoods, and seldom for others."""
    opened, closed = np.empty(indptr.size - 1, np.uint64), np.empty(indptr.size - 1, np.uint64)
    parallel.for_rows(indptr, lambda first, last: _fill_keys(indptr, indices, first, last, opened, closed))
    return opened, closed


@kernel
def _fill_keys(
    indptr: OffsetArray, indices: IdArray, first: int, last: int, opened: WordArray, closed: WordArray
) -> None:
    for u in range(first, last):
        key = np.uint64(0)
        for a in range(indptr[u], indptr[u + 1]):
            key += mix(np.uint64(indices[a]))
        opened[u] = mix(key)
        closed[u] = mix(key + mix(np.uint64(u)))


class TwinRows(NamedTuple):
    """The rows in which twins are looked for, and the nodes left out: those with 0 or more in `skipped`."""

    indptr: OffsetArray
    indices: IdArray
    weights: ValueArray | None
    flags: FlagArray | None
    skipped: IdArray


@kernel
def join_twins(
    rows: TwinRows, keys: WordArray, closed: bool, share: int, n_shares: int, leader: IdArray, copies: IdArray
) -> None:
    """Set ``leader[u]`` to the smallest twin of u with the same open (or `closed`) neighbourhood, and count `copies`.

    A hash table finds candidates by the `neighbourhood_keys`. They are only a hint, so rows are compared entry by
    entry, with the weights and direction flags where there are any. Of `n_shares` threads, each does the nodes whose
    keys fall to its `share`, among which are all twins of each of them.
    """
    indptr, indices, weights, flags, skipped = rows
    count = 0
    for u in range(leader.size):
        count += _owner(keys[u], n_shares) == share
    size = 64
    while size <= 2 * count:
        size *= 2
    table = np.full(size, -1, np.int32)
    mask = np.uint64(size - 1)
    for u in range(leader.size):
        if _owner(keys[u], n_shares) != share or skipped[u] >= 0 or indptr[u + 1] == indptr[u]:
            continue
        slot = keys[u] & mask
        while table[slot] >= 0:
            v = table[slot]
            same = keys[v] == keys[u]
            if same and are_twins(indptr, indices, weights, flags, v, u, closed, np.int64(-1)):
                leader[u] = v
                copies[u] = 0
                copies[v] = -abs(copies[v]) - 1 if closed else copies[v] + 1
                break
            slot = (slot + np.uint64(1)) & mask
        if leader[u] == u:
            table[slot] = u


@inlined
def _owner(key: int, n_shares: int) -> int:
    """Return whose share a key is: by its upper half, since the lower one chooses places in tables."""
    return np.int64((key >> np.uint64(32)) * np.uint64(n_shares) >> np.uint64(32))


@internal
def are_twins(
    indptr: OffsetArray, indices: IdArray, weights: ValueArray | None, flags: FlagArray | None, u: int, v: int,
    closed: bool, without: int,
) -> bool:  # fmt: skip
    """Tell whether two rows are equal apart from the nodes themselves, if `closed`, and the node `without` (-1: none).

    Adjacent twins must be joined both ways, or their swap would turn the arc around.
    """
    a, end_a = indptr[u], indptr[u + 1]
    b, end_b = indptr[v], indptr[v + 1]
    while True:
        while a < end_a and (indices[a] == without or (closed and indices[a] == v)):
            if flags is not None and indices[a] == v and flags[a] != 3:
                return False
            a += 1
        while b < end_b and (indices[b] == without or (closed and indices[b] == u)):
            b += 1
        if a == end_a or b == end_b:
            return a == end_a and b == end_b
        if indices[a] != indices[b]:
            return False
        if weights is not None and weights[a] != weights[b]:
            return False
        if flags is not None and flags[a] != flags[b]:
            return False
        a += 1
        b += 1


def label_components(indptr: OffsetArray, indices: IdArray) -> tuple[IdArray, OffsetArray]:
    """Return (component of each node, size of each component), components in the order of their smallest nodes."""
    of = np.empty(indptr.size - 1, np.int32)
    return of, np.bincount(of, minlength=_join_components(indptr, indices, of))


@kernel
def _join_components(indptr: OffsetArray, indices: IdArray, of: IdArray) -> int:
    """Fill `of` and return the number of components."""
    # Meanwhile it holds a smaller node of the same component, or the node itself.
    for u in range(of.size):
        top = of[u] = u
        for a in range(indptr[u], indptr[u + 1]):
            w = indices[a]
            if w >= u:
                continue
            while of[w] != w:
                of[w] = of[of[w]]
                w = of[w]
            if w < top:
                of[top] = w
                top = w
            else:
                of[w] = top
    count = 0
    for u in range(of.size):
        if of[u] == u:
            of[u] = count
            count += 1
        else:
            of[u] = of[of[u]]
    return count


@kernel
def cut_nodes(indptr: OffsetArray, indices: IdArray) -> BoolArray:
    """Return whether the removal of each node disconnects its component (Tarjan 1972, without recursion)."""
    n_nodes = indptr.size - 1
    found, lowest = np.full(n_nodes, -1, np.int64), np.empty(n_nodes, np.int64)
    parent, next_arc = np.full(n_nodes, -1, np.int64), indptr[:-1].copy()
    is_cut = np.zeros(n_nodes, np.bool_)
    n_found = 0
    for root in range(n_nodes):
        if found[root] >= 0:
            continue
        found[root] = lowest[root] = n_found
        n_found += 1
        n_children, u = 0, root
        while u >= 0:
            if next_arc[u] < indptr[u + 1]:
                v = np.int64(indices[next_arc[u]])
                next_arc[u] += 1
                if found[v] >= 0:
                    if v != parent[u]:
                        lowest[u] = min(lowest[u], found[v])
                    continue
                found[v] = lowest[v] = n_found
                n_found += 1
                n_children += u == root
                parent[v] = u
                u = v
                continue
            above = parent[u]
            if above >= 0:
                lowest[above] = min(lowest[above], lowest[u])
                if above != root and lowest[u] >= found[above]:
                    is_cut[above] = True
            u = above
        is_cut[root] = n_children > 1
    return is_cut


def rows_of_leaders(
    indptr: OffsetArray, indices: IdArray, copies: IdArray, parallel: Parallel = SERIAL
) -> tuple[OffsetArray, IdArray, IdArray]:
    """Return (indptr, indices, split) of the graph in ranks less the nodes with 0 `copies`, whose rows are empty."""
    ptr, split = np.zeros(indptr.size, np.int64), np.zeros(copies.size, np.int32)
    columns, end = np.empty(indices.size, np.int32), 0
    for kept in parallel.for_rows(
        indptr, lambda *rows: _copy_leaders(indptr, indices, copies, *rows, ptr, columns, split)
    ):
        columns[end : end + kept.size] = kept  # in place: a second copy would need as much memory again
        end += kept.size
    return np.cumsum(ptr, out=ptr), columns[:end], split


@kernel
def _copy_leaders(
    indptr: OffsetArray, indices: IdArray, copies: IdArray, first: int, last: int, lengths: OffsetArray,
    columns: IdArray, split: IdArray,
) -> IdArray:  # fmt: skip
    start = p = np.uint64(indptr[first])
    for u in range(first, last):
        if copies[u] != 0:
            begin, smaller = p, 0
            for a in range(indptr[u], indptr[u + 1]):
                w = indices[a]
                kept = copies[np.uint32(w)] != 0
                columns[p] = w  # kept if the next write does not fall on it
                p += np.uint64(kept)
                smaller += kept & (w < u)
            lengths[u + 1], split[u] = p - begin, smaller  # the length goes to the entry after its own
    return columns[start:p]


def ball_costs(
    indptr: OffsetArray, indices: IdArray, copies: IdArray | None, radius: int, parallel: Parallel = SERIAL
) -> ValueArray:
    """Return an upper estimate of the arcs of every r-ball, walks of r steps; nodes with 0 `copies` do not count."""
    leads = None if copies is None else (copies != 0).astype(np.float64)

    def sums_of(previous: ValueArray, limit: float) -> ValueArray:
        sums = np.empty_like(previous)
        parallel.for_rows(
            indptr,
            lambda first, last: _sum_neighbours(indptr[first : last + 1], indices, previous, limit, sums[first:last]),
        )
        return sums if leads is None else sums * leads

    costs: ValueArray = np.diff(indptr).astype(np.float64) if leads is None else sums_of(leads, np.inf)
    limit = float(costs.sum())
    for _ in range(radius - 1):
        costs = sums_of(costs, limit)
    return costs


@kernel
def _sum_neighbours(indptr: OffsetArray, indices: IdArray, values: ValueArray, limit: float, sums: ValueArray) -> None:
    for u in range(sums.size):
        total = 0.0
        for a in range(indptr[u], indptr[u + 1]):
            total += values[np.uint32(indices[a])]
        sums[u] = min(total, limit)


def order_by_neighbours(
    indptr: OffsetArray, indices: IdArray, copies: IdArray | None, nodes: IdArray, parallel: Parallel = SERIAL
) -> IdArray:
    """Return `nodes` sorted by their first, second and third neighbour: who stands side by side shares hubs.

    A missing neighbour sorts last. Neighbours with 0 `copies` do not count. Of graphs with more nodes than 21 bits can
    number, close neighbours count as the same.
    """
    keys = np.empty(nodes.size, np.uint64)
    shift = max(int(indptr.size).bit_length() - _KEY_BITS, 0)
    parallel.for_items(
        nodes.size, lambda first, last: _fill_order(indptr, indices, copies, nodes[first:last], shift, keys[first:last])
    )
    return nodes[np.argsort(keys, kind="stable")]


@kernel
def _fill_order(
    indptr: OffsetArray, indices: IdArray, copies: IdArray | None, nodes: IdArray, shift: int, keys: WordArray
) -> None:
    """Fill the first three neighbours of each node as one number."""
    for i in range(nodes.size):
        found, key = 0, np.uint64(0)
        for a in range(indptr[nodes[i]], indptr[nodes[i] + 1]):
            w = np.uint32(indices[a])
            if copies is None or copies[w] != 0:
                key = (key << np.uint64(_KEY_BITS)) + np.uint64(w >> np.uint32(shift))
                found += 1
                if found == 3:
                    break
        for _ in range(found, 3):
            key = (key << np.uint64(_KEY_BITS)) + np.uint64((1 << _KEY_BITS) - 1)
        keys[i] = key
