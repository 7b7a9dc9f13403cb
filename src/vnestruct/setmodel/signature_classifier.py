"""`SignatureClassifier`: classes of graphs from their signatures, by heads chosen inside the training part."""

from __future__ import annotations

from dataclasses import asdict
from os import PathLike
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from vnestruct.datasets import as_collection
from vnestruct.errors import ParameterError
from vnestruct.setmodel.choice import inner_accuracies
from vnestruct.setmodel.classes import training_classes
from vnestruct.setmodel.folds import stratified_folds
from vnestruct.setmodel.heads import CANDIDATES, Candidate, fit_head, head_scores
from vnestruct.setmodel.persistence import load_model, save_model
from vnestruct.setmodel.signature import GraphSignature, NodeTable
from vnestruct.types import ValueArray

KIND = "signature"
KINDS = ("ridge", "svm", "boosting")


class SignatureClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Classify graphs without a network: `GraphSignature`, then ridge, support vectors or boosted trees.

    Of each of the three kinds of head the best is chosen by cross-validation inside the training graphs, and the scores
    of the three, each brought to size 1, are averaged. Words and bins of the signature are learned from the training
    graphs too, without their classes.

    Parameters
    ----------
    radius : int, default 2
        Largest radius of the entropies.
    kind : str or list of str, default "approx"
        Which entropy.
    bins, max_words : int
        See `GraphSignature`.
    inner_folds : int, default 5
        Folds of the choice.
    random_state : int, default 0
        Seed of folds and of boosting.
    n_jobs : int, optional
        Threads that compute entropies.

    Attributes
    ----------
    classes_ : ndarray
        The classes.
    heads_ : list of Candidate
        What was chosen, one of each kind.
    scores_ : dict
        Accuracy of each candidate in the inner cross-validation.

    Examples
    --------
    >>> from vnestruct.setmodel import SignatureClassifier
    >>> rings = [[(i, (i + 1) % n) for i in range(n)] for n in range(4, 14)]
    >>> stars = [[(0, i) for i in range(1, n)] for n in range(4, 14)]
    >>> model = SignatureClassifier(radius=1).fit(rings + stars, ["ring"] * 10 + ["star"] * 10)
    >>> model.predict([stars[3], rings[5]])
    array(['star', 'ring'], dtype='<U4')
    """

    def __init__(
        self,
        radius: int = 2,
        *,
        kind: Any = "approx",
        bins: int = 8,
        max_words: int = 1000,
        inner_folds: int = 5,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.radius = radius
        self.kind = kind
        self.bins = bins
        self.max_words = max_words
        self.inner_folds = inner_folds
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any | None = None) -> SignatureClassifier:
        """Choose heads and fit them on graphs: whatever `vnestruct.datasets.as_collection` takes."""
        if not isinstance(self.inner_folds, int | np.integer) or self.inner_folds < 2:
            raise ParameterError(f"inner_folds is {self.inner_folds!r}; it must be a whole number of at least 2")
        collection = as_collection(X, y)
        signature = self.make_signature()
        signature.check_parameters()
        return self.fit_nodes(signature.node_table(collection))

    def fit_nodes(self, nodes: NodeTable) -> SignatureClassifier:
        """Fit on nodes whose entropies are known."""
        self.classes_, codes = training_classes(nodes.collection)
        self.signature_ = self.make_signature()
        self.signature_.fit_nodes(nodes)
        rows = self.signature_.transform_nodes(nodes)
        self.scores_ = self._inner_scores(rows, codes)
        n_words = self.signature_.n_words
        self.heads_, self.arrays_ = [], []
        for kind in KINDS:
            best = max(
                (candidate for candidate in CANDIDATES if candidate.kind == kind),
                key=lambda candidate: self.scores_.get(candidate.name, 0.0),
            )
            arrays = fit_head(best, rows, n_words, codes, int(self.random_state))
            size = np.abs(head_scores(best, arrays, rows, n_words)).mean()
            self.heads_.append(best)
            self.arrays_.append(arrays | {"size": np.array([size if size > 0.0 else 1.0])})
        return self

    def decision_function(self, X: Any) -> ValueArray:
        """Return the score of each class for each graph."""
        check_is_fitted(self, "arrays_")
        return self._scores(self.signature_.node_table(as_collection(X)))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Return the class of each graph."""
        predicted: npt.NDArray[Any] = self.classes_[self.decision_function(X).argmax(axis=1)]
        return predicted

    def predict_nodes(self, nodes: NodeTable) -> npt.NDArray[Any]:
        """Return the class of each graph from nodes whose entropies are known."""
        predicted: npt.NDArray[Any] = self.classes_[self._scores(nodes).argmax(axis=1)]
        return predicted

    def head_accuracies(self, train: NodeTable, test: NodeTable) -> ValueArray:
        """Return the accuracy of every candidate on test graphs, for protocols that choose by it."""
        signature = self.make_signature()
        signature.fit_nodes(train)
        seen, asked = signature.transform_nodes(train), signature.transform_nodes(test)
        classes, codes = training_classes(train.collection)
        found = np.zeros(len(CANDIDATES))
        for place, candidate in enumerate(CANDIDATES):
            if signature.n_words or candidate.columns not in ("words", "both"):
                arrays = fit_head(candidate, seen, signature.n_words, codes, int(self.random_state))
                scores = head_scores(candidate, arrays, asked, signature.n_words)
                found[place] = (classes[scores.argmax(axis=1)] == test.collection.labels).mean()
        return found

    def predict_proba(self, X: Any) -> ValueArray:
        """Return a share of each class for each graph: scores through a softmax, not calibrated."""
        scores = 2.0 * self.decision_function(X)
        odds = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
        shares: ValueArray = odds / odds.sum(axis=1, keepdims=True)
        return shares

    def score(self, X: Any, y: Any | None = None, sample_weight: Any = None) -> float:
        """Return the share of graphs whose class is predicted right."""
        collection = as_collection(X, y)
        if collection.labels is None:
            raise ParameterError("the graphs have no labels to compare with; pass y")
        return float(np.average(self.predict(collection) == collection.labels, weights=sample_weight))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to one safetensors file, with everything else as JSON in its header."""
        check_is_fitted(self, "arrays_")
        notes, arrays = self.signature_.state()
        held = arrays | {
            f"{head.kind}.{name}": array
            for head, fitted in zip(self.heads_, self.arrays_, strict=True)
            for name, array in fitted.items()
        }
        save_model(
            path, KIND, self.get_params(), held, self.classes_,
            {"signature": notes, "heads": [asdict(head) for head in self.heads_], "scores": self.scores_},
        )  # fmt: skip

    @classmethod
    def load(cls, path: str | PathLike[str]) -> SignatureClassifier:
        """Read what `save` wrote; predictions are the same to the last bit."""
        parameters, arrays, classes, notes = load_model(path, KIND)
        model = cls(**parameters)
        model.classes_ = classes
        model.heads_ = [Candidate(**head) for head in notes["heads"]]
        model.scores_ = notes["scores"]
        model.arrays_ = [
            {name.partition(".")[2]: array for name, array in arrays.items() if name.startswith(f"{head.kind}.")}
            for head in model.heads_
        ]
        model.signature_ = model.make_signature().restore(notes["signature"], arrays)
        return model

    def make_signature(self) -> GraphSignature:
        """Return a signature that is not fitted yet, with this classifier's parameters."""
        return GraphSignature(self.radius, kind=self.kind, bins=self.bins, max_words=self.max_words, n_jobs=self.n_jobs)

    def _inner_scores(self, rows: ValueArray, codes: npt.NDArray[Any]) -> dict[str, float]:
        """Return the accuracy of each candidate over folds of the training graphs."""
        smallest = int(np.bincount(codes).min())
        n_folds = min(int(self.inner_folds), smallest)
        if n_folds < 2:
            return {CANDIDATES[0].name: 1.0}
        folds = stratified_folds(codes, n_folds, int(self.random_state))
        return inner_accuracies(rows, codes, folds, self.signature_.n_words, int(self.random_state))

    def _scores(self, nodes: NodeTable) -> ValueArray:
        rows = self.signature_.transform_nodes(nodes)
        n_words = self.signature_.n_words
        scores = [
            head_scores(head, arrays, rows, n_words) / arrays["size"]
            for head, arrays in zip(self.heads_, self.arrays_, strict=True)
        ]
        mean: ValueArray = np.mean(scores, axis=0)
        return mean
