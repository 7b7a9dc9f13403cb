"""Nodes whose signature follows from another node's, and the order in which the others are worked on.

Leaves: if v has the single neighbour u, the r-ball of v is the (r-1)-ball of u for r >= 2. Twins: nodes with the same
open or the same closed neighbourhood can be swapped without changing the graph, so they share their signature, and
inside balls one can stand for all. Components and cut nodes are found here, too. Everything is in ranks but those.
"""

import numpy as np

from vnestruct.kernels.machine import kernel, mix, part
from vnestruct.types import BoolArray, FlagArray, IdArray, OffsetArray, ValueArray, WordArray


@kernel
def neighbourhood_keys(indptr: OffsetArray, indices: IdArray, mixed: WordArray, keys: WordArray) -> None:
    """Add to the zero ``keys[u]`` the mixed neighbours of u: equal for equal neighbourhoods. `mixed` is scratch."""
    for u in range(keys.size):
        mixed[u] = mix(np.uint64(u))
    for u in range(keys.size):
        for a in range(indptr[u], indptr[u + 1]):
            keys[u] += mixed[np.uint32(indices[a])]


@kernel
def join_twins(
    indptr: OffsetArray, indices: IdArray, weights: ValueArray | None, flags: FlagArray | None, keys: WordArray,
    skipped: IdArray, closed: bool, table: IdArray, leader: IdArray,
) -> None:  # fmt: skip
    """Set ``leader[u]`` to the smallest twin of u with the same open (or `closed`) neighbourhood.

    A hash table finds candidates by the `neighbourhood_keys`. They are only a hint, so rows are compared entry by
    entry, with the weights and direction flags where there are any. Nodes of `skipped` >= 0 are left out. The size of
    `table`, all -1, is a power of 2 larger than the number of nodes.
    """
    mask = np.uint64(table.size - 1)
    for u in range(leader.size):
        if skipped[u] >= 0 or indptr[u + 1] == indptr[u]:
            continue
        key = keys[u] + mix(np.uint64(u)) if closed else keys[u]
        slot = mix(key) & mask
        while table[slot] >= 0:
            v = table[slot]
            other = keys[v] + mix(np.uint64(v)) if closed else keys[v]
            if other == key and are_twins(indptr, indices, weights, flags, v, u, closed, np.int64(-1)):
                leader[u] = v
                break
            slot = (slot + np.uint64(1)) & mask
        if leader[u] == u:
            table[slot] = u


@part
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
    """Return (component of each node, size of each component)."""
    of = np.full(indptr.size - 1, -1, np.int32)
    count = _visit_components(indptr, indices, of, np.empty(of.size, np.int32))
    return of, np.bincount(of, minlength=count)


@kernel
def _visit_components(indptr: OffsetArray, indices: IdArray, of: IdArray, queue: IdArray) -> int:
    """Fill `of`, all -1, and return the number of components."""
    count = 0
    for root in range(of.size):
        if of[root] >= 0:
            continue
        of[root] = count
        queue[0] = root
        head = 0
        tail = 1
        while head < tail:
            u = queue[head]
            head += 1
            for a in range(indptr[u], indptr[u + 1]):
                w = np.uint32(indices[a])
                if of[w] < 0:
                    of[w] = count
                    queue[tail] = w
                    tail += 1
        count += 1
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


def rows_of_leaders(indptr: OffsetArray, indices: IdArray, copies: IdArray) -> tuple[OffsetArray, IdArray, IdArray]:
    """Return (indptr, indices, split) of the graph in ranks less the nodes with 0 `copies`, whose rows are empty."""
    ptr, split = np.zeros(indptr.size, np.int64), np.zeros(copies.size, np.int32)
    columns = np.empty(indices.size + 1, np.int32)
    _copy_leaders(indptr, indices, copies, ptr, columns, split)
    return ptr, columns[: ptr[-1]], split


@kernel
def _copy_leaders(
    indptr: OffsetArray, indices: IdArray, copies: IdArray, ptr: OffsetArray, columns: IdArray, split: IdArray
) -> None:
    p = np.uint64(0)
    for u in range(copies.size):
        if copies[u] != 0:
            smaller = 0
            for a in range(indptr[u], indptr[u + 1]):
                w = indices[a]
                kept = copies[np.uint32(w)] != 0
                # Written always, kept if the next write does not fall on it.
                columns[p] = w
                p += np.uint64(kept)
                smaller += kept & (w < u)
            split[u] = smaller
        ptr[u + 1] = p


@kernel
def ball_costs(indptr: OffsetArray, indices: IdArray, copies: IdArray | None, radius: int) -> ValueArray:
    """Return an upper estimate of the arcs of every r-ball: arcs met by walks of r steps, at most all arcs.

    Nodes with 0 `copies` do not count.
    """
    n = indptr.size - 1
    limit = 0.0
    cost = np.empty(n)
    for u in range(n):
        cost[u] = 0.0
        if copies is None:
            cost[u] = indptr[u + 1] - indptr[u]
        elif copies[u] != 0:
            for a in range(indptr[u], indptr[u + 1]):
                cost[u] += copies[np.uint32(indices[a])] != 0
        limit += cost[u]
    for _ in range(radius - 1):
        previous = cost.copy()
        for u in range(n):
            if copies is not None and copies[u] == 0:
                continue
            total = 0.0
            for a in range(indptr[u], indptr[u + 1]):
                total += previous[np.uint32(indices[a])]
            cost[u] = min(total, limit)
    return cost


@kernel
def order_by_neighbours(
    indptr: OffsetArray, indices: IdArray, copies: IdArray | None, nodes: IdArray, depth: int
) -> IdArray:
    """Return `nodes` sorted by their first, second, ... neighbour: who stands side by side shares hubs.

    A counting sort from the last of the `depth` keys to the first; a missing neighbour sorts last. Neighbours with 0
    `copies` do not count.
    """
    n = indptr.size - 1
    current = nodes.copy()
    following = np.empty_like(current)
    place = np.empty(n + 2, np.int64)
    for key in range(depth - 1, -1, -1):
        place[:] = 0
        for i in range(current.size):
            place[_neighbour(indptr, indices, copies, current[i], key) + 1] += 1
        for x in range(n + 1):
            place[x + 1] += place[x]
        for i in range(current.size):
            value = _neighbour(indptr, indices, copies, current[i], key)
            following[place[value]] = current[i]
            place[value] += 1
        current, following = following, current
    return current


@part
def _neighbour(indptr: OffsetArray, indices: IdArray, copies: IdArray | None, u: int, number: int) -> int:
    """Return the neighbour of u before which `number` others stand, or the number of nodes if there is none."""
    for a in range(indptr[u], indptr[u + 1]):
        w = np.uint32(indices[a])
        if copies is None or copies[w] != 0:
            if number == 0:
                return w
            number -= 1
    return indptr.size - 1
