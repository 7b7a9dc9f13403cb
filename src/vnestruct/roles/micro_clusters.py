"""Many points summarised by few: small k-means clusters that a hierarchical method can then merge.

The points are first cut into cells, the one with the largest spread each time, at its mean along its widest column. The
centroids of the cells then move by Lloyd's rule, with a KD-tree to find the nearest. Nothing is random.
"""

from __future__ import annotations

import heapq

import numpy as np

from vnestruct.types import OffsetArray, ValueArray

_ROUNDS = 8


def micro_clusters(points: ValueArray, weights: ValueArray, n_clusters: int) -> OffsetArray:
    """Return the small cluster of each point, numbered 0, 1, ...; there are at most `n_clusters`.

    Parameters
    ----------
    points : ndarray of float64, shape (m, d)
        Distinct points.
    weights : ndarray of float64, shape (m,)
        How many nodes each stands for.
    n_clusters : int
        How many clusters.

    Returns
    -------
    ndarray of int64

    Examples
    --------
    >>> micro_clusters(np.array([[0.0], [0.1], [5.0], [5.2]]), np.ones(4), 2).tolist()
    [0, 0, 1, 1]
    """
    from scipy.spatial import cKDTree

    index = _cells(points, weights, n_clusters)
    for _ in range(_ROUNDS):
        centroids = weighted_means(points, weights, index)
        moved = cKDTree(centroids).query(points)[1]
        # A cluster may lose all its points to others.
        moved = np.unique(moved, return_inverse=True)[1].reshape(-1)
        if np.array_equal(moved, index):
            break
        index = moved
    return index.astype(np.int64)


def weighted_means(points: ValueArray, weights: ValueArray, index: OffsetArray) -> ValueArray:
    """Return the weighted mean of the points of each cluster 0, 1, ..."""
    totals = np.bincount(index, weights)
    sums = [np.bincount(index, weights * column) for column in points.T]
    means: ValueArray = np.column_stack(sums) / totals[:, None]
    return means


def _cells(points: ValueArray, weights: ValueArray, n_cells: int) -> OffsetArray:
    heap: list[tuple[float, int, OffsetArray, int]] = []
    n_made = 0

    def add(members: OffsetArray) -> None:
        nonlocal n_made
        mean = np.average(points[members], axis=0, weights=weights[members])
        spread = weights[members] @ (points[members] - mean) ** 2
        heapq.heappush(heap, (-float(spread.sum()), n_made, members, int(np.argmax(spread))))
        n_made += 1

    add(np.arange(len(points)))
    while len(heap) < n_cells and heap[0][0] < 0.0:
        _, _, members, column = heapq.heappop(heap)
        values = points[members, column]
        low = values <= np.average(values, weights=weights[members])
        if low.all():
            # Rounding put the mean on the largest value.
            low = values < values.max()
        add(members[low])
        add(members[~low])
    index = np.empty(len(points), np.int64)
    for cell, (_, _, members, _) in enumerate(sorted(heap, key=lambda cell: cell[1])):
        index[members] = cell
    return index
