"""Graph files: one reader and one writer per format behind one registry."""

from vnestruct.io.read import as_graph, read_graph
from vnestruct.io.vng import read_vng
from vnestruct.io.write import write_graph

__all__ = ["as_graph", "read_graph", "read_vng", "write_graph"]
