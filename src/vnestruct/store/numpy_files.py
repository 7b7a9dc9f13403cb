"""Embeddings as NumPy files: the bare matrix (``.npy``), or everything (``.npz``); never a pickle inside."""

from __future__ import annotations

import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph.labels import LabelArray
from vnestruct.store.tables import Embedding, first_repeat, text_array
from vnestruct.types import ValueArray

_UNREADABLE = (ValueError, EOFError, KeyError, OSError, struct.error, zipfile.BadZipFile, zlib.error)


def write_npy(file: BinaryIO, embedding: Embedding) -> None:
    """Write the matrix alone, rows in node order."""
    header = np.lib.format.header_data_from_array_1_0(embedding.values)
    np.lib.format.write_array_header_1_0(file, header)
    # Not numpy.save: it asks a pipe for its position, which a pipe does not have.
    file.write(embedding.values.data)


def read_npy(path: Path) -> Embedding:
    """Read a matrix; it has neither labels nor column names."""
    with path.open("rb") as file:
        try:
            content = np.load(file, allow_pickle=False)
        except _UNREADABLE as error:
            raise GraphFormatError(f"not a readable .npy file: {error}", path) from error
    if not isinstance(content, np.ndarray):
        raise GraphFormatError("this is an .npz archive under another name; rename it", path)
    return Embedding(None, _as_matrix(content, path), None)


def write_npz(file: BinaryIO, embedding: Embedding) -> None:
    """Write arrays ``nodes``, ``values``, ``columns`` and ``metadata`` (JSON in an array of no dimension)."""
    assert embedding.nodes is not None
    assert embedding.columns is not None
    nodes = embedding.nodes
    if nodes.dtype == object:
        # NumPy's strings are padded with zeros and cannot tell a final one from padding.
        for label in nodes:
            if label.endswith("\0"):
                raise ParameterError(f"node label {label!r} ends in a zero character, which .npz cannot hold")
        nodes = nodes.astype(np.str_) if len(nodes) else np.empty(0, dtype="U1")
    arrays: dict[str, npt.NDArray[Any]] = {
        "nodes": nodes,
        "values": embedding.values,
        "columns": np.array(embedding.columns, dtype=np.str_),
        "metadata": np.array(json.dumps(embedding.metadata)),
    }
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for name, content in arrays.items():
            # A fixed time stamp, so that equal embeddings give equal files.
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            with archive.open(entry, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, content, allow_pickle=False)


def read_npz(path: Path) -> Embedding:
    """Read what `write_npz` wrote."""
    with path.open("rb") as file:
        try:
            archive = np.load(file, allow_pickle=False)
            if isinstance(archive, np.ndarray):
                raise GraphFormatError("this is an .npy file under another name; rename it", path)
            with archive:
                nodes, values, columns, metadata = (
                    archive[name] for name in ("nodes", "values", "columns", "metadata")
                )
            notes = json.loads(str(metadata))
        except GraphFormatError:
            raise
        except _UNREADABLE as error:
            raise GraphFormatError(f"not a readable embedding: {error}", path) from error
    matrix = _as_matrix(values, path)
    if not isinstance(notes, dict) or not all(isinstance(text, str) for text in notes.values()):
        raise GraphFormatError("its metadata are not a JSON object of strings", path)
    if columns.dtype.kind != "U" or columns.shape != (matrix.shape[1],):
        raise GraphFormatError("its columns do not name the columns of its values", path)
    return Embedding(_as_labels(nodes, len(matrix), path), matrix, tuple(columns.tolist()), notes)


def _as_matrix(content: npt.NDArray[Any], path: Path) -> ValueArray:
    if content.ndim != 2 or content.dtype.kind not in "fiu" or content.shape[1] == 0:
        raise GraphFormatError(
            f"expected a matrix of numbers, one row per node; found shape {content.shape} of {content.dtype}",
            path,
        )
    return np.ascontiguousarray(content, dtype=np.float64)


def _as_labels(nodes: npt.NDArray[Any], n_rows: int, path: Path) -> LabelArray:
    if nodes.shape != (n_rows,) or nodes.dtype.kind not in "iU":
        raise GraphFormatError("its nodes are not one integer or string per row", path)
    labels = text_array(nodes.tolist()) if nodes.dtype.kind == "U" else nodes.astype(np.int64)
    if (pair := first_repeat(labels)) is not None:
        raise GraphFormatError(f"node {labels[pair[1]]!r} occurs in rows {pair[0]} and {pair[1]}", path)
    return labels
