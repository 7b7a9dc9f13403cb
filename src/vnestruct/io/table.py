"""Tables in Parquet and Feather files, read and written by Arrow."""

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import IO, Any

import numpy as np

from vnestruct.errors import Message, MissingExtraError, Parameter, ParameterError, VNEstructError
from vnestruct.files.compression import expands_too_far
from vnestruct.graph import Graph
from vnestruct.graph.columns import choose_columns
from vnestruct.io.builders import EdgeAccumulator, Edges
from vnestruct.io.source import IGNORE_WEIGHTS, SET_FORMAT, ReadOptions, Source, shown
from vnestruct.io.write import check_unicode, edge_columns, label_texts, losses
from vnestruct.types import Array, Value, ValueArray

DIRECTED_KEY = b"vnestruct.directed"  # key of the metadata that says whether the edges of a table have a direction

# What Arrow raises on damaged files besides its own exceptions, for instance on names that are not UTF-8.
_DAMAGE = (OSError, ValueError, LookupError, OverflowError, TypeError, NotImplementedError)


def import_arrow() -> Any:
    """Return pyarrow, or raise the error that names the extra that brings it."""
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError("Parquet and Feather files need pyarrow: pip install 'vnestruct[parquet]'") from None
    return pyarrow


def read_parquet(source: Source, options: ReadOptions) -> Graph:
    """Read a Parquet file with named columns."""
    import_arrow()
    import pyarrow.parquet

    with _damage_reported(source), pyarrow.parquet.ParquetFile(_opened(source), memory_map=True) as file:
        n_rows = file.metadata.num_rows
        if expands_too_far(source.file_bytes(), 8 * n_rows):
            raise source.error(f"{n_rows} rows are declared in a file too small for them; write it again")
        columns = _Columns(source, options, file.schema_arrow)
        return columns.graph(file.iter_batches(columns=columns.names))


def read_feather(source: Source, options: ReadOptions) -> Graph:
    """Read a Feather file, or any Arrow file, with named columns."""
    arrow = import_arrow()
    import pyarrow.feather

    with _damage_reported(source):
        file = _opened(source)
        if source.head.startswith(b"FEA1"):
            table = pyarrow.feather.read_table(file, memory_map=True)
            return _Columns(source, options, table.schema).graph(table.to_batches())
        with arrow.ipc.open_file(file if not isinstance(file, str) else arrow.memory_map(file)) as reader:
            batches = map(reader.get_batch, range(reader.num_record_batches))
            return _Columns(source, options, reader.schema).graph(batches)


def _opened(source: Source) -> Any:
    if source.compression is None and not source.standard_input:
        return str(source.file)
    return io.BytesIO(source.content())


@contextmanager
def _damage_reported(source: Source) -> Iterator[None]:
    try:
        yield
    except VNEstructError:
        raise
    except (import_arrow().ArrowException, *_DAMAGE) as problem:
        reason = " ".join(str(problem).split())[:120]
        wrong = f"the file is damaged or in another format ({reason}); write it again, or set "
        raise source.error(Message(wrong, SET_FORMAT)) from None


class _Columns:
    """The columns that matter, collected batch by batch."""

    def __init__(self, source: Source, options: ReadOptions, schema: Any) -> None:
        self._source, self._options = source, options
        self._says_directed = (schema.metadata or {}).get(DIRECTED_KEY) == b"true"
        all_names = list(schema.names)
        choice = choose_columns(all_names, options, source.error)
        self._end_names = choice.names
        places = [choice.source, choice.target, *([] if choice.weight is None else [choice.weight])]
        self.names = [all_names[place] for place in places]
        if any(all_names.count(name) > 1 for name in self.names):
            raise source.error("two columns have the same name; rename one")
        types = [schema.field(place).type for place in places]
        self._kinds = [self._kind(name, kind) for name, kind in zip(self.names, types, strict=True)]
        self._integers = "text" not in self._kinds[:2] and not options.text_labels
        if len(self._kinds) > 2 and self._kinds[2] == "text":
            wrong = f"weight column {shown(self.names[2])} holds text; correct "
            raise source.error(Message(wrong, Parameter("weight", ...), ", or ", IGNORE_WEIGHTS))
        self._accumulator = EdgeAccumulator(self._integers)
        self._n_rows = 0

    def graph(self, batches: Iterable[Any]) -> Graph:
        for batch in batches:
            self._take(batch.select(self.names))
        if self._n_rows == 0:
            raise self._source.error("the table has no rows; check the program that wrote it")
        directed = self._says_directed if self._options.directed is None else self._options.directed
        return self._accumulator.graph(directed, self._options.bipartite, self._end_names)

    def _take(self, batch: Any) -> None:
        # Arrow trusts offsets and dictionary codes in a file; wrong ones would crash the process.
        batch.validate(full=True)
        columns = batch.columns
        columns = [column.dictionary_decode() if hasattr(column, "dictionary_decode") else column for column in columns]
        for name, column in zip(self.names, columns, strict=True):
            if column.null_count:
                row = self._n_rows + 1 + column.is_null().to_numpy(zero_copy_only=False).tolist().index(True)
                raise self._source.error(f"row {row} has no {shown(name)}; fill it in or delete the row")
        ends = [self._labels(name, column) for name, column in zip(self.names[:2], columns[:2], strict=True)]
        self._accumulator.add(Edges(ends[0], ends[1], self._weights(columns[2]) if len(columns) > 2 else None))
        self._n_rows += len(columns[0])

    def _kind(self, name: str, kind: Any) -> str:
        import pyarrow.types as types

        kind = kind.value_type if types.is_dictionary(kind) else kind
        if types.is_integer(kind):
            return "integer"
        if types.is_string(kind) or types.is_large_string(kind) or str(kind) == "string_view":
            return "text"
        if types.is_floating(kind) or types.is_decimal(kind):
            return "number"
        wrong = f"column {shown(name)} holds {kind}; labels must be integers or texts, and weights numbers"
        raise self._source.error(wrong)

    def _labels(self, name: str, column: Any) -> Any:
        import pyarrow
        import pyarrow.compute

        try:
            if self._kinds[self.names.index(name)] == "number":
                # A missing value elsewhere once turned these integers into floating-point numbers.
                column = column.cast(pyarrow.int64())
            if self._integers:
                return column.cast(pyarrow.int64()).to_numpy(zero_copy_only=False)
        except pyarrow.ArrowInvalid:
            wrong = f"column {shown(name)} holds numbers that are not 64-bit integers; make them texts"
            raise self._source.error(wrong) from None
        texts = column.cast(pyarrow.string())
        if pyarrow.compute.any(pyarrow.compute.equal(texts, "")).as_py():
            raise self._source.error(f"an empty label in column {shown(name)}; name the node or delete the row")
        return pyarrow.chunked_array([texts])

    def _weights(self, column: Any) -> ValueArray:
        import pyarrow

        values: Array = column.cast(pyarrow.float64()).to_numpy(zero_copy_only=False)
        wrong = ~((values >= 0) & (values < np.inf))
        if wrong.any():
            row = int(np.argmax(wrong))
            message = f"row {self._n_rows + row + 1} has the weight {values[row]}; weights must be finite and "
            raise self._source.error(Message(message, "not negative, fix it, or ", IGNORE_WEIGHTS))
        return values.astype(Value, copy=False)


def _write(graph: Graph, stream: IO[bytes], module: str, function: str, **options: Any) -> list[str]:
    """Write a table with columns source, target and weight."""
    arrow = import_arrow()
    notes = losses(graph, "isolated nodes")
    if graph.nodes.dtype == np.int64:
        labels = arrow.array(graph.nodes)
    else:
        texts, more = label_texts(graph)
        for text in texts:
            check_unicode(text)
            if not text:
                raise ParameterError(f"label {text!r} is empty, which is read as a missing value; use .json or .vng")
        labels = arrow.array(texts, type=arrow.string())
        notes += more
    tails, heads, weights = edge_columns(graph)
    columns = {"source": labels.take(arrow.array(tails)), "target": labels.take(arrow.array(heads))}
    if weights is not None:
        columns["weight"] = arrow.array(weights)
    table = arrow.table(columns).replace_schema_metadata({DIRECTED_KEY: b"true" if graph.directed else b"false"})
    content = io.BytesIO()
    getattr(import_module(f"pyarrow.{module}"), function)(table, content, **options)
    stream.write(content.getbuffer())
    return notes + losses(graph, "no rows")


write_parquet = partial(_write, module="parquet", function="write_table")
write_feather = partial(_write, module="feather", function="write_feather", compression="lz4")
