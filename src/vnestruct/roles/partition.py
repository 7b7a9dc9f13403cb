"""From weighted points to roles: one clustering, cut into any number of roles, and the best number of them.

Very many points are first merged into micro-clusters: the points are split into cells, each time the cell with the
largest spread, at its mean along its widest column. The centroids of the cells then move by Lloyd's rule, with a
KD-tree to find the nearest. Nothing is random.
"""

import heapq
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import count

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from vnestruct.errors import Message, Parameter, ParameterError
from vnestruct.roles.linkage import LINKAGES, link
from vnestruct.types import OffsetArray, ValueArray

METHODS = (*LINKAGES, "kmeans")

LARGEST = {"ward": 10_000, "single": 10_000, "average": 5_000}
"""Most distinct signatures that a linkage takes directly: all pairs take time, and with average linkage memory."""

_DISTANCE_ROWS = 512  # rows of distances in memory at a time
_SILHOUETTE_NODES = 5_000  # size of the sample for a silhouette if there are more distinct signatures than that
MARGIN = 0.05  # how much farther from 1 than the best silhouette that of a smaller number of roles may be
STABILITY_MARGIN = 0.05  # how much lower than the best stability that of a smaller number of roles may be
MARGIN_OF_TWO = 0.1  # how much larger the silhouette of two roles must be than that of any finer division

# Roles are different kinds of nodes if they spread at most this far around their means, relative to the distance from
# the nearest other mean. If one has more than this share of the nodes, and they are not, the others are outliers.
KINDS_SPREAD, LARGEST_SHARE = 0.1, 0.9
_LLOYD_ROUNDS = 8  # most rounds of Lloyd's rule; micro-clusters need not be optimal

Cut = Callable[[int], OffsetArray]  # from a number of roles to the role of every point
Stability = Callable[[Cut, Sequence[int]], Mapping[int, float]]  # how stable each number is when edges are lost

_logger = logging.getLogger(__name__)


def find_roles(
    points: ValueArray, counts: OffsetArray, n_roles: int | str, method: str, max_roles: int, random_state: int,
    stability: Stability | None = None,
) -> tuple[OffsetArray, dict[int, float]]:  # fmt: skip
    """Return the role of each weighted point, by descending size, and the silhouette of each number "auto" tried."""
    n_points = len(points)
    if n_roles != "auto" and int(n_roles) > n_points:
        wrong = f" is {n_roles}, but only {n_points} distinct signatures exist; ask for at most {n_points} roles"
        remedy = (", or use a larger ", Parameter("radius"), " to distinguish more nodes")
        raise ParameterError(Message(Parameter("n_roles"), wrong, *remedy))
    if n_points == 1:
        return np.zeros(1, np.int64), {}
    cut = prepare_cut(points, counts, method, random_state)
    scores: dict[int, float] = {}
    if n_roles == "auto":
        numbers = range(2, min(max_roles, n_points) + 1)
        scores = silhouettes(points, counts, cut, numbers, random_state)
        kinds = {number for number in numbers if _largest_spread(points, counts, cut(number)) <= KINDS_SPREAD}
        largest = {number: np.bincount(cut(number), counts).max() / counts.sum() for number in numbers}
        outliers = {number for number in numbers if largest[number] > LARGEST_SHARE} - kinds
        n_roles = best_number(scores, outliers, kinds, None if stability is None else partial(stability, cut))
        if n_roles == max_roles < n_points:
            limit = f"{n_roles} roles, the largest number tried, describe the graph best; try more with a larger "
            _logger.warning(Message(limit, Parameter("max_roles")))
    return in_order(points, counts, cut(int(n_roles))), scores


def best_number(
    scores: Mapping[int, float], outliers: Collection[int] = (), kinds: Collection[int] = (),
    stability: Callable[[Sequence[int]], Mapping[int, float]] | None = None,
) -> int:  # fmt: skip
    """Return the smallest number of roles that describes the nodes about as well as the best, as for `RoleClusterer`.

    Two roles nearly always have the largest silhouette on real graphs, so theirs must be clearly larger. Numbers
    that merely cut off outliers are left out if others remain.
    """
    sound = {number: score for number, score in scores.items() if number not in outliers} or dict(scores)
    finer = {number: score for number, score in sound.items() if number > 2}
    if not finer or sound.get(2, -1.0) > max(finer.values()) + (0.0 if 2 in kinds else MARGIN_OF_TWO):
        return min(sound)
    least = 1.0 - (1.0 - max(finer.values())) * (1.0 + MARGIN)
    close = [number for number, score in finer.items() if score >= least - 1e-12]
    if stability is None or len(close) == 1:
        return min(close)
    found = stability(close)
    return min(number for number in close if found[number] >= max(found.values()) - STABILITY_MARGIN)


def _largest_spread(points: ValueArray, counts: OffsetArray, labels: OffsetArray) -> float:
    """Return the largest standard deviation of a role, over the distance of its mean from the nearest other mean."""
    weights = counts.astype(np.float64)
    means = weighted_means(points, weights, labels)
    squares = np.bincount(labels, weights * ((points - means[labels]) ** 2).sum(axis=1)) / np.bincount(labels, weights)
    nearest = cKDTree(means).query(means, k=2)[0][:, 1]
    return float((np.sqrt(squares) / np.maximum(nearest, 1e-12)).max())


def prepare_cut(points: ValueArray, counts: OffsetArray, method: str, random_state: int) -> Cut:
    """Do the part of a clustering that does not depend on the number of roles; merge points above `LARGEST` first."""
    weights = counts.astype(np.float64)
    if method == "kmeans":
        return lambda n_roles: _by_kmeans(points, weights, n_roles, random_state)
    if len(points) <= LARGEST[method]:
        return link(points, weights, method).cut
    index = micro_clusters(points, weights, LARGEST[method] // 2)
    tree = link(weighted_means(points, weights, index), np.bincount(index, weights).astype(np.float64), method)
    return lambda n_roles: tree.cut(n_roles)[index]


def silhouettes(points: ValueArray, counts: OffsetArray, cut: Cut, candidates: range, seed: int) -> dict[int, float]:
    """Return the mean silhouette of each number of roles, on a sample of the nodes if there are many signatures."""
    drawn = counts if len(points) <= _SILHOUETTE_NODES else sampled(counts, _SILHOUETTE_NODES, seed)
    seen = drawn > 0
    return {n: mean_silhouette(points[seen], drawn[seen], _renumbered(cut(n)[seen])) for n in candidates}


def in_order(points: ValueArray, counts: OffsetArray, labels: OffsetArray) -> OffsetArray:
    """Renumber roles by descending size, and equally large ones by ascending centroid: reproducible numbers."""
    centroids = weighted_means(points, counts.astype(np.float64), labels)
    order = np.lexsort((*np.round(centroids, 8).T[::-1], -np.bincount(labels, counts)))
    return np.argsort(order)[labels].astype(np.int64)


def _renumbered(labels: OffsetArray) -> OffsetArray:
    return np.unique(labels, return_inverse=True)[1].reshape(-1)


def _by_kmeans(points: ValueArray, weights: ValueArray, n_roles: int, random_state: int) -> OffsetArray:
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped, unused-ignore]

    # Sums over several threads differ in the last bits from run to run.
    with threadpool_limits(limits=1):
        model = KMeans(n_roles, n_init=10, random_state=random_state).fit(points, sample_weight=weights)
    return model.labels_.astype(np.int64)  # type: ignore[no-any-return]


def micro_clusters(points: ValueArray, weights: ValueArray, n_clusters: int) -> OffsetArray:
    """Return the micro-cluster of each point, numbered 0, 1, ...; there are at most `n_clusters`."""
    index = _cells(points, weights, n_clusters)
    for _ in range(_LLOYD_ROUNDS):
        centroids = weighted_means(points, weights, index)
        # A cluster may lose all its points to others, so the rest are renumbered.
        moved = _renumbered(cKDTree(centroids).query(points)[1])
        if np.array_equal(moved, index):
            break
        index = moved
    return index.astype(np.int64)


def weighted_means(points: ValueArray, weights: ValueArray, index: OffsetArray) -> ValueArray:
    """Return the weighted mean of the points of each cluster 0, 1, ..."""
    totals = np.bincount(index, weights)
    return np.column_stack([np.bincount(index, weights * column) for column in points.T]) / totals[:, None]


def _cells(points: ValueArray, weights: ValueArray, n_cells: int) -> OffsetArray:
    heap: list[tuple[float, int, OffsetArray, int]] = []
    numbers = count()

    def add(members: OffsetArray) -> None:
        mean = np.average(points[members], axis=0, weights=weights[members])
        spread = weights[members] @ (points[members] - mean) ** 2
        # Rounding may leave a spread to a point by itself, which cannot be divided.
        total = float(spread.sum()) if members.size > 1 else 0.0
        heapq.heappush(heap, (-total, next(numbers), members, int(np.argmax(spread))))

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


def mean_silhouette(points: ValueArray, counts: OffsetArray, labels: OffsetArray) -> float:
    """Return the mean silhouette over all nodes, each point standing for `counts` of them.

    It says how much closer nodes are to their own role than to the nearest other one.
    A node alone in its role has silhouette 0, as in scikit-learn; if there is only one role, all nodes do.
    """
    sizes = np.bincount(labels, counts)
    if sizes.size < 2:
        return 0.0
    members = np.zeros((len(points), sizes.size))
    members[np.arange(len(points)), labels] = counts
    total = 0.0
    for start in range(0, len(points), _DISTANCE_ROWS):
        rows = slice(start, start + _DISTANCE_ROWS)
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
    """Draw nodes without replacement, in whatever order they are; return how many were drawn at each point."""
    ends = np.cumsum(counts)
    chosen = np.random.default_rng(random_state).choice(int(ends[-1]), n_nodes, replace=False)
    return np.bincount(np.searchsorted(ends, chosen, side="right"), minlength=counts.size)
