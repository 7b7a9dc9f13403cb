"""Core numbers, and 4-cycles of a graph with two sides: what kind ``roles`` needs beyond 1-balls."""

import numpy as np

from vnestruct.kernels.machine import kernel
from vnestruct.types import IdArray, OffsetArray


@kernel
def fill_cores(indptr: OffsetArray, indices: IdArray, core: OffsetArray) -> None:
    """Fill the largest k for each node such that it is in a subgraph where all degrees are at least k.

    Nodes are removed by ascending degree in what is left of the graph; `order` keeps them sorted by it in buckets, of
    which `begin` has the starts (Batagelj and Zaversnik 2003, arXiv:cs/0310049).
    """
    n = indptr.size - 1
    most = 0
    for v in range(n):
        core[v] = indptr[v + 1] - indptr[v]
        most = max(most, core[v])
    begin = np.zeros(most + 2, np.int64)
    for v in range(n):
        begin[core[v] + 1] += 1
    for d in range(most + 1):
        begin[d + 1] += begin[d]
    order = np.empty(n, np.int64)
    place = np.empty(n, np.int64)
    for v in range(n):
        place[v] = begin[core[v]]
        order[place[v]] = v
        begin[core[v]] += 1
    for d in range(most, -1, -1):
        begin[d + 1] = begin[d]
    begin[0] = 0
    for i in range(n):
        v = order[i]
        for a in range(indptr[v], indptr[v + 1]):
            u = indices[a]
            if core[u] > core[v]:
                # u changes places with the first node of its bucket, which then starts one later.
                first = begin[core[u]]
                w = order[first]
                order[first], order[place[u]] = u, w
                place[u], place[w] = first, place[u]
                begin[core[u]] += 1
                core[u] -= 1


@kernel
def add_squares(indptr: OffsetArray, indices: IdArray, squares: OffsetArray) -> None:
    """Add to `squares` the number of 4-cycles through each node of a graph in ranks of degree, largest first.

    A cycle is counted at its corner of smallest rank (vertex priority, Wang et al. 2019, arXiv:1812.00283), so that
    the paths looked at are at most as many as the smaller degrees of all links in sum.
    """
    n = indptr.size - 1
    paths = np.zeros(n, np.int64)  # paths of two links from u to each node, through and to larger ranks
    for u in range(n):
        for step in range(3):
            for a in range(indptr[u + 1] - 1, indptr[u] - 1, -1):
                v = indices[a]
                if v <= u:
                    break
                for b in range(indptr[v + 1] - 1, indptr[v] - 1, -1):
                    w = indices[b]
                    if w <= u:
                        break
                    if step == 0:
                        paths[w] += 1
                    elif step == 1:
                        # The path u, v, w closes to a cycle with each other path from u to w.
                        squares[v] += paths[w] - 1
                    elif paths[w] > 0:
                        pairs = paths[w] * (paths[w] - 1) // 2
                        squares[u] += pairs
                        squares[w] += pairs
                        paths[w] = 0
