"""Writers of Parquet and Feather tables."""

from __future__ import annotations

import io
from typing import IO, Any

import numpy as np

from vnestruct.graph import Graph
from vnestruct.io.edges import edge_columns, isolated_note, label_texts
from vnestruct.io.table import DIRECTED_KEY, import_arrow


def write_parquet(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a Parquet table with columns source, target and weight."""
    import_arrow()
    import pyarrow.parquet

    table, notes = _table(graph)
    content = io.BytesIO()
    pyarrow.parquet.write_table(table, content)
    stream.write(content.getbuffer())
    return notes


def write_feather(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a Feather table with columns source, target and weight."""
    import_arrow()
    import pyarrow.feather

    table, notes = _table(graph)
    content = io.BytesIO()
    pyarrow.feather.write_feather(table, content, compression="lz4")
    stream.write(content.getbuffer())
    return notes


def _table(graph: Graph) -> tuple[Any, list[str]]:
    arrow = import_arrow()
    notes = isolated_note(graph)
    if graph.nodes.dtype == np.int64:
        labels = arrow.array(graph.nodes)
    else:
        texts, more = label_texts(graph)
        labels = arrow.array(texts, type=arrow.string())
        notes += more
    tails, heads, weights = edge_columns(graph)
    columns = {"source": labels.take(arrow.array(tails)), "target": labels.take(arrow.array(heads))}
    if weights is not None:
        columns["weight"] = arrow.array(weights)
    table = arrow.table(columns).replace_schema_metadata({DIRECTED_KEY: b"true" if graph.directed else b"false"})
    if graph.n_edges == 0:
        notes.append("there are no edges, and a table without rows is not read back")
    return table, notes
