"""Sparse matrices: MatrixMarket coordinate files, and SciPy's .npz archives."""

import io
import re
from itertools import chain, islice
from typing import IO, Any

import numpy as np

from vnestruct.errors import ParameterError, VNEstructError
from vnestruct.files.compression import UNREADABLE, open_archive
from vnestruct.graph import OUT, Graph, graph_from_ids
from vnestruct.graph.columns import ColumnChoice, ignores_weights
from vnestruct.graph.edge_lists import graph_from_entries
from vnestruct.graph.validate import first_true
from vnestruct.io.delimited import Dialect, parse
from vnestruct.io.fields import data_lines
from vnestruct.io.source import LineBlock, ReadOptions, Source
from vnestruct.io.write import label_texts

_BANNER = re.compile(
    rb"%%matrixmarket\s+matrix\s+coordinate\s+(pattern|real|integer|double)\s+(general|symmetric)\s*", re.IGNORECASE
)


def read_matrix_market(source: Source, options: ReadOptions) -> Graph:
    """Read a MatrixMarket file as a graph whose labels are 1..n; those of columns follow the rows if it has sides."""
    from scipy.sparse import coo_array

    # Not by SciPy, which takes ``1 2 3 4`` and ``1.5x`` for entries.
    blocks = source.blocks()
    block = next(blocks, LineBlock(b"", 1))
    banner = _BANNER.fullmatch(block.data.partition(b"\n")[0])
    if banner is None:
        wrong = "the first line must read %%MatrixMarket matrix coordinate FIELD SYMMETRY, where FIELD is pattern, "
        raise source.error(f"{wrong}real or integer, and SYMMETRY general or symmetric; correct it or `format`", 1)
    size = next(data_lines(block), None)
    if size is None:
        raise source.error("no size line after the header; the file was cut short, write it again")
    line, numbers = size[0], size[1].split()
    if len(numbers) != 3 or not all(number.isdigit() and len(number) < 19 for number in numbers):
        raise source.error("the size line must be three numbers: rows, columns, entries", line)
    n_rows, n_columns, n_entries = map(int, numbers)
    symmetric = banner[2].lower() == b"symmetric"
    if symmetric and n_rows != n_columns:
        wrong = f"a symmetric matrix of {n_rows} rows and {n_columns} columns; correct the size, or write general "
        raise source.error(wrong + "for a bipartite graph", line)
    block = LineBlock(block.data.split(b"\n", line - block.first_line + 1)[-1], line + 1)
    has_values = banner[1].lower() != b"pattern"
    choice = ColumnChoice(0, 1, 2 if has_values and not ignores_weights(options.weight) else None)
    dialect = Dialect(None, 2 + has_values, choice, True, line + 1, False, "edgelist")
    parts = []
    for part in chain([block], blocks):
        parts.append(parse(part, dialect, source.error))
        for column, bound in zip(parts[-1][:2], (n_rows, n_columns), strict=True):
            if (place := first_true((column < 1) | (column > bound))) is not None:
                wrong = f"entry {column[place]} is outside the declared size 1 to {bound}; correct it, or the size"
                raise source.error(wrong, next(islice(data_lines(part), place, None))[0])
    rows, columns = (np.concatenate(column) - 1 for column in list(zip(*parts, strict=True))[:2])
    if rows.size != n_entries:
        wrong = f"{rows.size} entries where {n_entries} are declared; "
        raise source.error(wrong + "the file was cut short, write it again, or correct the size", line)
    values = np.ones(rows.size) if choice.weight is None else np.concatenate([part.weight for part in parts])
    bipartite, directed = options.bipartite and not symmetric, bool(options.directed)
    source.check_declared(n_rows + n_columns if bipartite or n_rows != n_columns else n_rows, line)
    if symmetric and not directed:
        weight = None if np.all(values == 1) else values
        return graph_from_ids(rows, columns, weight, n_nodes=n_rows, nodes=np.arange(1, n_rows + 1))
    if symmetric:
        off = rows != columns
        rows, columns = np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]])
        values = np.concatenate([values, values[off]])
    matrix = coo_array((values, (rows, columns)), shape=(n_rows, n_columns))
    return graph_from_entries(matrix, directed, bipartite, True, first_label=1)


def read_npz(source: Source, options: ReadOptions) -> Graph:
    """Read a sparse matrix as written by scipy.sparse.save_npz: CSR, CSC or COO."""
    from scipy.sparse import load_npz

    content = io.BytesIO(source.content())
    try:
        with open_archive(content), np.load(content, allow_pickle=False) as arrays:
            if "format" not in arrays:
                raise source.error("the archive has no array 'format'; save the matrix with scipy.sparse.save_npz")
            nodes, directed = arrays.get("nodes"), arrays.get("directed")
        content.seek(0)
        matrix = load_npz(content)
        # SciPy looks at the indices only if it is asked to.
        if matrix.format != "coo":
            matrix.check_format()
        matrix = matrix.tocoo()
        matrix.eliminate_zeros()
    except (*UNREADABLE, AttributeError, MemoryError) as problem:
        if isinstance(problem, VNEstructError):
            raise
        wrong = f"not a sparse matrix that can be read ({problem}); save it again with scipy.sparse.save_npz"
        raise source.error(f"{wrong} in CSR, CSC or COO form") from None
    if matrix.ndim != 2 or matrix.dtype.kind not in "biuf":
        wrong = f"a matrix of {matrix.dtype} of shape {matrix.shape}"
        raise source.error(f"{wrong}; a matrix of edges has two dimensions and real numbers")
    if directed is not None:
        directed = bool(directed.any())
    told = directed if options.directed is None else options.directed
    # With labels of its own, a square matrix is one that vnestruct wrote.
    bipartite = options.bipartite and nodes is None
    n_rows, n_columns = matrix.shape
    source.check_declared(n_rows + n_columns if bipartite or n_rows != n_columns else n_rows)
    return graph_from_entries(matrix, told, bipartite, not ignores_weights(options.weight), nodes)


def write_npz(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a CSR matrix for scipy.sparse.load_npz, and two arrays that it ignores: labels and whether directed."""
    indptr, indices = graph.indptr, graph.indices
    data: Any = np.ones(indices.size, dtype=np.int8) if graph.weights is None else graph.weights
    if graph.directions is not None:
        out = (graph.directions & OUT).astype(bool)
        indptr = np.concatenate([[0], np.cumsum(out)])[graph.indptr]
        indices, data = indices[out], data[out]
    arrays: dict[str, Any] = {"indices": indices, "indptr": indptr, "format": np.array(b"csr")}
    arrays |= {"shape": np.array([graph.n_nodes] * 2), "data": data, "directed": np.array(graph.directed)}
    notes: list[str] = []
    if graph.nodes.dtype == object:
        texts, notes = label_texts(graph)
        # NumPy pads its strings with zeros, so a final zero would be lost.
        bad = next((text for text in texts if text.endswith("\0")), None)
        if bad is not None:
            raise ParameterError(f"label {bad!r} ends in a zero character; use .vng, which keeps it")
        arrays["nodes"] = np.array(texts, dtype=np.str_)
    elif not graph.has_plain_labels:
        arrays["nodes"] = graph.nodes
    # Writing an archive seeks back and forth, which compressed streams do not allow.
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    stream.write(content.getbuffer())
    return notes
