"""Means and deviations of columns over the neighbours of each node, and nodes together with their neighbours."""

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from vnestruct import reference
from vnestruct.embedding import parameters
from vnestruct.embedding.parameters import AGGREGATES
from vnestruct.embedding.plan import read_only
from vnestruct.graph import Graph
from vnestruct.kernels.neighbour_sums import fill_moments
from vnestruct.types import BoolArray, IdArray, OffsetArray, ValueArray


def with_neighbours(graph: Graph, rows: npt.NDArray[np.integer]) -> BoolArray:
    """Return a mask of the nodes `rows` and all their neighbours."""
    mask = np.zeros(graph.n_nodes, bool)
    mask[rows] = mask[graph.indices[entries_of(graph, rows)]] = True
    return mask


def entries_of(graph: Graph, rows: npt.NDArray[np.integer]) -> OffsetArray:
    """Return where the entries of the nodes `rows` stand, row after row."""
    degrees = graph.degrees[rows]
    starts = np.repeat(graph.indptr[rows] - (np.cumsum(degrees) - degrees), degrees)
    return starts + np.arange(starts.size)


def neighbour_moments(
    graph: Graph, values: ValueArray, aggregates: tuple[str, ...], rows: npt.NDArray[np.integer] | None = None
) -> ValueArray:
    """Return mean and deviation of each column over each node's neighbours, as asked for; 0 without neighbours."""
    chosen = np.arange(graph.n_nodes, dtype=np.int64) if rows is None else rows.astype(np.int64)
    n_columns = values.shape[1]
    moments = np.empty((chosen.size, 2 * n_columns))
    if graph.n_nodes <= parameters.SMALL_GRAPH:
        moments = reference.moments(graph, values)[chosen]
    else:
        # The caller's array stays writable: only a view of it is read-only.
        columns = read_only(np.ascontiguousarray(values)[:])
        has_std = "std" in aggregates
        fill_moments(graph.indptr, graph.indices, read_only(chosen), columns, has_std, moments)
    groups = {"mean": moments[:, :n_columns], "std": moments[:, n_columns:]}
    return moments if aggregates == AGGREGATES else np.hstack([groups[name] for name in aggregates])


def neighbour_groups(graph: Graph, node: int) -> IdArray:
    """Return the group of each neighbour of a node: groups have no links to each other but through the node."""
    near = graph.indices[graph.indptr[node] : graph.indptr[node + 1]]
    ends = [graph.indices[graph.indptr[u] : graph.indptr[u + 1]] for u in near.tolist()]
    columns = np.concatenate([near[:0], *ends])
    place = np.minimum(np.searchsorted(near, columns), near.size - 1)
    is_near = near[place] == columns
    rows = np.repeat(np.arange(near.size), [end.size for end in ends])[is_near]
    links = csr_array((np.ones(rows.size), (rows, place[is_near])), shape=(near.size,) * 2)
    return np.asarray(connected_components(links, directed=False)[1])
