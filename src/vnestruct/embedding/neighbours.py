"""Richer signatures: each column averaged over a node's neighbours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vnestruct.embedding.plan import frozen
from vnestruct.graph import Graph
from vnestruct.kernels.neighbour_moments import fill_moments
from vnestruct.types import ValueArray

Rows = npt.NDArray[np.integer]


def neighbour_moments(
    graph: Graph, values: ValueArray, aggregates: tuple[str, ...], rows: Rows | None = None
) -> ValueArray:
    """Return the mean and standard deviation of each column over the neighbours of each node, as asked for.

    One group of columns per aggregate, for all nodes or for `rows`; 0 for a node without neighbours.
    """
    chosen = np.arange(graph.n_nodes, dtype=np.int64) if rows is None else rows.astype(np.int64)
    moments = np.zeros((chosen.size, 2, values.shape[1]))
    # The caller's array stays writable: only a view of it is frozen.
    columns = frozen(np.ascontiguousarray(values)[:])
    fill_moments(graph.indptr, graph.indices, frozen(chosen), columns, "std" in aggregates, moments)
    if aggregates != ("mean", "std"):
        moments = moments[:, [("mean", "std").index(name) for name in aggregates]]
    return moments.reshape(chosen.size, len(aggregates) * values.shape[1])


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
