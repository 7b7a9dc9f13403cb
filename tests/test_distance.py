"""Distances between graphs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import wasserstein_distance

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
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


def test_jensen_shannon_is_the_formula():
    graphs = [synthetic.watts_strogatz(40, 4, 0.1, seed) for seed in (0, 1)]
    one, other = (matrix / matrix.sum() for matrix in map(oracles.adjacency, graphs))
    mixed, *own = (oracles.exact(matrix) for matrix in (one + other, one, other))
    assert graph_distance(*graphs) == pytest.approx(np.sqrt(mixed - sum(own) / 2), abs=1e-9)
    assert graph_distance(*graphs, method="jensen-shannon") == graph_distance(*graphs)


@settings(max_examples=30, deadline=None)
@given(graph_strategy(), graph_strategy(), graph_strategy())
def test_signature_distance_is_a_pseudometric(a, b, c):
    distances = graph_distances([a, b, c], radius=2, n_jobs=1)
    assert np.array_equal(distances, distances.T)
    assert np.array_equal(np.diag(distances), np.zeros(3))
    if a.n_nodes and b.n_nodes and c.n_nodes:
        assert distances[0, 2] <= distances[0, 1] + distances[1, 2] + 1e-9


def test_signature_distance_is_scipys_wasserstein():
    first, second = synthetic.barabasi_albert(50, 2, 0), synthetic.grid(5, 8)
    columns = zip(embed(first, 2).T, embed(second, 2).T, strict=True)
    expected = np.sqrt(sum(wasserstein_distance(x, y) ** 2 for x, y in columns))
    assert graph_distance(first, second, radius=2) == pytest.approx(expected, abs=1e-12)


def test_a_set_of_graphs_gives_the_matrix_of_pairs():
    graphs = [synthetic.cycle(8), synthetic.star(7), synthetic.clique(5), relabelled(synthetic.clique(5), 0)[0]]
    matrix = graph_distances(GraphSet.from_graphs(graphs), radius=2)
    expected = [[graph_distance(first, second, method="signatures") for first in graphs] for second in graphs]
    np.testing.assert_allclose(matrix, expected, atol=1e-12)
    # Isomorphic graphs have distance zero.
    assert matrix[2, 3] < 1e-9


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


@for_each(
    ("graph", "options", "error", "named"),
    [
        ([(0, 1)], {"method": "signatures", "interval": True}, ParameterError, "interval"),
        ([(0, 1)], {"method": "cosine"}, ParameterError, "cosine"),
        (synthetic.path(4001), {"method": "jensen-shannon"}, TooLargeError, r"4,001.*`interval=True`"),
    ],
)
def test_what_cannot_be_compared(graph, options, error, named):
    with pytest.raises(error, match=named):
        graph_distance(graph, graph, **options)
