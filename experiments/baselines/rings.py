"""Structural distance between nodes: the degree sequences of their rings, compared by dynamic time warping.

Ring k of a node holds the nodes at distance exactly k. Its sorted degrees are stored as runs: a degree
and how often it occurs. Two rings cost the best alignment of their runs, where aligning degrees a and b,
with counts m and n, costs (max(a, b) / min(a, b) - 1) max(m, n). The distance at layer k is the sum over
rings 0 to k.

All runs of all rings lie in two flat arrays; ``ring_offsets`` cuts them into rings and ``node_offsets``
cuts the rings into nodes: ring k of node v is ring number ``node_offsets[v] + k``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from vnestruct.graph import Graph


@dataclass(frozen=True)
class Rings:
    """The degree sequences of all rings of all nodes; the module says how the arrays encode them."""

    node_offsets: NDArray[np.int64]
    ring_offsets: NDArray[np.int64]
    run_degrees: NDArray[np.int32]
    run_counts: NDArray[np.int32]

    @property
    def n_rings(self) -> NDArray[np.int64]:
        """Number of non-empty rings of every node, ring 0 included."""
        return np.diff(self.node_offsets)

    def ring(self, node: int, k: int) -> list[tuple[int, int]]:
        """Return the runs (degree, count) of ring k of a node."""
        number = self.node_offsets[node] + k
        runs = slice(self.ring_offsets[number], self.ring_offsets[number + 1])
        return list(zip(self.run_degrees[runs].tolist(), self.run_counts[runs].tolist(), strict=True))


def degree_rings(graph: Graph, *, max_layer: int | None = None, compress: bool = True) -> Rings:
    """Return the degree sequences of the rings around every node.

    Parameters
    ----------
    graph : Graph
        Any graph; directions and weights are ignored.
    max_layer : int, optional
        Largest ring; all of them if absent.
    compress : bool
        Join equal degrees into one run. Otherwise every node of a ring is a run of its own.

    Returns
    -------
    Rings

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> star_with_tail = graph_from_ids([0, 0, 0, 3], [1, 2, 3, 4], n_nodes=5)
    >>> rings = degree_rings(star_with_tail)
    >>> [rings.ring(0, k) for k in range(3)]
    [[(3, 1)], [(1, 2), (2, 1)], [(1, 1)]]
    """
    limit = graph.n_nodes if max_layer is None else max_layer
    return Rings(*_degree_rings(graph.indptr, graph.indices, limit, compress))


@njit(nogil=True, cache=True)
def _grown(array: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    larger = np.empty(2 * size, dtype=array.dtype)
    larger[: array.size] = array
    return larger


@njit(nogil=True, cache=True)
def _degree_rings(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], max_layer: int, compress: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]:
    n_nodes = indptr.size - 1
    node_offsets = np.zeros(n_nodes + 1, dtype=np.int64)
    ring_offsets = np.zeros(4 * n_nodes + 1, dtype=np.int64)
    run_degrees = np.empty(16 * n_nodes + 1, dtype=np.int32)
    run_counts = np.empty(16 * n_nodes + 1, dtype=np.int32)
    n_rings, n_runs = 0, 0

    seen_from = np.full(n_nodes, -1, dtype=np.int64)
    queue = np.empty(n_nodes, dtype=np.int32)
    for source in range(n_nodes):
        seen_from[source] = source
        queue[0] = source
        first, last, layer = 0, 1, 0
        while first < last and layer <= max_layer:
            members = queue[first:last]
            degrees = np.sort(indptr[members + 1] - indptr[members])
            if n_runs + degrees.size > run_degrees.size:
                run_degrees = _grown(run_degrees, n_runs + degrees.size)
                run_counts = _grown(run_counts, n_runs + degrees.size)
            for i, degree in enumerate(degrees):
                if compress and i and degree == degrees[i - 1]:
                    run_counts[n_runs - 1] += 1
                else:
                    run_degrees[n_runs] = degree
                    run_counts[n_runs] = 1
                    n_runs += 1
            n_rings += 1
            if n_rings >= ring_offsets.size:
                ring_offsets = _grown(ring_offsets, n_rings)
            ring_offsets[n_rings] = n_runs

            end = last
            for u in members:
                for v in indices[indptr[u] : indptr[u + 1]]:
                    if seen_from[v] != source:
                        seen_from[v] = source
                        queue[end] = v
                        end += 1
            first, last, layer = last, end, layer + 1
        node_offsets[source + 1] = n_rings
    return (
        node_offsets,
        ring_offsets[: n_rings + 1].copy(),
        run_degrees[:n_runs].copy(),
        run_counts[:n_runs].copy(),
    )


@njit(nogil=True, cache=True)
def _warping_cost(
    degrees_a: NDArray[np.int32],
    counts_a: NDArray[np.int32],
    degrees_b: NDArray[np.int32],
    counts_b: NDArray[np.int32],
    offset: float,
    row: NDArray[np.float64],
) -> float:
    # row[j] is the least cost of aligning all runs of a so far with the first j runs of b.
    row[0] = 0.0
    row[1 : degrees_b.size + 1] = np.inf
    for i in range(degrees_a.size):
        diagonal = row[0]
        row[0] = np.inf
        for j in range(degrees_b.size):
            smaller = min(degrees_a[i], degrees_b[j]) + offset
            larger = max(degrees_a[i], degrees_b[j]) + offset
            if smaller == larger:
                cost = 0.0
            elif smaller == 0:
                cost = np.inf
            else:
                cost = (larger / smaller - 1.0) * max(counts_a[i], counts_b[j])
            cheapest = min(diagonal, row[j], row[j + 1])
            diagonal = row[j + 1]
            row[j + 1] = cheapest + cost
    return row[degrees_b.size]


def warping_cost(first: list[tuple[int, int]], second: list[tuple[int, int]], *, offset: float = 0.0) -> float:
    """Return the cost of the best alignment of two sequences of runs (degree, count).

    Examples
    --------
    >>> warping_cost([(1, 2), (3, 1)], [(1, 1), (2, 3)])
    1.5
    """
    a = np.array(first, dtype=np.int32)
    b = np.array(second, dtype=np.int32)
    row = np.empty(len(second) + 1)
    return float(_warping_cost(a[:, 0].copy(), a[:, 1].copy(), b[:, 0].copy(), b[:, 1].copy(), offset, row))


def structural_distances(
    rings: Rings, left: NDArray[np.int32], right: NDArray[np.int32], *, offset: float = 0.0
) -> NDArray[np.float64]:
    """Return the structural distance of node pairs at every layer.

    Parameters
    ----------
    rings : Rings
        Degree sequences of all nodes.
    left, right : ndarray of int32
        The pairs.
    offset : float
        Added to every degree before the ratio is taken. With 0, an isolated node is infinitely far from every
        other that is not.

    Returns
    -------
    ndarray of shape (n_layers, n_pairs)
        Layers go up to the last ring of any node; NaN where one of the two nodes has no such ring.
    """
    n_layers = int(rings.n_rings.max(initial=0))
    longest = int(np.diff(rings.ring_offsets).max(initial=0))
    return _pair_distances(
        rings.node_offsets,
        rings.ring_offsets,
        rings.run_degrees,
        rings.run_counts,
        left,
        right,
        n_layers,
        offset,
        np.empty(longest + 1),
    )


@njit(nogil=True, cache=True)
def _pair_distances(
    node_offsets: NDArray[np.int64],
    ring_offsets: NDArray[np.int64],
    run_degrees: NDArray[np.int32],
    run_counts: NDArray[np.int32],
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    n_layers: int,
    offset: float,
    row: NDArray[np.float64],
) -> NDArray[np.float64]:
    distances = np.full((n_layers, left.size), np.nan)
    for pair in range(left.size):
        u, v = left[pair], right[pair]
        common = min(node_offsets[u + 1] - node_offsets[u], node_offsets[v + 1] - node_offsets[v])
        total = 0.0
        for k in range(common):
            a, b = node_offsets[u] + k, node_offsets[v] + k
            runs_a = slice(ring_offsets[a], ring_offsets[a + 1])
            runs_b = slice(ring_offsets[b], ring_offsets[b + 1])
            total += _warping_cost(
                run_degrees[runs_a], run_counts[runs_a], run_degrees[runs_b], run_counts[runs_b], offset, row
            )
            distances[k, pair] = total
    return distances
