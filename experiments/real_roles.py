"""Airports, actor, film: 10-fold accuracy of logistic regression and of 4 nearest neighbours.

Columns are standardised on the training folds. Logistic regression has L2 regularisation with C = 1. Slow methods are
left out of the large graphs, where they would take long on one core: `SKIPPED` says which, and the report repeats it.
"""

import time

from experiments.methods import METHODS
from experiments.real_graphs import labelled_graph
from experiments.storage import RESULTS, read_json, write_json

FOLDER = RESULTS / "real_roles"
GRAPHS = ("brazil-airports", "europe-airports", "actor", "film")
SKIPPED = {
    ("struc2vec", "actor"): "compares all pairs of nodes",
    ("struc2vec", "film"): "compares all pairs of nodes",
    ("drne", "europe-airports"): "long training on one core",
    ("drne", "actor"): "long training on one core",
    ("drne", "film"): "long training on one core",
    ("deepwalk", "actor"): "25 million steps of walks",
    ("deepwalk", "film"): "87 million steps of walks",
    ("node2vec", "actor"): "6 million steps of walks",
    ("node2vec", "film"): "22 million steps of walks",
    ("rolx-own", "film"): "tries every number of roles on 27,312 nodes",
    ("graphwave", "actor"): "all eigenvectors of a large matrix",
    ("graphwave", "film"): "all eigenvectors of a large matrix",
    ("graphwave-chebyshev", "film"): "27,312 columns of a heat kernel",
}
"""Runs that were skipped, and why."""

SEED = 0
N_ROLES = 16
"""Roles that RolX is given here: real graphs have more kinds of nodes than their 4 classes."""


def run(*, slow=True):
    """Compute what is missing: one file for each graph and method."""
    for name in GRAPHS:
        graph, classes = labelled_graph(name)
        known = classes >= 0
        for method in METHODS:
            path = FOLDER / f"{name}.{method.name}.json"
            if path.exists() or (method.slow and not slow):
                continue
            if (method.name, name) in SKIPPED:
                continue
            begin = time.perf_counter()
            signatures = method.embed(graph, N_ROLES, SEED)
            seconds = time.perf_counter() - begin
            scores = cross_validated(signatures[known], classes[known])
            write_json(path, {"dimension": signatures.shape[1], "embedding_seconds": round(seconds, 2)} | scores)
            print(f"{name}: {method.name}, {seconds:.1f} s", flush=True)


def cross_validated(values, classes):
    """Return mean and standard deviation over ten folds of the accuracy of both classifiers."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    folds = StratifiedKFold(10, shuffle=True, random_state=SEED)
    scores = {}
    for name, model in (("logistic", LogisticRegression(max_iter=2000)), ("neighbours", KNeighborsClassifier(4))):
        accuracies = cross_val_score(make_pipeline(StandardScaler(), model), values, classes, cv=folds)
        scores[name] = [round(float(accuracies.mean()), 4), round(float(accuracies.std(ddof=1)), 4)]
    return scores


def results():
    """Return the known results, by graph and method."""
    known = {(name, one.name): read_json(FOLDER / f"{name}.{one.name}.json") for name in GRAPHS for one in METHODS}
    return {key: value for key, value in known.items() if value is not None}
