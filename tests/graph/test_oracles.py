"""The oracle itself, against values known in closed form."""

from __future__ import annotations

from math import log

import networkx
import numpy as np
import pytest

from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, directed_copy, edges_of, random_graphs, weighted_copy
from vnestruct.graph import graph_from_object, graph_from_pairs, synthetic


@pytest.mark.parametrize("n_nodes", [2, 3, 10])
def test_clique(n_nodes: int) -> None:
    graph = synthetic.clique(n_nodes)
    n_edges = n_nodes * (n_nodes - 1) / 2
    quadratic = 1 - 1 / (2 * n_edges) - n_nodes * (n_nodes - 1) ** 2 / (4 * n_edges**2)
    assert oracles.entropy(graph, "exact") == pytest.approx(log(n_nodes - 1), abs=1e-12)
    assert oracles.entropy(graph, "quadratic") == pytest.approx(quadratic, abs=1e-12)
    assert oracles.entropy(graph, "approx") == pytest.approx(quadratic * log(n_nodes - 1), abs=1e-12)
    assert oracles.entropy(graph, "normalized") == pytest.approx(log(n_nodes - 1), abs=1e-12)


@pytest.mark.parametrize("leaves", [1, 4, 9])
def test_star(leaves: int) -> None:
    # Laplacian spectrum of a star: 0, 1 (leaves - 1 times), leaves + 1; of its normalised one: 0, 1 ..., 2.
    trace = 2 * leaves
    exact = -(leaves - 1) / trace * log(1 / trace) - (leaves + 1) / trace * log((leaves + 1) / trace)
    normal = (leaves - 1) / (leaves + 1) * log(leaves + 1) - 2 / (leaves + 1) * log(2 / (leaves + 1))
    graph = synthetic.star(leaves)
    assert oracles.ball_entropy(graph, 0, 1, "exact") == pytest.approx(exact, abs=1e-12)
    assert oracles.ball_entropy(graph, 0, 1, "normalized") == pytest.approx(normal, abs=1e-12)
    assert oracles.ball_entropy(graph, 0, 1, "punctured") == 0
    assert oracles.ball_entropy(graph, 1, 1) == 0


def test_karate_club() -> None:
    club = graph_from_object(networkx.karate_club_graph())
    assert oracles.entropy(club, "exact") == pytest.approx(3.154, abs=5e-4)
    assert oracles.entropy(club, "approx") == pytest.approx(2.031, abs=5e-4)


def test_weighted_quadratic_formula() -> None:
    graph = weighted_copy(ZOO["barabasi albert"], seed=1)
    matrix = oracles.adjacency(graph, weighted=True)
    strengths = matrix.sum(axis=1)
    squares = (strengths**2).sum() + (matrix**2).sum()
    assert oracles.quadratic(matrix) == pytest.approx(1 - squares / matrix.sum() ** 2, abs=1e-12)


@for_each("kind", oracles.KINDS)
def test_values_are_finite_and_never_negative(kind: str) -> None:
    for name, graph in ZOO.items():
        values = oracles.signature(graph, 3, kind)
        assert values.shape == (graph.n_nodes, 3), name
        assert np.isfinite(values).all(), name
        assert not np.signbit(values).any(), name
        assert (values <= log(max(graph.n_nodes, 1)) + 1e-12).all(), name


def test_balls_are_those_of_networkx() -> None:
    for _, graph in random_graphs(10, seed=1):
        reference = networkx.Graph(edges_of(graph))
        reference.add_nodes_from(range(graph.n_nodes))
        for node in range(0, graph.n_nodes, 7):
            for radius in (0, 1, 3):
                lengths = networkx.single_source_shortest_path_length(reference, node, cutoff=radius)
                assert oracles.ball(graph, node, radius) == set(lengths)


def test_directed_balls_follow_arcs_but_keep_all_edges_inside() -> None:
    graph = graph_from_pairs(["a", "a", "c"], ["b", "c", "b"], [2, 3, 5], directed=True)
    assert oracles.ball(graph, 0, 1, "out") == {0, 1, 2}
    assert oracles.ball(graph, 0, 1, "in") == {0}
    assert oracles.ball(graph, 1, 1, "in") == {0, 1, 2}
    triangle = synthetic.clique(3)
    assert oracles.ball_entropy(graph, 0, 1, direction="out") == oracles.entropy(triangle)
    both = oracles.signature(graph, 2, direction="out+in")
    assert both.shape == (3, 4)
    assert both[0].tolist() == [oracles.entropy(triangle)] * 2 + [0, 0]


def test_mutual_arcs_are_one_edge_whose_weights_add() -> None:
    mutual = graph_from_pairs(["a", "b", "b"], ["b", "a", "c"], [2, 3, 1], directed=True)
    assert oracles.adjacency(mutual, weighted=True)[0, 1] == 5
    assert oracles.adjacency(mutual)[0, 1] == 1
    copy = directed_copy(ZOO["petersen"], seed=1, weighted=True)
    matrix = oracles.adjacency(copy, weighted=True)
    assert (matrix == matrix.T).all()
    assert copy.weights is not None
    assert matrix.sum() == pytest.approx(2 * copy.weights.sum())


def test_random_graphs_are_small_and_repeat() -> None:
    once, again = list(random_graphs(25, seed=3)), list(random_graphs(25, seed=3))
    assert [(name, graph.hash) for name, graph in once] == [(name, graph.hash) for name, graph in again]
    assert max(graph.n_nodes for _, graph in once) <= 60
    assert len({name.split(" seed")[0] for name, _ in once}) == 5
