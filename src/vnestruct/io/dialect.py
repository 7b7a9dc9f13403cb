"""How a delimited text file is written, judged from its first lines.

The judgement is made once; every later line must agree with it, so that a slip far down the file is an error
and not another node.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import dropwhile, islice

from vnestruct.io.columns import (
    ColumnChoice,
    choose_columns,
    column_number,
    find_column,
    ignores_weights,
    known_pair,
)
from vnestruct.io.fields import (
    COMMENTS,
    CONTROL,
    FieldError,
    data_lines,
    is_plain_integer,
    number_of,
    split_fields,
)
from vnestruct.io.source import Block, ReadOptions

SAMPLE_LINES = 1000
"""Lines from which the writing of a file is judged."""

_TABLE = {"csv": (b",", b";", b"\t", b"|"), "tsv": (b"\t", b",", b";")}

Fail = Callable[[str, int], Exception]


@dataclass(frozen=True)
class Dialect:
    """The writing of one file.

    Attributes
    ----------
    separator : bytes or None
        Between fields; None stands for any run of blanks.
    n_columns : int
        Fields of every line.
    columns : ColumnChoice
        Which of them matter.
    integers : bool
        Whether labels are integers.
    body_line : int
        Number of the line from which on there are edges.
    quoted : bool
        Whether quotes occur.
    attributes : bool
        Whether edges end in a Python dictionary, as networkx writes them.
    comments : bool
        Whether comments may stand between the edges.
    text_format : str
        The value of ``format=`` that reads the labels as text.
    """

    separator: bytes | None
    n_columns: int
    columns: ColumnChoice
    integers: bool
    body_line: int
    quoted: bool
    attributes: bool
    comments: bool
    text_format: str


def judge(block: Block, name: str, options: ReadOptions, fail: Fail) -> Dialect | None:
    """Judge the writing of a file from its first block, None if that holds no data.

    Parameters
    ----------
    block : Block
        The beginning of the file.
    name : str
        The format: ``edgelist``, ``csv`` or ``tsv``.
    options : ReadOptions
        What the caller says.
    fail : callable
        Makes the exception to raise from a message and a line number.
    """
    lines = _sample(block, name)
    if not lines:
        return None
    separator = _separator([line.strip() for _, line in lines], name)
    rows: list[list[bytes]] = []
    for number, line in lines:
        if CONTROL.search(line):
            raise fail("control characters, so this is not plain text; say which format it is with format=", number)
        try:
            rows.append(split_fields(line, separator))
        except FieldError as problem:
            raise fail(str(problem), number) from None
    attributes = separator is None and all(len(row) > 2 and row[2].startswith(b"{") for row in rows[:10])
    body = rows[1:] or rows
    widths = Counter(len(row) for row in rows if len(row) > 1)
    n_columns = 3 if attributes else max(widths, key=widths.__getitem__, default=1)
    if n_columns < 2:
        raise fail(
            "one column where an edge needs two: write the labels of its ends, separated by blanks, tabs, "
            "commas or semicolons",
            lines[0][0],
        )
    full = [row for row in body if len(row) >= n_columns]
    names = [field.decode("utf-8", "replace") for field in rows[0]]
    header = len(rows[0]) == n_columns and not attributes and _is_header(names, rows, full, options)
    if header:
        columns = choose_columns(names, options, lambda message: fail(message, lines[0][0]))
    else:
        _refuse_doubtful(names, full, name, options, lambda message: fail(message, lines[0][0]))
        columns = _numbered(n_columns, full, attributes, options, lambda message: fail(message, lines[0][0]))
        full = [row for row in rows if len(row) >= n_columns]
    ends = [row[place] for row in full for place in (columns.source, columns.target)]
    return Dialect(
        separator=separator,
        n_columns=n_columns,
        columns=columns,
        integers=not options.text_labels and all(map(is_plain_integer, ends)),
        body_line=lines[0][0] + header,
        quoted=any(b'"' in line for _, line in lines),
        attributes=attributes,
        comments=name == "edgelist",
        text_format=f"{name}+text",
    )


def _sample(block: Block, name: str) -> list[tuple[int, bytes]]:
    if name == "edgelist":
        return list(islice(data_lines(block, keep_tabs=True), SAMPLE_LINES + 1))
    # In a table, comments stand above the names only: below, a label may well start with "#".
    below = dropwhile(
        lambda line: line[1].lstrip().startswith(COMMENTS), data_lines(block, comments=False, keep_tabs=True)
    )
    return list(islice(below, SAMPLE_LINES + 1))


def _separator(lines: Sequence[bytes], name: str) -> bytes | None:
    if name == "edgelist":
        words = [line.split() for line in lines[1:] or lines]
        if all(len(row) > 1 and is_plain_integer(row[0]) and is_plain_integer(row[1]) for row in words):
            return None
        candidates: tuple[bytes | None, ...] = (b"\t", b",", b";", None)
    else:
        candidates = _TABLE[name]
    best, best_share = candidates[-1] if name == "edgelist" else candidates[0], 0.0
    for separator in candidates:
        counts = Counter(_count(line, separator) for line in lines)
        counts.pop(1, None)
        share = max(counts.values(), default=0) / len(lines)
        if share > best_share:
            best, best_share = separator, share
    return best


def _count(line: bytes, separator: bytes | None) -> int:
    try:
        return len(split_fields(line, separator))
    except FieldError:
        return 1


def _is_header(
    names: Sequence[str],
    rows: Sequence[Sequence[bytes]],
    full: Sequence[Sequence[bytes]],
    options: ReadOptions,
) -> bool:
    if known_pair(names) is not None:
        return True
    given = [column for column in (options.source, options.target, options.weight) if isinstance(column, str)]
    if any(column_number(column) is None or column in names for column in given):
        return True
    if not full or len(rows) == 1 or any(map(_is_number, rows[0])):
        return False
    # A first line of words over a column of numbers can only be names.
    return any(all(_is_number(row[place]) for row in full) for place in range(len(names)))


def _is_number(field: bytes) -> bool:
    value = number_of(field)
    return value is not None and math.isfinite(value)


def _refuse_doubtful(
    names: Sequence[str],
    full: Sequence[Sequence[bytes]],
    name: str,
    options: ReadOptions,
    fail: Callable[[str], Exception],
) -> None:
    """Refuse a table whose first line may be names or may be an edge."""
    told = options.source is not None and options.target is not None
    if name != "edgelist" and not told and not all(is_plain_integer(row[0]) for row in full):
        raise fail(
            f"cannot tell whether {', '.join(map(repr, names[:4]))} are column names or the first edge; "
            "say source= and target=, by name, or by number (1, 2) if the file has no names"
        )


def _numbered(
    n_columns: int,
    full: Sequence[Sequence[bytes]],
    attributes: bool,
    options: ReadOptions,
    fail: Callable[[str], Exception],
) -> ColumnChoice:
    """Choose the columns of a file without names: the first two, and a third of numbers as weights."""
    names = [str(place + 1) for place in range(n_columns)]
    source = 0 if options.source is None else find_column(options.source, names, "source", fail)
    target = 1 if options.target is None else find_column(options.target, names, "target", fail)
    if source == target:
        raise fail(f"source and target are both column {source + 1}; say both source= and target=")
    weight: int | None = None
    if ignores_weights(options.weight):
        pass
    elif options.weight is not None and options.weight is not True:
        weight = find_column(options.weight, names, "weight", fail)
    elif n_columns > 2 and 2 not in (source, target):
        numeric = all(number_of(row[2]) is not None for row in full)
        weighted = numeric or (attributes and any(b"weight" in b" ".join(row) for row in full))
        weight = 2 if weighted or options.weight is True else None
    if options.weight is True and weight is None:
        raise fail("there is no weight column; leave weight= out, or add a third column of numbers")
    return ColumnChoice(source, target, weight)
