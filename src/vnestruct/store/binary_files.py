"""Embeddings in binary files: Parquet and Feather by Arrow, NumPy's .npy and .npz without pickles."""

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.compression import expands_too_far, read_arrays
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
    import pyarrow.feather

    pyarrow.feather.write_feather(_as_table(embedding), file, compression="uncompressed")


def read_parquet(path: Path) -> Embedding:
    """Read an embedding from a Parquet file."""
    import pyarrow.parquet

    with path.open("rb") as file, _damage_reported(path, "Parquet"):
        opened = pyarrow.parquet.ParquetFile(file)
        if expands_too_far(path.stat().st_size, 8 * opened.metadata.num_rows * opened.metadata.num_columns):
            raise GraphFormatError("more rows are declared than a file of its size can hold", path)
        table = opened.read()
    return _from_table(path, table)


def read_feather(path: Path) -> Embedding:
    """Read an embedding from a Feather file."""
    import pyarrow.ipc

    with path.open("rb") as file, _damage_reported(path, "Feather"):
        table = pyarrow.ipc.open_file(file).read_all()
    return _from_table(path, table)


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

    return len(schema) > 1 and schema.names[0] == NODE_COLUMN and all(map(is_floating, schema.types[1:]))


def _as_table(embedding: Embedding) -> Any:
    import pyarrow

    assert embedding.nodes is not None
    assert embedding.columns is not None
    label_type = pyarrow.string() if embedding.nodes.dtype == object else pyarrow.int64()
    arrays = [pyarrow.array(embedding.nodes, label_type), *map(pyarrow.array, embedding.values.T)]
    return pyarrow.table(arrays, [NODE_COLUMN, *embedding.columns]).replace_schema_metadata(embedding.metadata)


@contextmanager
def _damage_reported(path: Path, kind: str) -> Iterator[None]:
    import pyarrow

    try:
        yield
    except (pyarrow.ArrowException, OSError) as error:
        # Not the disk: pyarrow raises OSError for a damaged file, too.
        raise GraphFormatError(f"not a readable {kind} file: {error}", path) from error


def _from_table(path: Path, table: Any) -> Embedding:
    import pyarrow.types

    names = table.column_names
    if len(names) < 2 or names[0] != NODE_COLUMN or len(set(names)) != len(names):
        raise GraphFormatError(f"expected columns {NODE_COLUMN}, h1...; found {', '.join(names)}", path)
    for name, column in zip(names, table.columns, strict=True):
        if column.null_count:
            raise GraphFormatError(f"column {name} has missing entries", path)
        is_number = pyarrow.types.is_floating(column.type) or pyarrow.types.is_integer(column.type)
        if name != NODE_COLUMN and not is_number:
            raise GraphFormatError(f"column {name} holds {column.type}, not numbers", path)
    values = np.column_stack([column.to_numpy() for column in table.columns[1:]]).astype(np.float64)
    stored = table.schema.metadata or {}
    metadata = {key.decode(): text.decode() for key, text in stored.items() if key not in _FOREIGN_KEYS}
    return Embedding(_labels(table.column(NODE_COLUMN), path), values, tuple(names[1:]), metadata)


def _labels(column: Any, path: Path) -> LabelArray:
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
    return Embedding(None, _as_matrix(_numpy_arrays(path, ".npy")[""], path), None)


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
    arrays = _numpy_arrays(path, ".npz")
    try:
        nodes, values, columns, metadata = (arrays[name] for name in ("nodes", "values", "columns", "metadata"))
        notes = json.loads(str(metadata))
    except (KeyError, ValueError, RecursionError) as error:
        raise GraphFormatError(f"not a readable .npz file: {error}", path) from error
    matrix = _as_matrix(values, path)
    if not isinstance(notes, dict) or not all(isinstance(text, str) for text in notes.values()):
        raise GraphFormatError("its metadata are not a JSON object of strings", path)
    if columns.dtype.kind != "U" or columns.shape != (matrix.shape[1],):
        raise GraphFormatError("its columns do not name the columns of its values", path)
    if nodes.shape != (len(matrix),) or nodes.dtype.kind not in "iU":
        raise GraphFormatError("its nodes are not one integer or string per row", path)
    labels = np.array(nodes.tolist(), dtype=object) if nodes.dtype.kind == "U" else nodes.astype(np.int64)
    return Embedding(_distinct(labels, path), matrix, tuple(columns.tolist()), notes)


def _numpy_arrays(path: Path, suffix: str) -> dict[str, Array]:
    with path.open("rb") as file:
        try:
            arrays = read_arrays(file, path.stat().st_size)
        except ValueError as error:
            raise GraphFormatError(f"not a readable {suffix} file: {error}", path) from error
    found = ".npy" if "" in arrays else ".npz"
    if found != suffix:
        raise GraphFormatError(f"this is an {found} file under another name; rename it", path)
    return arrays


def _as_matrix(content: Array, path: Path) -> ValueArray:
    if content.ndim != 2 or content.dtype.kind not in "fiu" or content.shape[1] == 0:
        wrong = f", found shape {content.shape} of {content.dtype}"
        raise GraphFormatError(f"expected a matrix of numbers, one row per node{wrong}", path)
    return np.ascontiguousarray(content, dtype=np.float64)


def _distinct(labels: LabelArray, path: Path) -> LabelArray:
    if (pair := first_repeat(labels)) is not None:
        raise GraphFormatError(f"node {labels[pair[1]]!r} occurs in rows {pair[0]} and {pair[1]}", path)
    return labels
