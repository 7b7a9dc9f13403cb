"""Text files of lists: edges or tables of edges, the neighbours of nodes, the members of groups.

A line of an adjacency list is a node and its neighbours. A line of groups lists the members of one, such as the actors
of a film; the graph has one node per line and one per member, and one edge per membership.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import IO, Any

import numpy as np

from vnestruct.errors import Message, Parameter
from vnestruct.graph import Graph, graph_from_ids, graph_from_pairs
from vnestruct.graph.columns import SAMPLE_ROWS
from vnestruct.graph.factorize import factorize
from vnestruct.graph.sides import Sides
from vnestruct.io import write
from vnestruct.io.builders import EdgeAccumulator
from vnestruct.io.delimited import FieldError, data_lines, detect_dialect, is_plain_integer, split_fields
from vnestruct.io.delimited_parser import DelimitedParser, label_of
from vnestruct.io.source import LineBlock, ReadOptions, Source, shown
from vnestruct.types import Array, NodeId, Offset, OffsetArray

_AMBIGUOUS = re.compile(r"[\s,;]")
_LEAST_LINES = 20
_QUOTED = re.compile(rb'"(?:[^"]|"")*"')

_logger = logging.getLogger(__name__)


def read_edgelist(source: Source, options: ReadOptions, name: str = "edgelist") -> Graph:
    """Read an edge list: labels separated by blanks, tabs, commas or semicolons, comments anywhere; or a table."""
    blocks = source.blocks()
    for block in blocks:
        if name == "edgelist" and look_like_groups(block, options):
            return read_guessed_groups(source, chain([block], blocks), options)
        dialect = detect_dialect(block, name, options, source.error)
        if dialect is None:
            continue
        block = block.from_line(dialect.body_line)
        parser = DelimitedParser(dialect, block.data[:1024], source.error)
        accumulator = EdgeAccumulator(dialect.integers)
        for _, edges in parser.parse_all(chain([block], blocks)):
            accumulator.add(edges)
        if accumulator.n_edges:
            return accumulator.graph(bool(options.directed), options.bipartite, dialect.columns.names)
    raise source.error("no edges, only blank lines, comments or column names; check the program that wrote it")


read_csv, read_tsv = partial(read_edgelist, name="csv"), partial(read_edgelist, name="tsv")


def write_edgelist(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write an edge list: two labels per line, and the weight if there is one."""
    texts, notes = write.one_line_texts(graph)
    separator = "\t" if any(map(_AMBIGUOUS.search, texts)) else " "
    words = write.quoted(texts, r'^["#%]|^//|\t|^[\s]|[\s]$')
    first, integers = True, False
    for lines in write.edge_lines(graph, words, separator):
        if first and graph.nodes.dtype == object:
            block = LineBlock("".join(lines[: SAMPLE_ROWS + 1]).encode(), 1)
            dialect = detect_dialect(block, "edgelist", ReadOptions(), lambda message, line: ValueError(message))
            integers = dialect is not None and dialect.integers
            # The first edge would be taken for column names.
            if dialect is None or dialect.body_line > 1:
                stream.write(separator.join(_names(graph)).encode() + b"\n")
        first = False
        stream.write("".join(lines).encode())
    notes += write.losses(graph, "isolated nodes", "directions") + (write.text_note("edgelist") if integers else [])
    return notes + write.losses(graph, "no edges")


def _names(graph: Graph) -> list[str]:
    return ["source", "target"] + ([] if graph.weights is None else ["weight"])


def write_csv(graph: Graph, stream: IO[bytes], separator: str = ",", name: str = "csv") -> list[str]:
    """Write a table with columns source, target and weight."""
    texts, notes = write.one_line_texts(graph)
    stream.write((separator.join(_names(graph)) + "\n").encode())
    for lines in write.edge_lines(graph, write.quoted(texts, rf'["{separator}]|^\s|\s$'), separator):
        stream.write("".join(lines).encode())
    notes += write.losses(graph, "isolated nodes", "directions") + write.integer_note(graph, texts, name)
    return notes + write.losses(graph, "no edges")


write_tsv = partial(write_csv, separator="\t", name="tsv")


def read_adjlist(source: Source, options: ReadOptions) -> Graph:
    """Read an adjacency list. Nodes that start a line come first in the node order."""
    lists = LineLists(source, source.blocks(), options, "adjlist")
    is_start = np.zeros(lists.labels.size, dtype=bool)
    is_start[np.cumsum(lists.counts) - lists.counts] = True
    starts, neighbours = lists.labels[is_start], lists.labels[~is_start]
    tails, nodes = np.repeat(starts, lists.counts - 1), list(dict.fromkeys(starts.tolist()))
    return graph_from_pairs(tails, neighbours, nodes=nodes, directed=bool(options.directed))


def write_adjlist(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write an adjacency list: each node, then the neighbours it has not been listed for yet."""
    texts, notes = write.one_line_texts(graph)
    words = write.quoted(texts, r'[\s,;"]|^[#%]|^//')
    rows: list[list[str]] = [[text] for text in words]
    tails, heads, _ = write.edge_columns(graph)
    for tail, head in zip(tails.tolist(), heads.tolist(), strict=True):
        rows[tail].append(words[head])
    for row in rows:
        stream.write((" ".join(row) + "\n").encode())
    notes += write.losses(graph, "directions") + write.integer_note(graph, texts, "adjlist")
    return notes + write.losses(graph, "weights")


def read_groups(source: Source, options: ReadOptions) -> Graph:
    """Read groups. Nodes are the lines, named after their numbers, then the members by first appearance."""
    return _membership_graph(LineLists(source, source.blocks(), options, "groups"), source, options)


def look_like_groups(block: LineBlock, options: ReadOptions) -> bool:
    """Return whether the beginning of a file can only be groups: lists of integers of all lengths."""
    # A typing error leaves nearly all lines of an edge list equally long; an adjacency list has one line per node.
    if not (options.source is options.target is options.weight is None):
        return False
    rows = [line.split() for _, line in islice(data_lines(block), SAMPLE_ROWS)]
    if len(rows) < _LEAST_LINES or max(Counter(map(len, rows)).values()) > len(rows) // 2:
        return False
    return len({row[0] for row in rows}) < len(rows) and all(is_plain_integer(word) for row in rows for word in row)


def read_guessed_groups(source: Source, blocks: Iterable[LineBlock], options: ReadOptions) -> Graph:
    """Read what looks like groups; refuse what may be the neighbours of node 1, node 2, and so on."""
    lists = LineLists(source, blocks, options, "groups")
    if lists.integers and lists.labels.max() <= lists.lines[-1]:
        groups, metis, adjlist = (Parameter("format", name) for name in ("groups", "metis", "adjlist"))
        members = Message("lines of different lengths; set ", groups, " if each lists the members of a group, ")
        neighbours = Message(metis, " or ", adjlist, " if it lists the neighbours of a node")
        raise source.error(Message(members, neighbours), lists.lines[0])
    reading = f"{source.path}: each line is read as a group and its members; set "
    _logger.info(Message(reading, Parameter("format", "adjlist"), " if it is a node and its neighbours"))
    return _membership_graph(lists, source, options)


def _membership_graph(lists: LineLists, source: Source, options: ReadOptions) -> Graph:
    ids, _, distinct = factorize(lists.labels, lists.labels, None)
    members = distinct.tolist()
    names: list[Any] = [f"line{number}" for number in lists.lines]
    taken = set(names).intersection(members)
    if taken:
        wrong = f"{shown(taken.pop())} is a member, but also the name of the node for that line; rename the member"
        raise source.error(wrong)
    n_groups = len(names)
    groups = np.repeat(np.arange(n_groups, dtype=NodeId), lists.counts)
    names.extend(members)
    ends = ids.astype(Offset) + n_groups
    sides = Sides(np.repeat(np.array([0, 1], np.uint8), (n_groups, len(members))), ("group", "member"))
    directed = bool(options.directed)
    return graph_from_ids(groups, ends, n_nodes=len(names), nodes=names, directed=directed, sides=sides)


class LineLists:
    """The labels of all lines, one after the other, the count of each line, and its number in the file."""

    def __init__(self, source: Source, blocks: Iterable[LineBlock], options: ReadOptions, name: str) -> None:
        self.integers = False
        self.lines: list[int] = []
        counts: list[int] = []
        labels: list[Any] = []
        separator: bytes | None = None
        for block in blocks:
            if not self.lines:
                separator, self.integers = _detected(block, options)
            for number, line in data_lines(block):
                try:
                    words = split_fields(line, separator)
                    # A separator may also end the line.
                    if len(words) > 1 and not words[-1]:
                        words.pop()
                    labels.extend(label_of(word, self.integers, f"{name}+text") for word in words)
                except FieldError as problem:
                    raise source.error(problem.args[0], number) from None
                self.lines.append(number)
                counts.append(len(words))
        if not self.lines:
            raise source.error("no edges, only blank lines and comments; check the program that wrote it")
        self.labels: Array = np.array(labels, dtype=Offset if self.integers else object)
        self.counts: OffsetArray = np.array(counts, dtype=Offset)


def _detected(block: LineBlock, options: ReadOptions) -> tuple[bytes | None, bool]:
    """Return what separates labels, and whether they are integers."""
    lines = [line for _, line in islice(data_lines(block), SAMPLE_ROWS)]
    separator: bytes | None = None
    if not all(is_plain_integer(word) for line in lines for word in line.split()):
        unquoted = [_QUOTED.sub(b"", line) for line in lines]
        separator = next((mark for mark in (b"\t", b",", b";") if any(mark in line for line in unquoted)), None)
    words: list[bytes] = []
    for line in lines:
        with suppress(FieldError):
            words.extend(split_fields(line, separator))
    return separator, not options.text_labels and all(is_plain_integer(word) for word in words if word)
