"""The entropy profile for a linear classifier: as many steps as wanted, one scale, similarities to landmarks.

Columns are centred and divided by one number, the root of the mean variance of the entropies of the 1-ball, so that
distances keep their proportions. Landmarks are the centres of small clusters of the rows. The similarity of a row to
one of them is exp(-d^2 / (2 s^2)): d is their distance and s the median distance of two random rows.
"""

import numpy as np
from experiments.baselines.structure import neighbour_mean, neighbour_std
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline

from vnestruct import embed
from vnestruct.roles.cluster import distinct_signatures, small_clusters, weighted_means

ENTROPIES = 5
SAMPLE, PAIRS = 20_000, 10_000
"""Nodes that landmarks are found from, if the graph has more; pairs of rows whose median distance is the width."""


class OneScale(TransformerMixin, BaseEstimator):
    """Centre the columns, and divide all of them by one number."""

    def fit(self, X, y=None):
        """Find mean and scale."""
        self.mean_, self.scale_ = X.mean(axis=0), float(np.sqrt(X[:, :ENTROPIES].var(axis=0).mean()))
        return self

    def transform(self, X):
        """Return the scaled rows."""
        return (X - self.mean_) / self.scale_


class Landmarks(TransformerMixin, BaseEstimator):
    """Append the similarities to landmarks."""

    def __init__(self, n_landmarks=64):
        self.n_landmarks = n_landmarks

    def fit(self, X, y=None):
        """Find landmarks and width; equal rows are one point, so that the order of the nodes does not matter."""
        rows, generator = distinct_signatures(X), np.random.default_rng(0)
        counts = rows.counts
        if len(X) > SAMPLE:
            chosen = generator.choice(len(X), SAMPLE, replace=False)
            counts = np.bincount(np.searchsorted(np.cumsum(counts), chosen, side="right"), minlength=counts.size)
        points, weights = rows.points[counts > 0], counts[counts > 0].astype(float)
        self.landmarks_ = weighted_means(points, weights, small_clusters(points, weights, self.n_landmarks))
        one, other = np.random.default_rng(0).choice(len(points), (2, PAIRS), p=weights / weights.sum())
        apart = np.sqrt(((points[one] - points[other]) ** 2).sum(axis=1))
        self.width_ = float(np.median(apart) or np.median(apart[apart > 0]))
        return self

    def transform(self, X):
        """Return the rows with their similarities."""
        return np.hstack([X, rbf_kernel(X, self.landmarks_, gamma=0.5 / self.width_**2)])


def profile_rows(graph, steps, n_landmarks):
    """Return the profile of all nodes, scaled, with their similarities to landmarks unless there are none."""
    model = make_pipeline(OneScale(), Landmarks(n_landmarks)) if n_landmarks else make_pipeline(OneScale())
    return model.fit_transform(profile(graph, steps))


def profile(graph, steps):
    """Return the entropies of 1-balls, and mean and deviation over the neighbours of what the step before has added."""
    values = added = embed(graph, kind="profile", n_jobs=1)[:, :ENTROPIES]
    for _ in range(steps):
        added = np.hstack([neighbour_mean(graph, added), neighbour_std(graph, added)])
        values = np.hstack([values, added])
    return values
