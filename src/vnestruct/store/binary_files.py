"""Embeddings in binary files: Parquet and Feather, which need pyarrow, and NumPy's .npy and .npz without pickles."""

import json
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.archives import UNREADABLE, is_plausible, open_archive, read_array, read_member_array
from vnestruct.graph.labels import LabelArray
from vnestruct.store.tables import NODE_COLUMN, Embedding, first_repeat
from vnestruct.types import Array, ValueArray

_FOREIGN_KEYS = (b"pandas", b"ARROW:schema")  # schema keys that libraries add for themselves


def write_parquet(file: BinaryIO, embedding: Embedding) -> None:
    """Write a Parquet file with the metadata in its schema."""
    import pyarrow.parquet

    pyarrow.parquet.write_table(_as_table(embedding), file)


def write_feather(file: BinaryIO, embedding: Embedding) -> None:
    """Write a Feather file (version 2), uncompressed so that it can be memory-mapped."""
    import pyarrow.ipc

    table = _as_table(embedding)
    with pyarrow.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table)


def read_parquet(path: Path) -> Embedding:
    """Read an embedding from a Parquet file."""
    import pyarrow.parquet

    def read_table(file: BinaryIO) -> Any:
        opened = pyarrow.parquet.ParquetFile(file)
        if not is_plausible(opened.metadata.num_rows, path.stat().st_size):
            raise GraphFormatError("more rows are declared than a file of its size can hold", path)
        return opened.read()

    return _read_arrow(path, "Parquet", read_table)


def read_feather(path: Path) -> Embedding:
    """Read an embedding from a Feather file."""
    import pyarrow.ipc

    return _read_arrow(path, "Feather", lambda file: pyarrow.ipc.open_file(file).read_all())


def is_parquet(path: Path) -> bool:
    """Return whether a Parquet file has the columns of an embedding."""
    import pyarrow.parquet

    return _has_columns(pyarrow.parquet.read_schema(path))


def is_feather(path: Path) -> bool:
    """Return whether a Feather file has the columns of an embedding."""
    import pyarrow.ipc

    with path.open("rb") as file:
        return _has_columns(pyarrow.ipc.open_file(file).schema)


def _has_columns(schema: Any) -> bool:
    from pyarrow.types import is_floating

    numbers = [is_floating(kind) for kind in schema.types[1:]]
    return bool(numbers) and all(numbers) and schema.names[0] == NODE_COLUMN


def _as_table(embedding: Embedding) -> Any:
    import pyarrow

    assert embedding.nodes is not None
    assert embedding.columns is not None
    labels = embedding.nodes.tolist() if embedding.nodes.dtype == object else embedding.nodes
    label_type = pyarrow.string() if embedding.nodes.dtype == object else pyarrow.int64()
    arrays = [pyarrow.array(labels, label_type), *map(pyarrow.array, embedding.values.T)]
    return pyarrow.table(arrays, [NODE_COLUMN, *embedding.columns]).replace_schema_metadata(embedding.metadata)


def _read_arrow(path: Path, kind: str, read_table: Any) -> Embedding:
    import pyarrow

    with path.open("rb") as file:
        try:
            table = read_table(file)
        except (pyarrow.ArrowException, OSError) as error:
            # Not the disk: pyarrow raises OSError for a damaged file, too.
            raise GraphFormatError(f"not a readable {kind} file: {error}", path) from error
    names = table.column_names
    if len(names) < 2 or names[0] != NODE_COLUMN or len(set(names)) != len(names):
        raise GraphFormatError(f"expected columns {NODE_COLUMN}, h1...; found {', '.join(names)}", path)
    for name, column in zip(names, table.columns, strict=True):
        if column.null_count:
            raise GraphFormatError(f"column {name} has missing entries", path)

    types = pyarrow.types
    values = np.empty((table.num_rows, len(names) - 1))
    for place, column in enumerate(table.columns[1:]):
        if not (types.is_floating(column.type) or types.is_integer(column.type)):
            raise GraphFormatError(f"column {names[place + 1]} holds {column.type}, not numbers", path)
        values[:, place] = column.to_numpy()
    nodes = _arrow_labels(table.column(NODE_COLUMN), path)
    stored = table.schema.metadata or {}
    metadata = {key.decode(): text.decode() for key, text in stored.items() if key not in _FOREIGN_KEYS}
    return Embedding(nodes, values, tuple(names[1:]), metadata)


def _arrow_labels(column: Any, path: Path) -> LabelArray:
    import pyarrow

    kind = column.type.value_type if pyarrow.types.is_dictionary(column.type) else column.type
    whole = pyarrow.types.is_integer(kind)
    if not whole and str(kind) not in ("string", "large_string", "string_view"):
        raise GraphFormatError(f"column {NODE_COLUMN} holds {kind}, neither integers nor text", path)
    try:
        cast = column.cast(pyarrow.int64() if whole else pyarrow.large_string())
    except pyarrow.ArrowException as error:
        raise GraphFormatError(f"column {NODE_COLUMN} cannot be read: {error}", path) from error
    return _distinct(cast.to_numpy() if whole else np.array(cast.to_pylist(), dtype=object), path)


def write_npy(file: BinaryIO, embedding: Embedding) -> None:
    """Write the matrix alone, rows in node order."""
    np.save(file, embedding.values)


def read_npy(path: Path) -> Embedding:
    """Read a matrix; it has neither labels nor column names."""
    with path.open("rb") as file:
        if file.peek(2)[:2] == b"PK":
            raise GraphFormatError("this is an .npz archive under another name; rename it", path)
        try:
            content = read_array(file, path.stat().st_size)
        except UNREADABLE as error:
            raise GraphFormatError(f"not a readable .npy file: {error}", path) from error
    return Embedding(None, _as_matrix(content, path), None)


def is_npz(path: Path) -> bool:
    """Return whether an archive has the arrays of an embedding."""
    if not zipfile.is_zipfile(path):
        return False
    with zipfile.ZipFile(path) as archive:
        return {"nodes.npy", "values.npy"} <= set(archive.namelist())


def write_npz(file: BinaryIO, embedding: Embedding) -> None:
    """Write arrays ``nodes``, ``values``, ``columns`` and ``metadata`` (JSON in an array of no dimension)."""
    assert embedding.nodes is not None
    assert embedding.columns is not None
    nodes = embedding.nodes
    if nodes.dtype == object:
        # NumPy pads its strings with zeros, so a final zero would be lost.
        for label in nodes:
            if label.endswith("\0"):
                raise ParameterError(f"node label {label!r} ends in a zero character; use .parquet or .csv")
        nodes = nodes.astype(np.str_) if len(nodes) else np.empty(0, dtype="U1")
    columns, metadata = np.array(embedding.columns, dtype=np.str_), np.array(json.dumps(embedding.metadata))
    # Its time stamps are fixed, so that equal embeddings give equal files.
    np.savez(file, nodes=nodes, values=embedding.values, columns=columns, metadata=metadata)


def read_npz(path: Path) -> Embedding:
    """Read what `write_npz` wrote."""
    with path.open("rb") as file:
        if file.peek(6)[:6] == b"\x93NUMPY":
            raise GraphFormatError("this is an .npy file under another name; rename it", path)
        try:
            with open_archive(file, path.stat().st_size) as archive:
                names = ("nodes", "values", "columns", "metadata")
                nodes, values, columns, metadata = (read_member_array(archive, f"{name}.npy") for name in names)
            notes = json.loads(str(metadata))
        except UNREADABLE as error:
            raise GraphFormatError(f"not a readable embedding: {error}", path) from error
    matrix = _as_matrix(values, path)
    if not isinstance(notes, dict) or not all(isinstance(text, str) for text in notes.values()):
        raise GraphFormatError("its metadata are not a JSON object of strings", path)
    if columns.dtype.kind != "U" or columns.shape != (matrix.shape[1],):
        raise GraphFormatError("its columns do not name the columns of its values", path)
    if nodes.shape != (len(matrix),) or nodes.dtype.kind not in "iU":
        raise GraphFormatError("its nodes are not one integer or string per row", path)
    labels = np.array(nodes.tolist(), dtype=object) if nodes.dtype.kind == "U" else nodes.astype(np.int64)
    return Embedding(_distinct(labels, path), matrix, tuple(columns.tolist()), notes)


def _as_matrix(content: Array, path: Path) -> ValueArray:
    if content.ndim != 2 or content.dtype.kind not in "fiu" or content.shape[1] == 0:
        wrong = f"found shape {content.shape} of {content.dtype}"
        raise GraphFormatError(f"expected a matrix of numbers, one row per node; {wrong}", path)
    return np.ascontiguousarray(content, dtype=np.float64)


def _distinct(labels: LabelArray, path: Path) -> LabelArray:
    if (pair := first_repeat(labels)) is not None:
        raise GraphFormatError(f"node {labels[pair[1]]!r} occurs in rows {pair[0]} and {pair[1]}", path)
    return labels
