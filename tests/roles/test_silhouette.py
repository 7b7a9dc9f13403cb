from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import silhouette_score

from vnestruct.roles.agreement_scores import role_silhouette
from vnestruct.roles.partition import mean_silhouette, sampled


def test_weighted_points_score_as_their_copies() -> None:
    for seed in range(4):
        generator = np.random.default_rng(seed)
        points, counts = generator.random((700, 2)), generator.integers(1, 5, 700)
        labels = generator.integers(4, size=700)
        labels[0], counts[0] = 4, 1  # one role of a single node
        expected = silhouette_score(np.repeat(points, counts, axis=0), np.repeat(labels, counts))
        assert mean_silhouette(points, counts, labels) == pytest.approx(expected, abs=1e-9), seed


def test_one_role_has_none() -> None:
    assert mean_silhouette(np.array([[0.0], [1.0]]), np.array([1, 1]), np.array([0, 0])) == 0.0


def test_equal_signatures_in_different_roles_count_against_them() -> None:
    signatures = np.array([[0.0], [0.0], [1.0], [1.0], [1.0]])
    roles = np.array([0, 1, 1, 1, 1])
    assert role_silhouette(signatures, roles) == pytest.approx(silhouette_score(signatures, roles))


def test_a_sample_is_of_nodes_not_of_points() -> None:
    counts = np.array([1, 10_000, 1])
    drawn = sampled(counts, 500, 0)
    assert drawn.sum() == 500
    assert (drawn <= counts).all()
    assert drawn[1] >= 498
