"""A graph on a device, with what its balls have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from vnestruct.kernels.cuda.device import DeviceMemoryError, import_cupy
from vnestruct.kernels.workspace import Arcs, Components, RankedGraph
from vnestruct.types import ValueArray

WIDE_DEGREE = 512  # nodes of a larger degree take a warp each in products with a vector; others four lanes
LONG_DEGREE = 32
"""Nodes of a larger degree take a warp each when local rows are built; the code for others relies on it."""


class DeviceGraph:
    """The arrays of a plan in the memory of the current device; a `DeviceMemoryError` says that it does not hold them.

    Balls follow the arcs of `search`. The entropies of `components` are not used. `first` is radius 1 of every node by
    rank, one column per output, where it is known in closed form.
    """

    def __init__(self, graph: RankedGraph, search: Arcs, components: Components, first: ValueArray | None) -> None:
        cupy = import_cupy()
        self.device = int(cupy.cuda.Device().id)
        self.n_nodes, self.n_arcs = graph.indptr.size - 1, int(graph.indices.size)
        self.weighted = graph.weights is not None
        degrees = np.diff(graph.indptr)
        arrays = {
            "indptr": graph.indptr, "indices": graph.indices, "weights": graph.weights, "first": first,
            "component": components.of, "component_size": components.size,
        }  # fmt: skip
        same = search.indices is graph.indices
        if not same:
            arrays |= {"search_indptr": search.indptr, "search_indices": search.indices}
        try:
            self.arrays: dict[str, Any] = {
                name: None if array is None else cupy.asarray(array) for name, array in arrays.items()
            }
        except cupy.cuda.memory.OutOfMemoryError as error:
            raise DeviceMemoryError(f"the graph does not fit into the memory of the GPU: {error}") from error
        if same:
            self.arrays |= {f"search_{name}": self.arrays[name] for name in Arcs._fields}
        self.smallest = 1 if first is None else 2
        self.component_of = components.of
        self.component_values: dict[int, ValueArray] = {}  # outputs of components that balls were found to be
        # Ranks ascend as degrees fall.
        self.wide_rank = int(np.count_nonzero(degrees > WIDE_DEGREE))
        self.long_rank = int(np.count_nonzero(degrees > LONG_DEGREE))
        self.scratch: Any = None  # memory for blocks, kept from one launch to the next

    def fields(self) -> dict[str, Any]:
        """Return the fields of a job that describe the graph."""
        return {**self.arrays, "n_nodes": self.n_nodes, "wide_rank": self.wide_rank, "long_rank": self.long_rank}
