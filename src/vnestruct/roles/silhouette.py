"""The silhouette of weighted points: how much closer nodes are to their own role than to the nearest other one."""

from __future__ import annotations

import numpy as np

from vnestruct.types import OffsetArray, ValueArray

_ROWS = 512
"""Rows of distances in memory at a time."""


def mean_silhouette(points: ValueArray, counts: OffsetArray, labels: OffsetArray) -> float:
    """Return the mean silhouette over all nodes, each point standing for `counts` of them.

    A node alone in its role has silhouette 0, as in scikit-learn; if there is only one role, all nodes do.

    Examples
    --------
    >>> round(mean_silhouette(np.array([[0.0], [1.0], [9.0]]), np.array([1, 1, 2]), np.array([0, 0, 1])), 4)
    0.941
    """
    from scipy.spatial.distance import cdist

    sizes = np.bincount(labels, counts)
    if sizes.size < 2:
        return 0.0
    members = np.zeros((len(points), sizes.size))
    members[np.arange(len(points)), labels] = counts
    total = 0.0
    for start in range(0, len(points), _ROWS):
        rows = slice(start, start + _ROWS)
        sums = cdist(points[rows], points) @ members
        places = np.arange(len(sums)), labels[rows]
        own_size = sizes[labels[rows]]
        inner = sums[places] / np.maximum(own_size - 1, 1)
        means = sums / sizes
        means[places] = np.inf
        outer = means.min(axis=1)
        larger = np.maximum(inner, outer)
        scores = np.where(own_size > 1, outer - inner, 0.0) / np.where(larger > 0, larger, 1.0)
        total += float(counts[rows] @ scores)
    return total / float(counts.sum())


def sampled(counts: OffsetArray, n_nodes: int, random_state: int) -> OffsetArray:
    """Draw nodes without replacement; return how many were drawn at each point.

    The result does not depend on the order of the nodes.
    """
    ends = np.cumsum(counts)
    chosen = np.random.default_rng(random_state).choice(int(ends[-1]), n_nodes, replace=False)
    return np.bincount(np.searchsorted(ends, chosen, side="right"), minlength=counts.size)
