"""From rows to centres: few rows are roles, clear groups are found, any number can be asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.metrics import adjusted_rand_score

from tests.cases import for_each
from vnestruct import ParameterError
from vnestruct.roles.cluster import (
    DistinctSignatures,
    Halvings,
    cut,
    distinct_signatures,
    small_clusters,
    weighted_means,
)

ROWS = st.lists(st.tuples(*[st.integers(0, 6)] * 2), min_size=1, max_size=40).map(lambda rows: np.array(rows) / 2.0)


def blobs(seed: int, n_points: int = 3000) -> tuple[np.ndarray, np.ndarray]:
    """Six clear groups of points."""
    generator = np.random.default_rng(seed)
    centres = np.array([[0, 0], [0, 5], [4, 2], [9, 9], [9, 3], [4, 8]], dtype=float)
    labels = generator.integers(6, size=n_points)
    return centres[labels] + generator.normal(size=(n_points, 2)) * 0.3, labels


def nearest(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    return cdist(points, centres).argmin(axis=1)


@for_each("n_points", [300, 6_000])
def test_clear_groups_are_found_without_their_number_and_counts_stand_for_copies(n_points: int) -> None:
    # More than 2,000 different rows are merged into small clusters first.
    points, labels = blobs(1, n_points)
    [centres] = cut([distinct_signatures(points)], None)
    assert len(centres) == 6
    assert adjusted_rand_score(labels, nearest(points, centres)) == 1.0
    rows = distinct_signatures(np.repeat(points, 3, axis=0))
    known = DistinctSignatures(rows.points, np.arange(len(rows.points)), np.full(len(rows.points), 3))
    assert np.array_equal(cut([known], None)[0], cut([rows], None)[0])


def test_a_rare_kind_counts_more_than_its_share() -> None:
    centres = np.repeat([[0.0, 0.0], [4.0, 0.0], [2.0, 12.0]], [1000, 1000, 9], axis=0)
    points = centres + np.random.default_rng(2).normal(size=centres.shape) * 0.1
    # By plain inertia, halving the 2,000 others would explain nine times as much.
    [found] = cut([distinct_signatures(points)], 2)
    assert np.bincount(nearest(points, found)).tolist() in ([2000, 9], [9, 2000])


@settings(max_examples=60)
@given(ROWS)
def test_every_number_of_roles_can_be_asked_for_and_more_roles_are_nearer(rows: np.ndarray) -> None:
    found = distinct_signatures(rows + 1e-12)
    assert np.array_equal(found.points, np.unique(rows, axis=0))
    assert np.array_equal(found.points[found.index], rows)
    halvings, inertia = Halvings(found), []
    # Few rows are a role each.
    assert len(halvings.chosen()) <= 12
    assert len(found.points) > 12 or np.array_equal(halvings.chosen(), found.points)
    for number in range(1, len(found.points) + 1):
        centres = halvings.cut(number)
        assert np.unique(nearest(found.points, centres)).size == len(centres) == number
        inertia.append(halvings.weights @ cdist(halvings.points, centres, "sqeuclidean").min(axis=1))
    assert inertia == sorted(inertia, reverse=True)
    assert inertia[-1] == pytest.approx(0.0, abs=1e-12)


@given(ROWS, ROWS)
def test_groups_share_no_role_and_their_numbers_add_up(first: np.ndarray, second: np.ndarray) -> None:
    groups = [distinct_signatures(first), distinct_signatures(second)]
    most = sum(len(group.points) for group in groups)
    for number in {2, (2 + most) // 2, most}:
        found = cut(groups, number)
        assert sum(map(len, found)) == number
        assert all(map(len, found))
    with pytest.raises(ParameterError, match=f"at most {most} roles"):
        cut(groups, most + 1)
    with pytest.raises(ParameterError, match="at least 2 roles"):
        cut(groups, 1)


def test_small_clusters_are_few_numbered_and_tight() -> None:
    points, _ = blobs(0)
    weights = np.random.default_rng(1).integers(1, 4, len(points)).astype(float)
    index = small_clusters(points, weights, 200)
    assert np.array_equal(index, small_clusters(points, weights, 200))
    assert np.array_equal(np.unique(index), np.arange(index.max() + 1))
    assert 150 < index.max() + 1 <= 200
    means = weighted_means(points, weights, index)
    mean = np.average(points, axis=0, weights=weights)
    np.testing.assert_allclose(np.average(means, axis=0, weights=np.bincount(index, weights)), mean)
    spread, total = (weights @ ((points - place) ** 2).sum(axis=1) for place in (means[index], mean))
    assert spread < 0.005 * total
    assert np.unique(small_clusters(points[:3], np.ones(3), 10)).size == 3
