"""The evaluation of the published program, in our own code.

Clustering: single linkage with as many clusters as roles. Homogeneity and completeness are stored in the usual sense.
The published program calls both with prediction and truth swapped, so that the paper's homogeneity is completeness, and
its completeness is homogeneity. Classification: 3 nearest neighbours in 10 shuffled folds, not stratified, repeated 100
times; accuracy and macro-F1 are those of each fold, averaged. Equally near neighbours are taken in random order.
"""

import numpy as np
from experiments.protocol import FOLDS, fold_scores, neighbour_votes, rounded
from scipy.spatial.distance import cdist
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import completeness_score, homogeneity_score, silhouette_score

NEIGHBOURS = 3
REPETITIONS = 100
PRINTED = ("completeness", "homogeneity", "silhouette", "accuracy", "macro_f1")
"""Our measure for each column of Table 1 as printed: the first two are swapped."""


def evaluate(embedding, roles, seed, repetitions=REPETITIONS):
    """Return every measure of one embedding of one graph, whose roles are numbered 0, 1, ..."""
    points = rounded(embedding)
    accuracy, macro_f1 = neighbour_scores(points, roles, seed, repetitions)
    return {**cluster_scores(points, roles), "accuracy": accuracy, "macro_f1": macro_f1}


def cluster_scores(
    embedding,
    roles,
    *,
    linkage="single",
    n_clusters=None,
    scored=None,
):
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


def neighbour_scores(embedding, roles, seed, repetitions=REPETITIONS):
    """Return accuracy and macro-F1 of nearest neighbours, averaged over folds and repetitions."""
    distances = cdist(embedding, embedding)
    distances = np.round(distances / max(distances.max(), 1e-300), 9)
    generator = np.random.default_rng(seed)
    scores = np.zeros(2)
    for _ in range(repetitions):
        folds = np.empty(roles.size, np.int64)
        folds[generator.permutation(roles.size)] = np.arange(roles.size) * FOLDS // roles.size
        votes = neighbour_votes(distances, roles, folds, generator.random(roles.size), NEIGHBOURS)
        scores += fold_scores(roles, votes, folds)[:2]
    accuracy, macro_f1 = scores / repetitions
    return float(accuracy), float(macro_f1)
