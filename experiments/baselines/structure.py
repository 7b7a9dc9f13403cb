"""Graph quantities that several methods share: adjacency matrix, neighbour sums and triangle counts."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from vnestruct.graph import Graph


def adjacency(graph: Graph) -> sparse.csr_array:
    """Return the 0/1 adjacency matrix, float64."""
    ones = np.ones(graph.indices.size)
    return sparse.csr_array((ones, graph.indices, graph.indptr), shape=(graph.n_nodes, graph.n_nodes))


def degrees(graph: Graph) -> NDArray[np.int64]:
    """Return the number of neighbours of every node."""
    return np.diff(graph.indptr)


def neighbour_sum(graph: Graph, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum each column of `values` over the neighbours of every node."""
    return adjacency(graph) @ values


def neighbour_mean(graph: Graph, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average each column of `values` over the neighbours of every node; 0 without neighbours."""
    count = np.maximum(degrees(graph), 1)
    return neighbour_sum(graph, values) / (count if values.ndim == 1 else count[:, None])


def triangle_counts(graph: Graph) -> NDArray[np.int64]:
    """Count the triangles through every node.

    Edges are oriented from low to high degree, so that a hub has few out-neighbours: O(m^1.5) in all.
    """
    degree = degrees(graph)
    order = np.empty(graph.n_nodes, dtype=np.int64)
    order[np.argsort(degree, kind="stable")] = np.arange(graph.n_nodes)
    return _count_triangles(graph.indptr, graph.indices, order)


@njit(nogil=True, cache=True)
def _count_triangles(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], order: NDArray[np.int64]
) -> NDArray[np.int64]:
    n_nodes = indptr.size - 1
    count = np.zeros(n_nodes, dtype=np.int64)
    marked_by = np.full(n_nodes, -1, dtype=np.int64)
    for u in range(n_nodes):
        for v in indices[indptr[u] : indptr[u + 1]]:
            if order[v] > order[u]:
                marked_by[v] = u
        for v in indices[indptr[u] : indptr[u + 1]]:
            if order[v] < order[u]:
                continue
            for w in indices[indptr[v] : indptr[v + 1]]:
                if order[w] > order[v] and marked_by[w] == u:
                    count[u] += 1
                    count[v] += 1
                    count[w] += 1
    return count
