"""Positions keep neighbours together, and an excerpt keeps hubs and every role."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from tests.generators import power_law
from tests.graphs import disjoint_union
from vnestruct import Graph, embed
from vnestruct.drawing.layout import choose_excerpt, induced_subgraph, node_positions, principal_axes
from vnestruct.graph import graph_from_ids
from vnestruct.graph.synthetic import clique, cycle, grid, path, star
from vnestruct.roles import RoleClusterer

pytest.importorskip("igraph")


def test_an_excerpt_holds_the_largest_hub_and_every_role() -> None:
    graph = power_law(4000, 2.2, seed=3)
    roles = RoleClusterer(5).fit(graph).labels_
    chosen = choose_excerpt(graph, roles, whole=500)
    assert (chosen.size, np.unique(chosen).tolist()) == (500, chosen.tolist())
    assert int(np.argmax(graph.degrees)) in chosen
    assert set(roles[chosen]) == set(range(5))
    assert np.median(induced_subgraph(graph, chosen).degrees) >= 1
    assert np.array_equal(chosen, choose_excerpt(graph, roles, whole=500))
    assert choose_excerpt(graph, roles, whole=4000).size == 4000


def test_an_excerpt_shows_a_role_of_isolated_nodes() -> None:
    graph = graph_from_ids([0] * 60, range(1, 61), n_nodes=62)
    chosen = choose_excerpt(graph, np.minimum(graph.degrees, 2), whole=20)
    assert {0, 61} <= set(chosen)


def test_an_induced_subgraph_keeps_exactly_the_edges_inside() -> None:
    assert induced_subgraph(grid(5, 5), np.array([0, 1, 5, 6, 24])).degrees.tolist() == [2, 2, 2, 2, 0]


def test_positions_keep_neighbours_near_and_components_apart() -> None:
    graph = disjoint_union(grid(6, 6), cycle(12), star(4), path(1), path(1))
    positions = node_positions(graph)
    assert closeness(grid(6, 6), positions[:36]) < 0.6
    # Boxes of components do not overlap.
    boxes = [positions[:36], positions[36:48], positions[48:53], positions[53:54], positions[54:]]
    for first, second in combinations(boxes, 2):
        assert (first.min(axis=0) > second.max(axis=0)).any() or (second.min(axis=0) > first.max(axis=0)).any()
    np.testing.assert_array_equal(positions, node_positions(graph))


def closeness(graph: Graph, positions: np.ndarray) -> float:
    """Mean length of an edge, as a share of the mean distance of two nodes."""
    along = np.linalg.norm(positions[graph.sources] - positions[graph.indices], axis=1)
    pairs = np.random.default_rng(0).integers(0, graph.n_nodes, (20_000, 2))
    return float(along.mean() / np.linalg.norm(positions[pairs[:, 0]] - positions[pairs[:, 1]], axis=1).mean())


def test_large_graphs_are_laid_out_level_by_level() -> None:
    graph = grid(40, 40)
    positions = node_positions(graph)
    assert closeness(graph, positions) < 0.1
    np.testing.assert_array_equal(positions, node_positions(graph))
    many = disjoint_union(grid(20, 20), *(path(2) for _ in range(300)), *(path(1) for _ in range(300)))
    assert len(np.unique(np.round(node_positions(many)[400:], 6), axis=0)) == 900


@pytest.mark.full
def test_a_hundred_thousand_nodes() -> None:
    graph = grid(400, 250)
    assert closeness(graph, node_positions(graph)) < 0.02


def test_igraph_keeps_drawing_its_own_random_numbers() -> None:
    random.seed(5)
    expected = random.random()
    random.seed(5)
    node_positions(clique(5))
    assert random.random() == expected


def test_principal_axes_are_those_of_scikit_learn() -> None:
    from sklearn.decomposition import PCA

    values = embed(power_law(200, 2.5, seed=1), 3)
    axes, shares = principal_axes(values)
    reference = PCA(2).fit(values)
    np.testing.assert_allclose(np.abs(axes), np.abs(reference.components_), atol=1e-9)
    np.testing.assert_allclose(shares, reference.explained_variance_ratio_, atol=1e-12)
