"""Tables in Parquet and Feather files: data frames that Arrow reads and writes."""

import io
from functools import partial
from typing import IO, Any

import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.compression import ARROW_DAMAGE, read_table, write_table
from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.graph.columns import choose_columns
from vnestruct.graph.frames import edge_columns_of, open_frame
from vnestruct.io.source import ReadOptions, Source
from vnestruct.io.write import check_unicode, label_texts

_DIRECTED = b"vnestruct.directed"  # key of the metadata that says whether the edges of a table have a direction


def _read(source: Source, options: ReadOptions, kind: str) -> Graph:
    """Read a Parquet file, a Feather file, or any Arrow file, with named columns."""
    chosen: list[Any] = []

    def choose(schema: Any) -> list[str]:
        chosen[:] = schema.names, choose_columns(schema.names, options, source.error)
        return [schema.names[place] for place in chosen[1][:3] if place is not None]

    is_plain_file = source.compression is None and not source.standard_input
    try:
        file = str(source.file) if is_plain_file else io.BytesIO(source.content())
        table = read_table(file, source.file_bytes(), kind, choose)
        names, choice = chosen
        columns: list[Any] = list(edge_columns_of(names, open_frame(table)[1], choice))
    except GraphFormatError:
        raise
    except ParameterError as problem:
        raise source.error(str(problem)) from None
    except ARROW_DAMAGE as problem:
        raise source.error(f"{problem}; write it again, or set `format`") from None
    if not table.num_rows:
        raise source.error("the table has no rows; check the program that wrote it")
    if options.text_labels:
        columns[:2] = ([str(label) for label in ends.tolist()] for ends in columns[:2])
    says_directed = (table.schema.metadata or {}).get(_DIRECTED) == b"true"
    directed = says_directed if options.directed is None else options.directed
    return graph_from_pairs(*columns, directed=directed, bipartite=options.bipartite)


def _write(graph: Graph, stream: IO[bytes], kind: str) -> list[str]:
    """Write a table with columns source, target and weight."""
    import pyarrow

    notes: list[str] = []
    labels = graph.nodes
    if labels.dtype == object:
        texts, notes = label_texts(graph)
        for text in texts:
            check_unicode(text)
            if not text:
                raise ParameterError(f"label {text!r} is empty, which is read as a missing value; use .vng")
        labels = np.array(texts, object)
    tails, heads, weights = graph.edges()
    kind_of_labels = pyarrow.string() if labels.dtype == object else pyarrow.int64()
    columns = {"source": pyarrow.array(labels[tails], kind_of_labels)}
    columns["target"] = pyarrow.array(labels[heads], kind_of_labels)
    if weights is not None:
        columns["weight"] = pyarrow.array(weights)
    table = pyarrow.table(columns).replace_schema_metadata({_DIRECTED: b"true" if graph.directed else b"false"})
    content = io.BytesIO()
    write_table(table, content, kind, "lz4")
    stream.write(content.getbuffer())
    return notes


read_parquet, write_parquet = partial(_read, kind="parquet"), partial(_write, kind="parquet")
read_feather, write_feather = partial(_read, kind="feather"), partial(_write, kind="feather")
