"""Graphs: the structure, building and cleaning, objects of other libraries, sets, synthetic graphs."""

from vnestruct.graph.build import graph_from_ids, graph_from_pairs
from vnestruct.graph.edit import Edited, edit, without_directions
from vnestruct.graph.foreign import graph_from_object
from vnestruct.graph.graph import IN, OUT, Graph
from vnestruct.graph.graphset import GraphSet
from vnestruct.graph.report import CleaningReport

__all__ = [
    "IN", "OUT", "CleaningReport", "Edited", "Graph", "GraphSet", "edit", "graph_from_ids", "graph_from_object",
    "graph_from_pairs", "without_directions",
]  # fmt: skip
