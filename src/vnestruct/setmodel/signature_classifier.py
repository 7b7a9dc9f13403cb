"""`SignatureClassifier`: classify graphs by their signatures, with heads chosen inside the training part."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, cast

import numpy as np
from scipy import sparse
from sklearn.base import clone

from vnestruct.checks import whole_number
from vnestruct.files.container import Arrays
from vnestruct.graph import GraphSet
from vnestruct.setmodel.base import GraphClassifier
from vnestruct.setmodel.evaluation import Codes, Evaluation, Report, scored, stratified_folds, training_classes
from vnestruct.setmodel.features import NodeFeatures
from vnestruct.setmodel.heads import CANDIDATES, Candidate, Head, Space, inner_accuracies, usable_candidates
from vnestruct.setmodel.signature import GraphSignature, NodeTable, SignatureParameters
from vnestruct.types import ValueArray

KINDS = ("ridge", "svm", "boosting")


@dataclass(eq=False, repr=False)
class SignatureClassifier(SignatureParameters, GraphClassifier):
    """Classify graphs without a network: `GraphSignature`, then ridge, support vectors and boosted trees.

    For each of the three kinds of head the best is chosen by cross-validation inside the training graphs; the scores of
    the three, each scaled to size 1, are averaged. Words and bins of the signature are also learned from the training
    graphs, without their classes. A saved classifier holds the signatures of the training graphs; loading it fits the
    chosen heads again, to the same bits on the same kind of machine.

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
    heads_ : list of Head
        The chosen heads, one of each kind, each with its `candidate`.
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
            if protocol == "honest":
                fitted = clone(self)
                fitted.fit_nodes(train, training_classes(train.collection)[1])
                answers[seed].append(fitted.node_scores(test).argmax(axis=1))
                chosen[seed].append(", ".join(head.candidate.name for head in fitted.heads_))
            else:
                answers[seed].append(self._answers_of_candidates(train, test))
            report(seed * n_folds + number + 1, len(folds) * n_folds)
        if protocol == "honest":
            accuracies, predictions = scored(folds, answers, codes)
        else:
            by_head = [scored(folds, [list(each)], codes) for each in zip(*answers[0], strict=True)]
            best = int(np.stack([row for [row], _ in by_head], axis=1).mean(axis=0).argmax())
            accuracies, predictions = by_head[best]
            chosen = [[CANDIDATES[best].name] * n_folds]
        return Evaluation(self.name, protocol, accuracies, chosen, predictions=predictions)

    def make_signature(self) -> GraphSignature:
        """Return an unfitted signature with this classifier's parameters."""
        return GraphSignature(**{field.name: getattr(self, field.name) for field in fields(SignatureParameters)})

    def fit_nodes(self, nodes: NodeTable, codes: Codes) -> None:
        """Learn words and bins, choose the heads and fit them, on nodes whose entropies are known."""
        self.signature_ = self.make_signature()
        self.signature_.fit_nodes(nodes)
        space = Space(self.signature_.transform_nodes(nodes), self.signature_.n_words)
        n_folds = min(int(self.inner_folds), int(np.bincount(codes).min()))
        seed = int(self.random_state)
        self.scores_ = {CANDIDATES[0].name: 1.0}
        if n_folds >= 2:
            self.scores_ = inner_accuracies(space, codes, stratified_folds(codes, n_folds, seed), seed)
        candidates = [[candidate for candidate in CANDIDATES if candidate.kind == kind] for kind in KINDS]
        self._fit_heads(
            [max(each, key=lambda one: self.scores_.get(one.name, 0.0)) for each in candidates], space, codes
        )

    def node_scores(self, nodes: NodeTable) -> ValueArray:
        """Return the score of each class for each graph from nodes whose entropies are known."""
        rows = self.signature_.transform_nodes(nodes)
        scores = [head.scores(rows) / size for head, size in zip(self.heads_, self._sizes, strict=True)]
        return cast(ValueArray, np.mean(scores, axis=0))

    def _answers_of_candidates(self, train: NodeTable, test: NodeTable) -> Codes:
        """Return the number of each test graph's class by every candidate, -1 where a candidate cannot be used."""
        signature, codes = self.make_signature(), training_classes(train.collection)[1]
        signature.fit_nodes(train)
        space, rows = Space(signature.transform_nodes(train), signature.n_words), signature.transform_nodes(test)
        answers = np.full((len(CANDIDATES), len(test.collection)), -1, np.int64)
        for candidate in usable_candidates(signature.n_words):
            head = Head(candidate, space, codes, int(self.random_state))
            answers[CANDIDATES.index(candidate)] = head.scores(rows).argmax(axis=1)
        return answers

    def _fit(self, collection: GraphSet, codes: Codes) -> None:
        self.fit_nodes(self.make_signature().node_table(collection), codes)

    def _fit_heads(self, chosen: list[Candidate], space: Space, codes: Codes) -> None:
        self.heads_ = [Head(candidate, space, codes, int(self.random_state)) for candidate in chosen]
        self._sizes = [float(np.abs(head.scores()).mean()) or 1.0 for head in self.heads_]
        self._codes = codes
        space.forget()

    def _scores(self, collection: GraphSet) -> ValueArray:
        return self.node_scores(self.signature_.node_table(collection))

    def _state(self) -> tuple[dict[str, Any], Arrays]:
        rows = sparse.csr_array(self.heads_[0].space.rows)
        arrays = {"data": rows.data, "indices": rows.indices, "indptr": rows.indptr, "codes": self._codes}
        arrays |= {"edges": self.signature_.edges_, "words": self.signature_.words_}
        chosen = [head.candidate.name for head in self.heads_]
        return {"features": self.signature_.features_.state(), "heads": chosen, "scores": self.scores_}, arrays

    def _restore(self, learned: dict[str, Any], arrays: Arrays) -> None:
        self.signature_ = self.make_signature()
        self.signature_.features_ = NodeFeatures.from_state(learned["features"], self.n_jobs)
        self.signature_.edges_, self.signature_.words_ = arrays["edges"], arrays["words"]
        self.scores_, codes = learned["scores"], arrays["codes"]
        shape = (codes.size, self.signature_.get_feature_names_out().size)
        rows = sparse.csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
        rows.check_format(full_check=True)
        by_name = {candidate.name: candidate for candidate in CANDIDATES}
        space = Space(rows.toarray(), self.signature_.n_words)
        self._fit_heads([by_name[name] for name in learned["heads"]], space, codes)
