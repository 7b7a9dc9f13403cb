"""`SignatureClassifier`: classify graphs by their signatures, with heads chosen inside the training part."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, cast

import numpy as np
from scipy import sparse
from sklearn.base import clone

from vnestruct.errors import whole_number
from vnestruct.files.container import Arrays
from vnestruct.graph import GraphSet
from vnestruct.setmodel.base import GraphClassifier
from vnestruct.setmodel.evaluation import Codes, Outcome, Report, stratified_folds, training_classes
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

    def check_parameters(self) -> None:
        """Raise `ParameterError` for the first invalid parameter."""
        super().check_parameters()
        whole_number("inner_folds", self.inner_folds, 2)

    def evaluate(self, nodes: GraphSet, codes: Codes, fold: Codes, seed: int, protocol: str, report: Report) -> Outcome:
        """Fit on the training part of each fold; see `cross_validate`."""
        n_folds = int(fold.max()) + 1
        tried: list[dict[str, Codes]] = []
        for number in range(n_folds):
            train, test = (nodes.subset(np.flatnonzero(part)) for part in (fold != number, fold == number))
            tried.append(clone(self).fold_answers(train, test, protocol))
            report(number + 1, n_folds)
        if protocol == "honest":
            names = [next(iter(found)) for found in tried]
        else:
            common = [name for name in tried[0] if all(name in found for found in tried)]
            right = {name: [found[name] == codes[fold == k] for k, found in enumerate(tried)] for name in common}
            names = [max(common, key=lambda name: np.mean([part.mean() for part in right[name]]))] * n_folds
        return Outcome([found[name] for found, name in zip(tried, names, strict=True)], names, {})

    def fold_answers(self, train: GraphSet, test: GraphSet, protocol: str) -> dict[str, Codes]:
        """Return the classes of test graphs by the heads that training graphs choose, or by every candidate."""
        codes = training_classes(train)[1]
        space = self._fit_signature(train)
        if protocol == "honest":
            self._fit_heads(self._choose(space, codes), space, codes)
            names = ", ".join(head.candidate.name for head in self.heads_)
            return {names: self._scores(test).argmax(axis=1)}
        rows, seed = self.signature_.transform_nodes(test), int(self.random_state)
        heads = [Head(candidate, space, codes, seed) for candidate in usable_candidates(space.n_words)]
        return {head.candidate.name: head.scores(rows).argmax(axis=1) for head in heads}

    def _fit(self, nodes: GraphSet, codes: Codes) -> None:
        space = self._fit_signature(nodes)
        self._fit_heads(self._choose(space, codes), space, codes)

    def _fit_signature(self, nodes: GraphSet) -> Space:
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
        self._sizes = [float(np.abs(head.scores()).mean()) or 1.0 for head in self.heads_]
        self._codes = codes
        space.forget()

    def _scores(self, nodes: GraphSet) -> ValueArray:
        rows = self.signature_.transform_nodes(nodes)
        scores = [head.scores(rows) / size for head, size in zip(self.heads_, self._sizes, strict=True)]
        return cast(ValueArray, np.mean(scores, axis=0))

    def _signature(self) -> GraphSignature:
        return GraphSignature(**{field.name: getattr(self, field.name) for field in fields(SignatureParameters)})

    def _state(self) -> tuple[dict[str, Any], Arrays]:
        rows = sparse.csr_array(self.heads_[0].space.rows)
        arrays = {"data": rows.data, "indices": rows.indices, "indptr": rows.indptr, "codes": self._codes}
        arrays |= {"edges": self.signature_.edges_, "words": self.signature_.words_}
        chosen = [head.candidate.name for head in self.heads_]
        return {"features": self.signature_.features_.state(), "heads": chosen, "scores": self.scores_}, arrays

    def _restore(self, learned: dict[str, Any], arrays: Arrays) -> None:
        self.signature_ = self._signature()
        self.signature_.features_ = self.make_features().restore(learned["features"])
        self.signature_.edges_, self.signature_.words_ = arrays["edges"], arrays["words"]
        self.scores_, codes = learned["scores"], arrays["codes"]
        shape = (codes.size, self.signature_.get_feature_names_out().size)
        rows = sparse.csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
        rows.check_format(full_check=True)
        self._fit_heads(learned["heads"], Space(rows.toarray(), self.signature_.n_words), codes)
