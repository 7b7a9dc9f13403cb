"""Hierarchical clustering of weighted points: a point of weight w counts as w nodes at the same position.

Equal nodes merge first and at no cost, so clustering the distinct points with their weights gives the same roles as
clustering all nodes. Ward and average linkage follow nearest-neighbour chains (Murtagh 1983), which give the same
tree as merging the closest pair each time; single linkage grows a minimum spanning tree (Prim). Ward needs only the
centroids, and single linkage only the points, so memory stays linear (SciPy's single linkage needs all pairs of
distances, 400 MB for 10,000 points); average linkage keeps all distances.
"""

from typing import NamedTuple, cast

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

from vnestruct.types import OffsetArray, ValueArray

LINKAGES = ("ward", "single", "average")


class MergeTree(NamedTuple):
    """The merges of a hierarchical clustering by ascending height."""

    left: OffsetArray
    right: OffsetArray  # one point of each of the two clusters that merge
    heights: ValueArray  # distance of the two, in the convention of SciPy's ``linkage``

    def cut(self, n_clusters: int) -> OffsetArray:
        """Return the cluster of each point when merging stops at `n_clusters`."""
        n_points = self.left.size + 1
        kept = slice(0, n_points - n_clusters)
        left, right = self.left[kept], self.right[kept]
        merged = coo_array((np.ones(left.size, np.int8), (left, right)), shape=(n_points, n_points))
        return cast(OffsetArray, connected_components(merged, directed=False)[1].astype(np.int64))


def link(points: ValueArray, weights: ValueArray, method: str) -> MergeTree:
    """Cluster weighted points hierarchically, by one of `LINKAGES`."""
    if method == "single":
        pairs, heights = _spanning_tree(points)
    else:
        clusters = _Centroids(points, weights) if method == "ward" else _Distances(points, weights)
        pairs, heights = _follow_chains(clusters, len(points))
        heights = np.sqrt(2.0 * heights) if method == "ward" else heights
    order = np.argsort(heights, kind="stable")
    return MergeTree(pairs[order, 0], pairs[order, 1], heights[order])


def _follow_chains(clusters: "_Centroids | _Distances", n_points: int) -> tuple[OffsetArray, ValueArray]:
    """Walk from cluster to nearest cluster until two are nearest to each other, merge them, continue."""
    pairs = np.empty((n_points - 1, 2), np.int64)
    heights = np.empty(n_points - 1)
    chain: list[int] = []
    for step in range(n_points - 1):
        if not chain:
            chain.append(int(np.argmin(clusters.merged)))
        while True:
            distances = clusters.from_one(chain[-1])
            nearest = int(np.argmin(distances))
            # In a tie the cluster we came from wins: otherwise the walk might never end.
            if len(chain) > 1 and distances[chain[-2]] <= distances[nearest]:
                break
            chain.append(nearest)
        last, kept = chain.pop(), chain.pop()
        pairs[step] = clusters.members[[last, kept]]
        heights[step] = distances[kept]
        clusters.merge(last, kept)
        chain = clusters.compacted(chain)
    return pairs, heights


class _Slots:
    """Array slots of clusters; slots of merged ones are removed when they are the majority."""

    def __init__(self, weights: ValueArray) -> None:
        self.weights = weights.astype(np.float64)
        self.members = np.arange(weights.size)
        self.merged = np.zeros(weights.size, bool)

    def compacted(self, chain: list[int]) -> list[int]:
        if 2 * np.count_nonzero(self.merged) < self.merged.size or self.merged.size < 64:
            return chain
        remaining = np.flatnonzero(~self.merged)
        self.keep(remaining)
        return [int(slot) for slot in np.searchsorted(remaining, chain)]

    def keep(self, remaining: OffsetArray) -> None:
        self.weights, self.members = self.weights[remaining], self.members[remaining]
        self.merged = np.zeros(remaining.size, bool)


class _Centroids(_Slots):
    """Ward: how much a merge adds to the sum of squares, from centroids and weights alone."""

    def __init__(self, points: ValueArray, weights: ValueArray) -> None:
        super().__init__(weights)
        self.columns = points.T.copy()
        self.inverse = 1.0 / self.weights

    def from_one(self, slot: int) -> ValueArray:
        squares = _squared_distances(self.columns, slot)
        # The product of two weights over their sum is one over the sum of their inverses.
        squares /= self.inverse + self.inverse[slot]
        squares[slot] = np.inf
        return squares

    def merge(self, slot: int, kept: int) -> None:
        total = self.weights[slot] + self.weights[kept]
        self.columns[:, kept] += (self.columns[:, slot] - self.columns[:, kept]) * (self.weights[slot] / total)
        self.weights[kept], self.inverse[kept] = total, 1.0 / total
        # At an infinite distance, a merged cluster is nearest to none.
        self.columns[:, slot] = np.inf
        self.merged[slot] = True

    def keep(self, remaining: OffsetArray) -> None:
        super().keep(remaining)
        self.columns, self.inverse = self.columns[:, remaining].copy(), self.inverse[remaining]


class _Distances(_Slots):
    """Average: the mean distance over all pairs of nodes, kept for all pairs of clusters."""

    def __init__(self, points: ValueArray, weights: ValueArray) -> None:
        super().__init__(weights)
        self.distances: ValueArray = cdist(points, points)
        np.fill_diagonal(self.distances, np.inf)

    def from_one(self, slot: int) -> ValueArray:
        return cast(ValueArray, self.distances[slot])

    def merge(self, slot: int, kept: int) -> None:
        share = self.weights[slot] / (self.weights[slot] + self.weights[kept])
        row = share * self.distances[slot] + (1.0 - share) * self.distances[kept]
        row[self.merged] = row[slot] = row[kept] = np.inf
        self.distances[kept] = self.distances[:, kept] = row
        self.distances[slot] = self.distances[:, slot] = np.inf
        self.weights[kept] += self.weights[slot]
        self.merged[slot] = True

    def keep(self, remaining: OffsetArray) -> None:
        super().keep(remaining)
        self.distances = self.distances[np.ix_(remaining, remaining)]


def _squared_distances(columns: ValueArray, place: int) -> ValueArray:
    """Return the squared distances from one point to all; column by column, which is fast for few columns."""
    total = np.zeros(columns.shape[1])
    for column in columns:
        gap = column - column[place]
        gap *= gap
        total += gap
    return total


def _spanning_tree(points: ValueArray) -> tuple[OffsetArray, ValueArray]:
    n_points = len(points)
    columns = points.T.copy()
    pairs, heights = np.empty((n_points - 1, 2), np.int64), np.empty(n_points - 1)
    nearest = np.full(n_points, np.inf)
    link_to = np.zeros(n_points, np.int64)
    outside = np.ones(n_points, bool)
    current = 0
    for step in range(n_points - 1):
        outside[current] = False
        squares = _squared_distances(columns, current)
        closer = outside & (squares < nearest)
        nearest[closer] = squares[closer]
        link_to[closer] = current
        nearest[current] = np.inf
        current = int(np.argmin(nearest))
        pairs[step], heights[step] = (link_to[current], current), np.sqrt(nearest[current])
    return pairs, heights
