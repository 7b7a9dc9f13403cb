"""The two protocols of cross-validation, as rules on what was counted after each epoch.

*Optimistic*: one epoch for all folds, the one with the best mean accuracy on the test folds. It has seen them, and is
what much of the literature reports. *Honest*: everything is chosen inside the training part. Fold k is validated
by runs that leave out k and another fold j; such a run serves k by its score on j, and j by its score on k, so neither
choice looks at its own test fold. The run on the whole training part is then scored once, at the epoch chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError

PROTOCOLS = ("honest", "optimistic")

WINDOW = 11
"""Epochs over which `vnestruct.setmodel.cross_validate` averages validation accuracies."""

Counts = npt.NDArray[Any]


@dataclass(frozen=True)
class Choice:
    """What the training part of one test fold chose, and how the test went."""

    epoch: int
    validation: float
    loss: float
    test: float


def check_protocol(protocol: str, n_folds: int) -> None:
    """Refuse what cannot be done."""
    if protocol not in PROTOCOLS:
        raise ParameterError(f"protocol is {protocol!r}; it must be one of {', '.join(map(repr, PROTOCOLS))}")
    least = 3 if protocol == "honest" else 2
    if n_folds < least:
        raise ParameterError(f"folds is {n_folds}; the {protocol} protocol needs at least {least}")


def pairs(n_folds: int) -> list[tuple[int, int]]:
    """Return the pairs of folds that inner runs leave out: neighbours, and next neighbours if folds are many.

    Examples
    --------
    >>> pairs(3)
    [(0, 1), (1, 2), (2, 0)]
    >>> len(pairs(10))
    20
    """
    steps = (1, 2) if n_folds >= 5 else (1,)
    return [(fold, (fold + step) % n_folds) for step in steps for fold in range(n_folds)]


def validations(fold: int, n_folds: int) -> list[tuple[int, int]]:
    """Return (pair, side) of each inner run that validates a fold: the side is the one that is not the fold."""
    return [(number, 1 - pair.index(fold)) for number, pair in enumerate(pairs(n_folds)) if fold in pair]


def best_epoch(hits: Counts, sizes: Counts) -> tuple[int, npt.NDArray[np.float64]]:
    """Return the epoch, from 0, of the best mean test accuracy, and the accuracies (folds, epochs)."""
    accuracy = hits / np.maximum(sizes, 1)[:, np.newaxis]
    return int(accuracy.mean(axis=0).argmax()), accuracy


def smoothed(values: Counts, window: int) -> npt.NDArray[np.float64]:
    """Return the mean over a window of epochs around each, shorter at the ends.

    Examples
    --------
    >>> smoothed(np.array([0, 3, 3, 9]), 3)
    array([1.5, 2. , 5. , 6. ])
    """
    kernel = np.ones(min(window, values.size))
    totals: npt.NDArray[np.float64] = np.convolve(values, kernel, "same")
    return totals / np.convolve(np.ones(values.size), kernel, "same")


def inner_choices(hits: Counts, loss: Counts, sizes: Counts, window: int = 1) -> list[Choice]:
    """Return for each test fold what its training part chooses: the best accuracy, then the smallest loss.

    Parameters
    ----------
    hits, loss : array, shape (folds + pairs, epochs, 2)
        Right answers and loss on the folds that each run left out; runs that leave out one fold come first.
    sizes : array of int
        Graphs in each fold.
    window : int, default 1
        Epochs over which accuracies are averaged before the best is taken: one epoch may be good by luck.
    """
    n_folds = len(sizes)
    left_out = pairs(n_folds)
    chosen = []
    for fold in range(n_folds):
        runs = validations(fold, n_folds)
        right = sum(hits[n_folds + run, :, side].astype(np.int64) for run, side in runs)
        of = sum(int(sizes[left_out[run][side]]) for run, side in runs)
        losses = np.mean([loss[n_folds + run, :, side].astype(np.float64) for run, side in runs], axis=0)
        accuracy = smoothed(np.asarray(right), window) / max(of, 1)
        best = np.flatnonzero(accuracy >= accuracy.max() - 1e-9)
        epoch = int(best[losses[best].argmin()])
        test = float(hits[fold, epoch, 0] / max(int(sizes[fold]), 1))
        chosen.append(Choice(epoch, float(accuracy[epoch]), float(losses[epoch]), test))
    return chosen
