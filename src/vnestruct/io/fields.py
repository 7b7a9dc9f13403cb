"""Lines of text as fields, and fields as labels and weights."""

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from vnestruct.graph.validate import is_weight
from vnestruct.io.source import IGNORE_WEIGHTS, LineBlock, shown

COMMENTS = (b"#", b"%", b"//")  # what a comment line starts with
MARK = b"\xef\xbb\xbf"  # of UTF-8, at the start of a file
_INTEGER = re.compile(rb"[+-]?[0-9]{1,19}")
_PADDED = re.compile(rb"[+-]?0[0-9]|\+")
_WORD = re.compile(rb'"(?:[^"]|"")*"(?=\s|$)|[^\s]+')

FailAtLine = Callable[[str, int], Exception]


class FieldError(ValueError):
    """A line or a field cannot be read; the message says why and what to do."""


def data_lines(block: LineBlock, comments: bool = True, keep_tabs: bool = False) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the stripped bytes, but for tabs on request, of each line with data."""
    # Between tabs, the first and the last field may be empty.
    for number, whole in enumerate(io.BytesIO(block.data), block.first_line):
        # A lone carriage return ends a line for every CSV parser, but text editors count line feeds.
        for part in whole.split(b"\r") if b"\r" in whole else (whole,):
            line = part.strip()
            if line and not (comments and line.startswith(COMMENTS)):
                yield number, part.strip(b" \n\x0b\x0c") if keep_tabs else line


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


def _unquoted(word: bytes) -> bytes:
    if not word.startswith(b'"'):
        return word
    if len(word) < 2 or not word.endswith(b'"'):
        raise FieldError("the quotes do not match; close or double them")
    return word[1:-1].replace(b'""', b'"').strip()


def first_separator(text: bytes) -> bytes | None:
    """Return the first of tab, comma and semicolon that a text has; None stands for blanks."""
    return next((mark for mark in (b"\t", b",", b";") if mark in text), None)


def split_lines(lines: Sequence[tuple[int, bytes]], separator: bytes | None, fail: FailAtLine) -> list[list[bytes]]:
    """Return the fields of numbered lines."""
    rows = []
    for number, line in lines:
        try:
            rows.append(split_fields(line, separator))
        except FieldError as problem:
            raise fail(str(problem), number) from None
    return rows


def is_integer(field: bytes) -> bool:
    """Return whether a field is an integer of 64 bits."""
    return _INTEGER.fullmatch(field) is not None and -(2**63) <= int(field) < 2**63


def is_plain_integer(label: Any) -> bool:
    """Return whether a text is an integer and comes back the same when written: not ``007``, not ``+7``."""
    field = label.encode("utf-8", "replace") if isinstance(label, str) else label
    return is_integer(field) and _PADDED.match(field) is None


def number_of(text: bytes | str) -> float | None:
    """Return the number a text stands for, NaN and infinity included, None if it is none."""
    try:
        return None if "_" in str(text) else float(text)
    except ValueError:
        return None


def label_of(field: bytes, integers: bool, text_format: str) -> Any:
    """Return a field as a label; `text_format` is the value of ``format=`` that would read integers as text."""
    if integers and is_integer(field):
        return int(field)
    if integers:
        wrong = f"{shown(field)} is not an integer of 64 bits like the labels before it; fix the line, or read all "
        raise FieldError(f"{wrong}labels as text with `format={text_format!r}`")
    try:
        label = field.decode("utf-8")
    except UnicodeDecodeError as problem:
        wrong = f"byte 0x{field[problem.start]:02x} is not UTF-8; "
        raise FieldError(wrong + "convert the file, for example with iconv -f latin1 -t utf-8") from None
    if not label:
        raise FieldError("an empty label; name the node or delete the line")
    return label


def weight_of(given: Any, where: str = "") -> float:
    """Return a weight, a text or a number, as a number; `where` says in an error which edge has it."""
    number = number_of(given) if isinstance(given, bytes | str) else given
    if isinstance(number, int | float) and not isinstance(number, bool) and is_weight(number):
        with suppress(OverflowError):
            return float(number)
    wrong = "negative or not finite" if isinstance(number, int | float) else "not a number"
    text = given if isinstance(given, bytes | str) else str(given)
    raise FieldError(f"the weight {shown(text)}{where} is {wrong}; fix it, or {IGNORE_WEIGHTS}")
