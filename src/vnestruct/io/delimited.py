"""Delimited text: its lines, their fields, and how a file is written, detected from its first lines.

This is decided once; every later line must agree with it, so that a typing error far down the file is an error and not
another node.
"""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import dropwhile, islice
from typing import NamedTuple

from vnestruct.errors import Message
from vnestruct.graph import columns as rules
from vnestruct.io.source import SET_FORMAT, LineBlock, ReadOptions, Source

COMMENTS = (b"#", b"%", b"//")  # what a comment line starts with
CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]")  # what does not occur in plain text
_INTEGER = re.compile(rb"[+-]?[0-9]{1,19}")
_PADDED = re.compile(rb"[+-]?0[0-9]")
_WORD = re.compile(rb'"(?:[^"]|"")*"(?=\s|$)|[^\s]+')
_INT64_MAX = 2**63 - 1
_SEPARATORS = {"csv": (b",", b";", b"\t", b"|"), "tsv": (b"\t", b",", b";")}

FailAtLine = Callable[[str, int], Exception]


class FieldError(ValueError):
    """A line cannot be cut into fields; the message says why and what to do."""


def data_lines(block: LineBlock, comments: bool = True, keep_tabs: bool = False) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the stripped bytes, but for tabs on request, of each line with data."""
    # Between tabs, the first and the last field may be empty.
    number = block.first_line - 1
    for whole in block.data.split(b"\n"):
        number += 1
        # A lone carriage return ends a line for every CSV parser, but text editors count line feeds.
        for part in whole.split(b"\r") if b"\r" in whole else (whole,):
            line = part.strip()
            if line and not (comments and line.startswith(COMMENTS)):
                yield number, part.strip(b" \x0b\x0c") if keep_tabs else line


def split_fields(line: bytes, separator: bytes | None) -> list[bytes]:
    """Cut a line into fields without the blanks and quotes around them; None separates by any run of blanks."""
    if separator != b"\t":
        line = line.strip()
    if b'"' not in line:
        return line.split() if separator is None else [field.strip() for field in line.split(separator)]
    if separator is None:
        return [_unquoted(word) for word in _WORD.findall(line)]
    # Latin-1 maps every byte to one character and back, so that the encoding can be checked elsewhere.
    try:
        mark, text = separator.decode("latin-1"), line.decode("latin-1")
        rows = list(csv.reader([text], delimiter=mark, strict=True, skipinitialspace=True))
    except csv.Error as problem:
        raise FieldError(f"the quotes do not match ({problem}); close or double them") from None
    return [field.encode("latin-1").strip() for field in rows[0]] if rows else []


def split_rows(source: Source) -> list[tuple[int, list[bytes]]]:
    """Return the number and the fields of each line with data; the first decides what separates fields."""
    lines = list(data_lines(LineBlock(source.content().removeprefix(b"\xef\xbb\xbf"), 1)))
    separator = next((mark for mark in (b"\t", b",", b";") if lines and mark in lines[0][1]), None)
    rows = []
    for number, line in lines:
        try:
            rows.append((number, split_fields(line, separator)))
        except FieldError as problem:
            raise source.error(str(problem), number) from None
    return rows


def _unquoted(word: bytes) -> bytes:
    if not word.startswith(b'"'):
        return word
    if len(word) < 2 or not word.endswith(b'"'):
        raise FieldError("the quotes do not match; close or double them")
    return word[1:-1].replace(b'""', b'"').strip()


def is_integer(field: bytes) -> bool:
    """Return whether a field is an integer of 64 bits."""
    return _INTEGER.fullmatch(field) is not None and -_INT64_MAX - 1 <= int(field) <= _INT64_MAX


def is_plain_integer(field: bytes) -> bool:
    """Return whether a field is an integer and comes back the same when written: not ``007``, not ``+7``."""
    return is_integer(field) and _PADDED.match(field) is None and not field.startswith(b"+")


def number_of(field: bytes) -> float | None:
    """Return the number a field stands for, NaN and infinity included, None if it is none."""
    try:
        return None if b"_" in field else float(field)
    except ValueError:
        return None


class Dialect(NamedTuple):
    """How one file is written."""

    separator: bytes | None  # None for any run of blanks
    n_columns: int
    columns: rules.ColumnChoice
    integers: bool  # whether labels are
    body_line: int  # number of the first line with an edge
    attributes: bool = False  # whether edges end in a Python dictionary, as networkx writes them
    comments: bool = True  # whether there may be comments between the edges
    text_format: str = "edgelist+text"  # value of ``format=`` that reads the labels as text


def detect_dialect(block: LineBlock, name: str, options: ReadOptions, fail: FailAtLine) -> Dialect | None:
    """Detect how an ``edgelist``, ``csv`` or ``tsv`` file is written; None if its first block holds no data."""
    numbered = data_lines(block, comments=name == "edgelist", keep_tabs=True)
    if name != "edgelist":
        # In a table, comments are only above the names: below, a label may start with "#".
        numbered = dropwhile(lambda line: line[1].lstrip().startswith(COMMENTS), numbered)
    lines = list(islice(numbered, rules.SAMPLE_ROWS + 1))
    if not lines:
        return None
    first_line = lines[0][0]
    separator = _separator([line.strip() for _, line in lines], name)
    rows = _split(lines, separator, fail)
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
        certain = name == "edgelist" or (options.source is not None and options.target is not None)
        if not certain and not all(is_plain_integer(row[0]) for row in full):
            raise fail_here(rules.doubtful_names(names, ", by name, or by number (1, 2) if the file has no names"))

        def holds_weights() -> bool:
            numeric = all(number_of(row[2]) is not None for row in full)
            return numeric or (attributes and any(b"weight" in b" ".join(row) for row in full))

        columns = rules.number_columns(n_columns, options, holds_weights, fail_here)
        full = [row for row in rows if len(row) >= n_columns]
    ends = [row[place] for row in full for place in (columns.source, columns.target)]
    integers, body_line = not options.text_labels and all(map(is_plain_integer, ends)), first_line + header
    comments, text_format = name == "edgelist", f"{name}+text"
    return Dialect(separator, n_columns, columns, integers, body_line, attributes, comments, text_format)


def _split(lines: list[tuple[int, bytes]], separator: bytes | None, fail: FailAtLine) -> list[list[bytes]]:
    rows = []
    for number, line in lines:
        if CONTROL.search(line):
            raise fail(Message("control characters, so this is not plain text; set ", SET_FORMAT), number)
        try:
            rows.append(split_fields(line, separator))
        except FieldError as problem:
            raise fail(problem.args[0], number) from None
    return rows


def _separator(lines: Sequence[bytes], name: str) -> bytes | None:
    if name == "edgelist":
        words = [line.split() for line in lines[1:] or lines]
        if all(len(row) > 1 and is_plain_integer(row[0]) and is_plain_integer(row[1]) for row in words):
            return None
        candidates: tuple[bytes | None, ...] = (b"\t", b",", b";", None)
    else:
        candidates = _SEPARATORS[name]
    best, best_fraction = candidates[-1] if name == "edgelist" else candidates[0], 0.0
    for separator in candidates:
        counts = Counter(_count(line, separator) for line in lines)
        counts.pop(1, None)
        fraction = max(counts.values(), default=0) / len(lines)
        if fraction > best_fraction:
            best, best_fraction = separator, fraction
    return best


def _count(line: bytes, separator: bytes | None) -> int:
    try:
        return len(split_fields(line, separator))
    except FieldError:
        return 1
