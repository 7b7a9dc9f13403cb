"""Positions of node labels: a dense table or binary search for integers, a dict for other objects."""

from __future__ import annotations

import functools
import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from vnestruct.errors import UnknownNodeError
from vnestruct.graph.labels import LabelArray, as_label_column, plain_label
from vnestruct.types import Offset, OffsetArray

# A dense table may have this many entries whatever the number of labels.
_SMALL_TABLE = 1 << 16


class LabelIndex:
    """Positions of labels.

    Parameters
    ----------
    labels : ndarray or None
        Distinct labels, int64 or object; None stands for 0..n-1.
    n_nodes : int
        Number of labels.

    Examples
    --------
    >>> LabelIndex(as_label_column(["a", "b"]), 2).positions(["b", "a"])
    array([1, 0])
    """

    def __init__(self, labels: LabelArray | None, n_nodes: int) -> None:
        self._labels = labels
        self._n_nodes = n_nodes
        self._integers = labels is None or labels.dtype == np.int64

    def positions(self, labels: Any) -> OffsetArray:
        """Return the position of each label; UnknownNodeError names the first that is not there."""
        column = as_label_column(labels)
        if column.dtype != np.int64 or not self._integers:
            return np.array([self.position(label) for label in column.tolist()], dtype=Offset)
        found = self._find_integers(column)
        if found.size and found.min() < 0:
            raise self._unknown(column[int(np.argmin(found >= 0))].item())
        return found

    def position(self, label: Any) -> int:
        """Return the position of one label."""
        if not self._integers:
            return self._find_object(label)
        number = isinstance(label, int | float | np.integer | np.floating | np.bool_) and math.isfinite(label)
        if not number or label != int(label) or not -(2**63) <= label < 2**63:
            raise self._unknown(label)
        found = int(self._find_integers(np.array([int(label)], dtype=np.int64))[0])
        if found < 0:
            raise self._unknown(label)
        return found

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

    def _find_object(self, label: Any) -> int:
        try:
            return self._positions[plain_label(label)]
        except (KeyError, TypeError):
            raise self._unknown(label) from None

    def _unknown(self, label: Any) -> UnknownNodeError:
        shown = plain_label(label)
        if not self._n_nodes:
            return UnknownNodeError(f"node {shown!r} is not in the graph, which has no nodes")
        first: Sequence[Any] = range(3) if self._labels is None else self._labels[:3].tolist()
        such = ", ".join(repr(known) for known in first[: self._n_nodes])
        return UnknownNodeError(f"node {shown!r} is not in the graph; its labels are such as {such}")
