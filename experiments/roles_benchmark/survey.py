"""The survey's protocol: random splits of 70% and 30%, one-vs-rest logistic regression, micro and macro F1; and search.

Splits are not stratified. The classifier is scikit-learn's ``OneVsRestClassifier(LogisticRegression(solver="liblinear",
class_weight="balanced", max_iter=3000))``: an L2 penalty with C = 1 on all coefficients, the intercept included; the
class of highest probability is predicted. Its minimum is found by Newton's method, which takes a tenth of liblinear's
time on many nodes and gives the same predictions. On columns of very different scales liblinear stops
far from the minimum; `stop_early` uses scikit-learn's own classifier there, so that the scores are the survey's.
"""

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from sklearn.model_selection import train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import StandardScaler

TEST_SHARE = 0.3
NEIGHBOURS = 5

Matrix = NDArray[np.float64]


def survey_scores(
    values,
    classes,
    seeds,
    *,
    standardise=False,
    stop_early=False,
):
    """Return micro and macro F1, each as the mean over one split per seed and its standard error.

    Nodes of class -1 are left out. `standardise` divides columns by their deviations over the training nodes.
    `stop_early` uses liblinear, which ends before the minimum on columns of very different scales.
    """
    known = np.flatnonzero(classes >= 0)
    rows = []
    for seed in seeds:
        train, test = train_test_split(known, test_size=TEST_SHARE, random_state=seed)
        if stop_early:
            found = liblinear_predictions(values, classes, train, test)
        else:
            found = predictions(values, classes, train, test, standardise=standardise)
        rows.append([f1_score(classes[test], found, average=average) for average in ("micro", "macro")])
    scores = np.array(rows)
    errors = scores.std(axis=0, ddof=1) / np.sqrt(len(scores))
    return {name: [float(scores[:, i].mean()), float(errors[i])] for i, name in enumerate(("micro", "macro"))}


def predictions(values, classes, train, test, *, standardise=False):
    """Return the classes of the test nodes, predicted from the training nodes."""
    if standardise:
        values = StandardScaler().fit(values[train]).transform(values)
    # liblinear penalises the intercept, too: it is the coefficient of a column of ones.
    matrix = np.column_stack([values, np.ones(len(values))])
    model = LogisticRegression(solver="newton-cholesky", class_weight="balanced", fit_intercept=False, max_iter=3000)
    names = np.unique(classes[train])
    chosen = OneVsRestClassifier(model).fit(matrix[train], classes[train, None] == names)
    return names[np.argmax(chosen.decision_function(matrix[test]), axis=1)]


def liblinear_predictions(values, classes, train, test):
    """Return the classes of the test nodes as the survey's program predicts them, by the highest probability."""
    model = OneVsRestClassifier(LogisticRegression(solver="liblinear", class_weight="balanced", max_iter=3000))
    names = np.unique(classes[train])
    model.fit(values[train], classes[train, None] == names)
    return names[np.argmax(model.predict_proba(values[test]), axis=1)]


def precision_at_five(values, classes, rare):
    """Return the share of the five nearest nodes that have the rare class, averaged over the nodes of that class.

    Equally near nodes count in proportion: the order of the file must not decide.
    """
    shares = []
    for node in np.flatnonzero(classes == rare):
        distances = np.round(np.linalg.norm(values - values[node], axis=1), 8)
        distances[node] = np.inf
        limit = np.sort(distances)[NEIGHBOURS - 1]
        inside, tied = distances < limit, distances == limit
        left = NEIGHBOURS - inside.sum()
        found = (classes[inside] == rare).sum() + left * (classes[tied] == rare).mean()
        shares.append(found / NEIGHBOURS)
    return float(np.mean(shares))
