"""The choice of a head inside the training part: all candidates share their products of signatures."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.setmodel.heads import (
    CANDIDATES,
    Candidate,
    distances,
    divided,
    fit_head,
    head_scores,
    shared_words,
    standardised,
    svm_kernel,
    targets_of,
    word_steps,
)
from vnestruct.types import ValueArray

Codes = npt.NDArray[Any]


def inner_accuracies(rows: ValueArray, codes: Codes, folds: Codes, n_words: int, seed: int) -> dict[str, float]:
    """Return the accuracy of each candidate over folds of the training graphs.

    Parameters
    ----------
    rows : array, shape (graphs, columns)
        Signatures; the last `n_words` columns count words.
    codes, folds : array of int
        Class and fold of each graph.
    seed : int
        Of boosting.
    """
    targets = targets_of(codes, int(codes.max()) + 1)
    products: dict[str, ValueArray] = {}
    apart, shared = None, None
    for which in ("all", "numbers"):
        scaled = standardised(divided(Candidate("ridge", which, 0.0), rows, n_words)[0])[0]
        products[which] = scaled @ scaled.T
        apart = distances(scaled, scaled)
    if n_words:
        words = rows[:, rows.shape[1] - n_words :]
        row_of = shared_words(words, word_steps(words))
        shared = row_of @ row_of.T
    accuracies: dict[str, float] = {}
    for candidate in CANDIDATES:
        if candidate.columns in ("words", "both") and shared is None:
            continue
        right = 0
        kernel = svm_kernel(candidate, shared, apart) if candidate.kind == "svm" else None
        for fold in range(int(folds.max()) + 1):
            train, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            if kernel is not None:
                scores = _svm_scores(candidate, kernel, targets, train, held)
            elif candidate.kind == "ridge":
                scores = _ridge_scores(candidate, products[candidate.columns], targets, train, held)
            else:
                arrays = fit_head(candidate, rows[train], n_words, codes[train], seed)
                scores = head_scores(candidate, arrays, rows[held], n_words)
            wide = scores if scores.shape[1] > 1 else np.hstack([-scores, scores])
            right += int((wide.argmax(axis=1) == codes[held]).sum())
        accuracies[candidate.name] = right / codes.size
    return accuracies


def _ridge_scores(
    candidate: Candidate, products: ValueArray, targets: ValueArray, train: Codes, held: Codes
) -> ValueArray:
    inner = products[np.ix_(train, train)]
    outer = products[np.ix_(held, train)]
    # Columns of mean 0 over the training rows, said in products.
    mean = inner.mean(axis=0)
    inner = inner - mean - mean[:, np.newaxis] + mean.mean()
    outer = outer - outer.mean(axis=1, keepdims=True) - mean + mean.mean()
    constant = targets[train].mean(axis=0)
    weights = np.linalg.solve(inner + candidate.strength * np.eye(train.size), targets[train] - constant)
    scores: ValueArray = outer @ weights + constant
    return scores


def _svm_scores(candidate: Candidate, kernel: ValueArray, targets: ValueArray, train: Codes, held: Codes) -> ValueArray:
    from sklearn.svm import SVC

    inner = np.ascontiguousarray(kernel[np.ix_(train, train)])
    outer = kernel[np.ix_(held, train)]
    columns = []
    for target in targets[train].T:
        machine = SVC(C=candidate.strength, kernel="precomputed", cache_size=500).fit(inner, target > 0)
        columns.append(outer[:, machine.support_] @ machine.dual_coef_[0] + machine.intercept_[0])
    return np.column_stack(columns)
