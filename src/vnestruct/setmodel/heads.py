"""Classifiers of signatures, by scikit-learn: ridge regression, support vectors, boosted trees.

The first two see graphs only through kernel matrices, which all candidates share; see `Space`.
"""

from abc import abstractmethod
from typing import Any, ClassVar, cast

import numpy as np
from sklearn.compose import TransformedTargetRegressor
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.kernel_ridge import KernelRidge
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KernelCenterer, StandardScaler
from sklearn.svm import SVC

from vnestruct.setmodel.evaluation import Codes
from vnestruct.types import OffsetArray, ValueArray

_IN_WORDS = {"numbers": "numbers", "words": "words", "both": "numbers and words", "all": "all columns"}
_THRESHOLDS = np.unique(np.floor(2.0 ** np.arange(0.0, 20.5, 0.5)))
"""Word counts are distinguished at these values: every count up to 2, then more and more coarsely."""


class Space:
    """Signatures to compare others with; the last `n_words` columns count words.

    Numbers are damped and standardised as in these rows, and words are those that at least two of them have.
    """

    def __init__(self, rows: ValueArray, n_words: int) -> None:
        self.rows, self.n_words = rows, n_words
        self._split = rows.shape[1] - n_words
        damped = _damped(rows)
        self._shift, deviation = damped.mean(axis=0), damped.std(axis=0)
        self._scale = np.where(deviation > 1e-9, 1.0 / np.where(deviation > 1e-9, deviation, 1.0), 0.0)
        self._steps = word_steps(rows[:, self._split :])
        self._own: dict[str, ValueArray] = {}

    def matrix(self, measure: str, rows: ValueArray | None = None) -> ValueArray:
        """Compare rows, by default the space's own, with the space's own.

        Returned are the products of standardised columns ("numbers" or "all" with words as numbers), the shares of
        words in common ("words"), or the mean squared differences of numbers ("distances").
        """
        if rows is not None:
            left, right = self._placed(measure, rows), self._placed(measure, self.rows)
            return distances(left, right) if measure == "distances" else left @ right.T
        if measure not in self._own:
            self._own[measure] = self.matrix(measure, self.rows)
        return self._own[measure]

    def forget(self) -> None:
        """Free the memory of comparisons among the space's own rows."""
        self._own.clear()

    def _placed(self, measure: str, rows: ValueArray) -> ValueArray:
        if measure == "words":
            return shared_words(rows[:, self._split :], self._steps)
        scaled: ValueArray = (_damped(rows) - self._shift) * self._scale
        return scaled if measure == "all" else scaled[:, : self._split]


class Candidate:
    """A kind of head, the columns it uses, and its parameters; see `Space.matrix` for the columns."""

    kind: ClassVar[str]
    columns: str
    name: str  # in reports
    description: str  # the same in words

    def inputs(self, space: Space, rows: ValueArray | None = None) -> ValueArray:
        """Return what the model is fitted on and predicts from: comparisons of rows with those of the space."""
        return space.matrix(self.columns, rows)

    @abstractmethod
    def fit(self, inputs: ValueArray, codes: Codes, random_state: int) -> Any:
        """Return a fitted model."""

    def scores(self, model: Any, inputs: ValueArray) -> ValueArray:
        """Return one score per class for each row."""
        scores = model.decision_function(inputs) if hasattr(model, "decision_function") else model.predict(inputs)
        columns = scores.reshape(len(inputs), -1)
        # Two classes may have one column.
        return columns if columns.shape[1] > 1 else np.hstack([-columns, columns])


class Ridge(Candidate):
    """Ridge regression on "numbers", or on "all" columns as numbers."""

    kind = "ridge"

    def __init__(self, columns: str, penalty: float) -> None:
        self.columns, self.penalty = columns, penalty
        self.name = f"ridge {penalty:g} on {columns}"
        self.description = f"ridge regression with penalty {penalty:g} on {_IN_WORDS[columns]}"

    def fit(self, inputs: ValueArray, codes: Codes, random_state: int) -> Any:
        """Return a fitted model."""
        classes = [1] if codes.max() == 1 else np.arange(codes.max() + 1)
        ridge = KernelRidge(alpha=self.penalty, kernel="precomputed")
        # The constant is the mean of the targets.
        centred = TransformedTargetRegressor(ridge, transformer=StandardScaler(with_std=False), check_inverse=False)
        targets = np.where(codes[:, np.newaxis] == classes, 1.0, -1.0)
        return make_pipeline(KernelCenterer(), centred).fit(inputs, targets)


class SupportVectors(Candidate):
    """Support vectors on "numbers", "words" (how many words graphs share), or "both" with equal weight.

    `gamma` is in units of 1 / number of columns.
    """

    kind = "svm"

    def __init__(self, columns: str, C: float, gamma: float = 0.0) -> None:
        self.columns, self.C, self.gamma = columns, C, gamma
        self.name = f"svm {C:g}{f'/{gamma:g}' if gamma else ''} on {columns}"
        with_gamma = f", gamma {gamma:g}" if gamma else ""
        self.description = f"support vectors with C {C:g}{with_gamma} on {_IN_WORDS[columns]}"

    def inputs(self, space: Space, rows: ValueArray | None = None) -> ValueArray:
        """Return the kernel of rows and those of the space."""
        if self.columns == "words":
            return space.matrix("words", rows)
        kernel: ValueArray = np.exp(-self.gamma * space.matrix("distances", rows))
        return kernel if self.columns == "numbers" else 0.5 * (kernel + space.matrix("words", rows))

    def fit(self, inputs: ValueArray, codes: Codes, random_state: int) -> Any:
        """Return a fitted model."""
        return OneVsRestClassifier(SVC(C=self.C, kernel="precomputed", cache_size=500)).fit(inputs, codes)


class Boosting(Candidate):
    """Boosted trees on all columns."""

    kind, columns = "boosting", "all"

    def __init__(self, n_trees: int, depth: int) -> None:
        self.n_trees, self.depth = n_trees, depth
        self.name = f"boosting {n_trees}/{depth} on all"
        self.description = f"{n_trees} boosted trees of depth {depth} on all columns"

    def inputs(self, space: Space, rows: ValueArray | None = None) -> ValueArray:
        """Return the rows."""
        return space.rows if rows is None else rows

    def fit(self, inputs: ValueArray, codes: Codes, random_state: int) -> Any:
        """Return a fitted model."""
        return GradientBoostingClassifier(
            n_estimators=self.n_trees, max_depth=self.depth, subsample=0.7, max_features="sqrt", learning_rate=0.1,
            init="zero", random_state=random_state,
        ).fit(inputs, codes)  # fmt: skip


CANDIDATES: tuple[Candidate, ...] = (
    Ridge("all", 100.0), Ridge("all", 1000.0), Ridge("numbers", 10.0), Ridge("numbers", 100.0),
    SupportVectors("numbers", 1.0, 1.0), SupportVectors("numbers", 10.0, 0.3),
    SupportVectors("words", 1.0), SupportVectors("words", 10.0),
    SupportVectors("both", 1.0, 0.3), SupportVectors("both", 10.0, 0.3), SupportVectors("both", 10.0, 0.1),
    Boosting(100, 3),
)  # fmt: skip


class Head:
    """A candidate, fitted on the rows of a space."""

    def __init__(self, candidate: Candidate, space: Space, codes: Codes, random_state: int) -> None:
        self.candidate, self.space = candidate, space
        self.model = candidate.fit(candidate.inputs(space), codes, random_state)

    def scores(self, rows: ValueArray | None = None) -> ValueArray:
        """Return one score per class for each row, by default of the space."""
        return self.candidate.scores(self.model, self.candidate.inputs(self.space, rows))


def usable_candidates(n_words: int) -> list[Candidate]:
    """Return the candidates for signatures with so many words."""
    return [candidate for candidate in CANDIDATES if n_words or candidate.columns not in ("words", "both")]


def inner_accuracies(space: Space, codes: Codes, folds: Codes, random_state: int) -> dict[str, float]:
    """Return the accuracy of each candidate in cross-validation within a space."""
    accuracies: dict[str, float] = {}
    for candidate in usable_candidates(space.n_words):
        inputs, correct = candidate.inputs(space), 0
        for fold in range(int(folds.max()) + 1):
            train, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            # Boosting sees rows, the others how rows compare with those trained on.
            columns = np.arange(inputs.shape[1]) if isinstance(candidate, Boosting) else train
            model = candidate.fit(inputs[np.ix_(train, columns)], codes[train], random_state)
            scores = candidate.scores(model, inputs[np.ix_(held, columns)])
            correct += int((scores.argmax(axis=1) == codes[held]).sum())
        accuracies[candidate.name] = correct / codes.size
    return accuracies


def word_steps(X: ValueArray) -> OffsetArray:
    """Return (word, threshold) of each step that at least two graphs reach, as an array of shape (steps, 2)."""
    reached = np.array([(threshold <= X).sum(axis=0) for threshold in _THRESHOLDS[X.max(initial=1.0) >= _THRESHOLDS]])
    place, word = np.nonzero(reached >= 2)
    return np.column_stack([word, place]).astype(np.int64)


def shared_words(X: ValueArray, steps: OffsetArray) -> ValueArray:
    """Return rows of length 1 whose products are the share of words that two graphs have in common."""
    # One column per step, set where a count reaches it and weighted by its height, so that the product of two rows is
    # the sum of the smaller counts, up to the coarseness of the thresholds.
    heights = np.diff(np.append(0.0, _THRESHOLDS))
    rows = (X[:, steps[:, 0]] >= _THRESHOLDS[steps[:, 1]]) * np.sqrt(heights[steps[:, 1]])
    lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    return cast(ValueArray, rows / np.maximum(lengths, 1e-12))


def distances(left: ValueArray, right: ValueArray) -> ValueArray:
    """Return the mean squared difference between every row of `left` and every row of `right`."""
    squares = (left**2).sum(axis=1)[:, np.newaxis] + (right**2).sum(axis=1) - 2.0 * left @ right.T
    return cast(ValueArray, np.maximum(squares, 0.0) / max(left.shape[1], 1))


def _damped(X: ValueArray) -> ValueArray:
    """Return signed square roots: counts and sums have long tails, which would dominate distances and planes."""
    return np.sign(X) * np.sqrt(np.abs(X))
