"""Signature heads on the published fair splits: ``python -m experiments.fair_splits [NAME ...]``.

For each of the ten outer folds: words and bins are learned from the training graphs; of each kind of head the candidate
with the best accuracy on the validation graphs is chosen, and fitted again on training and validation graphs; the
scaled scores of the three are averaged on the test graphs. Results: one JSON per collection in ``results/fair_splits``.
"""

import argparse
import time
from dataclasses import asdict, dataclass

import numpy as np
from experiments.splits import ALL_NAMES, classes_of, folds_of, load
from experiments.storage import RESULTS, write_json
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, PredefinedSplit

from vnestruct.setmodel import GraphSignature, NodeFeatures, heads

FOLDER = RESULTS / "fair_splits"


@dataclass(frozen=True)
class Choice:
    """The signature used for a collection."""

    radius: int = 2
    kind: str | tuple[str, ...] = "approx"
    depth: int = 0
    max_words: int = 1000
    heads: tuple[str, ...] = ("ridge", "svm", "boosting")
    """Beginnings of the names of the candidates, one head each."""


CHOICES = {
    "NCI1": Choice(depth=4, max_words=1500, heads=("svm 10 on words",)),
    "DD": Choice(depth=1, heads=("ridge", "svm")),
    "PROTEINS": Choice(depth=1),
    "ENZYMES": Choice(depth=1),
    "IMDB-BINARY": Choice(),
    "REDDIT-BINARY": Choice(heads=("svm 10 on words", "svm 10/0.3 on both", "boosting")),
    "COLLAB": Choice(heads=("ridge",)),
}
"""Large collections have fewer candidates, to save time."""


class Head(ClassifierMixin, BaseEstimator):
    """A candidate as a scikit-learn classifier."""

    def __init__(self, n_words, candidate=None):
        self.n_words, self.candidate = n_words, candidate

    def fit(self, X, y):
        """Fit the head."""
        self.classes_ = np.unique(y)
        self.head_ = heads.Head(self.candidate, heads.Space(X, self.n_words), y, 0)
        return self

    def decision_function(self, X):
        """Return the score of each class."""
        return self.head_.scores(X)

    def predict(self, X):
        """Return the class of highest score."""
        return self.decision_function(X).argmax(axis=1)


def tested(rows, n_words, classes, fold, names):
    """Return the chosen heads and the accuracies on the test graphs: of each, and of all together."""
    both, truth = np.concatenate([fold.train, fold.validation]), classes[fold.test]
    is_held = np.repeat([-1, 0], [fold.train.size, fold.validation.size])
    result = {"heads": [], "validation": {}, "alone": {}}
    total = 0.0
    for kind in dict.fromkeys(name.split()[0] for name in names):
        named = tuple(name for name in names if name.split()[0] == kind)
        usable = [c for c in heads.usable_candidates(n_words) if c.name.startswith(named)]
        search = GridSearchCV(Head(n_words), {"candidate": usable}, cv=PredefinedSplit(is_held))
        scores = search.fit(rows[both], classes[both]).decision_function(rows[fold.test])
        total += scores / max(float(np.abs(scores).mean()), 1e-12)
        result["heads"].append(search.best_params_["candidate"].name)
        accuracies = search.cv_results_["mean_test_score"].round(6).tolist()
        result["validation"] |= {c.name: a for c, a in zip(usable, accuracies, strict=True)}
        result["alone"][kind] = float((scores.argmax(axis=1) == truth).mean())
    return result | {"test": float((np.asarray(total).argmax(axis=1) == truth).mean())}


def measure(name, choice):
    """Return the accuracies of all folds of a collection."""
    start = time.perf_counter()
    collection = load(name)
    classes, parameters = classes_of(collection), asdict(choice)
    del parameters["heads"]
    nodes = NodeFeatures(choice.radius, choice.kind).with_entropies(collection)
    results = []
    for fold in folds_of(name, collection):
        signature = GraphSignature(**parameters).fit_nodes(nodes.subset(fold.train))
        rows = signature.transform_nodes(nodes)
        results.append(tested(rows, signature.n_words, classes, fold, choice.heads))
        print(name, results[-1]["test"], results[-1]["heads"], flush=True)
    tests = [result["test"] for result in results]
    return {
        "collection": name, "choice": asdict(choice), "accuracy": float(np.mean(tests)),
        "deviation": float(np.std(tests)), "seconds": round(time.perf_counter() - start, 1), "folds": results,
    }  # fmt: skip


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(ALL_NAMES)}; by default those without a result file")
    missing = [name for name in ALL_NAMES if not (FOLDER / f"{name}.json").exists()]
    for chosen in parser.parse_args().names or missing:
        write_json(FOLDER / f"{chosen}.json", measure(chosen, CHOICES[chosen]))
