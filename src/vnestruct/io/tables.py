"""Tables in Parquet and Feather files: data frames that Arrow reads and writes."""

import io
from typing import IO, Any

import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.compression import expands_too_far
from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.graph.columns import choose_columns
from vnestruct.graph.frames import edge_columns_of, open_frame
from vnestruct.io.source import ReadOptions, Source
from vnestruct.io.write import check_unicode, label_texts, losses

_DIRECTED = b"vnestruct.directed"  # key of the metadata that says whether the edges of a table have a direction
# What Arrow raises on damaged files besides its own exceptions, for instance on names that are not UTF-8.
_DAMAGE = (OSError, ValueError, LookupError, OverflowError, TypeError, NotImplementedError)


def read_parquet(source: Source, options: ReadOptions) -> Graph:
    """Read a Parquet file with named columns."""
    from pyarrow import parquet

    def load() -> Any:
        file = parquet.ParquetFile(_opened(source), memory_map=True)
        if expands_too_far(source.file_bytes(), file.metadata.num_rows):
            wrong = f"{file.metadata.num_rows} rows are declared in a file too small for them; write it again"
            raise source.error(wrong)
        return file.schema_arrow, lambda names: file.read(columns=names)

    return _graph(source, options, load)


def read_feather(source: Source, options: ReadOptions) -> Graph:
    """Read a Feather file, or any Arrow file, with named columns."""
    from pyarrow import feather

    def load() -> Any:
        table = feather.read_table(_opened(source), memory_map=True)
        return table.schema, table.select

    return _graph(source, options, load)


def _opened(source: Source) -> Any:
    if source.compression is None and not source.standard_input:
        return str(source.file)
    return io.BytesIO(source.content())


def _graph(source: Source, options: ReadOptions, load: Any) -> Graph:
    import pyarrow

    try:
        schema, select = load()
        choice = choose_columns(schema.names, options, source.error)
        table = select([schema.names[place] for place in choice[:3] if place is not None])
        # Arrow trusts offsets and dictionary codes in a file; wrong ones would crash the process.
        table.validate(full=True)
        columns: list[Any] = list(edge_columns_of(schema.names, open_frame(table)[1], choice))
    except GraphFormatError:
        raise
    except ParameterError as problem:
        raise source.error(str(problem)) from None
    except (pyarrow.ArrowException, *_DAMAGE) as problem:
        reason = " ".join(str(problem).split())[:120]
        wrong = f"the file is damaged or in another format ({reason}); write it again, or set `format`"
        raise source.error(wrong) from None
    if not table.num_rows:
        raise source.error("the table has no rows; check the program that wrote it")
    if options.text_labels:
        columns[:2] = ([str(label) for label in ends.tolist()] for ends in columns[:2])
    says_directed = (schema.metadata or {}).get(_DIRECTED) == b"true"
    directed = says_directed if options.directed is None else options.directed
    return graph_from_pairs(*columns, directed=directed, bipartite=options.bipartite)


def _table(graph: Graph) -> tuple[Any, list[str]]:
    """Return a table with columns source, target and weight, and what it cannot express."""
    import pyarrow

    notes = losses(graph, "isolated nodes")
    labels = graph.nodes
    if labels.dtype == object:
        texts, more = label_texts(graph)
        for text in texts:
            check_unicode(text)
            if not text:
                raise ParameterError(f"label {text!r} is empty, which is read as a missing value; use .vng")
        labels, notes = np.array(texts, object), notes + more
    tails, heads, weights = graph.edges()
    kind = pyarrow.string() if labels.dtype == object else pyarrow.int64()
    columns = {"source": pyarrow.array(labels[tails], kind), "target": pyarrow.array(labels[heads], kind)}
    if weights is not None:
        columns["weight"] = pyarrow.array(weights)
    table = pyarrow.table(columns).replace_schema_metadata({_DIRECTED: b"true" if graph.directed else b"false"})
    return table, notes + losses(graph, "no rows")


def write_parquet(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a Parquet file with columns source, target and weight."""
    from pyarrow import parquet

    table, notes = _table(graph)
    content = io.BytesIO()
    parquet.write_table(table, content)
    stream.write(content.getbuffer())
    return notes


def write_feather(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a Feather file with columns source, target and weight."""
    from pyarrow import feather

    table, notes = _table(graph)
    content = io.BytesIO()
    feather.write_feather(table, content, compression="lz4")
    stream.write(content.getbuffer())
    return notes
