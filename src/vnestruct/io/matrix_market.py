"""MatrixMarket coordinate files: a header, the size, then one entry per line, counted from 1."""

from itertools import chain, islice
from typing import IO

import numpy as np

from vnestruct.errors import Message
from vnestruct.graph import Graph, graph_from_ids
from vnestruct.graph.columns import ColumnChoice, ignores_weights
from vnestruct.graph.edge_lists import graph_from_arcs, graph_from_sides
from vnestruct.graph.edit import bipartite_as_told
from vnestruct.io.builders import EdgeAccumulator, Edges
from vnestruct.io.delimited import Dialect, data_lines
from vnestruct.io.delimited_parser import DelimitedParser
from vnestruct.io.source import SET_FORMAT, LineBlock, ReadOptions, Source, shown
from vnestruct.io.write import edge_lines, losses

_BANNER = "%%matrixmarket"
_FIELDS = ("pattern", "real", "integer", "double")


def read_matrix_market(source: Source, options: ReadOptions) -> Graph:
    """Read a MatrixMarket file as a graph whose labels are 1..n; those of columns follow the rows if it has sides."""
    field, symmetric, size, block = "", False, None, None
    accumulator = EdgeAccumulator(integers=True)
    blocks = source.blocks()
    while size is None and (block := next(blocks, None)) is not None:
        if not field:
            field, symmetric = _read_banner(source, block)
        size = next(data_lines(block), None)
    if block is None or size is None:
        raise source.error("no size line after the header; the file was cut short, write it again")
    size_line, line = size
    shape, n_entries = _read_size(source, line, size_line, symmetric)
    has_sides = not symmetric and (options.bipartite or shape[0] != shape[1])
    n_nodes = sum(shape) if has_sides else shape[0]
    block = block.from_line(size_line + 1)
    n_columns = 2 if field == "pattern" else 3
    choice = ColumnChoice(0, 1, None if n_columns == 2 or ignores_weights(options.weight) else 2)
    dialect = Dialect(None, n_columns, choice, integers=True, body_line=block.first_line)
    for part, edges in DelimitedParser(dialect, block.data[:1024], source.error).parse_all(chain([block], blocks)):
        _check_ids(source, edges, part, shape)
        accumulator.add(edges)
    if accumulator.n_edges != n_entries:
        wrong = f"{accumulator.n_edges} entries where {n_entries} are declared; "
        raise source.error(wrong + "the file was cut short, write it again, or correct the size", size_line)
    source.check_declared(n_nodes, size_line)
    directed, (pairs, weights) = bool(options.directed), accumulator.take_all()
    pairs -= 1
    rows, columns = pairs.T
    weights = None if weights is None or np.all(weights == 1) else weights
    if has_sides:
        return graph_from_sides(rows, columns, weights, shape, directed, first_label=1)
    labels = np.arange(1, n_nodes + 1)
    if not symmetric:
        return graph_from_arcs(rows, columns, weights, n_nodes, labels, directed)
    if directed:
        off = rows != columns
        rows, columns = np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]])
        weights = None if weights is None else np.concatenate([weights, weights[off]])
    return graph_from_ids(rows, columns, weights, n_nodes=n_nodes, nodes=labels, directed=directed)


def _read_banner(source: Source, block: LineBlock) -> tuple[str, bool]:
    """Return the kind of the values, and whether the matrix is symmetric."""
    words = block.data.partition(b"\n")[0][:200].decode("latin-1").casefold().split()
    if not words or words[0] != _BANNER:
        raise source.error(Message("the first line must start with %%MatrixMarket; correct it, or ", SET_FORMAT), 1)
    if len(words) != 5 or words[1] != "matrix":
        raise source.error("the header must read: %%MatrixMarket matrix coordinate FIELD SYMMETRY", 1)
    for word, known, remedy in (
        (words[2], ("coordinate",), "write the matrix in coordinate form"),
        (words[3], _FIELDS, "edge weights must be pattern, real or integer"),
        (words[4], ("general", "symmetric"), "an adjacency matrix is general or symmetric"),
    ):
        if word not in known:
            raise source.error(f"{shown(word)} matrices are not read; {remedy}", 1)
    return words[3], words[4] == "symmetric"


def _read_size(source: Source, line: bytes, number: int, symmetric: bool) -> tuple[tuple[int, int], int]:
    """Return the shape and the number of entries."""
    words = line.split()
    if len(words) != 3 or not all(word.isdigit() and len(word) < 19 for word in words):
        raise source.error("the size line must be three numbers: rows, columns, entries", number)
    n_rows, n_columns, n_entries = map(int, words)
    if symmetric and n_rows != n_columns:
        wrong = f"a symmetric matrix of {n_rows} rows and {n_columns} columns; correct the size, or write general "
        raise source.error(wrong + "for a bipartite graph", number)
    return (n_rows, n_columns), n_entries


def _check_ids(source: Source, edges: Edges, block: LineBlock, shape: tuple[int, int]) -> None:
    for column, size in zip((edges.source, edges.target), shape, strict=True):
        if column.size and not (column.min() >= 1 and column.max() <= size):
            place = int(np.argmax((column < 1) | (column > size)))
            wrong = f"entry {column[place]} is outside the declared size 1 to {size}; correct it, or the size"
            raise source.error(wrong, next(islice(data_lines(block), place, None))[0])


def write_matrix_market(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a MatrixMarket coordinate file, symmetric unless the graph is directed."""
    field = "pattern" if graph.weights is None else "real"
    symmetry = "general" if graph.directed else "symmetric"
    stream.write(f"%%MatrixMarket matrix coordinate {field} {symmetry}\n".encode())
    stream.write(f"{graph.n_nodes} {graph.n_nodes} {graph.n_arcs}\n".encode())
    numbers = [str(number) for number in range(1, graph.n_nodes + 1)]
    # Symmetric matrices are stored by their lower triangle: the larger number is the row.
    for lines in edge_lines(bipartite_as_told(graph, False), numbers, " ", larger_first=not graph.directed):
        stream.write("".join(lines).encode())
    return losses(graph, "labels", "directions", "weights of 1")
