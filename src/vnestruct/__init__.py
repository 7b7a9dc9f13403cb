"""Structural representations of graphs: which nodes play the same role, wherever they sit.

>>> import vnestruct
>>> ring = [(i, (i + 1) % 6) for i in range(6)]
>>> vnestruct.embed(ring, radius=1).round(3).ravel()
array([0.108, 0.108, 0.108, 0.108, 0.108, 0.108])
"""

from typing import TYPE_CHECKING

from vnestruct._version import __version__
from vnestruct.errors import (
    CheckpointMismatchError,
    EngineError,
    GraphFormatError,
    MissingExtraError,
    NotAGraphError,
    ParameterError,
    TooLargeError,
    UnknownNodeError,
    VNEstructError,
)
from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.columns import GraphFeatures, features
    from vnestruct.distance import graph_distance, graph_distances
    from vnestruct.embedding import Update, VNEstruct, annotate, embed, embedding_frame, update
    from vnestruct.graph import Graph, GraphSet
    from vnestruct.graph_entropy import continuity_bound, entropy
    from vnestruct.io import as_graph, read_graph
    from vnestruct.live import LiveGraph, embed_stream
    from vnestruct.roles import RoleClusterer, explain, match_nodes, similar_nodes
    from vnestruct.setmodel import GraphSignature
    from vnestruct.stochastic_entropy import Interval
    from vnestruct.store import read_embedding, write_embedding

__all__ = [
    "CheckpointMismatchError", "EngineError", "Graph", "GraphFeatures", "GraphFormatError", "GraphSet",
    "GraphSignature", "Interval", "LiveGraph", "MissingExtraError", "NotAGraphError", "ParameterError",
    "RoleClusterer", "TooLargeError", "UnknownNodeError", "Update", "VNEstruct", "VNEstructError", "__version__",
    "annotate", "as_graph", "continuity_bound", "embed", "embed_stream", "embedding_frame", "entropy", "explain",
    "features", "graph_distance", "graph_distances", "match_nodes", "read_embedding", "read_graph", "similar_nodes",
    "update", "write_embedding",
]  # fmt: skip

# Importing the package costs nothing until one of these is used.
_MODULES = {
    "columns": ["GraphFeatures", "features"],
    "distance": ["graph_distance", "graph_distances"], "graph": ["Graph", "GraphSet"],
    "embedding": ["Update", "VNEstruct", "annotate", "embed", "embedding_frame", "update"],
    "graph_entropy": ["continuity_bound", "entropy"], "io": ["as_graph", "read_graph"],
    "live": ["LiveGraph", "embed_stream"], "setmodel": ["GraphSignature"], "stochastic_entropy": ["Interval"],
    "roles": ["RoleClusterer", "explain", "match_nodes", "similar_nodes"],
    "store": ["read_embedding", "write_embedding"],
}  # fmt: skip
__getattr__, __dir__ = lazy_exports(__name__, {name: module for module, names in _MODULES.items() for name in names})
