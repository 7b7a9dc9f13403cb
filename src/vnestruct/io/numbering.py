"""Labels that come block by block, numbered by first appearance, and the graph built from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.graph import Graph, graph_from_ids, graph_from_pairs
from vnestruct.io.careful import Edges
from vnestruct.types import NodeId, Value, ValueArray

# A table of labels may have this many entries more than there are labels.
_SMALL_TABLE = 1 << 16


class Collector:
    """Takes columns of edges block by block in little memory, and builds the graph of all of them."""

    def __init__(self, integers: bool) -> None:
        self._integers = integers
        self._parts: tuple[list[npt.NDArray[Any]], list[npt.NDArray[Any]]] = ([], [])
        self._weights: list[ValueArray] = []
        self._positions: dict[str, int] = {}
        self.n_edges = 0

    def add(self, edges: Edges) -> None:
        """Take the edges of one block."""
        ends = (edges.source, edges.target)
        numbers = tuple(map(_narrow, ends)) if self._integers else self._number(*ends)
        for parts, column in zip(self._parts, numbers, strict=True):
            parts.append(column)
        if edges.weight is not None:
            self._weights.append(edges.weight)
        self.n_edges += len(numbers[0])

    def columns(self) -> tuple[npt.NDArray[Any], npt.NDArray[Any], ValueArray | None]:
        """Return the ends, as labels if integers and else as ids, and the weights; gives up what it holds."""
        weight = _joined(self._weights, Value) if self._weights else None
        dtype = np.int64 if self._integers else NodeId
        source = _joined(self._parts[0], dtype)
        return source, _joined(self._parts[1], dtype), weight

    def graph(self, directed: bool) -> Graph:
        """Build the graph; what was collected is given up on the way."""
        weight = _joined(self._weights, Value) if self._weights else None
        labels: Any = list(self._positions)
        if self._integers:
            labels = _number_in_place(*self._parts)
            if labels is None:
                # Popped and not named, so that the builder can free the columns early.
                columns = list(self.columns()[1::-1])
                return graph_from_pairs(columns.pop(), columns.pop(), weight, directed=directed)
        self._positions = {}
        columns = [_joined(self._parts[place], NodeId) for place in (1, 0)]
        return graph_from_ids(
            columns.pop(), columns.pop(), weight, n_nodes=len(labels), nodes=labels, directed=directed
        )

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
        codes = np.asarray(encoded.indices)
        n_rows = len(source)
        # The last write wins, so writing backwards leaves the first row of each label.
        rows = np.full(len(encoded.dictionary), 2 * n_rows, dtype=np.int64)
        rows[codes[:n_rows][::-1]] = np.arange(2 * n_rows - 2, -1, -2)
        second = np.full(len(encoded.dictionary), 2 * n_rows, dtype=np.int64)
        second[codes[n_rows:][::-1]] = np.arange(2 * n_rows - 1, -1, -2)
        order = np.argsort(np.minimum(rows, second))
        labels = encoded.dictionary.to_pylist()
        ids = np.empty(len(labels), dtype=NodeId)
        for place in order.tolist():
            ids[place] = self._positions.setdefault(labels[place], len(self._positions))
        return ids[codes[:n_rows]], ids[codes[n_rows:]]


def _number_in_place(
    source: list[npt.NDArray[Any]], target: list[npt.NDArray[Any]]
) -> npt.NDArray[np.int64] | None:
    """Replace integer labels by ids in the order of first appearance, if their range allows a table.

    Part by part and in place: the builder would need the columns twice, once of them in 64 bits.

    Returns
    -------
    ndarray or None
        The labels in the order of their ids; None if nothing was done.
    """
    parts = [part for part in (*source, *target) if part.size]
    n_rows = sum(part.size for part in source)
    if not parts or any(part.dtype != NodeId for part in parts) or 2 * n_rows > np.iinfo(NodeId).max:
        return None
    low = min(int(part.min()) for part in parts)
    span = max(int(part.max()) for part in parts) - low + 1
    if span > 2 * n_rows + _SMALL_TABLE:
        return None
    table = np.full(span, -1, dtype=NodeId)
    # From the last row to the first, so that the first appearance of a label is what remains.
    stop = 2 * n_rows
    for tails, heads in zip(reversed(source), reversed(target), strict=True):
        pairs = np.stack([tails, heads], axis=1).astype(np.int64).ravel()
        pairs -= low
        table[pairs[::-1]] = np.arange(stop - 1, stop - pairs.size - 1, -1)
        stop -= pairs.size
    present = np.flatnonzero(table >= 0)
    labels = present[np.argsort(table[present])]
    table[labels] = np.arange(labels.size)
    for part in parts:
        part[:] = table[part.astype(np.int64) - low]
    return labels + low


def _narrow(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    limits = np.iinfo(np.int32)
    if column.size and (column.min() < limits.min or column.max() > limits.max):
        return column
    return column.astype(np.int32)


def _joined(parts: list[npt.NDArray[Any]], dtype: Any) -> npt.NDArray[Any]:
    """Return the parts as one array, each freed as soon as it is copied."""
    joined = np.empty(sum(part.size for part in parts), dtype=dtype)
    start = 0
    for part in _consumed(parts):
        joined[start : start + part.size] = part
        start += part.size
    return joined


def _consumed(parts: list[npt.NDArray[Any]]) -> Iterator[npt.NDArray[Any]]:
    parts.reverse()
    while parts:
        yield parts.pop()
