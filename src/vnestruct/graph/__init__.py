"""Graphs: the structure, building and cleaning, objects of other libraries, sets, synthetic graphs."""

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.graph.build import graph_from_ids, graph_from_pairs
    from vnestruct.graph.foreign import graph_from_object
    from vnestruct.graph.graph import IN, OUT, CleaningReport, Graph
    from vnestruct.graph.graphset import GraphSet
__all__ = [
    "IN", "OUT", "CleaningReport", "Graph", "GraphSet", "graph_from_ids", "graph_from_object", "graph_from_pairs",
]  # fmt: skip

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "IN": "graph", "OUT": "graph", "CleaningReport": "graph", "Graph": "graph", "GraphSet": "graphset",
        "graph_from_ids": "build", "graph_from_object": "foreign", "graph_from_pairs": "build",
    },
)  # fmt: skip
