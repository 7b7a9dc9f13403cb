"""Labels that come block by block, numbered by first appearance, and the graph built from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.graph.assemble import EdgeKeys
from vnestruct.graph.labels import as_label_column
from vnestruct.io.careful import Edges
from vnestruct.types import NodeId, Value, ValueArray

# Rows handled at once, so that temporary arrays stay small beside the columns.
_CHUNK = 1 << 20
# A table of labels may have this many entries more than there are labels.
_SMALL_TABLE = 1 << 16
_INT32 = np.iinfo(np.int32)


class Column:
    """An array that grows at its end, in place where the system can move it without copying.

    Examples
    --------
    >>> column = Column(np.int32)
    >>> column.extend(np.array([1, 2]))
    >>> column.extend(np.array([2**40]))
    >>> column.taken()
    array([            1,             2, 1099511627776])
    """

    def __init__(self, dtype: Any) -> None:
        self._array: npt.NDArray[Any] = np.empty(0, dtype=dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def extend(self, values: npt.NDArray[Any]) -> None:
        """Append values; 32-bit integers become 64-bit ones when a value needs it."""
        if self._array.dtype == np.int32 and values.size and not _fits(values):
            self._array = self._array[: self._size].astype(np.int64)
        size = self._size + values.size
        if size > self._array.size:
            self._array.resize(max(size, self._array.size * 5 // 4), refcheck=False)
        self._array[self._size : size] = values
        self._size = size

    def taken(self) -> npt.NDArray[Any]:
        """Return all values as an array; the column is empty afterwards."""
        self._array.resize(self._size, refcheck=False)
        array, self._array, self._size = self._array, self._array[:0].copy(), 0
        return array


def _fits(values: npt.NDArray[Any]) -> bool:
    return bool(values.min() >= _INT32.min and values.max() <= _INT32.max)


class Collector:
    """Takes columns of edges block by block in little memory, and builds the graph of all of them.

    Parameters
    ----------
    integers : bool
        Whether labels are integers; else they are text.
    """

    def __init__(self, integers: bool) -> None:
        self._integers = integers
        self._ends = (Column(np.int32), Column(np.int32))
        self._weights: Column | None = None
        self._positions: dict[str, int] = {}

    @property
    def n_edges(self) -> int:
        """Number of edges so far."""
        return len(self._ends[0])

    def add(self, edges: Edges) -> None:
        """Take the edges of one block."""
        ends = (edges.source, edges.target)
        numbers = ends if self._integers else self._number(*ends)
        for column, values in zip(self._ends, numbers, strict=True):
            column.extend(values)
        if edges.weight is not None:
            self._weights = self._weights or Column(Value)
            self._weights.extend(edges.weight)

    def columns(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], ValueArray | None]:
        """Return the ends, as labels if integers and else as ids, and the weights; gives up what it holds."""
        weight = None if self._weights is None else self._weights.taken()
        return self._ends[0].taken(), self._ends[1].taken(), weight

    def graph(self, directed: bool) -> Graph:
        """Build the graph; what was collected is given up on the way."""
        source, target, weight = self.columns()
        labels: Any = list(self._positions)
        if self._integers:
            labels = number_in_place(source, target)
            if labels is None:
                return graph_from_pairs(source, target, weight, directed=directed)
        self._positions = {}
        edges = EdgeKeys(source, target, weight, len(labels), directed)
        del source, target, weight
        return edges.graph(as_label_column(labels))

    def _number(self, source: Any, target: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return ids of text labels, new ones numbered in the order source, target, row by row."""
        if isinstance(source, list):
            for first, second in zip(source, target, strict=True):
                self._positions.setdefault(first, len(self._positions))
                self._positions.setdefault(second, len(self._positions))
            find = self._positions.__getitem__
            return (
                np.fromiter(map(find, source), dtype=NodeId, count=len(source)),
                np.fromiter(map(find, target), dtype=NodeId, count=len(target)),
            )
        import pyarrow

        both = pyarrow.chunked_array([*source.chunks, *target.chunks], type=source.type)
        encoded = both.combine_chunks().dictionary_encode()
        codes = np.asarray(encoded.indices).copy()
        words = encoded.dictionary.to_pylist()
        tails, heads = codes[: len(source)], codes[len(source) :]
        order = number_in_place(tails, heads)
        assert order is not None
        ids = np.empty(len(words), dtype=NodeId)
        for place, code in enumerate(order.tolist()):
            ids[place] = self._positions.setdefault(words[code], len(self._positions))
        return ids[tails], ids[heads]


def number_in_place(source: npt.NDArray[Any], target: npt.NDArray[Any]) -> npt.NDArray[np.int64] | None:
    """Replace integers by ids in the order of first appearance, row by row, if their range allows a table.

    In place and chunk by chunk, because whole columns of 64 bits would take more memory than the graph.

    Parameters
    ----------
    source, target : ndarray
        Two columns of integers; overwritten.

    Returns
    -------
    ndarray or None
        The integer of each id; None if nothing was done, because they are too far apart or 64 bits wide.

    Examples
    --------
    >>> source, target = np.array([7, 5], dtype=np.int32), np.array([5, 9], dtype=np.int32)
    >>> number_in_place(source, target)
    array([7, 5, 9])
    >>> source, target
    (array([0, 1], dtype=int32), array([1, 2], dtype=int32))
    """
    n_rows = source.size
    narrow = source.dtype == target.dtype == np.int32
    if not narrow or 2 * n_rows > _INT32.max:
        return None
    if n_rows == 0:
        return np.empty(0, dtype=np.int64)
    low = int(min(source.min(), target.min()))
    span = int(max(source.max(), target.max())) - low + 1
    if span > 2 * n_rows + _SMALL_TABLE:
        return None
    table = np.full(span, -1, dtype=np.int32)
    # From the last row to the first, so that the first appearance of a label is what remains.
    for start in range((n_rows - 1) // _CHUNK * _CHUNK, -1, -_CHUNK):
        stop = min(start + _CHUNK, n_rows)
        pairs = np.empty((stop - start, 2), dtype=np.int64)
        np.subtract(source[start:stop], low, out=pairs[:, 0], dtype=np.int64)
        np.subtract(target[start:stop], low, out=pairs[:, 1], dtype=np.int64)
        table[pairs.ravel()[::-1]] = np.arange(2 * stop - 1, 2 * start - 1, -1)
    present = np.flatnonzero(table >= 0)
    labels = present[np.argsort(table[present])]
    table[labels] = np.arange(labels.size)
    for column in (source, target):
        for start in range(0, n_rows, _CHUNK):
            part = column[start : start + _CHUNK]
            part[:] = table[part.astype(np.int64) - low]
    return labels + low
