"""Edge lists and tables as text: one edge a line, with or without column names, comments and weights."""

from __future__ import annotations

from itertools import chain

from vnestruct.graph import Graph
from vnestruct.io.careful import parse_carefully
from vnestruct.io.dialect import Dialect, judge
from vnestruct.io.fast import FastParser
from vnestruct.io.groups import look_like_groups, read_guessed_groups
from vnestruct.io.numbering import Collector
from vnestruct.io.source import Block, ReadOptions, Source


def read_edgelist(source: Source, options: ReadOptions) -> Graph:
    """Read an edge list: labels separated by blanks, tabs, commas or semicolons, comments anywhere."""
    return _read(source, options, "edgelist")


def read_csv(source: Source, options: ReadOptions) -> Graph:
    """Read a table of comma-separated values."""
    return _read(source, options, "csv")


def read_tsv(source: Source, options: ReadOptions) -> Graph:
    """Read a table of tab-separated values."""
    return _read(source, options, "tsv")


def _read(source: Source, options: ReadOptions, name: str) -> Graph:
    if not source.head:
        raise source.empty()
    dialect: Dialect | None = None
    blocks = source.blocks()
    for block in blocks:
        if dialect is None:
            if name == "edgelist" and look_like_groups(block, options):
                return read_guessed_groups(source, chain([block], blocks), options)
            dialect = judge(block, name, options, source.error)
            if dialect is None:
                continue
            block = _from_line(block, dialect.body_line)
            parser = FastParser(dialect, block.data[:1024])
            collector = Collector(dialect.integers)
        edges = parser.parse(block.data)
        collector.add(parse_carefully(block, dialect, source.error) if edges is None else edges)
    if dialect is None or collector.n_edges == 0:
        raise source.error("no edges, only blank lines, comments or column names; check the program that wrote it")
    return collector.graph(bool(options.directed))


def _from_line(block: Block, line: int) -> Block:
    start = 0
    for _ in range(line - block.first_line):
        start = block.data.index(b"\n", start) + 1
    return Block(block.data[start:], line)
