"""Node labels, int64 where all are integers and objects otherwise: their numbers, their positions, and their sides.

The two sides of a bipartite graph are known from two columns of edges, or stated; never guessed from the structure.
"""

import functools
from collections.abc import Hashable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from vnestruct.errors import ParameterError, UnknownNodeError
from vnestruct.graph.validate import MAX_NODES, first_true, rows_of
from vnestruct.types import Array, FlagArray, IdArray, NodeId, Offset, OffsetArray

LabelArray = Array
ColumnNames = tuple[str, str] | None
"""What the two columns of edges are called, None if they have no names."""

_CHUNK = 1 << 17  # labels numbered at once, so that temporary arrays stay small compared to the columns
_FEW_LABELS = 1 << 10  # labels that a dict numbers sooner than an array of all of them is searched
_SMALL_TABLE = 1 << 16  # a dense table may have this many entries more than there are labels


def as_label_column(labels: Any) -> LabelArray:
    """Return labels as an int64 array if all are integers that fit, else as objects, NumPy scalars as Python's."""
    if isinstance(labels, str | bytes):
        raise ParameterError(f"expected a sequence of node labels, got {labels!r}; write [{labels!r}]")
    if hasattr(labels, "__array__"):
        labels = np.asarray(labels)
        if labels.ndim != 1:
            raise ParameterError(f"node labels must form a 1-D array, not one of shape {labels.shape}")
        if labels.dtype.kind in "iu" and np.can_cast(labels.dtype, np.int64):
            return np.asarray(labels, np.int64)
        # tolist() would turn dates of nanosecond resolution into bare integers.
        labels = labels if labels.dtype.kind in "Mm" else labels.tolist()
    try:
        labels = list(labels)
    except TypeError:
        kind = type(labels).__name__
        raise ParameterError(f"expected a sequence of node labels, got {labels!r} of type {kind}") from None
    kinds = set(map(type, labels))
    if all(kind is int or issubclass(kind, np.integer) for kind in kinds):
        with suppress(OverflowError):
            return np.array(labels, dtype=np.int64)
    if any(issubclass(kind, np.generic) for kind in kinds):
        labels = map(plain_label, labels)
    return np.fromiter(labels, dtype=object)


def plain_label(label: Any) -> Any:
    """Return the Python equivalent of a NumPy scalar, anything else unchanged."""
    return label.item() if isinstance(label, np.integer | np.floating | np.bool_ | np.str_) else label


def checked_labels(nodes: Any | None, n_nodes: int | None = None, size: str = "") -> LabelArray | None:
    """Return distinct labels as a column after checking them; `size` says in an error where `n_nodes` is from."""
    if nodes is None:
        return None
    labels = as_label_column(nodes)
    if n_nodes not in (None, labels.size):
        raise ParameterError(f"nodes has {labels.size} labels, but {size}")
    ids, distinct = numbered(labels)
    if distinct.size < labels.size:
        repeated = plain_label(labels[np.argmax(ids != np.arange(ids.size))])
        raise ParameterError(f"node label {repeated!r} occurs twice; labels must be distinct")
    return labels


def check_label(label: Any) -> None:
    """Refuse a label that is missing or unhashable."""
    try:
        hash(label)
    except TypeError:
        kind = type(label).__name__
        wrong = f"node label {label!r} is a {kind}, which is not hashable; use a tuple or a string"
        raise ParameterError(wrong) from None
    nan = isinstance(label, float | np.datetime64 | np.timedelta64) and label != label
    if nan or label is None or type(label).__name__ in ("NAType", "NaTType"):
        raise ParameterError(f"node label {label!r} is a missing value; drop those rows or name the node")


def numbered(labels: LabelArray) -> tuple[IdArray, LabelArray]:
    """Return the id of each label, by first appearance, and the label of each id."""
    if labels.dtype == object or labels.size <= _FEW_LABELS:
        positions: dict[Hashable, int] = {}
        try:
            numbers = (positions.setdefault(label, len(positions)) for label in labels.tolist())
            ids = np.fromiter(numbers, NodeId, labels.size)
        except TypeError:
            for label in labels:
                check_label(label)
            raise
        for label in positions:
            check_label(label)
        return ids, as_label_column(list(positions))
    low, high = int(labels.min()), int(labels.max())
    if high - low > labels.size + _SMALL_TABLE:
        import pyarrow
        from pyarrow import compute

        # Arrow's own pools keep what is freed.
        pool = pyarrow.system_memory_pool()
        encoded = compute.dictionary_encode(pyarrow.array(labels), memory_pool=pool)
        return encoded.indices.to_numpy(), encoded.dictionary.to_numpy().astype(np.int64, copy=False)
    table, n_ids = np.full(high - low + 1, -1, NodeId), 0
    ids, order = np.empty(labels.size, NodeId), []
    for start in range(0, labels.size, _CHUNK):
        part = np.subtract(labels[start : start + _CHUNK], low, dtype=np.int64)
        new = part[table[part] < 0]
        # Written from the last to the first, so that the first appearance of a label is what remains.
        table[new[::-1]] = np.arange(new.size - 1, -1, -1)
        new = new[table[new] == np.arange(new.size)]
        if n_ids + new.size > MAX_NODES:
            raise ParameterError(f"there are more than {MAX_NODES} nodes, the most a graph can have")
        table[new] = np.arange(n_ids, n_ids + new.size)
        ids[start : start + _CHUNK] = table[part]
        order.append(new)
        n_ids += new.size
    return ids, np.concatenate(order) + low


class LabelIndex:
    """Positions of distinct labels; None stands for the labels 0..n_nodes-1."""

    def __init__(self, labels: LabelArray | None, n_nodes: int) -> None:
        self._labels, self._n_nodes = labels, n_nodes

    def positions(self, labels: Any) -> OffsetArray:
        """Return the position of each label; UnknownNodeError names the first that is not there."""
        column = as_label_column(labels)
        if column.dtype == object or (self._labels is not None and self._labels.dtype == object):
            return np.array([self.position(label) for label in column.tolist()], dtype=Offset)
        if self._labels is None:
            known, places = (column >= 0) & (column < self._n_nodes), column
        else:
            places = np.searchsorted(self._labels, column, sorter=self._order)
            places = self._order[np.minimum(places, self._n_nodes - 1)]
            known = self._labels[places] == column
        if not known.all():
            raise self._unknown(column[np.argmin(known)])
        return places.astype(Offset)

    def position(self, label: Any) -> int:
        """Return the position of one label."""
        try:
            if self._labels is not None:
                return self._positions[plain_label(label)]
            position = int(label)
            if position == label and 0 <= position < self._n_nodes:
                return position
        except (KeyError, TypeError, ValueError, OverflowError):
            pass
        raise self._unknown(label)

    @functools.cached_property
    def _order(self) -> OffsetArray:
        """Return the positions of integer labels in ascending order."""
        return np.argsort(self._labels)  # type: ignore[arg-type]

    @functools.cached_property
    def _positions(self) -> dict[Hashable, int]:
        assert self._labels is not None
        return {label: position for position, label in enumerate(self._labels.tolist())}

    def _unknown(self, label: Any) -> UnknownNodeError:
        labels = np.arange(min(self._n_nodes, 3)) if self._labels is None else self._labels[:3]
        such = ", ".join(map(repr, labels.tolist())) or "nothing: it has no nodes"
        return UnknownNodeError(f"node {plain_label(label)!r} is not in the graph; its labels are such as {such}")


class Sides(NamedTuple):
    """The side of each node, 0 or 1, and what the sides are called."""

    of_nodes: FlagArray
    names: ColumnNames = None


def sides_of_columns(source_ids: IdArray, target_ids: IdArray, n_nodes: int, names: ColumnNames = None) -> Sides | None:
    """Return the sides of columns of ids that share none, side 0 being the source; None if an id is in both."""
    in_target = np.zeros(n_nodes, dtype=bool)
    in_target[target_ids] = True
    if in_target[source_ids].any():
        return None
    return Sides(in_target.view(np.uint8), names if names is None or names[0] != names[1] else None)


def split_columns(ids: IdArray, labels: LabelArray, names: ColumnNames) -> tuple[IdArray, LabelArray]:
    """Return ids and labels ``COLUMN:LABEL`` of other nodes for each of two columns, by first appearance."""
    others, codes = numbered((2 * ids.astype(np.int64) + [0, 1]).ravel())
    columns = names or ("source", "target")
    split = checked_labels([f"{columns[code & 1]}:{labels[code >> 1]}" for code in codes.tolist()])
    assert split is not None
    return others.reshape(-1, 2), split


def checked_sides(values: Any, names: Any, indptr: OffsetArray, indices: IdArray) -> Sides:
    """Return sides, which a caller or an object of another library states, after checking them."""
    given, n_nodes = np.asarray(values), indptr.size - 1
    if given.shape != (n_nodes,) or (n_nodes and given.dtype.kind not in "biu") or not np.isin(given, (0, 1)).all():
        raise ParameterError(f"sides must be 0 or 1 for each of {n_nodes} nodes, and side_names need them")
    of_nodes, rows = given.astype(np.uint8), rows_of(indptr)
    if (place := first_true(of_nodes[rows] == of_nodes[indices])) is not None:
        wrong = f"nodes {rows[place]} and {indices[place]} are adjacent and both on side {of_nodes[rows[place]]}"
        raise ParameterError(wrong)
    words = None if names is None else tuple(map(str, names))
    if words is not None and len(set(words)) != 2:
        raise ParameterError(f"side_names is {names!r}; give two different words")
    return Sides(of_nodes, words)  # type: ignore[arg-type]
