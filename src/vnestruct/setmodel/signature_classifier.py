"""`SignatureClassifier`: classify graphs by their signatures, with heads chosen inside the training part."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, cast

import numpy as np
from scipy import sparse
from sklearn.base import clone

from vnestruct.errors import whole_number
from vnestruct.graph import GraphSet
from vnestruct.setmodel.base import GraphClassifier
from vnestruct.setmodel.evaluation import Codes, Report, Tried, stratified_folds
from vnestruct.setmodel.features import NodeFeatures
from vnestruct.setmodel.heads import CANDIDATES, Head, Space, inner_accuracies, usable_candidates
from vnestruct.setmodel.signature import GraphSignature, SignatureParameters
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

    def make_features(self) -> NodeFeatures:
        """Check all parameters and return unfitted node features."""
        whole_number("inner_folds", self.inner_folds, 2)
        return super().make_features()

    def evaluate(self, nodes: GraphSet, codes: Codes, fold: Codes, seed: int, protocol: str, report: Report) -> Tried:
        """Fit on the training part of each fold, the chosen heads or every candidate; see `cross_validate`."""
        n_folds, tried = int(fold.max()) + 1, []
        for number in range(n_folds):
            model, kept = clone(self), fold != number
            train, test = (nodes.subset(np.flatnonzero(part)) for part in (kept, ~kept))
            if protocol == "honest":
                model.fit_nodes(train, codes[kept])
                names = ", ".join(head.candidate.name for head in model.heads_)
                tried.append({names: model.score_nodes(test).argmax(axis=1)})
            else:
                space = model.fit_signature(train)
                rows = model.signature_.transform_nodes(test)
                heads = (
                    Head(each, space, codes[kept], int(self.random_state)) for each in usable_candidates(space.n_words)
                )
                tried.append({head.candidate.name: head.scores(rows).argmax(axis=1) for head in heads})
            report(number + 1, n_folds)
        return tried, {}

    def fit_nodes(self, nodes: GraphSet, codes: Codes) -> None:
        """Train on graphs whose classes are numbered from 0."""
        space = self.fit_signature(nodes)
        self._fit_heads(self._choose(space, codes), space, codes)

    def fit_signature(self, nodes: GraphSet) -> Space:
        """Fit the signature, and return that of each graph."""
        self.signature_ = self._signature().fit_nodes(nodes)
        return Space(self.signature_.transform_nodes(nodes), self.signature_.n_words)

    def _choose(self, space: Space, codes: Codes) -> list[str]:
        """Return the best candidate of each kind."""
        n_folds = min(int(self.inner_folds), int(np.bincount(codes).min()))
        seed = int(self.random_state)
        self.scores_ = {next(iter(CANDIDATES)): 1.0}
        if n_folds >= 2:
            self.scores_ = inner_accuracies(space, codes, stratified_folds(codes, n_folds, seed), seed)
        by_kind = [[name for name, candidate in CANDIDATES.items() if candidate.kind == kind] for kind in KINDS]
        return [max(names, key=lambda name: self.scores_.get(name, 0.0)) for names in by_kind]

    def _fit_heads(self, names: list[str], space: Space, codes: Codes) -> None:
        self.heads_ = [Head(CANDIDATES[name], space, codes, int(self.random_state)) for name in names]
        self._sizes = [float(np.abs(head.scores(space.rows)).mean()) or 1.0 for head in self.heads_]
        self._codes = codes
        space.forget()

    def score_nodes(self, nodes: GraphSet) -> ValueArray:
        """Return the score of each class for each graph."""
        rows = self.signature_.transform_nodes(nodes)
        scores = [head.scores(rows) / size for head, size in zip(self.heads_, self._sizes, strict=True)]
        return cast(ValueArray, np.mean(scores, axis=0))

    def _signature(self) -> GraphSignature:
        return GraphSignature(**{field.name: getattr(self, field.name) for field in fields(SignatureParameters)})

    def state(self) -> dict[str, Any]:
        """Return everything learned but the classes, as arrays and JSON values."""
        rows = sparse.csr_array(self.heads_[0].space.rows)
        learned = {"data": rows.data, "indices": rows.indices, "indptr": rows.indptr, "codes": self._codes}
        learned |= {"edges": self.signature_.edges_, "words": self.signature_.words_}
        chosen = [head.candidate.name for head in self.heads_]
        return learned | {"features": self.signature_.features_.state(), "heads": chosen, "scores": self.scores_}

    def restore(self, learned: dict[str, Any]) -> None:
        """Set everything learned to what `state` returned."""
        self.signature_ = self._signature()
        self.signature_.features_ = self.make_features().restore(learned["features"])
        self.signature_.edges_, self.signature_.words_ = learned["edges"], learned["words"]
        self.scores_ = learned["scores"]
        shape = (learned["codes"].size, self.signature_.get_feature_names_out().size)
        rows = sparse.csr_array((learned["data"], learned["indices"], learned["indptr"]), shape=shape)
        rows.check_format(full_check=True)
        self._fit_heads(learned["heads"], Space(rows.toarray(), self.signature_.n_words), learned["codes"])
