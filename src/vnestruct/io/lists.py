"""Lists of nodes, line by line: METIS graphs, adjacency lists, groups and their members.

A line of an adjacency list is a node and its neighbours. A line of groups lists the members of one, such as the actors
of a film; the graph has one node per line and one per member, and one edge per membership.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

import numpy as np

from vnestruct.graph import Graph, graph_from_ids, graph_from_pairs
from vnestruct.graph.columns import SAMPLE_ROWS, ignores_weights
from vnestruct.graph.labels import Sides, numbered
from vnestruct.io.fields import (
    FieldError,
    data_lines,
    first_separator,
    is_plain_integer,
    label_of,
    split_fields,
    weight_of,
)
from vnestruct.io.source import LineBlock, ReadOptions, Source, shown
from vnestruct.types import Array, Offset, OffsetArray

_QUOTED = re.compile(rb'"(?:[^"]|"")*"')
_HEADER = re.compile(rb"([0-9]{1,18})\s+([0-9]{1,18})(?:\s+([0-9]{1,3}))?(?:\s+([0-9]{1,3}))?")


def read_adjlist(source: Source, options: ReadOptions) -> Graph:
    """Read an adjacency list. Nodes that start a line come first in the node order."""
    labels, counts, _ = _read_lines(source, options, "adjlist")
    is_start = np.zeros(labels.size, dtype=bool)
    is_start[np.cumsum(counts) - counts] = True
    starts = labels[is_start]
    ends = np.repeat(starts, counts - 1), labels[~is_start]
    return graph_from_pairs(*ends, nodes=numbered(starts)[1], directed=bool(options.directed))


def read_groups(source: Source, options: ReadOptions) -> Graph:
    """Read groups. Nodes are the lines, named after their numbers, then the members by first appearance."""
    labels, counts, lines = _read_lines(source, options, "groups")
    ids, distinct = numbered(labels)
    groups, members = [f"line{number}" for number in lines], distinct.tolist()
    if taken := set(groups).intersection(members):
        wrong = f"{shown(taken.pop())} is a member, but also the name of the node for that line; rename the member"
        raise source.error(wrong)
    sizes = len(groups), len(members)
    sides = Sides(np.repeat(np.array([0, 1], np.uint8), sizes), ("group", "member"))
    ends = np.repeat(np.arange(len(groups)), counts), ids.astype(Offset) + len(groups)
    labels, directed = groups + members, bool(options.directed)
    return graph_from_ids(*ends, n_nodes=sum(sizes), nodes=labels, directed=directed, sides=sides)


def _read_lines(source: Source, options: ReadOptions, name: str) -> tuple[Array, OffsetArray, list[int]]:
    """Return the labels of all lines, one after the other, how many each line has, and its number in the file."""
    lines: list[int] = []
    counts: list[int] = []
    labels: list[object] = []
    separator, integers = None, False
    for block in source.blocks():
        if not lines:
            separator, integers = _detected(block, options)
        for number, line in data_lines(block):
            try:
                words = split_fields(line, separator)
                # A separator may also end the line.
                if len(words) > 1 and not words[-1]:
                    words.pop()
                labels.extend(label_of(word, integers, f"{name}+text") for word in words)
            except FieldError as problem:
                raise source.error(str(problem), number) from None
            lines.append(number)
            counts.append(len(words))
    if not lines:
        raise source.no_edges()
    return np.array(labels, Offset if integers else object), np.array(counts, Offset), lines


def _detected(block: LineBlock, options: ReadOptions) -> tuple[bytes | None, bool]:
    """Return what separates labels, and whether they are integers."""
    lines = [line for _, line in islice(data_lines(block), SAMPLE_ROWS)]
    separator = None
    if not all(is_plain_integer(word) for line in lines for word in line.split()):
        separator = first_separator(b"".join(_QUOTED.sub(b"", line) for line in lines))
    words: list[bytes] = []
    for line in lines:
        with suppress(FieldError):
            words += split_fields(line, separator)
    return separator, not options.text_labels and all(is_plain_integer(word) for word in words if word)


def read_metis(source: Source, options: ReadOptions) -> Graph:
    """Read a METIS file: the numbers of nodes and edges, then line i lists the neighbours of node i, from 1."""
    header: re.Match[bytes] | None = None
    neighbours: list[int] = []
    values: list[float] = []
    counts: list[int] = []
    lines: list[int] = []
    n_nodes, n_edges, n_skipped, step = 0, 0, 0, 1
    for number, line in _numbered(source):
        words = line.split()
        if header is None and words:
            header = _HEADER.fullmatch(line.strip())
            code = (b"000" + ((header and header[3]) or b""))[-3:]
            if header is None or code.strip(b"01"):
                wrong = "the first line must be the numbers of nodes and edges, then the METIS format code if any, "
                raise source.error(f"{wrong}0, 1, 10, 11, 100 ..., not {shown(line.strip())}", number)
            n_nodes, n_edges, step = int(header[1]), int(header[2]), 1 + int(code[2:])
            n_skipped = int(code[:1]) + int(code[1:2]) * int(header[4] or 1)
        elif header is not None and len(lines) < n_nodes:
            # A blank line is a node without neighbours.
            row = words[n_skipped::step]
            if len(words[n_skipped:]) % step:
                raise source.error("a neighbour without a weight; write them in pairs", number)
            ids = [int(word) if word.isdigit() and len(word) <= 18 else 0 for word in row]
            if ids and not 1 <= min(ids) <= max(ids) <= n_nodes:
                word = next(word for word, node in zip(row, ids, strict=True) if not 1 <= node <= n_nodes)
                wrong = f"{shown(word)} is not a node from 1 to {n_nodes}; correct it, or the first line"
                raise source.error(wrong, number)
            try:
                values += map(weight_of, words[n_skipped + 1 :: step] if step > 1 else ())
            except FieldError as problem:
                raise source.error(str(problem), number) from None
            neighbours += ids
            counts.append(len(ids))
            lines.append(number)
        elif words:
            raise source.error(f"more lines than the {n_nodes} nodes declared; correct the first line", number)
    if header is None:
        raise source.no_edges()
    source.check_declared(n_nodes)
    if len(lines) < n_nodes and len(neighbours) < 2 * n_edges:
        wrong = f"{len(lines)} lines of neighbours for {n_nodes} nodes; "
        raise source.error(wrong + "the file was cut short, write it again")
    ends = np.repeat(np.arange(1, len(lines) + 1), counts), np.array(neighbours, Offset)
    weights = np.array(values) if step > 1 else np.ones(len(neighbours))
    links, mirrored = _sorted(*ends, weights), _sorted(*ends[::-1], weights)
    if not all(map(np.array_equal, links, mirrored)):
        listed, wanted = (Counter(zip(*map(np.ndarray.tolist, rows), strict=True)) for rows in (links, mirrored))
        tail, head, _ = min(listed - wanted)
        wrong = f"node {tail} lists {head}, but {head} does not list {tail} with the same weight; "
        raise source.error(wrong + "METIS graphs are undirected, list every edge on both lines", lines[tail - 1])
    up = links[0] < links[1]
    n_up = np.count_nonzero(up)
    if n_edges not in (n_up, len(neighbours) / 2):
        raise source.error(f"{n_up} edges where the first line declares {n_edges}; correct the first line")
    tails, heads, weights = (column[up] for column in links)
    directed = bool(options.directed)
    if directed:
        tails, heads, weights = np.append(tails, heads), np.append(heads, tails), np.append(weights, weights)
    # The first line says whether there are weights.
    kept = weights if step > 1 and n_up and not ignores_weights(options.weight) else None
    labels = np.arange(1, n_nodes + 1)
    return graph_from_ids(tails - 1, heads - 1, kept, n_nodes=n_nodes, nodes=labels, directed=directed)


def _sorted(tails: Array, heads: Array, weights: Array) -> list[Array]:
    """Return links in the order of their ends and weights."""
    order = np.lexsort((weights, heads, tails))
    return [column[order] for column in (tails, heads, weights)]


def _numbered(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the bytes of each line but comments."""
    for block in source.blocks():
        for number, line in enumerate(block.data.split(b"\n")[:-1], block.first_line):
            if not line.lstrip().startswith(b"%"):
                yield number, line
