"""The slow reading of delimited lines: any valid writing, and else the exact line and the remedy."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.io.dialect import Dialect, Fail
from vnestruct.io.fields import FieldError, data_lines, is_integer, number_of, split_fields
from vnestruct.io.source import Block, shown
from vnestruct.types import Value, ValueArray

_ATTRIBUTE = re.compile(rb"""['"]weight['"]\s*:\s*([^,}\s]+)""")


@dataclass
class Edges:
    """Columns of edges: int64 arrays of integer labels, or lists or Arrow arrays of text."""

    source: Any
    target: Any
    weight: ValueArray | None


def parse_carefully(block: Block, dialect: Dialect, fail: Fail) -> Edges:
    """Read the edges of a block line by line.

    Parameters
    ----------
    block : Block
        Lines of edges.
    dialect : Dialect
        How they are written.
    fail : callable
        Makes the exception to raise from a message and a line number.
    """
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
            raise fail(str(problem), number) from None
    weight = None if columns.weight is None else np.array(weights, dtype=Value)
    if dialect.integers:
        return Edges(_array(ends[0]), _array(ends[1]), weight)
    return Edges(ends[0], ends[1], weight)


def _array(labels: list[Any]) -> npt.NDArray[np.int64]:
    return np.array(labels, dtype=np.int64)


def _fields(line: bytes, dialect: Dialect) -> list[bytes]:
    if dialect.attributes:
        words = line.strip().split(None, 2)
        if len(words) < 2 or (len(words) == 3 and not (words[2].startswith(b"{") and words[2].endswith(b"}"))):
            raise FieldError("not two labels and a dictionary such as {'weight': 2} as the lines before; mend it")
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
    message = f"{len(fields)} column{plural} where {dialect.n_columns} are expected; mend the line"
    if dialect.separator is None or not dialect.integers:
        message += ", say format='adjlist' if each line lists a node and its neighbours, format='groups' if a group"
    if dialect.separator is None and not dialect.integers:
        message += ", or separate labels that contain blanks by tabs"
    raise FieldError(message)


def label_of(field: bytes, integers: bool, text_format: str) -> Any:
    """Return a field as a label: an integer or text, as the file has it.

    Parameters
    ----------
    field : bytes
        The label as it is written.
    integers : bool
        Whether the labels of the file are integers.
    text_format : str
        The value of ``format=`` that reads them as text all the same.
    """
    return _integer(field, text_format) if integers else _text(field)


def _integer(field: bytes, text_format: str) -> int:
    if not is_integer(field):
        raise FieldError(
            f"{shown(field)} is not an integer of 64 bits like the labels before it; mend the line, "
            f"or read all labels as text with format={text_format!r}"
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
        found = _ATTRIBUTE.search(field)
        if found is None:
            return 1.0
        field = found[1]
    value = number_of(field)
    if value is None:
        raise FieldError(f"the weight {shown(field)} is not a number; mend it, or ignore weights with weight=0")
    if not (value >= 0 and math.isfinite(value)):
        raise FieldError(
            f"the weight {shown(field)} is negative or not finite; mend it, or ignore weights with weight=0"
        )
    return value
