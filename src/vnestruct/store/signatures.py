"""Signatures that a user brings: a matrix, a data frame or an embedding file, checked, with their labels."""

from typing import Any

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph.columns import known_pair
from vnestruct.graph.frames import is_frame, open_frame
from vnestruct.graph.labels import LabelArray, as_label_column
from vnestruct.store.tables import NODE_COLUMN, Embedding
from vnestruct.types import Value, ValueArray

DECIMALS = 8  # signatures that agree after rounding to this many decimals are the same


def rounded(signatures: ValueArray) -> ValueArray:
    """Round to the decimals that count; never -0.0, which would compare equal but be written differently."""
    return np.round(signatures, DECIMALS) + 0.0


def checked_signatures(signatures: Any) -> ValueArray:
    """Return a matrix of finite numbers with at least one row and one column; raise `ParameterError` otherwise."""
    try:
        matrix = np.ascontiguousarray(signatures, dtype=Value)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"signatures must be a matrix of numbers, one row per node: {error}") from None
    if matrix.ndim != 2 or 0 in matrix.shape:
        expected = "signatures must be a matrix, one row per node and one column per entropy"
        raise ParameterError(f"{expected}; its shape is {matrix.shape}")
    wrong = ~np.isfinite(matrix).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ParameterError(f"row {row} of the signatures is {matrix[row].tolist()}; all values must be finite")
    return matrix


def labelled_signatures(signatures: Any, nodes: Any) -> tuple[ValueArray, LabelArray | None]:
    """Return `checked_signatures` and the labels of their nodes, of which there must be as many, if there are any."""
    matrix = checked_signatures(signatures)
    labels = None if nodes is None else as_label_column(nodes)
    if labels is not None and labels.size != len(matrix):
        raise ParameterError(f"there are {labels.size} node labels for {len(matrix)} signatures; give one per row")
    return matrix, labels


def given_signatures(X: Any) -> Embedding | None:
    """Return the signatures that an object holds, None if it is a graph.

    Signatures are an `Embedding`; a matrix (or list of rows) of floating-point numbers, unless its first two of at most
    three columns are whole numbers, as node ids would be, or it is square, as an adjacency matrix would be; or a data
    frame whose columns hold such numbers, except for one named ``node``.
    """
    if isinstance(X, Embedding):
        return X
    if is_frame(X) and getattr(X, "ndim", 2) == 2:
        return _signatures_in_frame(X)
    is_list = isinstance(X, list) and bool(X) and isinstance(X[0], list | tuple)
    if not (is_list and all(isinstance(value, float) for value in X[0])) and not hasattr(X, "__array__"):
        return None
    array = checked_signatures(X) if is_list else np.asarray(X)
    if array.ndim != 2:
        return None
    return None if array.dtype.kind != "f" or _may_be_graph(array) else Embedding(None, array.astype(Value), None)


def _may_be_graph(array: ValueArray) -> bool:
    """Return whether a matrix of floating-point numbers may hold node ids, or be an adjacency matrix."""
    n_rows, n_columns = array.shape
    ends = array[:, :2]
    # Only zeros: the signatures of single edges, or self-loops of one node, which nobody clusters.
    are_ids = n_columns in (2, 3) and ends.any() and bool(np.all(ends == np.floor(ends)))
    return are_ids or n_rows == n_columns > 2


def _signatures_in_frame(frame: Any) -> Embedding | None:
    names, column = open_frame(frame)
    numbers = [name for name in names if name != NODE_COLUMN]
    if not numbers or known_pair([str(name) for name in names]) or any(column(n).dtype.kind != "f" for n in numbers):
        return None
    values = np.column_stack([column(name) for name in numbers]).astype(Value)
    if NODE_COLUMN not in names and _may_be_graph(values):
        return None
    index = getattr(frame, "index", None)
    nodes = column(NODE_COLUMN) if NODE_COLUMN in names else None if callable(index) else index
    return Embedding(None if nodes is None else as_label_column(list(nodes)), values, tuple(map(str, numbers)))
