"""Where a node stands in a graph: how deep in its core, and whether it holds parts together.

Rows of a symmetric CSR structure without self-loops; directions and weights play no part.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vnestruct.kernels.machine import kernel
from vnestruct.types import IdArray, OffsetArray


@kernel
def core_numbers(indptr: OffsetArray, indices: IdArray) -> OffsetArray:
    """Return for each node the largest k such that it is in a subgraph where all degrees are at least k.

    Nodes are removed by ascending remaining degree, kept in buckets (Batagelj and Zaversnik 2003, arXiv cs/0310049).
    """
    n_nodes = indptr.size - 1
    degree = indptr[1:] - indptr[:-1]
    starts = np.zeros((degree.max() if n_nodes else 0) + 2, np.int64)
    for u in range(n_nodes):
        starts[degree[u] + 1] += 1
    starts = np.cumsum(starts)
    filled = starts.copy()
    ordered, place = np.empty(n_nodes, np.int64), np.empty(n_nodes, np.int64)
    for u in range(n_nodes):
        place[u] = filled[degree[u]]
        ordered[place[u]] = u
        filled[degree[u]] += 1
    for i in range(n_nodes):
        u = ordered[i]
        for a in range(indptr[u], indptr[u + 1]):
            v = indices[a]
            if degree[v] > degree[u]:
                # The first node of v's bucket takes its place, and the bucket begins one later.
                first = starts[degree[v]]
                w = ordered[first]
                ordered[place[v]], place[w] = w, place[v]
                ordered[first], place[v] = v, first
                starts[degree[v]] += 1
                degree[v] -= 1
    return degree


@kernel
def cut_nodes(indptr: OffsetArray, indices: IdArray) -> npt.NDArray[np.bool_]:
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
