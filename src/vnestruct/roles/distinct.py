"""Equal signatures collapsed: each distinct one once, with the number of nodes that carry it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.types import OffsetArray, Value, ValueArray

DECIMALS = 8
"""Signatures that agree after rounding to this many decimals are the same signature."""


@dataclass(frozen=True)
class DistinctSignatures:
    """The distinct rows of a matrix, rounded, in ascending order whatever the order of the nodes.

    Parameters
    ----------
    points : ndarray of float64, shape (m, d)
        The distinct rows.
    index : ndarray of int64, shape (n,)
        Row i of the matrix is ``points[index[i]]``.
    counts : ndarray of int64, shape (m,)
        Number of nodes of each.
    """

    points: ValueArray
    index: OffsetArray
    counts: OffsetArray


def distinct_signatures(signatures: ValueArray) -> DistinctSignatures:
    """Collapse equal rows.

    Examples
    --------
    >>> found = distinct_signatures(np.array([[0.5, 1.0], [0.2, 0.0], [0.5, 1.0 + 1e-12]]))
    >>> found.points.tolist(), found.index.tolist(), found.counts.tolist()
    ([[0.2, 0.0], [0.5, 1.0]], [1, 0, 1], [1, 2])
    """
    rows = rounded(signatures)
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    starts = np.ones(len(rows), bool)
    starts[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    index = np.empty(len(rows), np.int64)
    index[order] = np.cumsum(starts) - 1
    return DistinctSignatures(ordered[starts], index, np.bincount(index, minlength=int(starts.sum())))


def rounded(signatures: ValueArray) -> ValueArray:
    """Round to the decimals that count; never -0.0, which would compare equal but be written differently."""
    rows: ValueArray = np.round(signatures, DECIMALS) + 0.0
    return rows


def checked_signatures(signatures: Any) -> ValueArray:
    """Return a matrix of finite numbers with at least one row and one column, or say what is wrong.

    Raises
    ------
    ParameterError
        If it is not one.
    """
    try:
        matrix = np.ascontiguousarray(signatures, dtype=Value)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"signatures must be a matrix of numbers, one row a node: {error}") from None
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ParameterError(
            f"signatures must be a matrix, one row a node and one column an entropy; its shape is {matrix.shape}"
        )
    wrong = ~np.isfinite(matrix).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ParameterError(f"row {row} of the signatures is {matrix[row].tolist()}; all values must be finite")
    return matrix
