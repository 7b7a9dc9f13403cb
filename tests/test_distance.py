"""Distances between graphs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import wasserstein_distance

from tests import generators as synthetic
from tests.graphs import graph_strategy, relabelled
from vnestruct import (
    GraphSet,
    Interval,
    ParameterError,
    TooLargeError,
    distance,
    embed,
    graph_distance,
    graph_distances,
)
from vnestruct.graph import graph_from_ids


def dense_jensen_shannon(first, second):
    def density(graph):
        matrix = np.zeros((graph.n_nodes, graph.n_nodes))
        matrix[np.repeat(np.arange(graph.n_nodes), graph.degrees), graph.indices] = -1
        np.fill_diagonal(matrix, -matrix.sum(axis=1))
        return matrix / np.trace(matrix)

    def entropy(matrix):
        values = np.linalg.eigvalsh(matrix)
        values = values[values > 1e-14]
        return -(values * np.log(values)).sum()

    rho, sigma = density(first), density(second)
    return np.sqrt(entropy((rho + sigma) / 2) - (entropy(rho) + entropy(sigma)) / 2)


def test_jensen_shannon_is_the_formula():
    first, second = synthetic.watts_strogatz(40, 4, 0.1, 0), synthetic.watts_strogatz(40, 4, 0.1, 1)
    expected = dense_jensen_shannon(first, second)
    assert graph_distance(first, second) == pytest.approx(expected, abs=1e-9)
    assert graph_distance(first, second, method="jensen-shannon") == graph_distance(first, second)


@settings(max_examples=30, deadline=None)
@given(graph_strategy(), graph_strategy(), graph_strategy())
def test_signature_distance_is_a_pseudometric(a, b, c):
    distances = graph_distances([a, b, c], radius=2, n_jobs=1)
    assert np.array_equal(distances, distances.T)
    assert np.array_equal(np.diag(distances), np.zeros(3))
    if a.n_nodes and b.n_nodes and c.n_nodes:
        assert distances[0, 2] <= distances[0, 1] + distances[1, 2] + 1e-9


def test_isomorphic_graphs_have_distance_zero():
    graph = synthetic.barabasi_albert(60, 2, 0)
    shuffled, _ = relabelled(graph, 0)
    assert graph_distance(graph, shuffled, method="signatures", radius=3) < 1e-9


def test_signature_distance_is_scipys_wasserstein():
    first, second = synthetic.barabasi_albert(50, 2, 0), synthetic.grid(5, 8)
    columns = zip(embed(first, 2).T, embed(second, 2).T, strict=True)
    expected = np.sqrt(sum(wasserstein_distance(x, y) ** 2 for x, y in columns))
    assert graph_distance(first, second, radius=2) == pytest.approx(expected, abs=1e-12)


def test_a_set_of_graphs_gives_the_matrix_of_pairs():
    graphs = [synthetic.cycle(8), synthetic.star(7), synthetic.clique(5), synthetic.path(9)]
    matrix = graph_distances(GraphSet.from_graphs(graphs), radius=2)
    for i, first in enumerate(graphs):
        for j, second in enumerate(graphs):
            assert matrix[i, j] == pytest.approx(graph_distance(first, second, method="signatures"), abs=1e-12)


def test_the_odd_month_stands_out():
    months = [synthetic.watts_strogatz(200, 6, 0.05, seed) for seed in range(12)]
    months[7] = synthetic.barabasi_albert(200, 3, 7)
    mean_distance = graph_distances(months, radius=2).mean(axis=1)
    assert int(np.argmax(mean_distance)) == 7


def test_intervals_of_large_graphs(monkeypatch):
    """One graph against others on its nodes, among them one that lacks some, and one that differs in few edges."""
    one = synthetic.watts_strogatz(300, 6, 0.1, 0)
    others = [synthetic.watts_strogatz(300, 6, 0.1, 1), synthetic.barabasi_albert(300, 2, 1), synthetic.path(250)]
    others.append(synthetic.perturb(one, 20, seed=3))
    expected = [graph_distance(one, other, method="jensen-shannon") for other in others]
    assert graph_distance(one, others[0], interval=True) == Interval(*[expected[0]] * 3)
    monkeypatch.setattr(distance, "EXACT_LIMIT", 0)
    held = 0
    for seed in range(5):
        for other, value in zip(others, expected, strict=True):
            found = graph_distance(one, other, interval=True, random_state=seed)
            assert found == graph_distance(one, other, interval=True, random_state=seed)
            assert found.low <= found.value <= found.high < found.low + 0.2 * value
            held += found.low <= value <= found.high
    assert held >= 18
    assert graph_distance(one, one, interval=True).value < 1e-4


def test_graphs_without_edges():
    nothing = graph_from_ids(np.empty(0, np.int64), np.empty(0, np.int64), n_nodes=6)
    ring = synthetic.cycle(6)
    assert graph_distance(ring, nothing, method="jensen-shannon") == pytest.approx(np.sqrt(np.log(2)), abs=1e-12)
    assert graph_distance(nothing, nothing, method="jensen-shannon") == 0.0


def test_errors():
    with pytest.raises(ParameterError, match=r"signatures.*interval"):
        graph_distance([(0, 1)], [(0, 1)], method="signatures", interval=True)
    with pytest.raises(ParameterError, match="cosine"):
        graph_distance([(0, 1)], [(0, 1)], method="cosine")
    big = synthetic.path(4001)
    with pytest.raises(TooLargeError, match=r"4,001.*interval=True"):
        graph_distance(big, big, method="jensen-shannon")
    assert graph_distance(big, big) < 1e-12
