"""SciPy's sparse matrices in .npz archives, read without SciPy's loader so that every array is checked first."""

import io
import zipfile
from typing import IO, Any

import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError, VNEstructError
from vnestruct.files.compression import UNREADABLE, open_archive
from vnestruct.graph import OUT, Graph
from vnestruct.graph.columns import ignores_weights
from vnestruct.graph.edge_lists import graph_from_arcs, graph_from_sides
from vnestruct.io.source import ReadOptions, Source, shown
from vnestruct.io.write import label_texts, losses
from vnestruct.types import Array, Offset, Value

_DEFLATE_RATIO = 1032  # the most that deflate can make of one byte


def read_npz(source: Source, options: ReadOptions) -> Graph:
    """Read a sparse matrix as written by scipy.sparse.save_npz: CSR, CSC or COO."""
    content = source.content()
    try:
        with open_archive(io.BytesIO(content), len(content)) as archive:
            return _graph(source, _Arrays(source, archive), options)
    except VNEstructError:
        raise
    except UNREADABLE as problem:
        raise source.error(f"the archive is damaged ({problem}); write it again") from None


class _Arrays:
    """The arrays of an archive, each checked before it is read."""

    def __init__(self, source: Source, archive: zipfile.ZipFile) -> None:
        self._source, self._archive = source, archive
        self._members: dict[str, zipfile.ZipInfo] = {}
        for member in archive.infolist():
            name = member.filename
            if name.startswith("/") or "\\" in name or ".." in name or "/" in name:
                raise source.error(f"member {shown(name)} points out of the archive; do not trust this file")
            if not name.endswith(".npy"):
                raise source.error(f"member {shown(name)} is not a NumPy array; unpack the archive and read its file")
            self._members[name.removesuffix(".npy")] = member

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def get(self, name: str, kinds: str) -> Array:
        """Return an array of one of these kinds of numbers or letters."""
        if name not in self._members:
            wrong = f"no array {name!r}; save the matrix with scipy.sparse.save_npz in CSR, CSC or COO form"
            raise self._source.error(wrong)
        member = self._members[name]
        if member.file_size > _DEFLATE_RATIO * max(member.compress_size, 1):
            raise self._damaged(name)
        try:
            with self._archive.open(member) as stream:
                array: Array = np.lib.format.read_array(stream, allow_pickle=False)
        except (ValueError, MemoryError) as problem:
            if "allow_pickle" not in str(problem):
                raise self._damaged(name) from None
            wrong = f"array {name!r} holds Python objects, which can run code when loaded; save numbers only"
            raise self._source.error(wrong) from None
        if array.dtype.kind not in kinds or array.ndim > 1:
            wrong = f"array {name!r} is {array.dtype} of shape {array.shape}; "
            raise self._source.error(wrong + "save the matrix with scipy.sparse.save_npz")
        return array

    def _damaged(self, name: str) -> GraphFormatError:
        return self._source.error(f"array {name!r} is not as long as it says; the file is damaged, write it again")


def _graph(source: Source, arrays: _Arrays, options: ReadOptions) -> Graph:
    kind = arrays.get("format", "SU").item()
    kind = kind.decode("ascii", "replace") if isinstance(kind, bytes) else str(kind)
    shape = arrays.get("shape", "iu").tolist()
    if not isinstance(shape, list) or len(shape) != 2 or min(shape) < 0:
        raise source.error(f"a matrix of shape {shape}; a matrix of edges has two dimensions")
    # With labels of its own, a square matrix is one that vnestruct wrote.
    has_sides = shape[0] != shape[1] or (options.bipartite and "nodes" not in arrays)
    n_nodes = sum(shape) if has_sides else shape[0]
    source.check_declared(n_nodes)
    if kind == "coo":
        rows, columns = arrays.get("row", "iu"), arrays.get("col", "iu")
    elif kind in ("csr", "csc"):
        indptr, columns = arrays.get("indptr", "iu").astype(Offset), arrays.get("indices", "iu")
        n_offsets = 1 + (shape[0] if kind == "csr" else shape[1])
        whole = indptr.size == n_offsets and indptr[0] == 0 and indptr[-1] == columns.size
        if not whole or (np.diff(indptr) < 0).any():
            raise source.error("the row offsets do not fit the entries; the file is damaged, write it again")
        rows = np.repeat(np.arange(indptr.size - 1), np.diff(indptr))
        rows, columns = (columns, rows) if kind == "csc" else (rows, columns)
    else:
        raise source.error(f"a matrix in {shown(kind)} form; save matrix.tocsr() instead")
    values = arrays.get("data", "biuf").astype(Value)
    if not rows.size == columns.size == values.size:
        raise source.error(f"{rows.size} rows, {columns.size} columns and {values.size} values; write it again")
    for ends, size in zip((rows, columns), shape, strict=True):
        if ends.size and not (ends.min() >= 0 and ends.max() < size):
            raise source.error(f"an index is outside the declared size {size}; the file is damaged, write it again")
    nodes = None
    if "nodes" in arrays:
        labels = arrays.get("nodes", "iU")
        nodes = labels.astype(np.int64) if labels.dtype.kind == "i" else np.array(labels.tolist(), dtype=object)
        if nodes.shape != (n_nodes,):
            raise source.error(f"{nodes.size} labels for {n_nodes} nodes; write one each")
    directed = options.directed
    if directed is None:
        directed = "directed" in arrays and bool(arrays.get("directed", "b").any())
    # An entry of value 0 is no edge, so values other than 1 matter even where weights do not.
    kept = values != 0
    rows, columns, values = rows[kept].astype(Offset), columns[kept].astype(Offset), values[kept]
    unweighted = ignores_weights(options.weight) or bool(np.all(values == 1))
    weights = None if unweighted else values
    if has_sides:
        return graph_from_sides(rows, columns, weights, (shape[0], shape[1]), bool(directed))
    return graph_from_arcs(rows, columns, weights, n_nodes, nodes, directed)


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
    if graph._labels is not None and graph.nodes.dtype == np.int64:
        arrays["nodes"] = graph.nodes
    elif graph._labels is not None:
        texts, notes = label_texts(graph)
        # NumPy pads its strings with zeros, so a final zero would be lost.
        bad = next((text for text in texts if text.endswith("\0")), None)
        if bad is not None:
            raise ParameterError(f"label {bad!r} ends in a zero character; use .json or .vng")
        arrays["nodes"] = np.array(texts, dtype=np.str_)
    # Writing an archive seeks back and forth, which compressed streams do not allow.
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    stream.write(content.getbuffer())
    return notes + losses(graph, "weights of 1")
