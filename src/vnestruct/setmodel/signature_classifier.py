"""`SignatureClassifier`: classify graphs by their signatures, with heads chosen inside the training part."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self, cast

import numpy as np
from sklearn.base import clone

from vnestruct.checks import whole_number
from vnestruct.files.container import Arrays
from vnestruct.graph import GraphSet
from vnestruct.setmodel import heads
from vnestruct.setmodel.base import GraphClassifier
from vnestruct.setmodel.evaluation import Codes, Evaluation, Report, scored, stratified_folds, training_classes
from vnestruct.setmodel.features import NodeFeatures
from vnestruct.setmodel.heads import CANDIDATES, Candidate, fit_head, head_scores
from vnestruct.setmodel.signature import GraphSignature, NodeTable, SignatureParameters
from vnestruct.types import ValueArray

KINDS = ("ridge", "svm", "boosting")


@dataclass(eq=False, repr=False)
class SignatureClassifier(SignatureParameters, GraphClassifier):
    """Classify graphs without a network: `GraphSignature`, then ridge, support vectors and boosted trees.

    For each of the three kinds of head the best is chosen by cross-validation inside the training graphs; the scores of
    the three, each scaled to size 1, are averaged. Words and bins of the signature are also learned from the training
    graphs, without their classes.

    Parameters
    ----------
    radius, kind, bins, max_words, depth, n_jobs
        See `GraphSignature`.
    inner_folds : int, default 5
        Number of folds for choosing the heads.
    random_state : int, default 0
        Seed of the folds and of boosting.

    Attributes
    ----------
    classes_ : ndarray
        The classes.
    heads_ : list of Candidate
        The chosen heads, one of each kind.
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

    name: ClassVar[str] = "signature"
    _score_scale: ClassVar[float] = 2.0

    inner_folds: int = 5
    random_state: int = 0

    def check_parameters(self) -> None:
        """Raise `ParameterError` for the first invalid parameter."""
        super().check_parameters()
        whole_number("inner_folds", self.inner_folds, 2)

    def evaluate(
        self, collection: GraphSet, codes: Codes, folds: list[Codes], protocol: str, report: Report
    ) -> Evaluation:
        """Fit on the training part of each fold, with entropies computed once; see `cross_validate`."""
        self.check_parameters()
        nodes = self.make_signature().node_table(collection)
        n_folds = int(folds[0].max()) + 1
        answers: list[list[Codes]] = [[] for _ in folds]
        chosen: list[list[str]] = [[] for _ in folds]
        for seed, number in np.ndindex(len(folds), n_folds):
            tested = folds[seed] == number
            train, test = nodes.subset(np.flatnonzero(~tested)), nodes.subset(np.flatnonzero(tested))
            fitted = clone(self)
            if protocol == "honest":
                answers[seed].append(fitted.fit_nodes(train).node_scores(test).argmax(axis=1))
                chosen[seed].append(", ".join(head.name for head in fitted.heads_))
            else:
                answers[seed].append(fitted.head_predictions(train, test))
            report(seed * n_folds + number + 1, len(folds) * n_folds)
        if protocol == "honest":
            accuracies, predictions = scored(folds, answers, codes)
        else:
            by_head = [scored(folds, [list(each)], codes) for each in zip(*answers[0], strict=True)]
            best = int(np.stack([row for [row], _ in by_head], axis=1).mean(axis=0).argmax())
            accuracies, predictions = by_head[best]
            chosen = [[CANDIDATES[best].name] * n_folds]
        return Evaluation(self.name, protocol, accuracies, chosen, predictions=predictions)

    def fit_nodes(self, nodes: NodeTable) -> Self:
        """Fit on nodes whose entropies are known."""
        self.classes_, codes = training_classes(nodes.collection)
        self._fit_heads(nodes, codes)
        return self

    def head_predictions(self, train: NodeTable, test: NodeTable) -> Codes:
        """Return the number of each test graph's class by every candidate, -1 where a candidate cannot be used."""
        signature = self.make_signature()
        signature.fit_nodes(train)
        train_rows, test_rows = signature.transform_nodes(train), signature.transform_nodes(test)
        _, codes = training_classes(train.collection)
        predictions = np.full((len(CANDIDATES), len(test.collection)), -1, np.int64)
        for place, candidate in enumerate(CANDIDATES):
            if signature.n_words or not candidate.uses_words:
                arrays = fit_head(candidate, train_rows, signature.n_words, codes, int(self.random_state))
                predictions[place] = head_scores(candidate, arrays, test_rows, signature.n_words).argmax(axis=1)
        return predictions

    def make_signature(self) -> GraphSignature:
        """Return an unfitted signature with this classifier's parameters."""
        return GraphSignature(**{field.name: getattr(self, field.name) for field in fields(SignatureParameters)})

    def _fit(self, collection: GraphSet, codes: Codes) -> None:
        self._fit_heads(self.make_signature().node_table(collection), codes)

    def _fit_heads(self, nodes: NodeTable, codes: Codes) -> None:
        self.signature_ = self.make_signature()
        self.signature_.fit_nodes(nodes)
        rows, n_words, seed = self.signature_.transform_nodes(nodes), self.signature_.n_words, int(self.random_state)
        n_folds = min(int(self.inner_folds), int(np.bincount(codes).min()))
        if n_folds < 2:
            self.scores_ = {CANDIDATES[0].name: 1.0}
        else:
            self.scores_ = inner_accuracies(rows, codes, stratified_folds(codes, n_folds, seed), n_words, seed)
        self.heads_, self.arrays_ = [], []
        for kind in KINDS:
            candidates = [candidate for candidate in CANDIDATES if candidate.kind == kind]
            best = max(candidates, key=lambda candidate: self.scores_.get(candidate.name, 0.0))
            arrays = fit_head(best, rows, n_words, codes, seed)
            size = np.abs(head_scores(best, arrays, rows, n_words)).mean()
            self.heads_.append(best)
            self.arrays_.append(arrays | {"size": np.array([size if size > 0.0 else 1.0])})

    def _scores(self, collection: GraphSet) -> ValueArray:
        return self.node_scores(self.signature_.node_table(collection))

    def node_scores(self, nodes: NodeTable) -> ValueArray:
        """Return the score of each class for each graph from nodes whose entropies are known."""
        rows, n_words = self.signature_.transform_nodes(nodes), self.signature_.n_words
        fitted = zip(self.heads_, self.arrays_, strict=True)
        scores = [head_scores(head, arrays, rows, n_words) / arrays["size"] for head, arrays in fitted]
        return cast(ValueArray, np.mean(scores, axis=0))

    def _state(self) -> tuple[dict[str, Any], Arrays]:
        signature = {"features": self.signature_.features_.state()}
        arrays = {"edges": self.signature_.edges_, "words": self.signature_.words_}
        for head, fitted in zip(self.heads_, self.arrays_, strict=True):
            arrays |= {f"{head.kind}.{name}": array for name, array in fitted.items()}
        chosen = [head._asdict() for head in self.heads_]
        return {"signature": signature, "heads": chosen, "scores": self.scores_}, arrays

    def _restore(self, learned: dict[str, Any], arrays: Arrays) -> None:
        self.heads_ = [Candidate(**head) for head in learned["heads"]]
        self.scores_ = learned["scores"]
        self.arrays_ = [
            {name.partition(".")[2]: array for name, array in arrays.items() if name.startswith(f"{head.kind}.")}
            for head in self.heads_
        ]
        self.signature_ = self.make_signature()
        self.signature_.features_ = NodeFeatures.from_state(learned["signature"]["features"], self.n_jobs)
        self.signature_.edges_, self.signature_.words_ = arrays["edges"], arrays["words"]


def inner_accuracies(rows: ValueArray, codes: Codes, folds: Codes, n_words: int, seed: int) -> dict[str, float]:
    """Return the accuracy of each candidate over folds of training graphs; all share products of the signatures."""
    targets = heads.targets_of(codes)
    products: dict[str, ValueArray] = {}
    apart = shared = None
    numbers, words = np.hsplit(rows, [rows.shape[1] - n_words])
    for columns, part in (("all", rows), ("numbers", numbers)):
        scaled = heads.standardised(part)[0]
        products[columns] = scaled @ scaled.T
        apart = heads.distances(scaled, scaled)
    if n_words:
        word_rows = heads.shared_words(words, heads.word_steps(words))
        shared = word_rows @ word_rows.T
    accuracies: dict[str, float] = {}
    for candidate in CANDIDATES:
        if candidate.uses_words and shared is None:
            continue
        correct = 0
        kernel = heads.svm_kernel(candidate, shared, apart) if candidate.kind == "svm" else None
        for fold in range(int(folds.max()) + 1):
            train, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            if kernel is not None:
                scores = heads.svm_scores(candidate, kernel, targets, train, held)
            elif candidate.kind == "ridge":
                scores = heads.ridge_scores(candidate, products[candidate.columns], targets, train, held)
            else:
                arrays = fit_head(candidate, rows[train], n_words, codes[train], seed)
                scores = head_scores(candidate, arrays, rows[held], n_words)
            correct += int((scores.argmax(axis=1) == codes[held]).sum())
        accuracies[candidate.name] = correct / codes.size
    return accuracies
