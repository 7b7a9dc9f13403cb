"""A graph on a device, with what its balls have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from vnestruct.kernels.cuda.device import DeviceMemoryError, import_cupy
from vnestruct.kernels.workspace import Arcs, Components, RankedGraph
from vnestruct.types import IdArray, ValueArray

WIDE_DEGREE = 512  # nodes of a larger degree take a warp each in products with a vector; others four lanes
LONG_DEGREE = 32
"""Nodes of a larger degree take a warp each when local rows are built; the code for others relies on it."""


class DeviceGraph:
    """The arrays of a plan in the memory of the current device; a `DeviceMemoryError` says that it does not hold them.

    Balls follow the arcs of `search`. The entropies of `components` are not used. `first` is radius 1 of every node by
    rank, one column per output, where it is known in closed form. Nodes for which a twin stands, whose rows must be
    empty, are left out, and the others are numbered again by their arcs: `ids` translates.
    """

    def __init__(self, graph: RankedGraph, search: Arcs, components: Components, first: ValueArray | None) -> None:
        cupy = import_cupy()
        self.device = int(cupy.cuda.Device().id)
        self.weighted, self.collapsed = graph.weights is not None, graph.copies is not None
        arrays = {
            "indptr": graph.indptr, "indices": graph.indices, "weights": graph.weights, "copies": graph.copies,
            "first": first, "component": components.of, "component_size": components.size,
        }  # fmt: skip
        same = search.indices is graph.indices
        if not same:
            arrays |= {"search_indptr": search.indptr, "search_indices": search.indices}
        try:
            self.arrays: dict[str, Any] = {
                name: None if array is None else cupy.asarray(array) for name, array in arrays.items()
            }
            self._ids = self._collapse(cupy) if self.collapsed else None
        except cupy.cuda.memory.OutOfMemoryError as error:
            raise DeviceMemoryError(f"the graph does not fit into the memory of the GPU: {error}") from error
        if same:
            self.arrays |= {f"search_{name}": self.arrays[name] for name in Arcs._fields}
        self.n_nodes, self.n_arcs = int(self.arrays["indptr"].size) - 1, int(graph.indices.size)
        self.smallest = 1 if first is None else 2
        self.component_of = components.of
        self.component_values: dict[int, ValueArray] = {}  # outputs of components that balls were found to be
        # Ids ascend as degrees fall.
        degrees = cupy.diff(self.arrays["indptr"])
        self.wide_rank, self.long_rank = (int((degrees > least).sum()) for least in (WIDE_DEGREE, LONG_DEGREE))
        self.scratch: Any = None  # memory for blocks, kept from one launch to the next

    def _collapse(self, cupy: Any) -> Any:
        """Leave out nodes for which a twin stands, number the others, and return their ids."""
        arrays = self.arrays
        leads = arrays["copies"] != 0
        degrees = cupy.where(leads, cupy.diff(arrays["indptr"]), -1)
        ids, node = rank_by_degree(cupy, degrees)
        arrays["indptr"], arrays["indices"], _ = ranked_rows(cupy, arrays["indptr"], arrays["indices"], ids)
        node = node[: int(leads.sum())]
        arrays["indptr"] = arrays["indptr"][: node.size + 1]
        for name in ("copies", "first", "component"):
            arrays[name] = arrays[name][node]
        arrays["component_size"] = cupy.bincount(arrays["component"], minlength=arrays["component_size"].size)
        return ids

    def ids(self, ranks: IdArray) -> Any:
        """Return the ids by which the device knows nodes, of which none may have a twin that stands for it."""
        on_device = import_cupy().asarray(ranks)
        return on_device if self._ids is None else self._ids[on_device]

    def fields(self) -> dict[str, Any]:
        """Return the fields of a job that describe the graph."""
        return {**self.arrays, "n_nodes": self.n_nodes, "wide_rank": self.wide_rank, "long_rank": self.long_rank}


def rank_by_degree(cupy: Any, degrees: Any) -> tuple[Any, Any]:
    """Return the rank of every node by descending degree, and the node of every rank."""
    n_nodes = np.int64(degrees.size)
    # One key per node, so that ties go to the smaller id whatever the sort.
    keys = (degrees.max() - degrees) * n_nodes + cupy.arange(n_nodes, dtype=np.int64)
    keys.sort()
    node = (keys % n_nodes).astype(np.int32)
    rank = cupy.empty(int(n_nodes), np.int32)
    rank[node] = cupy.arange(n_nodes, dtype=np.int32)
    return rank, node


def ranked_rows(cupy: Any, indptr: Any, indices: Any, rank: Any) -> tuple[Any, Any, Any]:
    """Return (indptr, indices, split) of a graph in ranks, rows ascending: `RankedGraph` explains the split."""
    n_nodes = np.int64(rank.size)
    owner = cupy.searchsorted(indptr[1:], cupy.arange(indices.size, dtype=np.int64), side="right")
    keys = rank[owner].astype(np.int64) * n_nodes + rank[indices]
    del owner
    keys.sort()
    rows = cupy.arange(n_nodes + 1, dtype=np.int64)
    places = cupy.searchsorted(keys, rows * n_nodes)
    split = (cupy.searchsorted(keys, (rows * n_nodes + rows)[:-1]) - places[:-1]).astype(np.int32)
    return places, (keys % n_nodes).astype(np.int32), split
