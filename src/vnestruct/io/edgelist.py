"""Edge lists and tables as text: one edge per line, with or without column names, comments and weights."""

from __future__ import annotations

import re
from functools import partial
from itertools import chain
from typing import IO

from vnestruct.graph import Graph
from vnestruct.graph.columns import SAMPLE_ROWS
from vnestruct.io.builders import EdgeAccumulator
from vnestruct.io.delimited import Dialect, detect_dialect
from vnestruct.io.delimited_parser import DelimitedParser
from vnestruct.io.line_lists import look_like_groups, read_guessed_groups
from vnestruct.io.source import LineBlock, ReadOptions, Source
from vnestruct.io.write import (
    direction_note,
    edge_lines,
    integer_note,
    isolated_note,
    no_edges_note,
    one_line_texts,
    quoted,
    text_note,
)

_AMBIGUOUS = re.compile(r"[\s,;]")


def read_edgelist(source: Source, options: ReadOptions, name: str = "edgelist") -> Graph:
    """Read an edge list: labels separated by blanks, tabs, commas or semicolons, comments anywhere; or a table."""
    if not source.head:
        raise source.empty()
    dialect: Dialect | None = None
    blocks = source.blocks()
    for block in blocks:
        if dialect is None:
            if name == "edgelist" and look_like_groups(block, options):
                return read_guessed_groups(source, chain([block], blocks), options)
            dialect = detect_dialect(block, name, options, source.error)
            if dialect is None:
                continue
            block = block.from_line(dialect.body_line)
            parser = DelimitedParser(dialect, block.data[:1024], source.error)
            accumulator = EdgeAccumulator(dialect.integers)
        accumulator.add(parser.parse(block))
    if dialect is None or accumulator.n_edges == 0:
        raise source.error("no edges, only blank lines, comments or column names; check the program that wrote it")
    return accumulator.graph(bool(options.directed))


read_csv, read_tsv = partial(read_edgelist, name="csv"), partial(read_edgelist, name="tsv")


def write_edgelist(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write an edge list: two labels per line, and the weight if there is one."""
    texts, notes = one_line_texts(graph)
    separator = "\t" if any(map(_AMBIGUOUS.search, texts)) else " "
    words = quoted(texts, r'^["#%]|^//|\t|^[\s]|[\s]$')
    first, integers = True, False
    for lines in edge_lines(graph, words, separator):
        if first and graph.nodes.dtype == object:
            header, integers = _header_for(lines)
            stream.write(separator.join(_names(graph)).encode() + b"\n" if header else b"")
        first = False
        stream.write("".join(lines).encode())
    notes += isolated_note(graph) + direction_note(graph) + (text_note("edgelist") if integers else [])
    return notes + (no_edges_note("file without edges") if first else [])


def _names(graph: Graph) -> list[str]:
    return ["source", "target"] + ([] if graph.weights is None else ["weight"])


def _header_for(lines: list[str]) -> tuple[bool, bool]:
    """Return whether the first edge would be taken for column names, and whether labels look like integers."""
    sample = "".join(lines[: SAMPLE_ROWS + 1]).encode()
    dialect = detect_dialect(LineBlock(sample, 1), "edgelist", ReadOptions(), lambda message, line: ValueError(message))
    return dialect is None or dialect.body_line > 1, dialect is not None and dialect.integers


def write_csv(graph: Graph, stream: IO[bytes], separator: str = ",", name: str = "csv") -> list[str]:
    """Write a table with columns source, target and weight."""
    texts, notes = one_line_texts(graph)
    stream.write((separator.join(_names(graph)) + "\n").encode())
    for lines in edge_lines(graph, quoted(texts, rf'["{separator}]|^\s|\s$'), separator):
        stream.write("".join(lines).encode())
    notes += isolated_note(graph) + direction_note(graph) + integer_note(graph, texts, name)
    return notes + (no_edges_note("file without edges") if graph.n_edges == 0 else [])


write_tsv = partial(write_csv, separator="\t", name="tsv")
