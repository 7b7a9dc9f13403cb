"""How methods are evaluated on rings that we generate: nearest neighbours, and as many clusters as there are roles.

Classification: 4 nearest neighbours, 10 stratified folds. Distances are equal if they agree to 8 decimals; equally near
neighbours are taken in random order, and equal votes go to the smaller class, as in scikit-learn. Accuracy, macro-F1
and weighted F1 are those of each fold, averaged. Clustering: ward and single linkage; homogeneity and completeness
against the roles, silhouette of the clusters. Nodes that a method does not tell apart are never divided, so there may
be fewer clusters than roles.
"""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import completeness_score, f1_score, homogeneity_score, silhouette_score
from sklearn.model_selection import StratifiedKFold

FOLDS = 10
NEIGHBOURS = 4
DECIMALS = 8
LINKAGES = ("ward", "single")
CLASSIFICATION = ("accuracy", "macro_f1", "weighted_f1")
CLUSTERING = ("homogeneity", "completeness", "silhouette")
MEASURES = (*CLASSIFICATION, *(f"{linkage}_{measure}" for linkage in LINKAGES for measure in CLUSTERING))
"""The columns of a result, in their order."""


def rounded(signatures):
    """Round signatures, so that rounding errors do not decide between nodes with the same one."""
    return np.round(signatures, DECIMALS) + 0.0


def judge(signatures, roles, seed):
    """Return every measure of one embedding of one graph, whose roles are numbered 0, 1, ...; seeds folds and ties."""
    values = (*classification_scores(signatures, roles, seed), *clustering_scores(signatures, roles))
    return dict(zip(MEASURES, values, strict=True))


def classification_scores(signatures, roles, seed):
    """Return accuracy, macro-F1 and weighted F1 of nearest neighbours, averaged over the folds."""
    folds = np.empty(roles.size, np.int64)
    splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    for number, (_, test) in enumerate(splitter.split(roles, roles)):
        folds[test] = number
    ties = np.random.default_rng(seed).random((roles.size, roles.size))
    points = rounded(signatures)
    votes = neighbour_votes(np.round(cdist(points, points, "sqeuclidean"), 14), roles, folds, ties, NEIGHBOURS)
    return fold_scores(roles, votes, folds)


def clustering_scores(signatures, roles):
    """Return homogeneity, completeness and silhouette for each linkage, with as many clusters as roles."""
    points, n_clusters = rounded(signatures), int(roles.max()) + 1
    distinct, found = np.unique(points, axis=0, return_inverse=True)
    scores = []
    for linkage in LINKAGES:
        clusters = found.reshape(-1)
        if len(distinct) > n_clusters:
            clusters = AgglomerativeClustering(n_clusters, linkage=linkage).fit_predict(points)
        n_found = len(np.unique(clusters))
        apart = silhouette_score(points, clusters) if 1 < n_found < len(points) else float("nan")
        scores += [homogeneity_score(roles, clusters), completeness_score(roles, clusters), float(apart)]
    return scores


def neighbour_votes(distances, roles, folds, ties, k):
    """Return the vote of the k nearest nodes of other folds for each node; `ties` order those that are equally near."""
    votes = np.empty(roles.size, np.int64)
    ties = np.broadcast_to(ties, distances.shape)
    for fold in np.unique(folds):
        test, train = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        part = np.ix_(test, train)
        nearest = roles[train[np.lexsort((ties[part], distances[part]))[:, :k]]]
        votes[test] = [np.bincount(row).argmax() for row in nearest]
    return votes


def fold_scores(roles, votes, folds):
    """Return accuracy, macro-F1 and weighted F1, each the mean over the folds."""
    rows = []
    for fold in np.unique(folds):
        own = folds == fold
        truth, found = roles[own], votes[own]
        f1 = [f1_score(truth, found, average=average) for average in ("macro", "weighted")]
        rows.append([(truth == found).mean(), *f1])
    return np.mean(rows, axis=0).tolist()
