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
    """The arrays of a plan in the memory of the current device.

    Parameters
    ----------
    graph : RankedGraph
        The graph in ranks.
    search : Arcs
        The arcs that balls follow.
    components : Components
        Components of the graph; their entropies are not used.
    first : array, optional
        Radius 1 of every node by rank, one column per output, where it is known in closed form.

    Raises
    ------
    DeviceMemoryError
        If the device does not hold the graph.
    """

    def __init__(self, graph: RankedGraph, search: Arcs, components: Components, first: ValueArray | None) -> None:
        cupy = import_cupy()
        self.device = int(cupy.cuda.Device().id)
        self.n_nodes = graph.indptr.size - 1
        self.n_arcs = int(graph.indices.size)
        self.weighted = graph.weights is not None
        degrees = np.diff(graph.indptr)
        try:
            self.arrays: dict[str, Any] = {
                "indptr": cupy.asarray(graph.indptr),
                "indices": cupy.asarray(graph.indices),
                "weights": None if graph.weights is None else cupy.asarray(graph.weights),
                "first": None if first is None else cupy.asarray(first),
                "component": cupy.asarray(components.of),
                "component_size": cupy.asarray(components.size),
            }
            same = search.indices is graph.indices
            self.arrays["search_indptr"] = self.arrays["indptr"] if same else cupy.asarray(search.indptr)
            self.arrays["search_indices"] = self.arrays["indices"] if same else cupy.asarray(search.indices)
        except cupy.cuda.memory.OutOfMemoryError as error:
            raise DeviceMemoryError(f"the graph does not fit into the memory of the GPU: {error}") from error
        self.smallest = 1 if first is None else 2
        self.component_of = components.of
        self.component_values: dict[int, ValueArray] = {}
        """Outputs of components that some ball was found to be, as far as they are known."""
        # Ranks ascend as degrees fall.
        self.wide_rank = int(np.count_nonzero(degrees > WIDE_DEGREE))
        self.long_rank = int(np.count_nonzero(degrees > LONG_DEGREE))
        self.scratch: Any = None
        """Memory for blocks, kept from one launch to the next."""

    def fields(self) -> dict[str, Any]:
        """Return the fields of a job that describe the graph."""
        return {
            **self.arrays,
            "n_nodes": self.n_nodes,
            "wide_rank": self.wide_rank,
            "long_rank": self.long_rank,
        }
