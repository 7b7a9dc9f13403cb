"""Embeddings in binary files: Parquet and Feather by Arrow, NumPy's .npy and .npz without pickles."""

import json
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.compression import read_arrays, read_table, write_table
from vnestruct.graph.labels import as_label_column
from vnestruct.lazy import load
from vnestruct.store.tables import NODE_COLUMN, Embedding, first_repeat, labels_and_columns
from vnestruct.types import Array

_FOREIGN_KEYS = (b"pandas", b"ARROW:schema")  # schema keys that libraries add for themselves


def write_arrow(file: BinaryIO, embedding: Embedding, kind: str) -> None:
    """Write a Parquet or Feather file with the metadata in its schema; Feather such that it can be mapped."""
    import pyarrow

    labels, columns = labels_and_columns(embedding)
    label_type = pyarrow.string() if labels.dtype == object else pyarrow.int64()
    arrays = [pyarrow.array(labels, label_type), *map(pyarrow.array, embedding.values.T)]
    table = pyarrow.table(arrays, [NODE_COLUMN, *columns]).replace_schema_metadata(embedding.metadata)
    write_table(table, file, kind, "uncompressed")


def read_arrow(path: Path, kind: str) -> Embedding:
    """Read a Parquet or Feather file."""
    with path.open("rb") as file:
        try:
            table = read_table(file, path.stat().st_size, kind)
        except ValueError as error:
            raise GraphFormatError(str(error), path) from error
    names = table.column_names
    if len(names) < 2 or names[0] != NODE_COLUMN or len(set(names)) != len(names):
        raise GraphFormatError(f"expected columns {NODE_COLUMN}, h1...; found {', '.join(names)}", path)
    if missing := next((name for name in names if table.column(name).null_count), None):
        raise GraphFormatError(f"column {missing} has missing entries", path)
    columns = dict(zip(names, map(load("vnestruct.graph.frames:open_frame")(table)[1], names), strict=True))
    nodes = columns.pop(NODE_COLUMN)
    for name, column in columns.items():
        if column.dtype.kind not in "fiu":
            raise GraphFormatError(f"column {name} holds {table.field(name).type}, not numbers", path)
    labels = as_label_column(nodes) if nodes.dtype.kind in "iuO" else nodes
    if labels.dtype != np.int64 and not all(isinstance(label, str) for label in labels):
        raise GraphFormatError(f"column {NODE_COLUMN} holds {table.field(0).type}, neither integers nor text", path)
    stored = table.schema.metadata or {}
    metadata = {key.decode(): text.decode() for key, text in stored.items() if key not in _FOREIGN_KEYS}
    return _checked(path, labels, np.column_stack(list(columns.values())), names[1:], metadata)


def is_arrow(path: Path, kind: str) -> bool:
    """Return whether a Parquet or Feather file has the columns of an embedding."""
    from pyarrow import feather, parquet
    from pyarrow.types import is_floating

    schema = parquet.read_schema(path) if kind == "parquet" else feather.read_table(path, memory_map=True).schema
    return len(schema) > 1 and schema.names[0] == NODE_COLUMN and all(map(is_floating, schema.types[1:]))


def write_npy(file: BinaryIO, embedding: Embedding) -> None:
    """Write the matrix alone, rows in node order."""
    np.save(file, embedding.values)


def read_npy(path: Path) -> Embedding:
    """Read a matrix; it has neither labels nor column names."""
    return _checked(path, None, _arrays(path, ".npy")[""])


def write_npz(file: BinaryIO, embedding: Embedding) -> None:
    """Write arrays ``nodes``, ``values``, ``columns`` and ``metadata`` (JSON in an array of no dimension)."""
    nodes, columns = labels_and_columns(embedding)
    if nodes.dtype == object:
        # NumPy pads its strings with zeros, so a final zero would be lost.
        if bad := next((label for label in nodes if label.endswith("\0")), None):
            raise ParameterError(f"node label {bad!r} ends in a zero character; use .parquet or .csv")
        nodes = nodes.astype(np.str_) if len(nodes) else np.empty(0, dtype="U1")
    metadata = np.array(json.dumps(embedding.metadata))
    # Its time stamps are fixed, so that equal embeddings give equal files.
    np.savez(file, nodes=nodes, values=embedding.values, columns=np.array(columns, np.str_), metadata=metadata)


def read_npz(path: Path) -> Embedding:
    """Read what `write_npz` wrote."""
    arrays = _arrays(path, ".npz")
    try:
        nodes, values, columns, metadata = (arrays[name] for name in ("nodes", "values", "columns", "metadata"))
        notes = json.loads(str(metadata))
    except (KeyError, ValueError, RecursionError) as error:
        raise GraphFormatError(f"not a readable .npz file: {error}", path) from error
    if not isinstance(notes, dict) or not all(isinstance(text, str) for text in notes.values()):
        raise GraphFormatError("its metadata are not a JSON object of strings", path)
    if columns.dtype.kind != "U" or columns.shape != values.shape[1:]:
        raise GraphFormatError("its columns do not name the columns of its values", path)
    if nodes.shape != values.shape[:1] or nodes.dtype.kind not in "iU":
        raise GraphFormatError("its nodes are not one integer or string per row", path)
    labels = np.array(nodes.tolist(), dtype=object) if nodes.dtype.kind == "U" else nodes.astype(np.int64)
    return _checked(path, labels, values, columns.tolist(), notes)


def is_npz(path: Path) -> bool:
    """Return whether an archive has the arrays of an embedding."""
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return {"nodes.npy", "values.npy"} <= set(archive.namelist())


def _arrays(path: Path, suffix: str) -> dict[str, Array]:
    with path.open("rb") as file:
        try:
            arrays = read_arrays(file)
        except ValueError as error:
            raise GraphFormatError(f"not a readable {suffix} file: {error}", path) from error
    found = ".npy" if "" in arrays else ".npz"
    if found != suffix:
        raise GraphFormatError(f"this is an {found} file under another name; rename it", path)
    return arrays


def _checked(path: Path, labels: Any, values: Array, columns: Any = None, metadata: Any = None) -> Embedding:
    """Return the embedding that a file holds if its values are a matrix of numbers and its labels are distinct."""
    if values.ndim != 2 or values.dtype.kind not in "fiu" or values.shape[1] == 0:
        wrong = f", found shape {values.shape} of {values.dtype}"
        raise GraphFormatError(f"expected a matrix of numbers, one row per node{wrong}", path)
    if labels is not None and (pair := first_repeat(labels)) is not None:
        raise GraphFormatError(f"node {labels[pair[1]]!r} occurs in rows {pair[0]} and {pair[1]}", path)
    names = None if columns is None else tuple(columns)
    return Embedding(labels, np.ascontiguousarray(values, np.float64), names, metadata or {})
