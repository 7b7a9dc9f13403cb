"""Richer signatures: each column averaged over a node's neighbours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vnestruct.graph import Graph
from vnestruct.types import ValueArray


def neighbour_moments(graph: Graph, values: ValueArray, aggregates: tuple[str, ...]) -> list[ValueArray]:
    """Return the mean and standard deviation of each column over the neighbours of each node, as asked for."""
    starts = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    counts = np.maximum(graph.degrees, 1)[:, None]
    gathered = values[graph.indices]
    mean = _row_sums(gathered, starts, graph.n_nodes) / counts
    moments = {"mean": mean}
    if "std" in aggregates:
        deviation = (gathered - mean[starts]) ** 2
        moments["std"] = np.sqrt(_row_sums(deviation, starts, graph.n_nodes) / counts)
    return [moments[name] for name in aggregates]


def _row_sums(entries: ValueArray, rows: npt.NDArray[np.intp], n_rows: int) -> ValueArray:
    columns = [np.bincount(rows, entries[:, c], minlength=n_rows) for c in range(entries.shape[1])]
    return np.column_stack(columns) if columns else np.zeros((n_rows, 0))


def with_neighbours(graph: Graph, ids: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return a mask of the nodes `ids` and all their neighbours."""
    mask = np.zeros(graph.n_nodes, bool)
    mask[ids] = True
    rows = np.zeros(graph.n_nodes, bool)
    rows[ids] = True
    mask[graph.indices[np.repeat(rows, graph.degrees)]] = True
    return mask
