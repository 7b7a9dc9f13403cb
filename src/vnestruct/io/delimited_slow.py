"""The slow way to read delimited lines: line by line, in any valid form; errors name the exact line and the remedy."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from vnestruct.errors import Message, Parameter
from vnestruct.io.builders import Edges
from vnestruct.io.delimited import Dialect, FailAtLine, FieldError, data_lines, is_integer, number_of, split_fields
from vnestruct.io.source import IGNORE_WEIGHTS, LineBlock, shown
from vnestruct.types import Value

_ATTRIBUTE = re.compile(rb"""['"]weight['"]\s*:\s*([^,}\s]+)""")


def parse_slowly(block: LineBlock, dialect: Dialect, fail: FailAtLine) -> Edges:
    """Read the edges of a block line by line; `fail` makes the exception to raise from a message and a line number."""
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
        remedy = Message(", set ", lists, " if each line lists a node and its neighbours, ", groups, " if a group")
        message = Message(message, remedy)
    if dialect.separator is None and not dialect.integers:
        message = Message(message, ", or separate labels that contain blanks by tabs")
    raise FieldError(message)


def label_of(field: bytes, integers: bool, text_format: str) -> Any:
    """Return a field as a label; `text_format` is the value of ``format=`` that would read integers as text."""
    return _integer(field, text_format) if integers else _text(field)


def _integer(field: bytes, text_format: str) -> int:
    if not is_integer(field):
        raise FieldError(
            Message(
                f"{shown(field)} is not an integer of 64 bits like the labels before it; fix the line, "
                "or read all labels as text with ",
                Parameter("format", text_format),
            )
        )
    return int(field)


def _text(field: bytes) -> str:
    try:
        label = field.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise FieldError(
            f"byte 0x{field[problem.start]:02x} is not UTF-8; convert the file, "
            "for example with iconv -f latin1 -t utf-8"
        ) from None
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
