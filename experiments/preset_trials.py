"""The test cases for presets: perturbed rings of shapes, whose roles are recovered by neighbours and by clusters.

Accuracy and macro-F1 are those of 10-fold stratified 4-nearest-neighbour classification, the V-measure is that of ward
linkage with as many clusters as roles.

All graphs of a trial are one disjoint union, so that a signature is computed in one call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from experiments.protocol import FOLDS, NEIGHBOURS, classify, fold_scores, stratified_folds
from numba import njit
from numpy.typing import NDArray
from scipy.cluster.hierarchy import linkage
from tests.generators import fan_shape, house_shape, perturb, rewire, ring_of_shapes, star_shape

from vnestruct.graph import Graph, GraphSet

MEASURES = ("accuracy", "macro_f1", "v_measure")


class Setting(NamedTuple):
    """Which ring, and how it is perturbed: `amount` edges, or a share of the edges if below 1."""

    ring: str
    noise: str
    amount: float

    def __str__(self) -> str:
        if self.noise == CLEAN:
            return f"{self.ring}, {CLEAN}"
        amount = f"{self.amount:.0%}" if 0 < self.amount < 1 else f"{self.amount:g}"
        return f"{self.ring}, {amount} {self.noise}"


RINGS = {
    "houses": [house_shape()] * 10,
    "fans": [fan_shape(6)] * 10,
    "stars": [star_shape(10)] * 10,
    "varied": [fan_shape(6)] * 10 + [star_shape(10)] * 10 + [house_shape()] * 10,
}
NOISES = {"added": perturb, "rewired": rewire}
CLEAN = "not perturbed"

ALL = [Setting(ring, noise, amount) for ring in RINGS for noise in NOISES for amount in (5, 10, 0.1)]
"""Every setting that is reported."""

MAIN = [Setting(ring, noise, amount) for ring, amount in (("houses", 5), ("varied", 10)) for noise in NOISES]
"""The four named in the report."""

SEARCH = [
    Setting(ring, noise, amount)
    for ring in RINGS
    for noise in NOISES
    for amount in (10 if ring == "varied" else 5, 0.1)
]
"""The settings used to choose candidates."""


def make_graph(setting: Setting, seed: int) -> tuple[Graph, NDArray[np.int64]]:
    """Return a perturbed ring and the role of each node before it was perturbed."""
    placement = "random" if setting.ring == "varied" else "regular"
    graph, roles = ring_of_shapes(30, RINGS[setting.ring], placement, seed)  # type: ignore[arg-type]
    if setting.noise == CLEAN:
        return graph, roles
    amount = round(setting.amount * graph.n_edges) if setting.amount < 1 else int(setting.amount)
    return NOISES[setting.noise](graph, amount, seed), roles


class Trial:
    """Perturbed rings, one for each setting and seed, with their folds.

    Parameters
    ----------
    settings : sequence of Setting
        The settings.
    seeds : iterable of int
        Seeds of ring, noise, folds and ties.
    """

    def __init__(self, settings: Sequence[Setting], seeds: Iterable[int]) -> None:
        self.settings = list(settings)
        self.seeds = list(seeds)
        rings = [make_graph(setting, seed) for setting in self.settings for seed in self.seeds]
        union = GraphSet.from_graphs([graph for graph, _ in rings])
        self.graphs = [graph for graph, _ in rings]
        self.graph = union.graph
        self._offsets = union.offsets
        self.roles = [roles for _, roles in rings]
        self._folds, self._ties = [], []
        for (_, roles), seed in zip(rings, self.seeds * len(self.settings), strict=True):
            self._folds.append(stratified_folds(roles, seed))
            self._ties.append(np.random.default_rng(seed).random((roles.size, roles.size)))

    def scores(self, signatures: NDArray[np.float64], *, clusters: bool = True) -> NDArray[np.float64]:
        """Return the `MEASURES` of every graph, shape (settings, seeds, 3); without clusters the first two."""
        rounded = np.ascontiguousarray(np.round(signatures, 8))
        rows = []
        for i, roles in enumerate(self.roles):
            own = rounded[self._offsets[i] : self._offsets[i + 1]]
            predicted = classify(own, roles, self._folds[i], self._ties[i], NEIGHBOURS)
            row = [*fold_scores(roles, predicted, self._folds[i], FOLDS)[:2]]
            if clusters:
                merges = linkage(own, "ward")[:, :2].astype(np.int64)
                row.append(_v_measure(roles, _cut(merges, int(roles.max()) + 1)))
            rows.append(row)
        return np.array(rows).reshape(len(self.settings), len(self.seeds), -1)


@njit(cache=True)
def _cut(merges, n_clusters):  # type: ignore[no-untyped-def]
    """Return the cluster of each point after all merges but the last ``n_clusters - 1``."""
    n_points = len(merges) + 1
    above = np.arange(2 * n_points - 1)
    for step in range(n_points - n_clusters):
        above[merges[step, 0]] = n_points + step
        above[merges[step, 1]] = n_points + step
    # A cluster is identified by its last merge; these numbers are high, so one pass from the top finds them.
    for place in range(2 * n_points - 2, -1, -1):
        above[place] = above[above[place]]
    names = np.unique(above[:n_points])
    return np.searchsorted(names, above[:n_points])


@njit(cache=True)
def _v_measure(classes, clusters):  # type: ignore[no-untyped-def]
    both = np.zeros((classes.max() + 1, clusters.max() + 1))
    for i in range(classes.size):
        both[classes[i], clusters[i]] += 1
    both /= classes.size
    of_classes, of_clusters = both.sum(axis=1), both.sum(axis=0)
    entropies = -(of_classes * np.log(of_classes)).sum() - (of_clusters * np.log(of_clusters)).sum()
    shared = 0.0
    for a in range(of_classes.size):
        for b in range(of_clusters.size):
            if both[a, b] > 0:
                shared += both[a, b] * np.log(both[a, b] / (of_classes[a] * of_clusters[b]))
    return 2 * shared / entropies
