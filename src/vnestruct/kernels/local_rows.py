"""The graph induced on a ball, or on the union of several, as a local CSR.

Local ids count the ball's nodes in ascending rank. Each edge is found from its end of smaller degree, whose row in the
ranked graph starts with the neighbours of larger degree; so the long rows of hubs are never scanned. Processing the
nodes in ascending rank leaves every local row ascending without sorting. An edge stays only if some ball holds both
of its ends (`bits` chooses the balls). Weights travel along where there are any; None compiles to code without them.
"""

import numpy as np

from vnestruct.kernels.machine import internal, prefetch
from vnestruct.kernels.search import AHEAD
from vnestruct.kernels.vector import SPREAD
from vnestruct.kernels.workspace import COUNT, INNER, SHARE, RankedGraph, Rows, Search
from vnestruct.types import IdArray, ValueArray

MANY_TWINS = 15  # rows that stand for more nodes are rare, and counted apart where degrees are added up in bytes


@internal
def count_probes(split: IdArray, ball: IdArray, k: int) -> int:
    """Return how many arcs `find_edges` will look at: room for that many is needed in `low`."""
    total = 0
    for i in range(k):
        total += split[np.uint32(ball[i])]
    return total


@internal
def name_rows(search: Search, rows: Rows, copies: IdArray | None, twins: ValueArray | None, k: int, bits: int) -> int:
    """List the nodes of the ball that no twin stands for, with their rows, lanes, twins; return how many."""
    ball, local, spread = search.ball, search.local, rows.spread
    count = 0
    for i in range(k):
        u = np.uint32(ball[i])
        if copies is not None:
            if i + 16 < k:
                prefetch(copies, np.uint32(ball[i + 16]))
            copy = copies[u]
            if copy == 0:
                local[u] = -1
                continue
            twins[count, COUNT] = twins[count, SHARE] = 1.0
            twins[count, INNER] = 0.0
            spread[count] = SPREAD[search.seen[u] & bits]
            if copy != 1:
                size = abs(copy)
                twins[count, COUNT] = size
                twins[count, SHARE] = 1.0 / size
                if copy < 0:
                    twins[count, INNER] = size - 1.0
                if size <= MANY_TWINS:
                    spread[count] *= np.uint64(size)
        rows.nodes[count] = u
        local[u] = count
        rows.masks[count] = search.seen[u] & bits
        count += 1
    return count


@internal
def find_edges(
    graph: RankedGraph, search: Search, rows: Rows, weights: ValueArray | None, low_weights: ValueArray | None,
    nodes: IdArray, k: int, bits: int,
) -> None:  # fmt: skip
    """List for each of k nodes its neighbours of smaller rank; count in `high` those of larger rank.

    ``search.local[u]`` must hold the row of every node of the ball, or -1 for one that another stands for.
    """
    indptr, indices, split, seen, local = graph.indptr, graph.indices, graph.split, search.seen, search.local
    low, low_ptr, high = rows.low, rows.low_ptr, rows.high
    edges = 0
    low_ptr[0] = 0
    for i in range(k):
        high[i] = 0
    for i in range(k):
        u = np.uint32(nodes[i])
        own = seen[u] & bits
        if i + 2 * AHEAD < k:
            prefetch(indptr, np.uint32(nodes[i + 2 * AHEAD]))
            prefetch(split, np.uint32(nodes[i + 2 * AHEAD]))
        if i + AHEAD < k:
            prefetch(indices, indptr[np.uint32(nodes[i + AHEAD])])
        begin = indptr[u]
        for a in range(begin, begin + split[u]):
            w = np.uint32(indices[a])
            # Written always, kept if the next write does not fall on it: no branch to mispredict.
            low[np.uint64(edges)] = local[w]
            if weights is not None:
                low_weights[np.uint64(edges)] = weights[a]
            edges += ((seen[w] & own) != 0) & (local[w] >= 0)
        low_ptr[i + 1] = edges
    for x in range(edges):
        high[np.uint32(low[x])] += 1


@internal
def join_rows(rows: Rows, low_weights: ValueArray | None, weights: ValueArray | None, k: int) -> None:
    """Complete both directions of every edge into the CSR."""
    low, low_ptr, high, ptr, place, columns = rows.low, rows.low_ptr, rows.high, rows.ptr, rows.place, rows.columns
    total = 0
    for i in range(k):
        ptr[i] = total
        length = low_ptr[i + 1] - low_ptr[i]
        place[i] = total + length
        total += length + high[i]
    ptr[k] = total
    for i in range(k):
        p = np.uint64(ptr[i])
        for x in range(low_ptr[i], low_ptr[i + 1]):
            j = np.uint32(low[x])
            columns[p] = j
            q = place[j]
            columns[np.uint64(q)] = i
            if low_weights is not None:
                weights[p] = low_weights[x]
                weights[np.uint64(q)] = low_weights[x]
            p += np.uint64(1)
            place[j] = q + 1
