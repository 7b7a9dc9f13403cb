"""From rows to roles: clear groups are found, any number can be asked for, rare kinds count."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.metrics import adjusted_rand_score

from tests.cases import for_each
from vnestruct import ParameterError, RoleClusterer
from vnestruct.roles.cluster import small_clusters, weighted_means

ROWS = st.lists(st.tuples(*[st.integers(0, 6)] * 2), min_size=1, max_size=40).map(lambda rows: np.array(rows) / 2.0)


def blobs(n_points: int) -> tuple[np.ndarray, np.ndarray]:
    """Six clear groups of points."""
    generator = np.random.default_rng(1)
    centres = np.array([[0, 0], [0, 5], [4, 2], [9, 9], [9, 3], [4, 8]], dtype=float)
    labels = generator.integers(6, size=n_points)
    return centres[labels] + generator.normal(size=(n_points, 2)) * 0.3, labels


@for_each("n_points", [300, 6_000])  # more than 2,000 different rows are merged into small clusters first
def test_clear_groups_are_found_without_their_number_and_copies_change_nothing(n_points: int) -> None:
    points, labels = blobs(n_points)
    found = RoleClusterer().fit_signatures(points).labels_
    assert adjusted_rand_score(labels, found) == 1.0
    copies = np.repeat(points, 3, axis=0)
    assert np.array_equal(RoleClusterer().fit_signatures(copies).labels_, np.repeat(found, 3))


def test_a_rare_kind_counts_more_than_its_share() -> None:
    centres = np.repeat([[0.0, 0.0], [4.0, 0.0], [2.0, 12.0]], [1000, 1000, 9], axis=0)
    points = centres + np.random.default_rng(2).normal(size=centres.shape) * 0.1
    # By plain inertia, halving the 2,000 others would explain nine times as much.
    assert np.bincount(RoleClusterer(2).fit_signatures(points).labels_).tolist() == [2000, 9]


@settings(max_examples=60)
@given(ROWS)
def test_every_number_of_roles_can_be_asked_for(rows: np.ndarray) -> None:
    # Rows that differ by less than 1e-8 are one.
    signatures, n_different = rows + 1e-12, len(np.unique(rows, axis=0))
    for number in range(1, n_different + 1):
        model = RoleClusterer(number).fit_signatures(signatures)
        assert np.unique(model.labels_).size == model.n_roles_ == number
        nearest = cdist(np.round(rows / model.scale_, 8), model.centres_ / model.scale_, "sqeuclidean").argmin(axis=1)
        assert np.array_equal(nearest, model.labels_)
    # Few rows are a role each, the centre of which they are.
    np.testing.assert_allclose(model.centres_[model.labels_], rows, atol=1e-7)
    n_chosen = RoleClusterer().fit_signatures(signatures).n_roles_
    assert n_chosen == n_different if n_different <= 12 else n_chosen <= 12
    with pytest.raises(ParameterError, match=f"at most {n_different} roles"):
        RoleClusterer(n_different + 1).fit_signatures(signatures)


def test_small_clusters_are_few_numbered_and_tight() -> None:
    points, _ = blobs(3_000)
    weights = np.random.default_rng(1).integers(1, 4, len(points)).astype(float)
    index = small_clusters(points, weights, 200)
    assert np.array_equal(np.unique(index), np.arange(index.max() + 1))
    assert 150 < index.max() + 1 <= 200
    means, mean = weighted_means(points, weights, index), np.average(points, axis=0, weights=weights)
    np.testing.assert_allclose(np.average(means, axis=0, weights=np.bincount(index, weights)), mean)
    spread, total = (weights @ ((points - place) ** 2).sum(axis=1) for place in (means[index], mean))
    assert spread < 0.005 * total
