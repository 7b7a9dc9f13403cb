"""Labels that come block by block, numbered by first appearance, and the graph built from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.graph import Graph, graph_from_ids, graph_from_pairs
from vnestruct.io.careful import Edges
from vnestruct.types import NodeId, Value, ValueArray


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
        labels, self._positions = list(self._positions), {}
        # Passed on without a reference kept here, so that the builder can free them early.
        if self._integers:
            return graph_from_pairs(*self.columns(), directed=directed)
        return graph_from_ids(*self.columns(), n_nodes=len(labels), nodes=labels, directed=directed)

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
