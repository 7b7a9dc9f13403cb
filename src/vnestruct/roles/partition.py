"""From weighted points to roles: one clustering, cut into any number of roles, and the number that fits best."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.roles.linkage import LINKAGES, link
from vnestruct.roles.micro_clusters import micro_clusters, weighted_means
from vnestruct.roles.silhouette import mean_silhouette, sampled
from vnestruct.types import OffsetArray, ValueArray

METHODS = (*LINKAGES, "kmeans")

LARGEST = {"ward": 10_000, "single": 10_000, "average": 5_000}
"""Distinct signatures that a linkage takes as they are: all pairs take time, and with average linkage memory."""

_SILHOUETTE_NODES = 5_000
"""Nodes that are drawn for a silhouette if there are more distinct signatures than that."""

_MARGIN_OF_TWO = 0.1

Cut = Callable[[int], OffsetArray]
"""Takes a number of roles, returns the role of every point."""


def find_roles(
    points: ValueArray, counts: OffsetArray, n_roles: int | str, method: str, max_roles: int, random_state: int
) -> tuple[OffsetArray, dict[int, float]]:
    """Cluster weighted points into roles.

    Parameters
    ----------
    points : ndarray of float64, shape (m, d)
        Distinct signatures, scaled.
    counts : ndarray of int64, shape (m,)
        Nodes of each.
    n_roles : int or "auto"
        Number of roles.
    method : str
        One of `METHODS`.
    max_roles : int
        Largest number that "auto" tries.
    random_state : int
        Seed.

    Returns
    -------
    roles : ndarray of int64, shape (m,)
        Role of each point, numbered by descending size.
    silhouettes : dict
        Mean silhouette of each number tried.

    Raises
    ------
    ParameterError
        If there are fewer distinct signatures than roles.
    """
    n_points = len(points)
    if n_roles != "auto" and int(n_roles) > n_points:
        raise ParameterError(
            f"n_roles is {n_roles}, but only {n_points} distinct signatures exist; ask for at most {n_points} roles, "
            "or tell more nodes apart by a larger radius"
        )
    if n_points == 1:
        return np.zeros(1, np.int64), {}
    cut = prepare_cut(points, counts, method, random_state)
    scores: dict[int, float] = {}
    if n_roles == "auto":
        scores = silhouettes(points, counts, cut, range(2, min(max_roles, n_points) + 1), random_state)
        n_roles = best_number(scores)
    return in_order(points, counts, cut(int(n_roles))), scores


def best_number(scores: dict[int, float]) -> int:
    """Return the number of roles with the largest silhouette, the smaller one of equals.

    Two roles mostly tell large nodes from small ones, and nearly always have the largest silhouette on real graphs;
    so they must beat the best finer division by a clear margin.

    Examples
    --------
    >>> best_number({2: 0.60, 3: 0.51, 4: 0.57}), best_number({2: 0.80, 3: 0.51, 4: 0.57})
    (4, 2)
    """
    finer = {number: score for number, score in scores.items() if number > 2}
    if not finer:
        return 2
    best = max(finer, key=finer.__getitem__)
    return 2 if scores[2] > finer[best] + _MARGIN_OF_TWO else best


def prepare_cut(points: ValueArray, counts: OffsetArray, method: str, random_state: int) -> Cut:
    """Do the part of a clustering that does not depend on the number of roles.

    More distinct signatures than `LARGEST` are first joined into half as many small k-means clusters, which the
    linkage then merges by their centroids and weights.
    """
    weights = counts.astype(np.float64)
    if method == "kmeans":
        return lambda n_roles: _by_kmeans(points, weights, n_roles, random_state)
    if len(points) <= LARGEST[method]:
        return link(points, weights, method).cut
    index = micro_clusters(points, weights, LARGEST[method] // 2)
    tree = link(weighted_means(points, weights, index), np.bincount(index, weights).astype(np.float64), method)
    return lambda n_roles: tree.cut(n_roles)[index]


def silhouettes(
    points: ValueArray, counts: OffsetArray, cut: Cut, candidates: range, random_state: int
) -> dict[int, float]:
    """Return the mean silhouette of each number of roles, on a sample of the nodes if there are many signatures."""
    drawn = counts
    if len(points) > _SILHOUETTE_NODES:
        drawn = sampled(counts, _SILHOUETTE_NODES, random_state)
    seen = drawn > 0
    return {n: mean_silhouette(points[seen], drawn[seen], _renumbered(cut(n)[seen])) for n in candidates}


def in_order(points: ValueArray, counts: OffsetArray, labels: OffsetArray) -> OffsetArray:
    """Renumber roles by descending size, and equally large ones by ascending centroid: numbers that stay the same."""
    centroids = weighted_means(points, counts.astype(np.float64), labels)
    sizes = np.bincount(labels, counts)
    order = np.lexsort((*np.round(centroids, 8).T[::-1], -sizes))
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    return place[labels].astype(np.int64)


def _renumbered(labels: OffsetArray) -> OffsetArray:
    return np.unique(labels, return_inverse=True)[1].reshape(-1)


def _by_kmeans(points: ValueArray, weights: ValueArray, n_roles: int, random_state: int) -> OffsetArray:
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped, unused-ignore]

    # Sums over several threads differ in the last bits from run to run.
    with threadpool_limits(limits=1):
        model = KMeans(n_roles, n_init=10, random_state=random_state).fit(points, sample_weight=weights)
    return model.labels_.astype(np.int64)  # type: ignore[no-any-return]
