"""Adjacency lists: each line a node, then its neighbours."""

from __future__ import annotations

import numpy as np

from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.io.line_lists import LineLists
from vnestruct.io.source import ReadOptions, Source


def read_adjlist(source: Source, options: ReadOptions) -> Graph:
    """Read an adjacency list. Nodes that start a line come first in the node order."""
    lists = LineLists(source, source.blocks(), options, "adjlist")
    is_start = np.zeros(lists.labels.size, dtype=bool)
    is_start[np.cumsum(lists.counts) - lists.counts] = True
    starts, neighbours = lists.labels[is_start], lists.labels[~is_start]
    return graph_from_pairs(
        np.repeat(starts, lists.counts - 1),
        neighbours,
        nodes=list(dict.fromkeys(starts.tolist())),
        directed=bool(options.directed),
    )
