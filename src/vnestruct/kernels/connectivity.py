"""Which nodes hold a graph together: rows of a symmetric CSR structure without self-loops."""

import numpy as np

from vnestruct.kernels.machine import kernel
from vnestruct.types import BoolArray, IdArray, OffsetArray


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
