"""Richer signatures: each column averaged over a node's neighbours."""

import numpy as np
import numpy.typing as npt

from vnestruct.embedding.parameters import AGGREGATES
from vnestruct.embedding.plan import frozen
from vnestruct.graph import Graph
from vnestruct.kernels.neighbour_sums import fill_moments
from vnestruct.types import ValueArray

Rows = npt.NDArray[np.integer]


def neighbour_moments(
    graph: Graph, values: ValueArray, aggregates: tuple[str, ...], rows: Rows | None = None
) -> ValueArray:
    """Return mean and deviation of each column over each node's neighbours, as asked for; 0 without neighbours."""
    chosen = np.arange(graph.n_nodes, dtype=np.int64) if rows is None else rows.astype(np.int64)
    n_columns = values.shape[1]
    moments = np.empty((chosen.size, 2 * n_columns))
    # The caller's array stays writable: only a view of it is frozen.
    columns = frozen(np.ascontiguousarray(values)[:])
    deviate = "std" in aggregates
    fill_moments(graph.indptr, graph.indices, frozen(chosen), columns, 0, n_columns, deviate, moments, 0)
    groups = {"mean": moments[:, :n_columns], "std": moments[:, n_columns:]}
    return moments if aggregates == AGGREGATES else np.hstack([groups[name] for name in aggregates])


def append_moments(graph: Graph, values: ValueArray, first: int, last: int) -> None:
    """Fill the columns of `values` after `last` with means and deviations of the columns `first` to `last`."""
    chosen = frozen(np.arange(graph.n_nodes, dtype=np.int64))
    fill_moments(graph.indptr, graph.indices, chosen, frozen(values[:]), first, last, True, values, last)


def with_neighbours(graph: Graph, rows: Rows) -> npt.NDArray[np.bool_]:
    """Return a mask of the nodes `rows` and all their neighbours."""
    mask = np.zeros(graph.n_nodes, bool)
    mask[rows] = True
    # Where their entries stand, row after row.
    degrees = graph.degrees[rows]
    starts = np.repeat(graph.indptr[rows] - (np.cumsum(degrees) - degrees), degrees)
    mask[graph.indices[starts + np.arange(starts.size)]] = True
    return mask
