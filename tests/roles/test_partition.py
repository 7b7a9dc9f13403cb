from __future__ import annotations

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import adjusted_rand_score

from vnestruct.roles import RoleClusterer, distinct, partition
from vnestruct.roles.partition import micro_clusters, weighted_means


def blobs(seed: int, n_points: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    centres = np.array([[0, 0], [0, 5], [4, 2], [9, 9], [9, 3], [4, 8]], dtype=float)
    labels = generator.integers(6, size=n_points)
    return centres[labels] + generator.normal(size=(n_points, 2)) * 0.1, labels


def test_small_clusters_are_few_numbered_and_tight() -> None:
    points, _ = blobs(0)
    weights = np.random.default_rng(1).integers(1, 4, len(points)).astype(float)
    index = micro_clusters(points, weights, 200)
    assert np.array_equal(np.unique(index), np.arange(index.max() + 1))
    assert 150 < index.max() + 1 <= 200
    means = weighted_means(points, weights, index)
    np.testing.assert_allclose(np.average(means, axis=0, weights=np.bincount(index, weights)),
                               np.average(points, axis=0, weights=weights))  # fmt: skip
    spread = (weights[:, None] * (points - means[index]) ** 2).sum()
    total = (weights[:, None] * (points - np.average(points, axis=0, weights=weights)) ** 2).sum()
    assert spread < 1e-3 * total


def test_fewer_points_than_clusters_stay_as_they_are() -> None:
    points = np.array([[0.0, 1.0], [0.0, 2.0], [5.0, 0.0]])
    assert np.unique(micro_clusters(points, np.ones(3), 10)).size == 3


def test_the_same_every_time() -> None:
    points, _ = blobs(3)
    np.testing.assert_array_equal(
        micro_clusters(points, np.ones(len(points)), 100), micro_clusters(points, np.ones(len(points)), 100)
    )


def test_large_inputs_give_the_roles_of_the_full_clustering(monkeypatch: pytest.MonkeyPatch) -> None:
    for method in ["ward", "single", "average"]:
        points, labels = blobs(4)
        monkeypatch.setitem(partition.LARGEST, method, 600)
        model = RoleClusterer(6, method).fit_signatures(points)
        reference = AgglomerativeClustering(6, linkage=method).fit_predict(points)
        assert adjusted_rand_score(reference, model.labels_) == 1.0, method
        assert adjusted_rand_score(labels, model.labels_) == 1.0, method


def test_equal_signatures_are_one_point_and_constant_columns_have_no_scale() -> None:
    found = distinct.distinct_signatures(np.array([[0.5, 1.0], [0.2, 0.0], [0.5, 1.0 + 1e-12]]))
    assert found.points.tolist() == [[0.2, 0.0], [0.5, 1.0]]
    assert (found.index.tolist(), found.counts.tolist()) == ([1, 0, 1], [1, 2])
    assert distinct.column_scales(np.array([[0.0, 7.0], [4.0, 7.0]]), np.array([1, 1]), "standard").tolist() == [
        2.0,
        1.0,
    ]
