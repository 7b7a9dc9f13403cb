"""Adjacency lists: each line a node, then its neighbours."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

import numpy as np

from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.io.careful import label_of
from vnestruct.io.fields import FieldError, data_lines, is_plain_integer, split_fields
from vnestruct.io.source import Block, ReadOptions, Source
from vnestruct.types import Offset

_SAMPLE_LINES = 1000
_QUOTED = re.compile(rb'"(?:[^"]|"")*"')


def read_adjlist(source: Source, options: ReadOptions) -> Graph:
    """Read an adjacency list. Nodes that start a line come first in the node order."""
    reader: _AdjacencyReader | None = None
    for block in source.blocks():
        if reader is None and next(data_lines(block), None) is not None:
            reader = _AdjacencyReader(source, block, options)
        if reader is not None:
            reader.take(block)
    if reader is None:
        raise source.error("no edges, only blank lines and comments; check the program that wrote it")
    return reader.graph(bool(options.directed))


class _AdjacencyReader:
    def __init__(self, source: Source, block: Block, options: ReadOptions) -> None:
        self._source = source
        lines = [line for _, line in islice(data_lines(block), _SAMPLE_LINES)]
        self._separator = _separator(lines)
        words: list[bytes] = []
        for line in lines:
            try:
                words.extend(split_fields(line, self._separator))
            except FieldError:
                continue
        self._integers = not options.text_labels and all(is_plain_integer(word) for word in words if word)
        self._starts: list[Any] = []
        self._counts: list[int] = []
        self._heads: list[Any] = []

    def take(self, block: Block) -> None:
        for number, line in data_lines(block):
            try:
                words = split_fields(line, self._separator)
                # A separator may also end the line.
                if len(words) > 1 and not words[-1]:
                    words.pop()
                labels = [label_of(word, self._integers, "adjlist+text") for word in words]
            except FieldError as problem:
                raise self._source.error(str(problem), number) from None
            self._starts.append(labels[0])
            self._counts.append(len(labels) - 1)
            self._heads.extend(labels[1:])

    def graph(self, directed: bool) -> Graph:
        nodes = list(dict.fromkeys(self._starts))
        if self._integers:
            tails = np.repeat(np.array(self._starts, dtype=Offset), self._counts)
            return graph_from_pairs(tails, np.array(self._heads, dtype=Offset), nodes=nodes, directed=directed)
        starts = np.array(self._starts, dtype=object)
        heads = np.array(self._heads, dtype=object)
        return graph_from_pairs(np.repeat(starts, self._counts), heads, nodes=nodes, directed=directed)


def _separator(lines: list[bytes]) -> bytes | None:
    if all(is_plain_integer(word) for line in lines for word in line.split()):
        return None
    unquoted = [_QUOTED.sub(b"", line) for line in lines]
    return next((mark for mark in (b"\t", b",", b";") if any(mark in line for line in unquoted)), None)
