"""Embeddings as Arrow tables: Parquet, and Feather (the Arrow file format). They need pyarrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from vnestruct.errors import GraphFormatError
from vnestruct.graph.labels import LabelArray
from vnestruct.store.tables import NODE_COLUMN, Embedding, first_repeat, text_array

# Schema keys that libraries add for themselves.
_FOREIGN_KEYS = (b"pandas", b"ARROW:schema")


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

    return _read(path, "Parquet", lambda file: pyarrow.parquet.ParquetFile(file).read())


def read_feather(path: Path) -> Embedding:
    """Read an embedding from a Feather file."""
    import pyarrow.ipc

    return _read(path, "Feather", lambda file: pyarrow.ipc.open_file(file).read_all())


def _as_table(embedding: Embedding) -> Any:
    import pyarrow

    assert embedding.nodes is not None
    assert embedding.columns is not None
    labels = embedding.nodes.tolist() if embedding.nodes.dtype == object else embedding.nodes
    label_type = pyarrow.string() if embedding.nodes.dtype == object else pyarrow.int64()
    arrays = [pyarrow.array(labels, label_type), *map(pyarrow.array, embedding.values.T)]
    table = pyarrow.table(arrays, names=[NODE_COLUMN, *embedding.columns])
    return table.replace_schema_metadata(embedding.metadata)


def _read(path: Path, kind: str, read_table: Any) -> Embedding:
    import pyarrow

    with path.open("rb") as file:
        try:
            table = read_table(file)
        except (pyarrow.ArrowException, OSError) as error:
            # Nothing is wrong with the disk: pyarrow says OSError for a damaged file, too.
            raise GraphFormatError(f"not a readable {kind} file: {error}", path) from error
    names = table.column_names
    if len(names) < 2 or names[0] != NODE_COLUMN or len(set(names)) != len(names):
        raise GraphFormatError(f"expected columns {NODE_COLUMN}, h1...; found {', '.join(names)}", path)
    for name, column in zip(names, table.columns, strict=True):
        if column.null_count:
            raise GraphFormatError(f"column {name} has missing entries", path)

    types = pyarrow.types
    values = np.empty((table.num_rows, len(names) - 1))
    for j, name in enumerate(names[1:]):
        column = table.column(name)
        if not (types.is_floating(column.type) or types.is_integer(column.type)):
            raise GraphFormatError(f"column {name} holds {column.type}, not numbers", path)
        values[:, j] = column.to_numpy()
    nodes = _as_labels(table.column(NODE_COLUMN), path)
    metadata = {
        key.decode(): text.decode() for key, text in (table.schema.metadata or {}).items() if key not in _FOREIGN_KEYS
    }
    return Embedding(nodes, values, tuple(names[1:]), metadata)


def _as_labels(column: Any, path: Path) -> LabelArray:
    import pyarrow

    kind = column.type.value_type if pyarrow.types.is_dictionary(column.type) else column.type
    whole = pyarrow.types.is_integer(kind)
    if not whole and str(kind) not in ("string", "large_string", "string_view"):
        raise GraphFormatError(f"column {NODE_COLUMN} holds {kind}, neither integers nor text", path)
    try:
        cast = column.cast(pyarrow.int64() if whole else pyarrow.large_string())
    except pyarrow.ArrowException as error:
        raise GraphFormatError(f"column {NODE_COLUMN} cannot be read: {error}", path) from error
    labels: LabelArray = cast.to_numpy() if whole else text_array(cast.to_pylist())
    if (pair := first_repeat(labels)) is not None:
        raise GraphFormatError(f"node {labels[pair[1]]!r} occurs in rows {pair[0]} and {pair[1]}", path)
    return labels
