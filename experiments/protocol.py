"""How methods are evaluated: nearest neighbours over ten folds, and as many clusters as there are roles.

Classification: 4 nearest neighbours, 10 stratified folds. Distances are equal if they agree to 8 decimals; equally near
neighbours are taken in random order, and equal votes go to the smaller class, as in scikit-learn. Accuracy, macro-F1
and weighted F1 are those of each fold, averaged. Clustering: ward and single linkage; homogeneity and completeness
against the roles, silhouette of the clusters. Nodes that a method does not tell apart are never divided, so there may
be fewer clusters than roles.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from vnestruct.roles import agreement
from vnestruct.roles.distinct import distinct_signatures, rounded
from vnestruct.roles.linkage import link

FOLDS = 10
NEIGHBOURS = 4
LINKAGES = ("ward", "single")
CLASSIFICATION = ("accuracy", "macro_f1", "weighted_f1")
CLUSTERING = ("homogeneity", "completeness", "silhouette")
MEASURES = (*CLASSIFICATION, *(f"{linkage}_{measure}" for linkage in LINKAGES for measure in CLUSTERING))
"""The columns of a result, in their order."""

Matrix = NDArray[np.float64]
Labels = NDArray[np.int64]


def judge(signatures: Matrix, roles: Labels, seed: int) -> dict[str, float]:
    """Return every measure of one embedding of one graph.

    Parameters
    ----------
    signatures : ndarray, shape (n, d)
        One row per node.
    roles : ndarray of int, shape (n,)
        True roles, numbered 0, 1, ...
    seed : int
        Seeds folds and ties.
    """
    values = (*classification_scores(signatures, roles, seed), *clustering_scores(signatures, roles))
    return dict(zip(MEASURES, values, strict=True))


def classification_scores(signatures: Matrix, roles: Labels, seed: int) -> tuple[float, float, float]:
    """Return accuracy, macro-F1 and weighted F1 of nearest neighbours, averaged over the folds."""
    folds = stratified_folds(roles, seed)
    ties = np.random.default_rng(seed).random((roles.size, roles.size))
    found = classify(np.ascontiguousarray(rounded(signatures)), roles, folds, ties, NEIGHBOURS)
    accuracy, macro, weighted = fold_scores(roles, found, folds, FOLDS)
    return float(accuracy), float(macro), float(weighted)


def clustering_scores(signatures: Matrix, roles: Labels, n_clusters: int | None = None) -> list[float]:
    """Return homogeneity, completeness and silhouette for each linkage, with as many clusters as roles."""
    scores: list[float] = []
    for linkage in LINKAGES:
        clusters = linkage_clusters(signatures, n_clusters or int(roles.max()) + 1, linkage)
        found: Any = agreement(roles, clusters, signatures)
        scores += [found.homogeneity, found.completeness, found.silhouette]
    return scores


def linkage_clusters(signatures: Matrix, n_clusters: int, linkage: str) -> Labels:
    """Return the cluster of each node, or of each distinct signature if there are at most as many as clusters."""
    points = distinct_signatures(signatures)
    if len(points.points) <= n_clusters:
        return points.index
    return link(points.points, points.counts.astype(float), linkage).cut(n_clusters)[points.index]


def stratified_folds(roles: Labels, seed: int) -> Labels:
    """Return the fold of each node."""
    folds = np.empty(roles.size, np.int64)
    splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    for number, (_, test) in enumerate(splitter.split(roles, roles)):
        folds[test] = number
    return folds


@njit(cache=True)
def classify(points, classes, folds, ties, k):  # type: ignore[no-untyped-def]
    """Return the vote of the k nearest nodes of other folds, for each node."""
    n_nodes, n_columns = points.shape
    found = np.empty(n_nodes, np.int64)
    for i in range(n_nodes):
        near = np.full(k, np.inf)
        order = np.full(k, np.inf)
        labels = np.zeros(k, np.int64)
        for j in range(n_nodes):
            if folds[j] == folds[i]:
                continue
            square = 0.0
            for c in range(n_columns):
                gap = points[i, c] - points[j, c]
                square += gap * gap
            square = np.round(square, 14)
            place = k
            while place > 0 and (
                square < near[place - 1] or (square == near[place - 1] and ties[i, j] < order[place - 1])
            ):
                place -= 1
            if place < k:
                for p in range(k - 1, place, -1):
                    near[p], order[p], labels[p] = near[p - 1], order[p - 1], labels[p - 1]
                near[place], order[place], labels[place] = square, ties[i, j], classes[j]
        votes = np.zeros(classes.max() + 1, np.int64)
        for p in range(k):
            votes[labels[p]] += 1
        found[i] = np.argmax(votes)
    return found


@njit(cache=True)
def fold_scores(classes, found, folds, n_folds):  # type: ignore[no-untyped-def]
    """Return accuracy, macro-F1 and weighted F1, each the mean over the folds."""
    n_classes = classes.max() + 1
    accuracy = macro = weighted = 0.0
    for fold in range(n_folds):
        right = np.zeros(n_classes)
        true = np.zeros(n_classes)
        predicted = np.zeros(n_classes)
        for i in range(classes.size):
            if folds[i] == fold:
                true[classes[i]] += 1
                predicted[found[i]] += 1
                right[classes[i]] += classes[i] == found[i]
        present = true + predicted > 0
        f1 = 2 * right[present] / (true + predicted)[present]
        accuracy += right.sum() / true.sum()
        macro += f1.sum() / present.sum()
        weighted += (f1 * true[present]).sum() / true.sum()
    return accuracy / n_folds, macro / n_folds, weighted / n_folds
