"""An embedding as a file holds it: labels, values, column names, metadata."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph.labels import LabelArray, as_label_column
from vnestruct.lazy import load
from vnestruct.types import ArrayLike, ValueArray

if TYPE_CHECKING:
    from vnestruct.store.audit import Audit

NODE_COLUMN = "node"
AUDIT_KEY = "audit"


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

    @property
    def audit(self) -> "Audit | None":
        """The audit of estimated signatures; None where all are exact or the format has no metadata."""
        text = self.metadata.get(AUDIT_KEY)
        return None if text is None else load("vnestruct.store.audit:Audit").from_text(text)


def labels_and_columns(embedding: Embedding) -> tuple[LabelArray, tuple[str, ...]]:
    """Return the labels and the names of the columns of a `checked_embedding`."""
    assert embedding.nodes is not None
    assert embedding.columns is not None
    return embedding.nodes, embedding.columns


def checked_embedding(
    nodes: ArrayLike | Sequence[object] | None, values: ArrayLike, columns: Iterable[str],
    metadata: Mapping[str, str] | None,
) -> Embedding:  # fmt: skip
    """Check that the pieces fit together, and convert the labels to what files can hold."""
    try:
        matrix = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"values must be a matrix of numbers: {error}") from error
    names = tuple(columns)
    if matrix.ndim != 2 or matrix.shape[1] != len(names) or not names:
        wrong = f"values must be a matrix with one column per name: shape {matrix.shape} does not fit "
        raise ParameterError(wrong + f"{len(names)} names")
    for name in names:
        if not isinstance(name, str) or name in ("", NODE_COLUMN) or names.count(name) > 1:
            raise ParameterError(f"column names must be distinct strings other than {NODE_COLUMN!r}; not {name!r}")
    notes = dict(metadata or {})
    audit = getattr(values, "audit", None)
    if audit is not None:
        notes.setdefault(AUDIT_KEY, audit.to_text())
    for key, text in notes.items():
        if not isinstance(key, str) or not isinstance(text, str):
            raise ParameterError(f"metadata must map strings to strings, not {key!r} to {text!r}")
    return Embedding(writable_labels(nodes, len(matrix)), matrix, names, notes)


def writable_labels(nodes: ArrayLike | Sequence[object] | None, n_rows: int) -> LabelArray:
    """Return node labels as files hold them: int64 if all are integers, else the ``str`` of each."""
    if nodes is None:
        return np.arange(n_rows)
    items = as_label_column(nodes)
    if len(items) != n_rows:
        raise ParameterError(f"there are {len(items)} node labels for {n_rows} rows of values")
    labels = items
    if items.dtype == object:
        labels = np.array([str(item) for item in items], dtype=object)
        if bad := next((label for label in labels if re.search("[\ud800-\udfff]", label)), None):
            raise ParameterError(f"node label {bad!r} is not valid Unicode; relabel it, or use .npy without labels")
    if (pair := first_repeat(labels)) is not None:
        wrong = f"nodes {items[pair[0]]!r} and {items[pair[1]]!r} would both be written as {labels[pair[0]]!s}; "
        raise ParameterError(wrong + "relabel one of them")
    return labels


def first_repeat(labels: LabelArray) -> tuple[int, int] | None:
    """Return the earlier and the later position of the first label that occurs again, None if there is none."""
    items = labels.tolist()
    if len(set(items)) == len(items):
        return None
    seen: dict[object, int] = {}
    return next((seen[item], i) for i, item in enumerate(items) if seen.setdefault(item, i) != i)
