"""Classifiers of signatures, fitted with scikit-learn and stored as arrays: ridge, support vectors, boosted trees.

Prediction uses only the arrays, so a loaded classifier predicts the same as the fitted one, to the last bit.
"""

from typing import Any, NamedTuple, cast

import numpy as np

from vnestruct.files.container import Arrays
from vnestruct.setmodel.evaluation import Codes
from vnestruct.types import OffsetArray, ValueArray


class Candidate(NamedTuple):
    """A kind of head, its parameters, and its columns: "numbers", "words", "both" separately, or "all" as numbers."""

    kind: str
    columns: str
    strength: float
    detail: float = 0.0

    @property
    def name(self) -> str:
        """Name in reports."""
        return f"{self.kind} {self.strength:g}{f'/{self.detail:g}' if self.detail else ''} on {self.columns}"

    @property
    def description(self) -> str:
        """The same in words."""
        columns = {"both": "numbers and words", "all": "all columns"}.get(self.columns, self.columns)
        if self.kind == "boosting":
            return f"{self.strength:g} boosted trees of depth {self.detail:g} on {columns}"
        if self.kind == "ridge":
            return f"ridge regression with penalty {self.strength:g} on {columns}"
        gamma = f", gamma {self.detail:g}" if self.detail else ""
        return f"support vectors with C {self.strength:g}{gamma} on {columns}"

    @property
    def uses_words(self) -> bool:
        """Whether it compares graphs by the words they share."""
        return self.columns in ("words", "both")


CANDIDATES: tuple[Candidate, ...] = (
    Candidate("ridge", "all", 100.0), Candidate("ridge", "all", 1000.0),
    Candidate("ridge", "numbers", 10.0), Candidate("ridge", "numbers", 100.0),
    Candidate("svm", "numbers", 1.0, 1.0), Candidate("svm", "numbers", 10.0, 0.3),
    Candidate("svm", "words", 1.0), Candidate("svm", "words", 10.0),
    Candidate("svm", "both", 1.0, 0.3), Candidate("svm", "both", 10.0, 0.3), Candidate("svm", "both", 10.0, 0.1),
    Candidate("boosting", "all", 100.0, 3.0),
)  # fmt: skip
"""Strength: the penalty of ridge, C of svm, number of trees of boosting. Detail: gamma in units of 1/columns, depth of
trees. Support vectors on words compare graphs by the number of words they share; on both, by words and numbers with
equal weight."""

_THRESHOLDS = np.unique(np.floor(2.0 ** np.arange(0.0, 20.5, 0.5)))
"""Word counts are distinguished at these values: every count up to 2, then more and more coarsely."""


def fit_head(candidate: Candidate, X: ValueArray, n_words: int, codes: Codes, seed: int) -> Arrays:
    """Fit a candidate on signatures whose last `n_words` columns count words; return it as arrays."""
    if candidate.kind == "boosting":
        return _fit_boosting(candidate, X, codes, seed)
    targets = targets_of(codes)
    numbers, words = divided(candidate, X, n_words)
    if candidate.kind == "ridge":
        return _fit_ridge(candidate.strength, numbers, targets)
    return _fit_svm(candidate, numbers, words, targets)


def head_scores(candidate: Candidate, arrays: Arrays, X: ValueArray, n_words: int) -> ValueArray:
    """Return one score per class for each signature."""
    if candidate.kind == "boosting":
        return both_columns(_tree_scores(arrays, X))
    numbers, words = divided(candidate, X, n_words)
    scores = np.zeros((len(X), 1)) + arrays["constant"]
    if candidate.uses_words:
        scores = scores + shared_words(words, arrays["steps"]) @ arrays["plane"]
    if candidate.columns != "words":
        scaled = (_damped(numbers) - arrays["shift"]) * arrays["scale"]
        if candidate.kind == "svm":
            scaled = np.exp(-candidate.detail * distances(scaled, arrays["support"]))
        scores = scores + scaled @ arrays["weights"]
    return both_columns(scores)


def divided(candidate: Candidate, X: ValueArray, n_words: int) -> tuple[ValueArray, ValueArray]:
    """Return the numbers and the words that a candidate uses; with "all", every column is a number."""
    split = X.shape[1] - (0 if candidate.columns == "all" else n_words)
    return X[:, :split], X[:, split:]


def svm_kernel(candidate: Candidate, products: Any, apart: Any) -> ValueArray:
    """Return the kernel of support vectors, from the products of words and distances of numbers that it uses."""
    kernel: ValueArray = products if candidate.columns == "words" else np.exp(-candidate.detail * apart)
    return 0.5 * (kernel + products) if candidate.columns == "both" else kernel


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


def standardised(X: ValueArray) -> tuple[ValueArray, ValueArray, ValueArray]:
    """Return damped columns with mean 0 and deviation 1, and the shift and scale used."""
    values = _damped(X)
    shift, deviation = values.mean(axis=0), values.std(axis=0)
    scale = np.where(deviation > 1e-9, 1.0 / np.where(deviation > 1e-9, deviation, 1.0), 0.0)
    return (values - shift) * scale, shift, scale


def _damped(X: ValueArray) -> ValueArray:
    """Return signed square roots: counts and sums have long tails, which would dominate distances and planes."""
    return np.sign(X) * np.sqrt(np.abs(X))


def _fit_ridge(penalty: float, numbers: ValueArray, targets: ValueArray) -> Arrays:
    X, shift, scale = standardised(numbers)
    constant = targets.mean(axis=0)
    centred = targets - constant
    # Columns have mean 0, so the constant is the mean of the targets. The smaller of two equivalent systems is solved.
    if X.shape[1] <= X.shape[0]:
        weights = np.linalg.solve(X.T @ X + penalty * np.eye(X.shape[1]), X.T @ centred)
    else:
        weights = X.T @ np.linalg.solve(X @ X.T + penalty * np.eye(X.shape[0]), centred)
    return {"shift": shift, "scale": scale, "weights": weights, "constant": constant}


def _fit_svm(candidate: Candidate, numbers: ValueArray, words: ValueArray, targets: ValueArray) -> Arrays:
    arrays: Arrays = {}
    products = apart = None
    part = 0.5 if candidate.columns == "both" else 1.0
    if candidate.uses_words:
        arrays["steps"] = word_steps(words)
        rows = shared_words(words, arrays["steps"])
        products = rows @ rows.T
    if candidate.columns in ("numbers", "both"):
        scaled, arrays["shift"], arrays["scale"] = standardised(numbers)
        apart = distances(scaled, scaled)
    kernel = svm_kernel(candidate, products, apart)
    dual, constant = np.zeros(targets.shape), np.zeros(targets.shape[1])
    for place, target in enumerate(targets.T):
        machine = _fit_machine(candidate, kernel, target)
        dual[machine.support_, place] = machine.dual_coef_[0]
        constant[place] = machine.intercept_[0]
    used = np.flatnonzero(dual.any(axis=1))
    if products is not None:
        # The word kernel is a plain product, so the support vectors add up to one plane.
        arrays["plane"] = part * rows[used].T @ dual[used]
    if apart is not None:
        arrays |= {"support": scaled[used], "weights": part * dual[used]}
    return arrays | {"constant": constant}


def _fit_machine(candidate: Candidate, kernel: ValueArray, target: ValueArray) -> Any:
    from sklearn.svm import SVC

    return SVC(C=candidate.strength, kernel="precomputed", cache_size=500).fit(kernel, target > 0)


def _fit_boosting(candidate: Candidate, X: ValueArray, codes: Codes, seed: int) -> Arrays:
    from sklearn.ensemble import GradientBoostingClassifier

    model = GradientBoostingClassifier(
        n_estimators=int(candidate.strength), max_depth=int(candidate.detail), subsample=0.7, max_features="sqrt",
        learning_rate=0.1, init="zero", random_state=seed,
    ).fit(X, codes)  # fmt: skip
    trees = [stage.tree_ for row in model.estimators_ for stage in row]
    most = max(tree.node_count for tree in trees)
    arrays: Arrays = {}
    for name in ("children_left", "children_right", "feature", "threshold", "value"):
        kind = np.float64 if name in ("threshold", "value") else np.int64
        arrays[name] = np.zeros((len(trees), most), dtype=kind)
        for row, tree in zip(arrays[name], trees, strict=True):
            row[: tree.node_count] = np.ravel(getattr(tree, name))
    return arrays | {"rate": np.array([0.1]), "n_outputs": np.array([model.estimators_.shape[1]])}


def _tree_scores(arrays: Arrays, X: ValueArray) -> ValueArray:
    # scikit-learn's trees compare in single precision.
    values = X.astype(np.float32).astype(np.float64)
    rows, n_outputs = np.arange(len(X)), int(arrays["n_outputs"][0])
    scores = np.zeros((len(X), n_outputs))
    for tree in range(len(arrays["feature"])):
        left, right = arrays["children_left"][tree], arrays["children_right"][tree]
        feature, threshold = arrays["feature"][tree], arrays["threshold"][tree]
        node = np.zeros(len(X), dtype=np.int64)
        while (inner := left[node] >= 0).any():
            goes_left = values[rows, np.maximum(feature[node], 0)] <= threshold[node]
            node = np.where(inner, np.where(goes_left, left[node], right[node]), node)
        scores[:, tree % n_outputs] += arrays["rate"][0] * arrays["value"][tree][node]
    return scores


def ridge_scores(
    candidate: Candidate, products: ValueArray, targets: ValueArray, train: Codes, held: Codes
) -> ValueArray:
    """Return the ridge scores of held-out graphs, from products of the signatures."""
    inner, outer = products[np.ix_(train, train)], products[np.ix_(held, train)]
    # This centres the columns over the training rows, in terms of products.
    mean = inner.mean(axis=0)
    inner = inner - mean - mean[:, np.newaxis] + mean.mean()
    outer = outer - outer.mean(axis=1, keepdims=True) - mean + mean.mean()
    constant = targets[train].mean(axis=0)
    weights = np.linalg.solve(inner + candidate.strength * np.eye(train.size), targets[train] - constant)
    return both_columns(outer @ weights + constant)


def svm_scores(candidate: Candidate, kernel: ValueArray, targets: ValueArray, train: Codes, held: Codes) -> ValueArray:
    """Return the support vector scores of held-out graphs, from the kernel of all graphs."""
    inner = np.ascontiguousarray(kernel[np.ix_(train, train)])
    outer = kernel[np.ix_(held, train)]
    columns = []
    for target in targets[train].T:
        machine = _fit_machine(candidate, inner, target)
        columns.append(outer[:, machine.support_] @ machine.dual_coef_[0] + machine.intercept_[0])
    return both_columns(np.column_stack(columns))


def targets_of(codes: Codes) -> ValueArray:
    """Return one column of 1 and -1 per class; one column is enough for two classes."""
    classes = [1] if codes.max() == 1 else np.arange(codes.max() + 1)
    return np.where(codes[:, np.newaxis] == classes, 1.0, -1.0)


def both_columns(scores: ValueArray) -> ValueArray:
    """Return one column per class, also if two classes have one column."""
    return scores if scores.shape[1] > 1 else np.hstack([-scores, scores])


def distances(left: ValueArray, right: ValueArray) -> ValueArray:
    """Return the mean squared difference between every row of `left` and every row of `right`."""
    squares = (left**2).sum(axis=1)[:, np.newaxis] + (right**2).sum(axis=1) - 2.0 * left @ right.T
    return cast(ValueArray, np.maximum(squares, 0.0) / max(left.shape[1], 1))
