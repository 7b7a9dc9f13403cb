"""Delimited text: its lines, their fields, how a file is written (detected from its first lines), and its edges.

The dialect is decided once; every later line must agree with it, so that a typing error far down the file is an error
and not another node.
"""

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, dropwhile, islice
from typing import Any, NamedTuple

import numpy as np

from vnestruct.graph import Graph
from vnestruct.graph import columns as rules
from vnestruct.graph.build import graph_from_columns
from vnestruct.graph.validate import is_weight
from vnestruct.io.fields import (
    COMMENTS,
    MARK,
    FailAtLine,
    FieldError,
    data_lines,
    is_plain_integer,
    label_of,
    number_of,
    split_fields,
    split_lines,
    weight_of,
)
from vnestruct.io.source import LineBlock, ReadOptions, Source
from vnestruct.types import Array, Value

_CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]")  # what does not occur in plain text
_ATTRIBUTE = re.compile(rb"""['"]weight['"]\s*:\s*([^,}\s]+)""")
_COMMENT_LINES = re.compile(rb"^[ \t]*(?:#|%|//)[^\n]*\n", re.MULTILINE)
_ONE_BLANK = bytes.maketrans(b"\t\x0b\x0c", b"   ")
_SEPARATORS = {"edgelist": (b"\t", b",", b";", None), "csv": (b",", b";", b"\t", b"|"), "tsv": (b"\t", b",", b";")}


class Dialect(NamedTuple):
    """How one file is written."""

    separator: bytes | None  # None for any run of blanks
    n_columns: int
    columns: rules.ColumnChoice
    integers: bool  # whether labels are
    body_line: int  # number of the first line with an edge
    attributes: bool  # whether edges end in a Python dictionary, as networkx writes them
    name: str  # the format, of which only edge lists have comments between edges


class Edges(NamedTuple):
    """Columns of edges: int64 arrays of integer labels, or Arrow arrays of text, and weights or None."""

    source: Any
    target: Any
    weight: Any


def read_edgelist(source: Source, options: ReadOptions, name: str = "edgelist") -> Graph:
    """Read an edge list: labels separated by blanks, tabs, commas or semicolons, comments anywhere; or a table."""
    dialect, ends, weights = _read(source, options, name)
    weight = None if dialect.columns.weight is None else np.concatenate(weights)
    words = None if dialect.integers else _without_words(ends)
    names, directed = dialect.columns.names, bool(options.directed)
    return graph_from_columns(ends, weight, names, words=words, directed=directed, bipartite=options.bipartite)


def _read(source: Source, options: ReadOptions, name: str) -> tuple[Dialect, list[Any], list[Any]]:
    """Return the dialect, the columns of ends in pieces, and those of the weights."""
    blocks = source.blocks()
    for block in blocks:
        dialect = detect_dialect(block, name, options, source.error)
        if dialect is None:
            continue
        block = LineBlock(block.data.split(b"\n", dialect.body_line - block.first_line)[-1], dialect.body_line)
        ends, weights = [], []
        for part in chain([block], blocks):
            edges = parse(part, dialect, source.error)
            ends += _compact(edges, dialect.integers)
            weights.append(edges.weight)
        if any(map(len, ends)):
            import pyarrow

            pyarrow.default_memory_pool().release_unused()
            return dialect, ends, weights
    raise source.no_edges()


read_csv, read_tsv = partial(read_edgelist, name="csv"), partial(read_edgelist, name="tsv")


def _compact(edges: Edges, integers: bool) -> list[Any]:
    """Return two columns in less memory: of 32 bits if that is enough, or of places in a dictionary of texts."""
    if integers:
        pairs = np.column_stack(edges[:2])
        narrow = pairs.astype(np.int32)
        return [narrow if np.array_equal(narrow, pairs) else pairs]
    import pyarrow

    return pyarrow.chunked_array(edges[:2]).dictionary_encode().chunks  # type: ignore[no-any-return]


def _without_words(ends: list[Any]) -> Array:
    """Replace columns of texts by one array of their places in an array of words, and return that."""
    import pyarrow

    chunks = pyarrow.chunked_array(ends).unify_dictionaries().chunks
    codes = [np.from_dlpack(chunk.indices) for chunk in chunks]
    ends[:] = [np.column_stack(columns) for columns in zip(codes[::2], codes[1::2], strict=True)]
    return np.array(chunks[0].dictionary.to_pylist(), dtype=object)


def detect_dialect(block: LineBlock, name: str, options: ReadOptions, fail: FailAtLine) -> Dialect | None:
    """Detect how an ``edgelist``, ``csv`` or ``tsv`` file is written; None if its first block holds no data."""
    numbered = data_lines(block, comments=name == "edgelist", keep_tabs=True)
    if name != "edgelist":
        # In a table, comments are only above the names: below, a label may start with "#".
        numbered = dropwhile(lambda line: line[1].lstrip().startswith(COMMENTS), numbered)
    lines = list(islice(numbered, rules.SAMPLE_ROWS + 1))
    if not lines:
        return None
    for number, line in lines:
        if _CONTROL.search(line):
            raise fail("control characters, so this is not plain text; set `format`", number)
    first_line = lines[0][0]
    separator = _separator([line.strip() for _, line in lines], name)
    rows = split_lines(lines, separator, fail)
    attributes = separator is None and all(len(row) > 2 and row[2].startswith(b"{") for row in rows[:10])
    widths = Counter(len(row) for row in rows if len(row) > 1)
    n_columns = 3 if attributes else max(widths, key=widths.__getitem__, default=1)
    if n_columns < 2:
        wrong = "one column where an edge needs two: "
        raise fail(wrong + "write the labels of its ends, separated by blanks, tabs, commas or semicolons", first_line)
    full = [row for row in rows[1:] or rows if len(row) >= n_columns]
    names = [field.decode("utf-8", "replace") for field in rows[0]]

    def is_numeric(place: int) -> bool:
        return len(rows) > 1 and bool(full) and all(rules.is_number(row[place].decode("latin-1")) for row in full)

    def fail_here(message: str) -> Exception:
        return fail(message, first_line)

    header = len(rows[0]) == n_columns and not attributes and rules.are_names(names, options, is_numeric)
    if header:
        columns = rules.choose_columns(names, options, fail_here)
    else:
        certain = name == "edgelist" or None not in (options.source, options.target)
        if not certain and not all(is_plain_integer(row[0]) for row in full):
            raise fail_here(rules.doubtful_names(names, ", by name, or by number (1, 2) if the file has no names"))

        def holds_weights() -> bool:
            numeric = all(number_of(row[2]) is not None for row in full)
            return numeric or (attributes and any(b"weight" in b" ".join(row) for row in full))

        columns = rules.number_columns(n_columns, options, holds_weights, fail_here)
        full = [row for row in rows if len(row) >= n_columns]
    ends = (row[place] for row in full for place in (columns.source, columns.target))
    integers = not options.text_labels and all(map(is_plain_integer, ends))
    return Dialect(separator, n_columns, columns, integers, first_line + header, attributes, name)


def _separator(lines: Sequence[bytes], name: str) -> bytes | None:
    words = [line.split() for line in lines[1:] or lines]
    if name == "edgelist" and all(len(row) > 1 and all(map(is_plain_integer, row[:2])) for row in words):
        return None

    def share(separator: bytes | None) -> int:
        """Return how many lines have the most common number of fields."""
        counts: Counter[int] = Counter()
        for line in lines:
            with suppress(FieldError):
                counts[len(split_fields(line, separator))] += 1
        del counts[1]
        return max(counts.values(), default=0)

    candidates = _SEPARATORS[name]
    best = max(candidates, key=share)
    return best if share(best) else candidates[-1 if name == "edgelist" else 0]


def parse(block: LineBlock, dialect: Dialect, fail: FailAtLine) -> Edges:
    """Return the edges of whole lines by Arrow, or on any doubt line by line, which defines what is right."""
    edges = _parse_fast(block.data, dialect)
    return _parse_carefully(block, dialect, fail) if edges is None else edges


def _parse_fast(data: bytes, dialect: Dialect) -> Edges | None:
    """Return the edges of lines that are written plainly, None if only the careful reading can decide."""
    separator = dialect.separator or (b"\t" if b"\t" in data[:1024] else b" ")
    # Arrow guesses what quotes mean that are not around whole fields, and drops a byte order mark.
    if dialect.attributes or data.startswith(MARK) or (b'"' in data and not _is_well_quoted(data, dialect)):
        return None
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    # Between integers a comment or a second blank cannot be mistaken for anything else; between words it can.
    edges = _with_arrow(data, separator, dialect) if dialect.integers else None
    if edges is None:
        if dialect.separator is None:
            data, separator = data.translate(_ONE_BLANK), b" "
            while b"  " in data:
                data = data.replace(b"  ", b" ")
            data = data.replace(b"\n ", b"\n").replace(b" \n", b"\n").removeprefix(b" ")
        if dialect.name == "edgelist":
            data = _COMMENT_LINES.sub(b"", data)
        edges = _with_arrow(data, separator, dialect)
    return edges


def _is_well_quoted(data: bytes, dialect: Dialect) -> bool:
    if dialect.separator is None:
        return False
    mark = re.escape(dialect.separator)
    fields = rb'(?:(?:"(?:[^"\r\n]|"")*+"|[^"\r\n' + mark + rb"]*+)(?:" + mark + rb"|[\r\n]))*+"
    return re.fullmatch(fields, data) is not None


def _with_arrow(data: bytes, separator: bytes, dialect: Dialect) -> Edges | None:
    import pyarrow
    from pyarrow import compute, csv

    names = list(map(str, range(dialect.n_columns)))
    places = [place for place in dialect.columns[:3] if place is not None]
    types = [*[pyarrow.int64() if dialect.integers else pyarrow.string()] * 2, pyarrow.float64()]
    chosen = {names[place]: kind for place, kind in zip(places, types, strict=False)}
    if not data.strip(b"\n"):
        return None
    try:
        table = csv.read_csv(
            pyarrow.BufferReader(data),
            csv.ReadOptions(column_names=names, use_threads=False, block_size=len(data)),
            csv.ParseOptions(delimiter=separator.decode(), quote_char='"' if b'"' in data else False),
            csv.ConvertOptions(column_types=chosen, include_columns=list(chosen), null_values=[]),
        )
    except pyarrow.ArrowException:
        return None
    columns = [table.column(name).combine_chunks() for name in chosen]
    # Arrow's own way to NumPy imports pandas, which takes a while.
    weight = np.from_dlpack(columns[2]) if len(columns) > 2 else None
    if weight is not None and not is_weight(weight).all():
        return None
    if dialect.integers:
        return Edges(np.from_dlpack(columns[0]), np.from_dlpack(columns[1]), weight)
    texts = [compute.ascii_trim_whitespace(column) for column in columns[:2]]
    are_empty = any(compute.min(compute.binary_length(column)).as_py() == 0 for column in texts)
    return None if are_empty else Edges(texts[0], texts[1], weight)


def _parse_carefully(block: LineBlock, dialect: Dialect, fail: FailAtLine) -> Edges:
    import pyarrow

    ends: tuple[list[Any], list[Any]] = ([], [])
    weights: list[float] = []
    columns = dialect.columns
    for number, line in data_lines(block, dialect.name == "edgelist", keep_tabs=True):
        try:
            fields = _fields(line, dialect)
            for column, place in zip(ends, (columns.source, columns.target), strict=True):
                column.append(label_of(fields[place], dialect.integers, f"{dialect.name}+text"))
            if columns.weight is not None:
                field: bytes | None = fields[columns.weight]
                if dialect.attributes:
                    match = _ATTRIBUTE.search(fields[columns.weight])
                    field = match[1] if match else None
                weights.append(1.0 if field is None else weight_of(field))
        except FieldError as problem:
            raise fail(str(problem), number) from None
    weight = None if columns.weight is None else np.array(weights, dtype=Value)
    if dialect.integers:
        return Edges(np.array(ends[0], np.int64), np.array(ends[1], np.int64), weight)
    return Edges(pyarrow.array(ends[0], pyarrow.string()), pyarrow.array(ends[1], pyarrow.string()), weight)


def _fields(line: bytes, dialect: Dialect) -> list[bytes]:
    if dialect.attributes:
        words = line.strip().split(None, 2)
        if len(words) < 2 or (len(words) == 3 and not (words[2].startswith(b"{") and words[2].endswith(b"}"))):
            raise FieldError("not two labels and a dictionary such as {'weight': 2} as before; fix the line")
        return [*words, b"{}"]
    fields = split_fields(line, dialect.separator)
    if len(fields) == dialect.n_columns:
        return fields
    # An inline comment, as networkx allows it.
    if dialect.name == "edgelist" and len(fields) > dialect.n_columns:
        for mark in (b" #", b"\t#", b" %", b"\t%", b" //", b"\t//"):
            shorter = split_fields(line.partition(mark)[0].strip(), dialect.separator)
            if len(shorter) == dialect.n_columns:
                return shorter
    plural = "" if len(fields) == 1 else "s"
    message = f"{len(fields)} column{plural} where {dialect.n_columns} are expected; fix the line"
    if dialect.separator is None or not dialect.integers:
        message += ", set `format='adjlist'` if each line lists a node and its neighbours, `format='groups'` if a group"
    if dialect.separator is None and not dialect.integers:
        message += ", or separate labels that contain blanks by tabs"
    raise FieldError(message)
