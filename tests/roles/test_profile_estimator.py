"""`EntropyProfile`: scale, landmarks and names, as scikit-learn knows its transformers."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import networkx as nx
import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from tests.generators import erdos_renyi, house_shape, power_law, ring_of_shapes
from tests.graphs import ZOO, directed_copy, relabelled
from vnestruct import EntropyProfile, ParameterError, as_graph, profile
from vnestruct.embedding import profile_columns
from vnestruct.graph.synthetic import barbell, cycle, path, star

GRAPH = power_law(300, 2.3, seed=1)


def test_scaled_columns_keep_their_proportions() -> None:
    raw, rows = profile(GRAPH), EntropyProfile(landmarks=0).fit_transform(GRAPH)
    np.testing.assert_allclose(rows.mean(axis=0), 0.0, atol=1e-12)
    assert rows[:, :5].var(axis=0).mean() == pytest.approx(1.0)
    ratios = pdist(rows) / np.maximum(pdist(raw), 1e-12)
    assert np.ptp(ratios[pdist(raw) > 1e-6]) < 1e-9
    np.testing.assert_array_equal(EntropyProfile(scale=False, landmarks=0).fit_transform(GRAPH), raw)


def test_similarities_to_landmarks() -> None:
    model = EntropyProfile(steps=1, landmarks=20)
    rows = model.fit_transform(GRAPH)
    assert rows.shape == (300, 15 + 20)
    assert model.landmarks_.shape == (20, 15)
    gaps = ((rows[:, None, :15] - model.landmarks_) ** 2).sum(axis=2)
    np.testing.assert_allclose(rows[:, 15:], np.exp(-gaps / (2 * model.width_**2)), atol=1e-12)
    # A landmark is the mean of the rows that are nearest to it, nearly: Lloyd's rule ends after a few rounds.
    owner = gaps.argmin(axis=1)
    assert np.bincount(owner, minlength=20).min() > 0
    # The width is a median over random pairs: half of all pairs are nearer, give or take.
    assert 0.45 < (pdist(rows[:, :15]) < model.width_).mean() < 0.55


def test_neither_order_nor_threads_matter() -> None:
    model = EntropyProfile(n_jobs=1).fit(GRAPH)
    moved, place = relabelled(GRAPH, seed=5)
    other = EntropyProfile(n_jobs=3).fit(moved)
    np.testing.assert_allclose(other.landmarks_, model.landmarks_, atol=1e-7)
    np.testing.assert_allclose(other.transform(moved)[place], model.transform(GRAPH), atol=1e-7)
    np.testing.assert_array_equal(EntropyProfile().fit_transform(GRAPH), model.fit(GRAPH).transform(GRAPH))


def test_another_graph_is_measured_by_the_fitted_one() -> None:
    model = EntropyProfile(steps=1).fit(GRAPH)
    rows = model.transform(star(6))
    np.testing.assert_allclose(rows[:, :15], (profile(star(6), 1) - model.mean_) / model.scale_, atol=1e-12)
    both = as_graph(nx.disjoint_union(nx.star_graph(6), nx.star_graph(6)))
    np.testing.assert_allclose(model.transform(both), np.vstack([rows, rows]), atol=1e-12)
    assert rows.shape[1] == model.get_feature_names_out().size


def test_names_of_columns() -> None:
    model = EntropyProfile(steps=0, landmarks=2, direction="out+in").fit(directed_copy(GRAPH, 1))
    assert model.get_feature_names_out().tolist() == [*profile_columns(0, "out+in"), "landmark1", "landmark2"]
    frame = EntropyProfile(0, landmarks=1).set_output(transform="pandas").fit_transform([("a", "b"), ("b", "c")])
    assert list(frame.index) == ["a", "b", "c"]
    assert list(frame.columns) == [*profile_columns(0), "landmark1"]


def test_graphs_with_few_distinct_rows() -> None:
    for name in ("one node", "isolated nodes", "one edge", "cycle", "clique"):
        model = EntropyProfile().fit(ZOO[name])
        rows = model.transform(ZOO[name])
        assert len(model.landmarks_) == 1, name
        np.testing.assert_allclose(rows, [[0.0] * 35 + [1.0]] * ZOO[name].n_nodes, atol=1e-9, err_msg=name)
    # Most pairs of leaves have distance 0; the width is that of rows that differ.
    model = EntropyProfile().fit(star(9))
    hub, leaf = model.landmarks_[np.argsort(-model.landmarks_[:, 0])]
    assert model.width_ == pytest.approx(np.linalg.norm(hub - leaf))
    with pytest.raises(ParameterError, match="the graph has no nodes"):
        EntropyProfile().fit(path(0))


def test_large_graphs_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = EntropyProfile(landmarks=8).fit(GRAPH)
    monkeypatch.setattr("vnestruct.roles.profile_estimator._SAMPLE", 150)
    sampled = EntropyProfile(landmarks=8).fit(GRAPH)
    again, other = EntropyProfile(landmarks=8).fit(GRAPH), EntropyProfile(landmarks=8, random_state=1).fit(GRAPH)
    assert sampled.width_ == pytest.approx(whole.width_, rel=0.2)
    assert not np.array_equal(sampled.landmarks_, whole.landmarks_)
    np.testing.assert_array_equal(sampled.landmarks_, again.landmarks_)
    assert not np.array_equal(sampled.landmarks_, other.landmarks_)


def test_manners_of_an_estimator() -> None:
    model = EntropyProfile(1, landmarks=5, random_state=3)
    for call in (lambda: model.transform(GRAPH), model.get_feature_names_out):
        with pytest.raises(NotFittedError):
            call()
    assert clone(model).get_params() == model.get_params()
    assert set(model.get_params()) == set(inspect.signature(EntropyProfile).parameters)
    before = model.get_params()
    assert model.fit(GRAPH) is model
    assert model.get_params() == before
    copied = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(copied.transform(barbell(4, 3)), model.transform(barbell(4, 3)))
    assert not model.__sklearn_tags__().input_tags.two_d_array


def test_landmarks_let_a_linear_classifier_see_bends() -> None:
    graph, roles = ring_of_shapes(30, [house_shape()] * 10)
    rows = EntropyProfile().fit_transform(graph)
    assert LogisticRegression(C=100.0, max_iter=5000).fit(rows, roles).score(rows, roles) == 1.0
    # Nodes of middling degree are one class: no threshold separates it from the others.
    middling = erdos_renyi(400, 0.03, seed=2)
    classes = np.abs(middling.degrees - 12) <= 2
    accuracies = []
    for landmarks in (0, 64):
        pipeline = make_pipeline(EntropyProfile(0, landmarks=landmarks), LogisticRegression(max_iter=5000))
        accuracies.append(pipeline.fit(middling, classes).score(middling, classes))
    assert accuracies[0] < 0.8
    assert accuracies[1] > 0.9


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"landmarks": -1}, "landmarks must be a whole number of at least 0"),
        ({"landmarks": 2.5}, "landmarks must be a whole number"),
        ({"random_state": None}, "random_state must be a whole number"),
        ({"steps": -1}, "steps must be a whole number"),
    ],
)
def test_wrong_parameters(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        EntropyProfile(**parameters).fit(cycle(5))
