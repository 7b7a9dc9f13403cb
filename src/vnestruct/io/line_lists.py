"""Files in which each line is a list of labels of any length."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.io.careful import label_of
from vnestruct.io.fields import FieldError, data_lines, is_plain_integer, split_fields
from vnestruct.io.source import Block, ReadOptions, Source
from vnestruct.types import Offset

_SAMPLE_LINES = 1000
_QUOTED = re.compile(rb'"(?:[^"]|"")*"')


class LineLists:
    """The labels of all lines, one after the other.

    Attributes
    ----------
    integers : bool
        Whether labels are integers; else they are text.
    labels : ndarray
        The labels, as int64 or as objects.
    counts : ndarray
        How many of them each line has, at least one.
    lines : list of int
        The number of each line in the file; blank lines and comments are left out.
    """

    def __init__(self, source: Source, blocks: Iterable[Block], options: ReadOptions, name: str) -> None:
        self.integers = False
        self.lines: list[int] = []
        counts: list[int] = []
        labels: list[Any] = []
        separator: bytes | None = None
        for block in blocks:
            if not self.lines:
                separator, self.integers = _judged(block, options)
            for number, line in data_lines(block):
                try:
                    words = split_fields(line, separator)
                    # A separator may also end the line.
                    if len(words) > 1 and not words[-1]:
                        words.pop()
                    labels.extend(label_of(word, self.integers, f"{name}+text") for word in words)
                except FieldError as problem:
                    raise source.error(str(problem), number) from None
                self.lines.append(number)
                counts.append(len(words))
        if not self.lines:
            raise source.error("no edges, only blank lines and comments; check the program that wrote it")
        self.labels: npt.NDArray[Any] = np.array(labels, dtype=Offset if self.integers else object)
        self.counts: npt.NDArray[np.int64] = np.array(counts, dtype=Offset)


def _judged(block: Block, options: ReadOptions) -> tuple[bytes | None, bool]:
    """Return what stands between labels, and whether they are integers."""
    lines = [line for _, line in islice(data_lines(block), _SAMPLE_LINES)]
    separator = _separator(lines)
    words: list[bytes] = []
    for line in lines:
        try:
            words.extend(split_fields(line, separator))
        except FieldError:
            continue
    return separator, not options.text_labels and all(is_plain_integer(word) for word in words if word)


def _separator(lines: list[bytes]) -> bytes | None:
    if all(is_plain_integer(word) for line in lines for word in line.split()):
        return None
    unquoted = [_QUOTED.sub(b"", line) for line in lines]
    return next((mark for mark in (b"\t", b",", b";") if any(mark in line for line in unquoted)), None)
