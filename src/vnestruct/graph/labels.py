"""Node labels: columns of them, int64 where all are integers and objects otherwise, and their positions."""

import functools
import math
from collections.abc import Hashable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from vnestruct.errors import ParameterError, UnknownNodeError
from vnestruct.types import Array, Offset, OffsetArray

LabelArray = Array

_SMALL_TABLE = 1 << 16  # a dense table may always have this many entries, however few the labels


def as_label_column(labels: Any) -> LabelArray:
    """Return labels as an int64 array if all are integers that fit, else as objects, NumPy scalars as Python's."""
    if isinstance(labels, str | bytes):
        raise ParameterError(f"expected a sequence of node labels, got {labels!r}; write [{labels!r}]")
    if not isinstance(labels, np.ndarray) and hasattr(labels, "__array__"):
        labels = np.asarray(labels)
    if isinstance(labels, np.ndarray):
        if labels.ndim != 1:
            raise ParameterError(f"node labels must form a 1-D array, not one of shape {labels.shape}")
        if labels.dtype.kind in "iu":
            if labels.dtype == np.uint64 and labels.size and labels.max() > np.iinfo(np.int64).max:
                return _object_array(labels.tolist())
            return labels.astype(np.int64, copy=False)
        # tolist() would turn dates of nanosecond resolution into bare integers.
        return infer_column(list(labels) if labels.dtype.kind in "Mm" else labels.tolist())
    try:
        return infer_column(list(labels))
    except TypeError:
        kind = type(labels).__name__
        raise ParameterError(f"expected a sequence of node labels, got {labels!r} of type {kind}") from None


def infer_column(labels: list[Any]) -> LabelArray:
    """Return a list of labels as an int64 array if all are integers that fit, else as an object array."""
    kinds = set(map(type, labels))
    if kinds == {str}:
        return np.array(labels, dtype=object)
    if all(kind is int or issubclass(kind, np.integer) for kind in kinds):
        with suppress(OverflowError):
            return np.array(labels, dtype=np.int64)
    return _object_array(labels)


def _object_array(labels: Iterable[Any]) -> LabelArray:
    return np.fromiter((plain_label(label) for label in labels), dtype=object)


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
    ordered = np.sort(labels) if labels.dtype == np.int64 else labels[:0]
    repeated = ordered[1:][ordered[1:] == ordered[:-1]].tolist()
    seen: set[Hashable] = set()
    for label in labels if labels.dtype == object else ():
        check_label(label)
        if label in seen:
            repeated = [label]
            break
        seen.add(label)
    if repeated:
        raise ParameterError(f"node label {repeated[0]!r} occurs twice; labels must be distinct")
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


class LabelIndex:
    """Positions of distinct labels; None stands for the labels 0..n_nodes-1."""

    def __init__(self, labels: LabelArray | None, n_nodes: int) -> None:
        self._labels, self._n_nodes = labels, n_nodes
        self._integers = labels is None or labels.dtype == np.int64

    def positions(self, labels: Any) -> OffsetArray:
        """Return the position of each label; UnknownNodeError names the first that is not there."""
        column = as_label_column(labels)
        if column.dtype != np.int64 or not self._integers:
            return np.array([self.position(label) for label in column.tolist()], dtype=Offset)
        positions = self._find_integers(column)
        if positions.size and positions.min() < 0:
            raise self._unknown(column[int(np.argmin(positions >= 0))].item())
        return positions

    def position(self, label: Any) -> int:
        """Return the position of one label."""
        if not self._integers:
            try:
                return self._positions[plain_label(label)]
            except (KeyError, TypeError):
                raise self._unknown(label) from None
        number = isinstance(label, int | float | np.integer | np.floating | np.bool_) and math.isfinite(label)
        if not number or label != int(label) or not -(2**63) <= label < 2**63:
            raise self._unknown(label)
        position = int(self._find_integers(np.array([int(label)], dtype=np.int64))[0])
        if position < 0:
            raise self._unknown(label)
        return position

    def _find_integers(self, labels: OffsetArray) -> OffsetArray:
        if self._labels is None:
            return np.where((labels >= 0) & (labels < self._n_nodes), labels, -1)
        if not self._n_nodes:
            return np.full(labels.shape, -1, dtype=np.int64)
        values, ids = self._lookup
        if values is None:
            low = int(self._labels.min())
            inside = (labels >= low) & (labels < low + ids.size)
            return np.where(inside, ids[np.where(inside, labels - low, 0)], -1)
        place = np.minimum(np.searchsorted(values, labels), values.size - 1)
        return np.where(values[place] == labels, ids[place], -1)

    @functools.cached_property
    def _lookup(self) -> tuple[OffsetArray | None, OffsetArray]:
        """Return a dense table and no values if the range is moderate, else sorted values and positions."""
        assert self._labels is not None
        low, high = int(self._labels.min()), int(self._labels.max())
        if high - low < 4 * self._n_nodes + _SMALL_TABLE:
            table = np.full(high - low + 1, -1, dtype=np.int64)
            table[self._labels - low] = np.arange(self._n_nodes)
            return None, table
        order = np.argsort(self._labels)
        return self._labels[order], order

    @functools.cached_property
    def _positions(self) -> dict[Hashable, int]:
        assert self._labels is not None
        return {label: index for index, label in enumerate(self._labels)}

    def _unknown(self, label: Any) -> UnknownNodeError:
        shown = plain_label(label)
        if not self._n_nodes:
            return UnknownNodeError(f"node {shown!r} is not in the graph, which has no nodes")
        first: Sequence[Any] = range(3) if self._labels is None else self._labels[:3].tolist()
        such = ", ".join(repr(known) for known in first[: self._n_nodes])
        return UnknownNodeError(f"node {shown!r} is not in the graph; its labels are such as {such}")
