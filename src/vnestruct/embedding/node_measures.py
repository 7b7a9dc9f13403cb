"""Plain measurements of nodes by name: degree, clustering, core number, and what neighbours have of them."""

from collections.abc import Mapping

import numpy as np

from vnestruct import reference
from vnestruct.embedding import parameters
from vnestruct.embedding.embed_graph import embed
from vnestruct.embedding.named_kinds import ROLE_COLUMNS, arc_counts, neighbour_means
from vnestruct.graph import IN, OUT, Graph
from vnestruct.kernels import reductions
from vnestruct.types import BoolArray, ValueArray


def node_measures(graph: Graph, known: Mapping[str, ValueArray], n_jobs: int | None = None) -> dict[str, ValueArray]:
    """Return measurements of all nodes of a graph; `known` has its columns of kind "roles", computed if there are none.

    "efficiency" is Burt's effective size over the degree: 1 if no two neighbours are linked. "repeats" is 0 if it is
    not known.
    """
    roles = known or dict(zip(ROLE_COLUMNS, embed(graph, kind="roles", n_jobs=n_jobs).T, strict=False))
    degree, out, into = graph.degrees.astype(np.float64), arc_counts(graph, OUT), arc_counts(graph, IN)
    # The links of a 1-ball less those of its centre: one for each triangle.
    triangles = np.rint(np.exp(roles["log_links"]) * (degree + 1.0) / 2.0).clip(degree) - degree
    clustering = triangles / np.maximum(degree * (degree - 1.0) / 2.0, 1.0)
    return {
        "degree": degree,
        "clustering": clustering,
        "efficiency": 1.0 - 2.0 * triangles / np.maximum(degree, 1.0) ** 2,
        "core": np.rint(np.expm1(2.0 * roles["log_core"])),
        "neighbour_degree": neighbour_means(graph, degree),
        "neighbour_clustering": neighbour_means(graph, clustering),
        "repeats": roles.get("repeats", np.zeros(graph.n_nodes)),
        "out": out,
        "in": into,
        "out_per_in": (1.0 + out) / (1.0 + into),
    }


def cut_nodes(graph: Graph) -> BoolArray:
    """Return which nodes disconnect their component when they are removed."""
    if graph.n_nodes <= parameters.SMALL_GRAPH:
        return reference.cut_nodes(graph)
    is_cut: BoolArray = reductions.cut_nodes(graph.indptr, graph.indices)
    return is_cut
