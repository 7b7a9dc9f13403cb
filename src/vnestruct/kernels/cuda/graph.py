"""A graph on a device, with what its balls have in common."""

from typing import Any

import numpy as np

from vnestruct.kernels.cuda.device import downloaded, fitting, import_cupy
from vnestruct.kernels.reductions import rows_of_leaders
from vnestruct.kernels.workspace import Arcs, Components, RankedGraph
from vnestruct.types import ValueArray

WIDE_DEGREE = 512  # nodes of a larger degree take a warp each in products with a vector; others four lanes
LONG_DEGREE = 32
"""Nodes of a larger degree take a warp each when local rows are built; the code for others relies on it."""


class DeviceGraph:
    """The arrays of a plan in the memory of the current device; a `DeviceMemoryError` says that it does not hold them.

    Balls follow the arcs of `search`. The entropies of `components` are not used. `first` is radius 1 of every node by
    rank, one column per output, where it is known in closed form. Nodes for which a twin stands are in no ball.
    """

    def __init__(self, graph: RankedGraph, search: Arcs, components: Components, first: ValueArray | None) -> None:
        cupy = import_cupy()
        self.device = int(cupy.cuda.Device().id)
        self.weighted, self.collapsed = graph.weights is not None, graph.copies is not None
        indptr, indices, size = graph.indptr, graph.indices, components.size
        if graph.copies is not None:
            if (graph.copies[np.diff(indptr) > 0] == 0).any():
                indptr, indices, _ = rows_of_leaders(indptr, indices, graph.copies)
            size = np.bincount(components.of, graph.copies != 0, size.size).astype(np.int64)
        arrays = {
            "indptr": indptr, "indices": indices, "weights": graph.weights, "copies": graph.copies,
            "first": first, "component": components.of, "component_size": size,
        }  # fmt: skip
        same = self.collapsed or search.indices is graph.indices
        if not same:
            arrays |= {"search_indptr": search.indptr, "search_indices": search.indices}
        with fitting("the graph"):
            self.arrays: dict[str, Any] = {
                name: None if array is None else cupy.asarray(array) for name, array in arrays.items()
            }
            # Ranks ascend as degrees fall; without twins a row may be shorter than some that follow.
            degrees = cupy.diff(self.arrays["indptr"])
            ranks = cupy.arange(graph.indptr.size, dtype=np.int64)[1:]
            last = (int((ranks * (degrees > least)).max()) for least in (WIDE_DEGREE, LONG_DEGREE))
            self.wide_rank, self.long_rank = last
            self.most_arcs = downloaded(cupy.cumsum(-cupy.sort(-degrees)))  # arcs of any 1, 2, ... nodes, at most
        if same:
            self.arrays |= {f"search_{name}": self.arrays[name] for name in Arcs._fields}
        self.n_nodes = graph.indptr.size - 1
        self.component_of, self.n_components = components.of, components.size.size
        self.component_values: ValueArray | None = None  # outputs of components that balls were found to be, else NaN
        self.scratch: Any = None  # memory for blocks, kept from one launch to the next

    def fields(self) -> dict[str, Any]:
        """Return the fields of a job that describe the graph."""
        return {**self.arrays, "n_nodes": self.n_nodes, "wide_rank": self.wide_rank, "long_rank": self.long_rank}
