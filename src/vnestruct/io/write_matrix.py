"""Writers of matrices: MatrixMarket and SciPy's .npz."""

from __future__ import annotations

import io
from typing import IO, Any

import numpy as np

from vnestruct.graph import OUT, Graph
from vnestruct.io.edges import chunked_rows, direction_note, label_texts
from vnestruct.io.write_text import numbering_note


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
        if weights is None:
            lines = [f"{row} {column}\n" for row, column in zip(rows, columns, strict=True)]
        else:
            entries = zip(rows, columns, weights, strict=True)
            lines = [f"{row} {column} {weight!r}\n" for row, column, weight in entries]
        stream.write("".join(lines).encode())
    return numbering_note(graph) + direction_note(graph) + _ones_note(graph)


def _ones_note(graph: Graph) -> list[str]:
    ones = graph.weights is not None and not np.any((graph.weights != 1) & (graph.weights != 0))
    return ["weights that are all 1 are read as none"] if ones else []


def write_npz(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a CSR matrix that scipy.sparse.load_npz reads, with labels and directions beside it."""
    indptr, indices = graph.indptr, graph.indices
    data: Any = np.ones(indices.size, dtype=np.int8) if graph.weights is None else graph.weights
    if graph.directions is not None:
        out = (graph.directions & OUT).astype(bool)
        indptr = np.concatenate([[0], np.cumsum(out)])[graph.indptr]
        indices, data = indices[out], data[out]
    arrays: dict[str, Any] = {
        "indices": indices,
        "indptr": indptr,
        "format": np.array("csr".encode("ascii")),
        "shape": np.array([graph.n_nodes, graph.n_nodes]),
        "data": data,
        "directed": np.array(graph.directed),
    }
    notes: list[str] = []
    if graph._labels is not None and graph.nodes.dtype == np.int64:
        arrays["nodes"] = graph.nodes
    elif graph._labels is not None:
        texts, notes = label_texts(graph)
        arrays["nodes"] = np.array(texts, dtype=np.str_)
    # The archive is sought while it is written, which compressed streams do not allow.
    content = io.BytesIO()
    np.savez_compressed(content, **arrays)
    stream.write(content.getbuffer())
    return notes + _ones_note(graph)
