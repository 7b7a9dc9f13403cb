"""Richer signatures: each column averaged over a node's neighbours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vnestruct.graph import Graph
from vnestruct.types import ValueArray

Rows = npt.NDArray[np.integer]


def neighbour_moments(
    graph: Graph, values: ValueArray, aggregates: tuple[str, ...], rows: Rows | None = None
) -> ValueArray:
    """Return the mean and standard deviation of each column over the neighbours of each node, as asked for.

    One group of columns per aggregate, for all nodes or for `rows`; 0 for a node without neighbours.
    """
    chosen = np.arange(graph.n_nodes) if rows is None else rows
    degrees = graph.degrees[chosen]
    owner = np.repeat(np.arange(chosen.size), degrees)
    entries = graph.indices if rows is None else graph.indices[entries_of(graph, chosen)]
    counts = np.maximum(degrees, 1)
    groups: dict[str, list[ValueArray]] = {name: [] for name in aggregates}
    # One column at a time: an entry of every arc for all columns would not fit beside a large graph.
    for column in values.T:
        gathered = column[entries]
        mean = np.bincount(owner, gathered, minlength=chosen.size) / counts
        if "mean" in groups:
            groups["mean"].append(mean)
        if "std" in groups:
            deviation = gathered - mean[owner]
            groups["std"].append(np.sqrt(np.bincount(owner, deviation * deviation, minlength=chosen.size) / counts))
    return np.column_stack([column for name in aggregates for column in groups[name]])


def entries_of(graph: Graph, rows: Rows) -> npt.NDArray[np.int64]:
    """Return where the entries of `rows` stand in ``graph.indices``, row after row."""
    degrees = graph.degrees[rows]
    starts = np.repeat(graph.indptr[rows] - (np.cumsum(degrees) - degrees), degrees)
    places: npt.NDArray[np.int64] = starts + np.arange(starts.size)
    return places


def with_neighbours(graph: Graph, rows: Rows) -> npt.NDArray[np.bool_]:
    """Return a mask of the nodes `rows` and all their neighbours."""
    mask = np.zeros(graph.n_nodes, bool)
    mask[rows] = True
    mask[graph.indices[entries_of(graph, rows)]] = True
    return mask
