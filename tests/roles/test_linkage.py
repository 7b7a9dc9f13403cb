"""Weighted clustering against SciPy and scikit-learn on the same points written out as often as they weigh."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import adjusted_rand_score

from vnestruct.roles.linkage import LINKAGES, link


def weighted_points(seed: int, n_points: int = 120, n_columns: int = 3) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    return generator.random((n_points, n_columns)), generator.integers(1, 7, n_points)


def test_weights_stand_for_copies() -> None:
    for method in LINKAGES:
        for seed in range(3):
            points, counts = weighted_points(seed)
            copies = np.repeat(points, counts, axis=0)
            tree = link(points, counts.astype(float), method)
            # Copies of a point merge at height 0; what remains is the tree of the weighted points.
            expected = np.sort(linkage(copies, method)[:, 2])[-(len(points) - 1) :]
            np.testing.assert_allclose(tree.heights, expected, rtol=1e-12)
            for n_clusters in (1, 2, 5, 17, 60):
                reference = AgglomerativeClustering(n_clusters, linkage=method).fit_predict(copies)
                assert adjusted_rand_score(reference, np.repeat(tree.cut(n_clusters), counts)) == 1.0, (method, seed)


def test_weights_change_ward_and_average_but_not_single() -> None:
    points, counts = weighted_points(5)
    ones = np.ones(len(points))
    for method in ("ward", "average"):
        assert not np.allclose(link(points, counts * 1.0, method).heights, link(points, ones, method).heights)
    np.testing.assert_array_equal(link(points, counts * 1.0, "single").heights, link(points, ones, "single").heights)


def test_every_cut_has_the_number_of_clusters_asked_for() -> None:
    for method in LINKAGES:
        # A lattice is full of ties.
        points = np.array([[x, y] for x in range(9) for y in range(9)], dtype=float)
        tree = link(points, np.ones(81), method)
        assert (np.diff(tree.heights) >= 0).all(), method
        for n_clusters in range(1, 82):
            assert np.unique(tree.cut(n_clusters)).size == n_clusters, method


def test_two_points_and_one() -> None:
    for method in LINKAGES:
        assert link(np.array([[0.0], [3.0]]), np.array([1.0, 1.0]), method).heights.tolist() == pytest.approx([3.0]), (
            method
        )
        assert link(np.array([[7.0]]), np.array([2.0]), method).cut(1).tolist() == [0], method
