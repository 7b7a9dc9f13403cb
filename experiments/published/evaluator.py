"""The evaluation of the published program, in our own code.

Clustering: single linkage with as many clusters as roles. Homogeneity and completeness are stored in the usual sense.
The published program calls both with prediction and truth swapped, so that the paper's homogeneity is completeness, and
its completeness is homogeneity. Classification: 3 nearest neighbours in 10 shuffled folds, not stratified, repeated 100
times; accuracy and macro-F1 are those of each fold, averaged. Equally near neighbours are taken in random order.
"""

from __future__ import annotations

import numpy as np
from experiments.protocol import FOLDS, fold_scores
from numba import njit
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import completeness_score, homogeneity_score, silhouette_score

from vnestruct.roles.distinct import rounded

NEIGHBOURS = 3
REPETITIONS = 100
PRINTED = ("completeness", "homogeneity", "silhouette", "accuracy", "macro_f1")
"""Our measure for each column of Table 1 as printed: the first two are swapped."""

Matrix = NDArray[np.float64]
Labels = NDArray[np.int64]


def evaluate(embedding: Matrix, roles: Labels, seed: int, repetitions: int = REPETITIONS) -> dict[str, float]:
    """Return every measure of one embedding of one graph, whose roles are numbered 0, 1, ..."""
    # Rounding errors must not decide between nodes with the same embedding.
    points = rounded(embedding)
    accuracy, macro_f1 = neighbour_scores(points, roles, seed, repetitions)
    return {**cluster_scores(points, roles), "accuracy": accuracy, "macro_f1": macro_f1}


def cluster_scores(
    embedding: Matrix,
    roles: Labels,
    *,
    linkage: str = "single",
    n_clusters: int | None = None,
    scored: NDArray[np.bool_] | None = None,
) -> dict[str, float]:
    """Return homogeneity, completeness and silhouette, by default with as many clusters as roles.

    Homogeneity and completeness are those of the nodes in `scored`, by default of all.
    """
    clusters = AgglomerativeClustering(n_clusters or int(roles.max()) + 1, linkage=linkage).fit_predict(embedding)
    chosen = np.ones(roles.size, bool) if scored is None else scored
    return {
        "homogeneity": float(homogeneity_score(roles[chosen], clusters[chosen])),
        "completeness": float(completeness_score(roles[chosen], clusters[chosen])),
        "silhouette": float(silhouette_score(embedding, clusters)),
    }


def neighbour_scores(
    embedding: Matrix, roles: Labels, seed: int, repetitions: int = REPETITIONS
) -> tuple[float, float]:
    """Return accuracy and macro-F1 of nearest neighbours, averaged over folds and repetitions."""
    distances = cdist(embedding, embedding)
    distances = np.round(distances / max(distances.max(), 1e-300), 9)
    order = np.argsort(distances, axis=1, kind="stable")
    generator = np.random.default_rng(seed)
    scores = np.zeros(2)
    for _ in range(repetitions):
        folds = np.empty(roles.size, np.int64)
        folds[generator.permutation(roles.size)] = np.arange(roles.size) * FOLDS // roles.size
        votes = neighbour_votes(distances, order, roles, folds, generator.random(roles.size), NEIGHBOURS)
        scores += fold_scores(roles, votes, folds, FOLDS)[:2]
    accuracy, macro_f1 = scores / repetitions
    return float(accuracy), float(macro_f1)


@njit(cache=True)
def neighbour_votes(distances, order, roles, folds, ties, k):  # type: ignore[no-untyped-def]
    """Return the vote of the k nearest nodes of other folds for each node; equal votes go to the smaller role."""
    found = np.empty(roles.size, np.int64)
    for i in range(roles.size):
        nearest, n_nearest = np.empty(k, np.int64), 0
        for j in order[i]:
            if folds[j] == folds[i]:
                continue
            if n_nearest == k and distances[i, j] > distances[i, nearest[k - 1]]:
                break
            place = n_nearest
            while (
                place > 0 and distances[i, nearest[place - 1]] == distances[i, j] and ties[nearest[place - 1]] > ties[j]
            ):
                place -= 1
            if place == k:
                continue
            for p in range(min(n_nearest, k - 1), place, -1):
                nearest[p] = nearest[p - 1]
            nearest[place] = j
            n_nearest = min(n_nearest + 1, k)
        counts = np.zeros(roles.max() + 1, np.int64)
        for p in range(n_nearest):
            counts[roles[nearest[p]]] += 1
        found[i] = np.argmax(counts)
    return found
