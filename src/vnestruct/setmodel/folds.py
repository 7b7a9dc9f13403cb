"""Stratified folds, the same for every model and every version of every library."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def stratified_folds(codes: npt.NDArray[Any], n_folds: int, seed: int) -> npt.NDArray[np.int64]:
    """Return the fold of each graph: every class is dealt evenly, going on where the last one stopped.

    Examples
    --------
    >>> stratified_folds(np.array([0, 0, 0, 1, 1, 1]), 3, seed=0)
    array([1, 2, 0, 2, 1, 0])
    """
    random = np.random.default_rng(seed)
    folds = np.empty(len(codes), dtype=np.int64)
    dealt = 0
    for code in np.unique(codes):
        members = random.permutation(np.flatnonzero(codes == code))
        folds[members] = (np.arange(members.size) + dealt) % n_folds
        dealt += members.size
    return folds
