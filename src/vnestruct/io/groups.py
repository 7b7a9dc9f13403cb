"""Groups: each line lists the members of one, such as the actors of a film.

The graph has a node for each line and one for each member, and an edge between them for each membership.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import Message, Parameter
from vnestruct.graph import Graph, graph_from_ids
from vnestruct.io.dialect import SAMPLE_LINES
from vnestruct.io.fields import data_lines, is_plain_integer
from vnestruct.io.line_lists import LineLists
from vnestruct.io.source import Block, ReadOptions, Source, shown
from vnestruct.types import NodeId

_LEAST_LINES = 20

_logger = logging.getLogger(__name__)


def read_groups(source: Source, options: ReadOptions) -> Graph:
    """Read groups. First come the lines, named after their numbers, then the members as they first appear."""
    return _graph(LineLists(source, source.blocks(), options, "groups"), source, options)


def look_like_groups(block: Block, options: ReadOptions) -> bool:
    """Tell whether the beginning of a file can only be groups: lists of integers of all lengths.

    An edge list with a slip has one length nearly everywhere, and an adjacency list starts one line with each node.
    """
    if not (options.source is options.target is options.weight is None):
        return False
    rows = [line.split() for _, line in islice(data_lines(block), SAMPLE_LINES)]
    if len(rows) < _LEAST_LINES or max(Counter(map(len, rows)).values()) > len(rows) // 2:
        return False
    return len({row[0] for row in rows}) < len(rows) and all(is_plain_integer(word) for row in rows for word in row)


def read_guessed_groups(source: Source, blocks: Iterable[Block], options: ReadOptions) -> Graph:
    """Read what looks like groups; refuse what may be the neighbours of node 1, node 2, and so on."""
    lists = LineLists(source, blocks, options, "groups")
    if lists.integers and lists.labels.max() <= lists.lines[-1]:
        raise source.error(
            "lines of different lengths; say format='groups' if each lists the members of a group, format='metis' or "
            "format='adjlist' if it lists the neighbours of a node",
            lists.lines[0],
        )
    _logger.info(
        Message(
            f"{source.path}: each line is taken for a group and its members; say ", Parameter("format", "adjlist"),
            " if it is a node and its neighbours",
        )
    )  # fmt: skip
    return _graph(lists, source, options)


def _graph(lists: LineLists, source: Source, options: ReadOptions) -> Graph:
    ids, members = _numbered(lists)
    names: list[Any] = [f"line{number}" for number in lists.lines]
    taken = set(names).intersection(members)
    if taken:
        raise source.error(
            f"{shown(taken.pop())} is a member, but also what the node of that line is called; rename the member"
        )
    n_groups = len(names)
    groups = np.repeat(np.arange(n_groups, dtype=NodeId), lists.counts)
    names.extend(members)
    return graph_from_ids(groups, ids + n_groups, n_nodes=len(names), nodes=names, directed=bool(options.directed))


def _numbered(lists: LineLists) -> tuple[npt.NDArray[np.int64], list[Any]]:
    """Return the number of each label in the order of first appearance, and the distinct labels in that order."""
    if lists.integers:
        distinct, firsts, codes = np.unique(lists.labels, return_index=True, return_inverse=True)
        order = np.argsort(firsts)
        numbers = np.empty_like(order)
        numbers[order] = np.arange(order.size)
        return numbers[codes], distinct[order].tolist()
    positions: dict[Any, int] = {}
    ids = [positions.setdefault(label, len(positions)) for label in lists.labels.tolist()]
    return np.array(ids, dtype=np.int64), list(positions)
