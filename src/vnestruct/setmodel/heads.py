"""The classifiers that `SignatureClassifier` chooses from: scikit-learn's ridge, support vectors, boosted trees."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.metrics import accuracy_score
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from vnestruct.types import Array, ValueArray

_IN_WORDS = {"numbers": "numbers", "words": "words", "both": "numbers and words", "all": "all columns"}
_THRESHOLDS = np.unique(np.floor(2.0 ** np.arange(0.0, 20.5, 0.5)))
"""Word counts are distinguished at these values: every count up to 2, then more and more coarsely."""


class Candidate(NamedTuple):
    """A model of scikit-learn, its name, what it is, and the columns that it uses."""

    name: str
    words: str
    columns: str
    model: Any
    gamma: float = 0.0  # of the kernel of numbers, in units of 1 / number of columns

    @property
    def kind(self) -> str:
        """The first word of the name."""
        return self.name.partition(" ")[0]

    @property
    def description(self) -> str:
        """What is fitted on what."""
        return f"{self.words} on {_IN_WORDS[self.columns]}"


def _candidates() -> Iterator[Candidate]:
    for columns, penalty in (("all", 100.0), ("all", 1000.0), ("numbers", 10.0), ("numbers", 100.0)):
        words = f"ridge regression with penalty {penalty:g}"
        yield Candidate(f"ridge {penalty:g} on {columns}", words, columns, RidgeClassifier(penalty))
    for columns, C, gamma in (
        ("numbers", 1.0, 1.0), ("numbers", 10.0, 0.3), ("words", 1.0, 0.0), ("words", 10.0, 0.0),
        ("both", 1.0, 0.3), ("both", 10.0, 0.3), ("both", 10.0, 0.1),
    ):  # fmt: skip
        shown, words = (f"/{gamma:g}", f", gamma {gamma:g}") if gamma else ("", "")
        model = OneVsRestClassifier(SVC(C=C, kernel="precomputed", cache_size=500))
        yield Candidate(f"svm {C:g}{shown} on {columns}", f"support vectors with C {C:g}{words}", columns, model, gamma)
    trees = GradientBoostingClassifier(
        n_estimators=100, max_depth=3, subsample=0.7, max_features="sqrt", init="zero", random_state=0
    )
    yield Candidate("boosting 100/3 on all", "100 boosted trees of depth 3", "all", trees)


CANDIDATES = {candidate.name: candidate for candidate in _candidates()}


class Space:
    """Signatures that candidates are fitted on; the last `n_words` columns count words.

    Numbers are damped and standardised as in these rows, and words are those that at least two of them have.
    """

    def __init__(self, rows: ValueArray, n_words: int) -> None:
        self.rows, self.n_words = rows, n_words
        self._n_numbers = rows.shape[1] - n_words
        damped = _damped(rows)
        self._shift, deviation = damped.mean(axis=0), damped.std(axis=0)
        self._scale = np.divide(1.0, deviation, out=np.zeros_like(deviation), where=deviation > 1e-9)
        self._steps = word_steps(rows[:, self._n_numbers :])

    def inputs(self, candidate: Candidate, rows: ValueArray) -> ValueArray:
        """Return what a candidate takes for some rows: columns, or their kernel matrix with the space's own."""
        if candidate.kind == "boosting":
            return rows
        if candidate.kind == "ridge":
            return self._scaled(rows, candidate.columns)
        is_own, kernels = rows is self.rows, []
        if candidate.columns != "words":
            own = self._scaled(self.rows, "numbers")
            left = own if is_own else self._scaled(rows, "numbers")
            kernels.append(rbf_kernel(left, own, gamma=candidate.gamma / self._n_numbers))
        if candidate.columns != "numbers":
            kernels.append(self._own_words if is_own else self._shared_words(rows))
        return cast(ValueArray, np.mean(kernels, axis=0))

    def forget(self) -> None:
        """Free the memory of the largest kernel matrix, which the candidates share."""
        vars(self).pop("_own_words", None)

    @cached_property
    def _own_words(self) -> ValueArray:
        return self._shared_words(self.rows)

    def _shared_words(self, rows: ValueArray) -> ValueArray:
        left, right = (word_rows(each[:, self._n_numbers :], self._steps) for each in (rows, self.rows))
        return left @ right.T

    def _scaled(self, rows: ValueArray, columns: str) -> ValueArray:
        scaled: ValueArray = (_damped(rows) - self._shift) * self._scale
        return scaled if columns == "all" else scaled[:, : self._n_numbers]


class Head:
    """A candidate, fitted on the rows of a space."""

    def __init__(self, candidate: Candidate, space: Space, codes: Array, random_state: int) -> None:
        self.candidate, self.space = candidate, space
        self.model = _seeded(candidate, random_state).fit(space.inputs(candidate, space.rows), codes)

    def scores(self, rows: ValueArray) -> ValueArray:
        """Return one score per class for each row."""
        inputs = self.space.inputs(self.candidate, rows)
        columns: ValueArray = self.model.decision_function(inputs).reshape(len(inputs), -1)
        # Two classes have one column.
        return columns if columns.shape[1] > 1 else np.hstack([-columns, columns])


def usable_candidates(n_words: int) -> list[Candidate]:
    """Return the candidates for signatures with so many words."""
    return [candidate for candidate in CANDIDATES.values() if n_words or candidate.columns not in ("words", "both")]


def inner_accuracies(space: Space, codes: Array, folds: Array, random_state: int) -> dict[str, float]:
    """Return the accuracy of each candidate in cross-validation within a space."""
    accuracies = {}
    for candidate in usable_candidates(space.n_words):
        model = _seeded(candidate, random_state)
        predicted = cross_val_predict(model, space.inputs(candidate, space.rows), codes, cv=PredefinedSplit(folds))
        accuracies[candidate.name] = float(accuracy_score(codes, predicted))
    return accuracies


def word_steps(X: ValueArray) -> Array:
    """Return (word, threshold) of each step that at least two graphs reach, as an array of shape (steps, 2)."""
    reached = np.array([(threshold <= X).sum(axis=0) for threshold in _THRESHOLDS[X.max(initial=1.0) >= _THRESHOLDS]])
    place, word = np.nonzero(reached >= 2)
    return np.column_stack([word, place])


def word_rows(X: ValueArray, steps: Array) -> ValueArray:
    """Return rows of length 1 whose products are the share of words that two graphs have in common."""
    # One column per step, set where a count reaches it and weighted by its height, so that the product of two rows is
    # the sum of the smaller counts, up to the coarseness of the thresholds.
    heights = np.diff(_THRESHOLDS, prepend=0.0)
    rows = (X[:, steps[:, 0]] >= _THRESHOLDS[steps[:, 1]]) * np.sqrt(heights[steps[:, 1]])
    return cast(ValueArray, rows / np.linalg.norm(rows, axis=1, keepdims=True).clip(min=1e-12))


def _seeded(candidate: Candidate, random_state: int) -> Any:
    model = clone(candidate.model)
    return model.set_params(random_state=random_state) if candidate.kind == "boosting" else model


def _damped(X: ValueArray) -> ValueArray:
    """Return signed square roots: counts and sums have long tails, which would dominate distances and planes."""
    return np.sign(X) * np.sqrt(np.abs(X))
