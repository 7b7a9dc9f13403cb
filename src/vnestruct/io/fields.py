"""Lines of a delimited text file, one by one: which are data, and what their fields are."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from vnestruct.io.source import Block

COMMENTS = (b"#", b"%", b"//")
"""What a comment line starts with."""

CONTROL = re.compile(rb"[\x01-\x08\x0e-\x1f\x7f]")
"""What does not occur in plain text."""

_INTEGER = re.compile(rb"[+-]?[0-9]{1,19}")
_PADDED = re.compile(rb"[+-]?0[0-9]")
_WORD = re.compile(rb'"(?:[^"]|"")*"(?=\s|$)|[^\s]+')
_INT64_MAX = 2**63 - 1


class FieldError(ValueError):
    """A line cannot be cut into fields; the message says why and what to do."""


def data_lines(block: Block, comments: bool = True, keep_tabs: bool = False) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the stripped bytes of each line that is neither blank nor a comment.

    Tabs at the ends are kept on request: between tabs, the first and the last field may be empty.
    """
    number = block.first_line - 1
    for whole in block.data.split(b"\n"):
        number += 1
        # A lone carriage return ends a line for every CSV parser, but text editors count line feeds.
        for part in whole.split(b"\r") if b"\r" in whole else (whole,):
            line = part.strip()
            if line and not (comments and line.startswith(COMMENTS)):
                yield number, part.strip(b" \x0b\x0c") if keep_tabs else line


def split_fields(line: bytes, separator: bytes | None) -> list[bytes]:
    """Cut a line into fields, blanks and quotes around them taken off.

    Parameters
    ----------
    line : bytes
        One stripped line.
    separator : bytes or None
        One character; None for any run of blanks.

    Examples
    --------
    >>> split_fields(b'"New York", 3', b",")
    [b'New York', b'3']
    """
    if separator != b"\t":
        line = line.strip()
    if b'"' not in line:
        return line.split() if separator is None else [field.strip() for field in line.split(separator)]
    if separator is None:
        return [_unquoted(word) for word in _WORD.findall(line)]
    # Latin-1 maps every byte to one character and back, so that the encoding is judged elsewhere.
    try:
        rows = list(
            csv.reader(
                [line.decode("latin-1")],
                delimiter=separator.decode("latin-1"),
                strict=True,
                skipinitialspace=True,
            )
        )
    except csv.Error as problem:
        raise FieldError(f"the quotes do not match ({problem}); close or double them") from None
    return [field.encode("latin-1").strip() for field in rows[0]] if rows else []


def _unquoted(word: bytes) -> bytes:
    if not word.startswith(b'"'):
        return word
    if len(word) < 2 or not word.endswith(b'"'):
        raise FieldError("the quotes do not match; close or double them")
    return word[1:-1].replace(b'""', b'"').strip()


def is_integer(field: bytes) -> bool:
    """Tell whether a field is an integer of 64 bits.

    Examples
    --------
    >>> is_integer(b"-12"), is_integer(b"1.0"), is_integer(b"9" * 19)
    (True, False, False)
    """
    return _INTEGER.fullmatch(field) is not None and -_INT64_MAX - 1 <= int(field) <= _INT64_MAX


def is_plain_integer(field: bytes) -> bool:
    """Tell whether a field is an integer and comes back the same when written: not ``007``, not ``+7``."""
    return is_integer(field) and _PADDED.match(field) is None and not field.startswith(b"+")


def number_of(field: bytes) -> float | None:
    """Return the number a field stands for, NaN and infinity included, None if it is none."""
    try:
        return None if b"_" in field else float(field)
    except ValueError:
        return None
