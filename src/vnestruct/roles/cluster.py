"""From signatures to roles: rows are halved into ever more roles, and the first number that says enough is taken.

A rare kind of node counts more than its share: the weight of a row is the number of its nodes divided by the square
root of the number of nodes near it. Distances are in nats, the unit of the constants below. Nothing is random, and
rows are in the order of their values, so that the order of the nodes makes no difference.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from vnestruct.errors import ParameterError
from vnestruct.store.signatures import DECIMALS, rounded
from vnestruct.types import BoolArray, OffsetArray, ValueArray

_FEW_ROWS = 12  # up to so many distinct rows each is a role
_MANY_ROWS = 2_000  # more are first merged into so many small clusters
_ALIKE, _NEAR = 1.0, np.log(2.0)  # a node farther from all others is like none; rows as near share their weight
_FINE = 0.25  # a role is fine if its nodes are within so much of its centre, in root mean square
_FEWEST, _MOST = 4, 12  # numbers of roles that are tried, the largest with at least 144 nodes
_EXPLAINED = 0.85  # share of the variance that roles must explain unless they are fine
_CLOSE = 1.05  # how much farther from 1 than the best a silhouette may be
_SPREAD = 1.5  # root mean square distance from the mean that signatures in other units are divided to have
_ROUNDS, _SMALL_ROUNDS = 100, 8  # most rounds of Lloyd's rule; small clusters need not be optimal


@dataclass(frozen=True)
class DistinctSignatures:
    """The distinct rows of a matrix in ascending order; row i is ``points[index[i]]``, `counts` has that of each."""

    points: ValueArray
    index: OffsetArray
    counts: OffsetArray


def distinct_signatures(signatures: ValueArray) -> DistinctSignatures:
    """Collapse equal rows."""
    rows = rounded(signatures)
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    starts = np.ones(len(rows), bool)
    starts[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    index = np.empty(len(rows), np.int64)
    index[order] = np.cumsum(starts) - 1
    return DistinctSignatures(ordered[starts], index, np.bincount(index, minlength=int(starts.sum())))


def cut(rows: Sequence[DistinctSignatures], n_roles: int | None) -> list[ValueArray]:
    """Return the centres of the roles of each group of rows, which share no role; None chooses the number of roles."""
    halvings = [Halvings(group) for group in rows]
    if n_roles is None:
        return [halving.chosen() for halving in halvings]
    least, most = len(rows), sum(min(len(group.points), _MANY_ROWS) for group in rows)
    if not least <= n_roles <= most:
        why = "isolated nodes and the sides of a bipartite graph have roles of their own; ask for at least"
        why = f"only {most} different roles exist; ask for at most" if n_roles > most else why
        raise ParameterError(f"`n_roles` is {n_roles}, but {why} {min(max(n_roles, least), most)} roles")
    numbers = [1] * least
    for _ in range(n_roles - least):
        # One role more for the group in which it saves most.
        best = max(range(least), key=lambda i: halvings[i].gain(numbers[i]))
        numbers[best] += 1
    return [halving.cut(number) for halving, number in zip(halvings, numbers, strict=True)]


def exceptional_rows(rows: DistinctSignatures) -> BoolArray:
    """Return which rows are those of a node with no other within `_ALIKE`."""
    found = np.zeros(len(rows.points), bool)
    if len(rows.points) > 1:
        # Nodes in one cell are near each other; few are alone in theirs.
        cells = distinct_signatures(np.floor(rows.points / (_ALIKE / np.sqrt(rows.points.shape[1]))))
        alone = np.flatnonzero((cells.counts[cells.index] == 1) & (rows.counts == 1))
        found[alone] = cKDTree(rows.points).query(rows.points[alone], k=[2])[0][:, 0] > _ALIKE
    return found[rows.index]


class Halvings:
    """The rows of one group divided into 1, 2, 3, ... roles, as far as somebody asks."""

    def __init__(self, rows: DistinctSignatures) -> None:
        self.rows, self.points, self.counts = rows, rows.points, rows.counts.astype(np.float64)
        if len(self.points) > _MANY_ROWS:
            index = small_clusters(self.points, self.counts, _MANY_ROWS)
            self.points = weighted_means(self.points, self.counts, index)
            self.counts = np.bincount(index, self.counts).astype(np.float64)
        near = (cdist(self.points, self.points) <= _NEAR) @ self.counts
        self.weights = self.counts / np.sqrt(near)
        self.centres = [weighted_means(self.points, self.weights, np.zeros(len(self.points), np.int64))]

    def cut(self, n_roles: int) -> ValueArray:
        """Return the centres of a number of roles."""
        if n_roles == len(self.rows.points):
            return self.rows.points
        while len(self.centres) < n_roles:
            self.centres.append(self._halved(self.centres[-1]))
        return self.centres[n_roles - 1]

    def gain(self, n_roles: int) -> float:
        """Return how much of the inertia one role more saves."""
        if n_roles == len(self.rows.points):
            return -np.inf
        return self._inertia(self.cut(n_roles)) - self._inertia(self.cut(n_roles + 1))

    def chosen(self) -> ValueArray:
        """Return the centres of the number of roles that says enough."""
        if len(self.rows.points) <= _FEW_ROWS:
            return self.rows.points
        most = int(np.clip(round(self.counts.sum() ** 0.5), _FEWEST, _MOST))
        numbers = range(1, min(most, len(self.points)) + 1)
        spread = {j: np.array(self._spread(self.cut(j))) for j in numbers}
        fine = [j for j in numbers if spread[j].max() <= _FINE]
        if fine and fine[0] < _FEWEST:
            return self.cut(fine[0])
        enough = spread[1] * np.sqrt(1.0 - _EXPLAINED)
        first = next((j for j in numbers[_FEWEST - 1 :] if j in fine or (spread[j] <= enough).all()), numbers[-1])
        tried = [j for j in numbers if j >= first]
        distances = cdist(self.points, self.points)
        silhouettes = {j: self._silhouette(distances, self._labels(self.cut(j))) for j in tried}
        close = 1.0 - _CLOSE * (1.0 - max(silhouettes.values()))
        return self.cut(next(j for j in tried if silhouettes[j] >= close - 1e-12))

    def _inertia(self, centres: ValueArray) -> float:
        return float(self.weights @ cdist(self.points, centres, "sqeuclidean").min(axis=1))

    def _labels(self, centres: ValueArray) -> OffsetArray:
        nearest: OffsetArray = cdist(self.points, centres, "sqeuclidean").argmin(axis=1)
        return nearest

    def _spread(self, centres: ValueArray) -> tuple[float, float]:
        """Return the root mean square distance within roles, under weights and under counts."""
        labels = self._labels(centres)

        def spread(weights: ValueArray) -> float:
            away = self.points - weighted_means(self.points, weights, labels)[labels]
            return float(np.sqrt(weights @ (away**2).sum(axis=1) / weights.sum()))

        return spread(self.weights), spread(self.counts)

    def _silhouette(self, distances: ValueArray, labels: OffsetArray) -> float:
        """Return the mean silhouette under the weights of the rows."""
        members = np.zeros((labels.size, labels.max() + 1))
        members[np.arange(labels.size), labels] = self.weights
        sums, sizes, places = distances @ members, members.sum(axis=0), (np.arange(labels.size), labels)
        # The row itself is no neighbour; its other nodes are.
        others = sizes[labels] - self.weights / self.counts
        inner = sums[places] / np.maximum(others, 1e-12)
        means = sums / sizes
        means[places] = np.inf
        outer = means.min(axis=1)
        larger = np.maximum(inner, outer)
        is_alone = others <= 1e-12 * sizes[labels]
        scores = np.where(is_alone, 0.0, (outer - inner) / np.where(larger > 0, larger, 1.0))
        return float(self.weights @ scores / self.weights.sum())

    def _halved(self, centres: ValueArray) -> ValueArray:
        """Return one centre more: the best of halving each role."""
        labels = self._labels(centres)
        best, least = centres, np.inf
        for role in range(len(centres)):
            members = np.flatnonzero(labels == role)
            if members.size < 2:
                continue
            tried = self._moved(np.vstack([np.delete(centres, role, axis=0), self._halves(members)]))
            inertia = self._inertia(tried)
            if inertia < least and np.unique(self._labels(tried)).size == len(tried):
                best, least = tried, inertia
        return best

    def _halves(self, members: OffsetArray) -> ValueArray:
        """Return the centres of two halves: those along the longest direction, after one step of 2-means."""
        points, weights = self.points[members], self.weights[members]
        away = points - np.average(points, axis=0, weights=weights)
        direction = np.linalg.eigh((away * weights[:, None]).T @ away)[1][:, -1]
        side = (away @ direction > 0).astype(np.int64)
        if side.min() == side.max():
            side[np.argmax(np.abs(away @ direction))] ^= 1
        for _ in range(2):
            centres = weighted_means(points, weights, side)
            moved = cdist(points, centres, "sqeuclidean").argmin(axis=1)
            if moved.min() == moved.max():
                break
            side = moved
        return centres

    def _moved(self, centres: ValueArray) -> ValueArray:
        """Return centres moved by Lloyd's rule until nothing changes."""
        labels = self._labels(centres)
        for _ in range(_ROUNDS):
            before, centres = labels, centres.copy()
            used, index = np.unique(labels, return_inverse=True)  # a role may lose all its rows to others
            centres[used] = weighted_means(self.points, self.weights, index)
            labels = self._labels(centres)
            if np.array_equal(labels, before):
                break
        return centres


def small_clusters(points: ValueArray, weights: ValueArray, n_clusters: int) -> OffsetArray:
    """Return the small cluster of each point, numbered 0, 1, ...; there are at most `n_clusters`.

    Each time the cluster with the largest spread is divided, at its mean along its widest column. The means of all
    clusters then move by Lloyd's rule; a cluster may lose all its points to others.
    """
    heap: list[tuple[float, int, OffsetArray, int]] = []
    numbers = count()

    def add(members: OffsetArray) -> None:
        mean = np.average(points[members], axis=0, weights=weights[members])
        spread = weights[members] @ (points[members] - mean) ** 2
        # Rounding may leave a spread to a point by itself, which cannot be divided.
        total = float(spread.sum()) if members.size > 1 else 0.0
        heapq.heappush(heap, (-total, next(numbers), members, int(np.argmax(spread))))

    add(np.arange(len(points)))
    while len(heap) < n_clusters and heap[0][0] < 0.0:
        _, _, members, column = heapq.heappop(heap)
        values = points[members, column]
        low = values <= np.average(values, weights=weights[members])
        if low.all():
            low = values < values.max()  # rounding put the mean on the largest value
        add(members[low])
        add(members[~low])
    index = np.empty(len(points), np.int64)
    for cluster, (_, _, members, _) in enumerate(sorted(heap, key=lambda entry: entry[1])):
        index[members] = cluster
    for _ in range(_SMALL_ROUNDS):
        nearest = cKDTree(weighted_means(points, weights, index)).query(points)[1]
        index = np.unique(nearest, return_inverse=True)[1]
    return index


def weighted_means(points: ValueArray, weights: ValueArray, index: OffsetArray) -> ValueArray:
    """Return the weighted mean of the points of each cluster 0, 1, ..."""
    totals = np.bincount(index, weights)
    return np.column_stack([np.bincount(index, weights * column) for column in points.T]) / totals[:, None]


def unit_of(matrix: ValueArray) -> float:
    """Return what to divide signatures by, whatever their order."""
    rows = matrix[np.lexsort(matrix.T[::-1])]
    spread = float(np.sqrt(((rows - rows.mean(axis=0)) ** 2).sum(axis=1).mean()))
    return spread / _SPREAD if spread > 10.0**-DECIMALS else 1.0
