"""Sums over neighbours, rows side by side, against the product with the matrix and a plain loop."""

from __future__ import annotations

import numpy as np
from numba import njit

from tests.cases import for_each
from tests.graphs import ZOO, random_graphs, weighted_copy
from tests.kernels.calls import rows_by_length, sum_neighbours
from vnestruct import Graph
from vnestruct.graph import synthetic
from vnestruct.kernels.vector import WIDTH, zero

ALL = {
    **{name: graph for name, graph in ZOO.items() if graph.n_nodes},
    **dict(random_graphs(10, seed=37)),
    "scale-free": synthetic.barabasi_albert(151, 3, seed=1),
    "star": synthetic.star(30),
}
every_graph = for_each("name", ALL)


@njit
def sum_lanes(indptr, indices, weights, n, order, vectors, sums):  # type: ignore[no-untyped-def]
    sum_neighbours(indptr, indices, weights, n, order, vectors, sums, zero())


def plain(graph: Graph, vector: np.ndarray) -> np.ndarray:
    """Each row's entries added one after the other."""
    sums = np.zeros(graph.n_nodes)
    for row in range(graph.n_nodes):
        total = 0.0
        for place in range(graph.indptr[row], graph.indptr[row + 1]):
            weight = 1.0 if graph.weights is None else graph.weights[place]
            total += weight * vector[graph.indices[place]]
        sums[row] = total
    return sums


@every_graph
def test_rows_come_longest_first(name: str) -> None:
    graph = ALL[name]
    order = rows_by_length(graph.indptr, graph.n_nodes)
    assert sorted(order.tolist()) == list(range(graph.n_nodes))
    assert (np.diff(graph.degrees[order]) <= 0).all()


@every_graph
@for_each("weighted", [False, True])
def test_sums_have_the_bits_of_a_plain_loop(name: str, weighted: bool) -> None:
    graph = weighted_copy(ALL[name], seed=3) if weighted else ALL[name]
    n = graph.n_nodes
    order = rows_by_length(graph.indptr, n)
    vectors = np.random.default_rng(5).normal(size=(n, WIDTH))
    expected = np.column_stack([plain(graph, vectors[:, lane]) for lane in range(WIDTH)])
    sums = np.full(n, np.nan)
    sum_neighbours(graph.indptr, graph.indices, graph.weights, n, order, vectors[:, 3].copy(), sums, 0.0)
    assert sums.tolist() == expected[:, 3].tolist()
    lanes = np.full(n * WIDTH, np.nan)
    sum_lanes(graph.indptr, graph.indices, graph.weights, n, order, vectors.ravel(), lanes)
    assert lanes.tolist() == expected.ravel().tolist()
