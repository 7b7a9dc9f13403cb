"""MatrixMarket coordinate files: a header, the size, then one entry per line, counted from 1."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import IO

import numpy as np

from vnestruct.errors import Message
from vnestruct.graph import Graph, graph_from_ids
from vnestruct.graph.columns import ColumnChoice, ignores_weights
from vnestruct.graph.edge_lists import graph_from_arcs
from vnestruct.io.builders import EdgeAccumulator, Edges
from vnestruct.io.delimited import Dialect, data_lines
from vnestruct.io.delimited_fast import FastParser
from vnestruct.io.delimited_slow import parse_slowly
from vnestruct.io.source import SET_FORMAT, LineBlock, ReadOptions, Source, shown
from vnestruct.io.write import chunked_rows, direction_note, edge_lines, numbering_note, unit_weights_note

_BANNER = "%%matrixmarket"
_FIELDS = ("pattern", "real", "integer", "double")


@dataclass(frozen=True)
class _Size:
    n_nodes: int
    n_entries: int
    line: int


def read_matrix_market(source: Source, options: ReadOptions) -> Graph:
    """Read a MatrixMarket file as the adjacency matrix of a graph whose labels are 1..n."""
    reader = _MatrixReader(source, options)
    for block in source.blocks():
        reader.take(block)
    return reader.graph()


class _MatrixReader:
    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source, self._options = source, options
        self._field = ""
        self._symmetric = False
        self._size: _Size | None = None
        self._accumulator = EdgeAccumulator(integers=True)

    def take(self, block: LineBlock) -> None:
        if not self._field:
            self._read_banner(block)
        if self._size is None:
            rest = self._read_size(block)
            if rest is None:
                return
            block = rest
            self._dialect = self._make_dialect(block.first_line)
            self._parser = FastParser(self._dialect, block.data[:1024])
        edges = self._parser.parse(block.data)
        if edges is None:
            edges = parse_slowly(block, self._dialect, self._source.error)
        self._check_ids(edges, block)
        self._accumulator.add(edges)

    def graph(self) -> Graph:
        size = self._size
        if size is None:
            raise self._source.error("no size line after the header; the file was cut short, write it again")
        if self._accumulator.n_edges != size.n_entries:
            raise self._source.error(
                f"{self._accumulator.n_edges} entries where {size.n_entries} are declared; "
                "the file was cut short, write it again, or correct the size",
                size.line,
            )
        self._source.check_declared(size.n_nodes, size.line)
        rows, columns, weights = self._accumulator.columns()
        rows -= 1
        columns -= 1
        if weights is not None and bool(np.all(weights == 1)):
            weights = None
        labels = np.arange(1, size.n_nodes + 1)
        directed = bool(self._options.directed)
        if not self._symmetric:
            return graph_from_arcs(rows, columns, weights, size.n_nodes, labels, directed)
        if directed:
            off = rows != columns
            rows, columns = np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]])
            weights = None if weights is None else np.concatenate([weights, weights[off]])
        return graph_from_ids(rows, columns, weights, n_nodes=size.n_nodes, nodes=labels, directed=directed)

    def _read_banner(self, block: LineBlock) -> None:
        line = block.data.partition(b"\n")[0]
        words = line[:200].decode("latin-1").casefold().split()
        if not words or words[0] != _BANNER:
            raise self._source.error(
                Message("the first line must start with %%MatrixMarket; correct it, or ", SET_FORMAT), 1
            )
        if len(words) != 5 or words[1] != "matrix":
            raise self._source.error("the header must read: %%MatrixMarket matrix coordinate FIELD SYMMETRY", 1)
        for word, known, remedy in (
            (words[2], ("coordinate",), "write the matrix in coordinate form"),
            (words[3], _FIELDS, "edge weights must be pattern, real or integer"),
            (words[4], ("general", "symmetric"), "an adjacency matrix is general or symmetric"),
        ):
            if word not in known:
                raise self._source.error(f"{shown(word)} matrices are not read; {remedy}", 1)
        self._field, self._symmetric = words[3], words[4] == "symmetric"

    def _read_size(self, block: LineBlock) -> LineBlock | None:
        """Set the size from the first line that is no comment; return the lines after it."""
        for number, line in data_lines(block):
            words = line.split()
            if len(words) != 3 or not all(word.isdigit() and len(word) < 19 for word in words):
                raise self._source.error("the size line must be three numbers: rows, columns, entries", number)
            n_rows, n_columns, n_entries = map(int, words)
            if n_rows != n_columns:
                raise self._source.error(
                    f"a matrix of {n_rows} rows and {n_columns} columns; an adjacency matrix is square "
                    "(write a bipartite graph as an edge list)",
                    number,
                )
            self._size = _Size(n_rows, n_entries, number)
            return block.from_line(number + 1)
        return None

    def _make_dialect(self, line: int) -> Dialect:
        pattern = self._field == "pattern"
        weight = None if pattern or ignores_weights(self._options.weight) else 2
        return Dialect(
            separator=None,
            n_columns=2 if pattern else 3,
            columns=ColumnChoice(0, 1, weight),
            integers=True,
            body_line=line,
            attributes=False,
            comments=True,
            text_format="edgelist+text",
        )

    def _check_ids(self, edges: Edges, block: LineBlock) -> None:
        assert self._size is not None
        n_nodes = self._size.n_nodes
        for column in (edges.source, edges.target):
            if column.size and not (column.min() >= 1 and column.max() <= n_nodes):
                place = int(np.argmax((column < 1) | (column > n_nodes)))
                wrong = f"entry {column[place]} is outside the declared size 1 to {n_nodes}; correct it, or the size"
                raise self._source.error(wrong, next(islice(data_lines(block), place, None))[0])


def write_matrix_market(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a MatrixMarket coordinate file, symmetric unless the graph is directed."""
    field = "pattern" if graph.weights is None else "real"
    symmetry = "general" if graph.directed else "symmetric"
    stream.write(f"%%MatrixMarket matrix coordinate {field} {symmetry}\n".encode())
    stream.write(f"{graph.n_nodes} {graph.n_nodes} {graph.n_arcs}\n".encode())
    numbers = [str(number) for number in range(1, graph.n_nodes + 1)]
    for tails, heads, weights in chunked_rows(graph, numbers):
        # Symmetric matrices are stored by their lower triangle: the larger number is the row.
        rows, columns = (tails, heads) if graph.directed else (heads, tails)
        stream.write("".join(edge_lines(" ", rows, columns, weights)).encode())
    return numbering_note(graph) + direction_note(graph) + unit_weights_note(graph)
