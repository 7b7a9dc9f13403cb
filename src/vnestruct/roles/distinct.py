"""Signatures prepared for distances: checked, equal ones collapsed into one weighted point, columns scaled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.types import OffsetArray, Value, ValueArray

SCALINGS = ("none", "standard")

DECIMALS = 8
"""Signatures that agree after rounding to this many decimals are the same signature."""


@dataclass(frozen=True)
class DistinctSignatures:
    """The distinct rows of a matrix, rounded, in ascending order whatever the order of the nodes.

    Row i of the matrix is ``points[index[i]]``, and `counts` has the number of nodes with each.
    """

    points: ValueArray
    index: OffsetArray
    counts: OffsetArray


def distinct_signatures(signatures: ValueArray) -> DistinctSignatures:
    """Collapse equal rows.

    Examples
    --------
    >>> distinct = distinct_signatures(np.array([[0.5, 1.0], [0.2, 0.0], [0.5, 1.0 + 1e-12]]))
    >>> distinct.points.tolist(), distinct.index.tolist(), distinct.counts.tolist()
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
    """Return a matrix of finite numbers with at least one row and one column; raise `ParameterError` otherwise."""
    try:
        matrix = np.ascontiguousarray(signatures, dtype=Value)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"signatures must be a matrix of numbers, one row per node: {error}") from None
    if matrix.ndim != 2 or 0 in matrix.shape:
        raise ParameterError(
            f"signatures must be a matrix, one row per node and one column per entropy; its shape is {matrix.shape}"
        )
    wrong = ~np.isfinite(matrix).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ParameterError(f"row {row} of the signatures is {matrix[row].tolist()}; all values must be finite")
    return matrix


def signatures_of(graph: Graph, signatures: Any) -> ValueArray:
    """Return `checked_signatures`, of which there must be as many as the graph has nodes."""
    matrix = checked_signatures(signatures)
    if len(matrix) != graph.n_nodes:
        raise ParameterError(f"there are {len(matrix)} signatures for {graph.n_nodes} nodes; give one row per node")
    return matrix


def column_scales(points: ValueArray, counts: OffsetArray, scaling: str) -> ValueArray:
    """Return what to divide each column by: 1, or its standard deviation over all nodes (1 if it is constant).

    Examples
    --------
    >>> column_scales(np.array([[0.0, 7.0], [2.0, 7.0]]), np.array([1, 1]), "standard").tolist()
    [1.0, 1.0]
    """
    if scaling == "none":
        return np.ones(points.shape[1])
    mean = np.average(points, axis=0, weights=counts)
    deviation = np.sqrt(np.average((points - mean) ** 2, axis=0, weights=counts))
    # The deviation of a constant column is 0, or what rounding makes of it.
    constant = points.max(axis=0) == points.min(axis=0)
    return np.where(constant, 1.0, deviation)
