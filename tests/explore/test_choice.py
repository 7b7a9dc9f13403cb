"""Samples keep what matters: every role, outliers, and every node tied to its component."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from tests.generators import power_law
from tests.graphs import disjoint_union
from vnestruct.explore.content import ordered_edges, projected_nodes
from vnestruct.graph.synthetic import clique, cycle


def n_components(edges: np.ndarray, n_nodes: int) -> int:
    matrix = sparse.csr_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n_nodes, n_nodes))
    return int(connected_components(matrix, directed=False)[0])


def test_a_part_of_the_edges_keeps_components_whole() -> None:
    graph = disjoint_union(clique(40), cycle(30), power_law(200, 2.3, seed=1))
    edges, n_drawn = ordered_edges(graph, limit=400)
    assert n_drawn == 400 < len(edges) == graph.n_edges
    assert len(np.unique(edges, axis=0)) == graph.n_edges
    assert n_components(edges[:n_drawn], graph.n_nodes) == n_components(edges, graph.n_nodes)


def test_few_edges_are_all_drawn() -> None:
    edges, n_drawn = ordered_edges(cycle(9))
    assert n_drawn == len(edges) == 9


def test_the_projection_keeps_outliers_rare_roles_and_what_is_drawn() -> None:
    rng = np.random.default_rng(0)
    points = rng.normal(size=(5000, 2)) * 0.01
    roles = np.zeros(5000, np.int64)
    points[123] = 10.0
    roles[[7, 77, 777]] = 1
    drawn = np.array([1, 2, 4999])
    chosen = projected_nodes(points, roles, drawn, limit=500)
    assert chosen.size == 500
    assert {123, 7, 77, 777, 1, 2, 4999} <= set(chosen.tolist())
    assert np.array_equal(chosen, np.unique(chosen))
    assert np.array_equal(chosen, projected_nodes(points, roles, drawn, limit=500))
    assert np.array_equal(projected_nodes(points, roles, drawn, limit=5000), np.arange(5000))
