"""An embedding as a file holds it: labels, values, column names, metadata, and the audit of estimated signatures."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self, cast

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph.labels import LabelArray, as_label_column
from vnestruct.types import ArrayLike, ValueArray

NODE_COLUMN = "node"
AUDIT_KEY = "audit"


@dataclass(frozen=True, slots=True)
class Audit:
    """Errors of estimated signatures, in one entry per column.

    Attributes
    ----------
    target : float
        Largest mean error that was accepted, as a share of the spread of the column.
    random_state : int
        Seed of all draws.
    n_nodes : int
        Number of nodes, drawn at random, that were computed exactly; 0 where all rows are exact.
    n_edges : int
        Number of edges sampled.
    columns : tuple of str
        Names of the audited columns; statistics over neighbours follow from them.
    estimated : tuple of float
        Share of rows that are estimates; the others are exact.
    spread : tuple of float
        Standard deviation of the column.
    mean, within_95, largest : tuple of float
        Mean error of all audited nodes, the error that 95% of nodes stay within, and the largest error, in the units of
        the column. `within_95` has a margin, so that it holds for other nodes too: it is the second largest of 200.

    Examples
    --------
    >>> print(Audit(0.01, 0, 200, 4096, ("h3",), (0.9,), (1.5,), (0.006,), (0.03,), (0.06,)))
    h3: 90.0% of rows estimated, mean error 0.40% of the spread, 95% of nodes within 2.00%, largest 4.00% (200 nodes)
    """

    target: float
    random_state: int
    n_nodes: int
    n_edges: int
    columns: tuple[str, ...]
    estimated: tuple[float, ...]
    spread: tuple[float, ...]
    mean: tuple[float, ...]
    within_95: tuple[float, ...]
    largest: tuple[float, ...]

    def __str__(self) -> str:
        if not any(self.estimated):
            return "all rows are exact: that was cheap enough"
        return "; ".join(map(self._line, range(len(self.columns))))

    def _line(self, column: int) -> str:
        if not self.estimated[column]:
            return f"{self.columns[column]}: exact"
        spread = self.spread[column] or 1.0
        mean, most, largest = (errors[column] / spread for errors in (self.mean, self.within_95, self.largest))
        rows = f"{self.columns[column]}: {self.estimated[column]:.1%} of rows estimated, mean error {mean:.2%}"
        return f"{rows} of the spread, 95% of nodes within {most:.2%}, largest {largest:.2%} ({self.n_nodes} nodes)"

    @property
    def shares(self) -> ValueArray:
        """Mean errors as shares of the spread."""
        mean, spread = np.array(self.mean), np.array(self.spread)
        return cast(ValueArray, np.divide(mean, spread, out=np.where(mean > 0.0, np.inf, 0.0), where=spread > 0.0))

    def to_text(self) -> str:
        """Return the audit as JSON, as files keep it."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read what `to_text` wrote."""
        try:
            stored = json.loads(text)
            fields: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()}
            return cls(**fields)
        except (ValueError, TypeError, AttributeError) as error:
            raise ParameterError(f"the audit of these signatures cannot be read: {error}") from error


class AuditedArray(np.ndarray[Any, np.dtype[np.float64]]):
    """Estimated signatures with their audit; `write_embedding` keeps it in the file."""

    audit: Audit | None = None

    def __array_finalize__(self, other: Any) -> None:
        self.audit = getattr(other, "audit", None)


def audited(values: ValueArray, audit: Audit) -> AuditedArray:
    """Return signatures that carry their audit."""
    carrier = values.view(AuditedArray)
    carrier.audit = audit
    return carrier


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
    def audit(self) -> Audit | None:
        """The audit of estimated signatures; None where all are exact or the format has no metadata."""
        text = self.metadata.get(AUDIT_KEY)
        return None if text is None else Audit.from_text(text)


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
    if isinstance(audit, Audit):
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
