"""How readers collect a graph: edges block by block, or listed nodes and then edges between them."""

import math
from array import array
from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from vnestruct.errors import Message, Parameter
from vnestruct.graph import CleaningReport, Graph, graph_from_ids, graph_from_pairs
from vnestruct.graph.build import EdgePairs, return_freed_memory
from vnestruct.graph.columns import ignores_weights
from vnestruct.graph.factorize import ids_of, number_in_place
from vnestruct.graph.labels import as_label_column
from vnestruct.graph.sides import ColumnNames, Sides, sides_of_columns, split_columns
from vnestruct.io.delimited import is_plain_integer
from vnestruct.io.source import IGNORE_WEIGHTS, ReadOptions, Source, shown
from vnestruct.types import Array, IdArray, NodeId, Value, ValueArray

MANY_EDGES = 1 << 23  # edges from which on kernels are worth the time to compile them
_INT32 = np.iinfo(np.int32)
_AS_DECLARED = 2  # neither directed nor undirected by itself


class Edges(NamedTuple):
    """Columns of edges: int64 arrays of integer labels, or lists or Arrow arrays of text."""

    source: Any
    target: Any
    weight: ValueArray | None


def arrow_values(column: Any, dtype: Any) -> Array:
    """Return an Arrow column without nulls as an array; Arrow's own method imports pandas, which takes a while."""
    chunks = getattr(column, "chunks", [column])
    parts = [np.frombuffer(chunk.buffers()[1], dtype)[chunk.offset :][: len(chunk)] for chunk in chunks if len(chunk)]
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, dtype), *parts])


class _GrowingColumn:
    """An array that grows at its end, in place where the system can move it without copying."""

    def __init__(self, dtype: Any, *row: int) -> None:
        self._array: Array = np.empty((0, *row), dtype=dtype)
        self._row, self._size = row, 0

    def __len__(self) -> int:
        return self._size

    def extend(self, values: Array) -> None:
        """Append values; 32-bit integers become 64-bit ones when a value needs it."""
        narrow = self._array.dtype == np.int32 and values.size > 0
        if narrow and not _INT32.min <= values.min() <= values.max() <= _INT32.max:
            self._array = self._array[: self._size].astype(np.int64)
        size = self._size + len(values)
        if size > len(self._array):
            self._array.resize((max(size, len(self._array) * 5 // 4), *self._row), refcheck=False)
        self._array[self._size : size] = values
        self._size = size

    def take_all(self) -> Array:
        """Return all values as an array, and empty the column."""
        self._array.resize((self._size, *self._row), refcheck=False)
        array, self._array, self._size = self._array, self._array[:0].copy(), 0
        return array


class EdgeAccumulator:
    """Collects edges with integer labels, or else text labels, block by block in little memory; builds their graph."""

    def __init__(self, integers: bool) -> None:
        self._integers = integers
        self._pairs = _GrowingColumn(np.int32, 2)
        self._weights: _GrowingColumn | None = None
        self._positions: dict[str, int] = {}

    @property
    def n_edges(self) -> int:
        """Number of edges so far."""
        return len(self._pairs)

    def add(self, edges: Edges) -> None:
        """Take the edges of one block."""
        ends = (edges.source, edges.target)
        self._pairs.extend(np.column_stack(ends if self._integers else self._number(*ends)))
        if edges.weight is not None:
            self._weights = self._weights or _GrowingColumn(Value)
            self._weights.extend(edges.weight)

    def take_all(self) -> tuple[Array, ValueArray | None]:
        """Return the ends, two per row, as labels if integers and else as ids, and the weights, and forget them."""
        return self._pairs.take_all(), None if self._weights is None else self._weights.take_all()

    def graph(self, directed: bool, bipartite: bool | None = None, column_names: ColumnNames = None) -> Graph:
        """Build the graph, forgetting what was collected on the way."""
        pairs, weight = self.take_all()
        source, target = pairs.T
        labels: Any = list(self._positions)
        if self._integers:
            labels = number_in_place(source, target)
            if labels is None:
                return graph_from_pairs(source, target, weight, column_names, directed=directed, bipartite=bipartite)
        self._positions = {}
        if bipartite:
            source, target, labels = split_columns(source, target, labels, column_names)
            pairs = np.column_stack([source, target])
        sides = sides_of_columns(source, target, len(labels), column_names)
        if len(pairs) >= MANY_EDGES and weight is None and not directed:
            graph = large_graph(pairs, as_label_column(labels), sides)
        else:
            edges = EdgePairs(source, target, weight, len(labels), directed)
            del pairs, source, target, weight
            graph = edges.graph(as_label_column(labels), sides)
        return_freed_memory()
        return graph

    def _number(self, source: Any, target: Any) -> tuple[Array, Array]:
        """Return ids of text labels, new ones numbered in the order source, target, row by row."""
        if isinstance(source, list):
            for first, second in zip(source, target, strict=True):
                self._positions.setdefault(first, len(self._positions))
                self._positions.setdefault(second, len(self._positions))
            return ids_of(self._positions, source), ids_of(self._positions, target)
        import pyarrow

        both = pyarrow.chunked_array([*source.chunks, *target.chunks], type=source.type)
        encoded = both.combine_chunks().dictionary_encode()
        codes = np.array(arrow_values(encoded.indices, np.int32))
        words = encoded.dictionary.to_pylist()
        tails, heads = codes[: len(source)], codes[len(source) :]
        order = number_in_place(tails, heads)
        assert order is not None
        ids = np.empty(len(words), dtype=NodeId)
        for place, code in enumerate(order.tolist()):
            ids[place] = self._positions.setdefault(words[code], len(self._positions))
        return ids[tails], ids[heads]


def large_graph(pairs: IdArray, labels: Array, sides: Sides | None = None) -> Graph:
    """Build a plain graph from pairs of ids, which are overwritten, by kernels that small graphs do not wait for."""
    from vnestruct.execute import usable_cpus
    from vnestruct.kernels import edge_sort

    indptr, indices, n_loops = edge_sort.symmetric_rows(pairs, labels.size, usable_cpus())
    n_merged, isolated = len(pairs) - n_loops - indices.size // 2, int(np.count_nonzero(np.diff(indptr) == 0))
    report = CleaningReport(len(pairs), n_loops, n_merged, isolated_nodes=isolated)
    return Graph._trusted(indptr, indices, None, labels, None, report, sides)


def integers_or_text(labels: Sequence[str], keep_text: bool) -> list[Any]:
    """Return labels as integers if every one is written as a plain integer (not ``01``), else as they are."""
    if keep_text or not all(is_plain_integer(label.encode("utf-8", "replace")) for label in labels):
        return list(labels)
    return [int(label) for label in labels]


class NodeEdgeBuilder:
    """Collects nodes and edges in the order of a file; errors name its lines. Readers of such formats extend it."""

    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source, self._options = source, options
        name = "weight" if options.weight is None or options.weight is True else str(options.weight)
        # The attribute that holds weights, None if they are to be ignored.
        self._weight_name = None if ignores_weights(options.weight) else name
        self._positions: dict[Hashable, int] = {}
        self._ends: tuple[list[Hashable], list[Hashable]] = ([], [])
        self._lines, self._weights = array("q"), array("d")
        self._directed = bytearray()
        self._weighted = False
        self.declared_directed = False

    def add_node(self, key: Hashable, line: int | None = None) -> None:
        """Add a node by the key that edges use for it."""
        if key in self._positions:
            raise self._source.error(f"node {shown(str(key))} is listed twice; keys must be distinct", line)
        self._positions[key] = len(self._positions)

    def add_edge(
        self, tail: Hashable, head: Hashable, weight: float | None, directed: bool | None, line: int | None = None
    ) -> None:
        """Add an edge, for None directed as the file declares; its nodes and the declaration may follow later."""
        self._ends[0].append(tail)
        self._ends[1].append(head)
        self._lines.append(line or 0)
        self._weights.append(1.0 if weight is None else weight)
        self._weighted |= weight is not None
        self._directed.append(_AS_DECLARED if directed is None else directed)

    def weight(self, text: Any, line: int | None = None, where: str = "") -> float:
        """Return a weight as a number, or raise the error that names the line."""
        try:
            if isinstance(text, bool) or (isinstance(text, str) and "_" in text):
                raise ValueError
            value = float(text)
        except (TypeError, ValueError, OverflowError):
            value = math.nan
        if value >= 0 and math.isfinite(value):
            return value
        wrong = f"the weight {shown(str(text))}{where} is not a finite number from 0; fix it, or "
        raise self._source.error(Message(wrong, IGNORE_WEIGHTS), line)

    def graph(self, labels: Sequence[Any]) -> Graph:
        """Build the graph; `labels` are those of the nodes in their order."""
        stated = np.frombuffer(self._directed, dtype=np.uint8)
        directions = np.where(stated == _AS_DECLARED, self.declared_directed, stated).astype(bool)
        directed = self._options.directed
        if directed is None:
            directed = bool(directions.any()) or (self.declared_directed and not directions.size)
        if self._options.weight is True and not self._weighted and len(self._lines):
            raise self._source.error(Message("no edge has a weight; leave out ", Parameter("weight")))
        tails, heads = (self._ids(column) for column in self._ends)
        weights = np.frombuffer(self._weights, dtype=Value) if self._weighted else None
        if directed and not directions.all():
            # An undirected edge in a directed graph is an arc each way.
            both = ~directions
            tails, heads = np.concatenate([tails, heads[both]]), np.concatenate([heads, tails[both]])
            weights = None if weights is None else np.concatenate([weights, weights[both]])
        return graph_from_ids(tails, heads, weights, n_nodes=len(labels), nodes=labels, directed=directed)

    def _ids(self, keys: list[Hashable]) -> Array:
        try:
            return ids_of(self._positions, keys)
        except KeyError:
            place = next(place for place, key in enumerate(keys) if key not in self._positions)
            wrong = f"an edge ends in node {shown(str(keys[place]))}, which is not listed; list it among the nodes"
            raise self._source.error(wrong, self._lines[place] or None) from None
