"""Measures, baselines and rings of the experiments, against scikit-learn, SciPy, the product, and known cases."""

import numpy as np
import pytest
from experiments.baselines import METHODS, method
from experiments.baselines import graphwave as waves
from experiments.entropy_quality import as_networkx
from experiments.gallery.measures import degree_ratio, hub_purity
from experiments.protocol import classification_scores, clustering_scores
from experiments.published.evaluator import neighbour_scores
from experiments.rings import RINGS, Setting, make_graph, ring_of_shapes
from experiments.roles_benchmark.survey import precision_at_five
from experiments.storage import complete_rows, read_rows
from scipy.linalg import expm
from tests.cases import for_each

from vnestruct.graph.synthetic import barabasi_albert, barbell


def test_ties_are_decided_by_chance_and_equal_nodes_are_not_divided():
    roles = np.repeat(np.arange(2), 50)
    accuracies = [classification_scores(np.zeros((100, 1)), roles, seed)[0] for seed in range(10)]
    assert 0.4 < np.mean(accuracies) < 0.6
    assert 0.4 < neighbour_scores(np.zeros((100, 1)), roles, 0, 20)[0] < 0.55
    values = np.repeat([[0.0], [1.0], [3.0]], 4, axis=0)
    assert clustering_scores(values, np.repeat(np.arange(3), 4))[:2] == [1.0, 1.0]
    assert clustering_scores(values, np.arange(12) % 5)[1] < 1
    assert precision_at_five(np.zeros((11, 1)), np.array([1, 1, *[0] * 9]), 1) == pytest.approx(0.1)


def test_a_table_is_completed_row_by_row(tmp_path):
    path, computed = tmp_path / "rows.csv", []

    def measure(key):
        if key["seed"] == 7:
            raise KeyboardInterrupt
        computed.append(key["seed"])
        return {"value": key["seed"] / 4}

    keys = [{"name": "a", "seed": seed} for seed in (2, 1, 7)]
    with pytest.raises(KeyboardInterrupt):
        complete_rows(path, keys, measure, lambda row: row["seed"])
    assert complete_rows(path, [*keys[:2], {"name": "b", "seed": 1}], measure, lambda row: row["seed"]) == 1
    assert computed == [2, 1, 1]
    assert [(row["name"], row["value"]) for row in read_rows(path)] == [("a", 0.25), ("b", 0.25), ("a", 0.5)]


def test_rings_and_what_perturbs_them():
    clean, roles = ring_of_shapes(RINGS["houses"], None)
    assert (clean.n_nodes, clean.n_edges, len(set(roles.tolist()))) == (80, 120, 6)
    more, moved = (make_graph(Setting("houses", *how), 1)[0] for how in (("added", 5), ("rewired", 0.1)))
    edges = [set(as_networkx(graph).edges) for graph in (clean, more, moved)]
    assert edges[0] < edges[1]
    assert (len(edges[1]), len(edges[2]), len(edges[0] - edges[2])) == (125, 120, 12)


@for_each("name", METHODS)
def test_baselines_repeat_and_see_symmetry(name):
    graph = barbell(5, 1)
    one, again = (method(name)(graph, seed=1) for _ in range(2))
    np.testing.assert_array_equal(one, again)
    assert len(one) == graph.n_nodes
    assert np.isfinite(one).all()
    if name in ("control", "refex", "rolx", "graphwave"):
        np.testing.assert_allclose(one[0], one[1], atol=1e-9)
        assert np.abs(one[0] - one[5]).max() > 1e-3


def test_wavelets_are_matrix_exponentials():
    graph = barabasi_albert(30, 2, seed=1)
    matrix, scales = waves.laplacian(graph), np.array([0.1, 2.0])
    expected = [expm(-scale * matrix.toarray()) for scale in scales]
    np.testing.assert_allclose(waves.exact_wavelets(matrix, scales), expected, atol=1e-10)


def test_measures_of_degrees():
    degrees = np.array([1] * 95 + [10] * 5)
    assert [hub_purity(degrees, roles) for roles in (degrees, np.zeros(100, int))] == [1.0, 0.0]
    assert degree_ratio(np.arange(1, 102), np.zeros(101, int)) == pytest.approx(96 / 6)
