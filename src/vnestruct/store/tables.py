"""An embedding as a file holds it: labels, values, column names, metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError
from vnestruct.graph.labels import LabelArray
from vnestruct.store.labels import writable_labels
from vnestruct.types import ValueArray

NODE_COLUMN = "node"


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """An embedding read from a file.

    Parameters
    ----------
    nodes : ndarray or None
        Label of each row: int64, or object holding strings. None where the format has none (``.npy``).
    values : ndarray of float64, shape (n_nodes, n_columns)
        The signatures.
    columns : tuple of str or None
        Column names. None where the format has none (``.npy``, ``.emb``).
    metadata : dict of str to str
        What the writer noted; empty where the format has none (text formats, ``.npy``).

    Examples
    --------
    >>> import numpy as np
    >>> Embedding(np.array([7, 9]), np.array([[0.5], [1.0]]), ("h1",)).values.shape
    (2, 1)
    """

    nodes: LabelArray | None
    values: ValueArray
    columns: tuple[str, ...] | None
    metadata: dict[str, str] = field(default_factory=dict)


def checked_embedding(
    nodes: npt.ArrayLike | Sequence[object] | None,
    values: npt.ArrayLike,
    columns: Iterable[str],
    metadata: Mapping[str, str] | None,
) -> Embedding:
    """Check that the pieces fit each other, and make labels writable.

    Raises
    ------
    ParameterError
        If they do not, naming what is wrong.
    """
    try:
        matrix = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"values must be a matrix of numbers: {error}") from error
    names = tuple(columns)
    if matrix.ndim != 2 or matrix.shape[1] != len(names) or not names:
        raise ParameterError(
            f"values must be a matrix with one column per name: shape {matrix.shape} does not fit {len(names)} names"
        )
    for name in names:
        if not isinstance(name, str) or name in ("", NODE_COLUMN) or names.count(name) > 1:
            raise ParameterError(f"column names must be distinct strings other than {NODE_COLUMN!r}; not {name!r}")
    notes = dict(metadata or {})
    for key, text in notes.items():
        if not isinstance(key, str) or not isinstance(text, str):
            raise ParameterError(f"metadata must map strings to strings, not {key!r} to {text!r}")
    return Embedding(writable_labels(nodes, len(matrix)), matrix, names, notes)
