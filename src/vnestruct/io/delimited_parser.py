"""Reading delimited lines, the fast way or the slow way.

The fast way is Arrow's CSV parser, or NumPy's where Arrow is not installed. Both read only what is written plainly.
What they refuse goes to the slow way, line by line, which decides whether it is valid and finds the line if it is not;
so neither may accept what the slow way would read differently.
"""

import io
import math
import re
import warnings
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any

import numpy as np

from vnestruct.errors import GraphFormatError, Message, Parameter
from vnestruct.io.builders import Edges, arrow_values
from vnestruct.io.delimited import Dialect, FailAtLine, FieldError, data_lines, is_integer, number_of, split_fields
from vnestruct.io.source import IGNORE_WEIGHTS, LineBlock, shown
from vnestruct.types import Value

_ATTRIBUTE = re.compile(rb"""['"]weight['"]\s*:\s*([^,}\s]+)""")
_COMMENT_LINES = re.compile(rb"^[ \t]*(?:#|%|//)[^\n]*\n", re.MULTILINE)
_ONE_BLANK = bytes.maketrans(b"\t\x0b\x0c", b"   ")


class DelimitedParser:
    """Reads blocks of lines in one dialect; `sample` shows what separates fields."""

    def __init__(self, dialect: Dialect, sample: bytes, fail: FailAtLine) -> None:
        self._dialect, self._fail = dialect, fail
        self._separator = dialect.separator or (b"\t" if b"\t" in sample else b" ")
        self._untidy = False
        self._arrow: Any = _import_arrow()

    def parse_all(self, blocks: Iterator[LineBlock]) -> Iterator[tuple[LineBlock, Edges]]:
        """Yield blocks and their edges in the order of the file; each CPU parses a block at the same time."""
        # The first block shows how tidy the file is. Without Arrow, threads would only wait for each other.
        for block in islice(blocks, None if self._arrow is None else 1):
            yield block, self.parse(block)
        if self._arrow is None:
            return
        from vnestruct.execute import usable_cpus

        pending: deque[tuple[LineBlock, Future[Edges]]] = deque()
        n_threads, failure = usable_cpus(), None
        with ThreadPoolExecutor(n_threads) as pool:
            try:
                for block in blocks:
                    pending.append((block, pool.submit(self.parse, block)))
                    if len(pending) > n_threads:
                        yield pending[0][0], pending[0][1].result()
                        pending.popleft()
            except GraphFormatError as problem:
                failure = problem  # unless a pending block has one in an earlier line
            for block, edges in pending:
                yield block, edges.result()
        self._arrow.default_memory_pool().release_unused()
        if failure is not None:
            raise failure

    def parse(self, block: LineBlock) -> Edges:
        """Return the edges of whole lines, or raise the error that names the line that is wrong."""
        edges = self._parse_fast(block.data)
        return _parse_slowly(block, self._dialect, self._fail) if edges is None else edges

    def _parse_fast(self, data: bytes) -> Edges | None:
        """Return the edges of whole lines, or None if only the slow way can decide."""
        if self._dialect.attributes or (b'"' in data and not self._is_well_quoted(data)):
            return None
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        words = not self._dialect.integers and self._dialect.separator is None
        untidy = self._untidy or (words and not self._is_tidy(data))
        edges = None if untidy else self._try(data, self._separator)
        if edges is None:
            edges = self._try(*self._tidied(data))
            # A file with one untidy block is likely to have more; another thread may read this.
            self._untidy |= edges is not None
        return edges

    def _is_tidy(self, data: bytes) -> bool:
        """Return whether words are separated by single blanks of one kind; others would end up in labels."""
        mark = self._separator
        others = (b" \t\x0b\x0c").replace(mark, b"")
        double = any(pair in data for pair in (mark + mark, mark + b"\n", b"\n" + mark))
        return not (double or data.startswith(mark) or any(blank in data for blank in others))

    def _is_well_quoted(self, data: bytes) -> bool:
        """Return whether quotes are only around whole fields; Arrow guesses what others mean."""
        if self._dialect.separator is None or self._arrow is None:
            return False
        mark = re.escape(self._separator)
        fields = rb'(?:(?:"(?:[^"\r\n]|"")*+"|[^"\r\n' + mark + rb"]*+)(?:" + mark + rb"|[\r\n]))*+"
        return re.fullmatch(fields, data) is not None

    def _try(self, data: bytes, separator: bytes) -> Edges | None:
        # Between integers a comment cannot be mistaken for an edge; between words it can.
        if not self._dialect.integers:
            data = self._without_comments(data)
        if not data:
            empty = np.empty(0, dtype=np.int64)
            weight = None if self._dialect.columns.weight is None else np.empty(0, dtype=Value)
            return Edges(empty, empty, weight) if self._dialect.integers else Edges([], [], weight)
        edges = (self._with_numpy if self._arrow is None else self._with_arrow)(data, separator)
        weight = None if edges is None else edges.weight
        # NaN fails the first comparison.
        are_weights = weight is None or not weight.size or (weight.min() >= 0 and weight.max() < np.inf)
        return edges if are_weights else None

    def _without_comments(self, data: bytes) -> bytes:
        may_comment = self._dialect.comments and (b"#" in data or b"%" in data or b"//" in data)
        return _COMMENT_LINES.sub(b"", data) if may_comment else data

    def _tidied(self, data: bytes) -> tuple[bytes, bytes]:
        """Return the lines without comments, blank lines and repeated blanks, and what separates fields."""
        dialect, separator = self._dialect, self._separator
        if dialect.separator is None:
            data = data.translate(_ONE_BLANK)
            while b"  " in data:
                data = data.replace(b"  ", b" ")
            data = data.replace(b"\n ", b"\n").replace(b" \n", b"\n").removeprefix(b" ")
            separator = b" "
        data = self._without_comments(data)
        while b"\n\n" in data:
            data = data.replace(b"\n\n", b"\n")
        return data.removeprefix(b"\n"), separator

    def _with_arrow(self, data: bytes, separator: bytes) -> Edges | None:
        import pyarrow.csv

        # Arrow would drop a byte order mark in front of a label.
        if data.startswith(b"\xef\xbb\xbf"):
            return None
        arrow, dialect = self._arrow, self._dialect
        columns = dialect.columns
        names = list(map(str, range(dialect.n_columns)))
        ends = arrow.int64() if dialect.integers else arrow.string()
        types = {names[columns.source]: ends, names[columns.target]: ends}
        if columns.weight is not None:
            types[names[columns.weight]] = arrow.float64()
        try:
            table = pyarrow.csv.read_csv(
                arrow.BufferReader(data),
                pyarrow.csv.ReadOptions(column_names=names, block_size=len(data), use_threads=False),
                pyarrow.csv.ParseOptions(delimiter=separator.decode(), quote_char='"' if b'"' in data else False),
                pyarrow.csv.ConvertOptions(column_types=types, include_columns=list(types), null_values=[]),
            )
        except arrow.ArrowException:
            return None
        read = [table.column(name) for name in types]
        weight = arrow_values(read[2], Value) if columns.weight is not None else None
        if dialect.integers:
            return Edges(arrow_values(read[0], np.int64), arrow_values(read[1], np.int64), weight)
        labels = [self._stripped(column) for column in read[:2]]
        return None if None in labels else Edges(labels[0], labels[1], weight)

    def _stripped(self, column: Any) -> Any:
        """Return text labels without blanks around them, None if a label is empty."""
        import pyarrow.compute

        if self._dialect.separator is not None:
            column = pyarrow.compute.ascii_trim_whitespace(column)
        shortest = pyarrow.compute.min(pyarrow.compute.binary_length(column)).as_py()
        return None if shortest == 0 else column

    def _with_numpy(self, data: bytes, separator: bytes) -> Edges | None:
        dialect = self._dialect
        if not dialect.integers or not _is_regular(data, separator, dialect.n_columns):
            return None
        columns = dialect.columns
        types: list[tuple[str, Any]] = [("source", np.int64), ("target", np.int64)]
        places = [columns.source, columns.target]
        if columns.weight is not None:
            types.append(("weight", Value))
            places.append(columns.weight)
        plain: dict[str, Any] = {"comments": None, "ndmin": 1, "encoding": "latin-1", "usecols": places, "dtype": types}
        try:
            with warnings.catch_warnings(action="error"):
                table = np.loadtxt(io.BytesIO(data), delimiter=separator.decode(), **plain)
        except (ValueError, OverflowError, Warning):
            return None
        weight = table["weight"].copy() if columns.weight is not None else None
        return Edges(table["source"].copy(), table["target"].copy(), weight)


def _import_arrow() -> Any:
    try:
        import pyarrow.csv
    except ImportError:
        return None
    return pyarrow


def _is_regular(data: bytes, separator: bytes, n_columns: int) -> bool:
    """Return whether every line has as many separators as it should, and nothing that only NumPy takes for a blank."""
    letters = np.frombuffer(data, dtype=np.uint8)
    ends = np.flatnonzero(letters == ord("\n"))
    marks = np.flatnonzero(letters == ord(separator))
    if marks.size != ends.size * (n_columns - 1) or re.search(rb"[\x1c-\x1f\x80-\xff]", data):
        return False
    return bool(np.array_equal(np.searchsorted(marks, ends), np.arange(1, ends.size + 1) * (n_columns - 1)))


def _parse_slowly(block: LineBlock, dialect: Dialect, fail: FailAtLine) -> Edges:
    ends: list[list[Any]] = [[], []]
    weights: list[float] = []
    columns = dialect.columns
    for number, line in data_lines(block, dialect.comments, keep_tabs=True):
        try:
            fields = _fields(line, dialect)
            for column, place in zip(ends, (columns.source, columns.target), strict=True):
                column.append(label_of(fields[place], dialect.integers, dialect.text_format))
            if columns.weight is not None:
                weights.append(_weight(fields[columns.weight], dialect))
        except FieldError as problem:
            raise fail(problem.args[0], number) from None
    weight = None if columns.weight is None else np.array(weights, dtype=Value)
    source, target = (np.array(column, dtype=np.int64) if dialect.integers else column for column in ends)
    return Edges(source, target, weight)


def _fields(line: bytes, dialect: Dialect) -> list[bytes]:
    if dialect.attributes:
        words = line.strip().split(None, 2)
        if len(words) < 2 or (len(words) == 3 and not (words[2].startswith(b"{") and words[2].endswith(b"}"))):
            raise FieldError("not two labels and a dictionary such as {'weight': 2} as before; fix the line")
        return words if len(words) == 3 else [*words, b"{}"]
    fields = split_fields(line, dialect.separator)
    if len(fields) == dialect.n_columns:
        return fields
    # An inline comment, as networkx allows it.
    if dialect.comments and len(fields) > dialect.n_columns:
        for mark in (b" #", b"\t#", b" %", b"\t%", b" //", b"\t//"):
            shorter = split_fields(line.partition(mark)[0].strip(), dialect.separator)
            if len(shorter) == dialect.n_columns:
                return shorter
    plural = "" if len(fields) == 1 else "s"
    message = Message(f"{len(fields)} column{plural} where {dialect.n_columns} are expected; fix the line")
    if dialect.separator is None or not dialect.integers:
        lists, groups = Parameter("format", "adjlist"), Parameter("format", "groups")
        remedy = (", set ", lists, " if each line lists a node and its neighbours, ", groups, " if a group")
        message = Message(message, *remedy)
    if dialect.separator is None and not dialect.integers:
        message = Message(message, ", or separate labels that contain blanks by tabs")
    raise FieldError(message)


def label_of(field: bytes, integers: bool, text_format: str) -> Any:
    """Return a field as a label; `text_format` is the value of ``format=`` that would read integers as text."""
    if integers and is_integer(field):
        return int(field)
    if integers:
        wrong = f"{shown(field)} is not an integer of 64 bits like the labels before it; fix the line, or read all "
        raise FieldError(Message(wrong, "labels as text with ", Parameter("format", text_format)))
    try:
        label = field.decode("utf-8")
    except UnicodeDecodeError as problem:
        wrong = f"byte 0x{field[problem.start]:02x} is not UTF-8; "
        raise FieldError(wrong + "convert the file, for example with iconv -f latin1 -t utf-8") from None
    if not label:
        raise FieldError("an empty label; name the node or delete the line")
    return label


def _weight(field: bytes, dialect: Dialect) -> float:
    if dialect.attributes:
        match = _ATTRIBUTE.search(field)
        if match is None:
            return 1.0
        field = match[1]
    value = number_of(field)
    if value is not None and value >= 0 and math.isfinite(value):
        return value
    wrong = "not a number" if value is None else "negative or not finite"
    raise FieldError(Message(f"the weight {shown(field)} is {wrong}; fix it, or ", IGNORE_WEIGHTS))
