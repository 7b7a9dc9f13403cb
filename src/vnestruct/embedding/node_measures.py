"""Plain measurements of nodes by name: degree, triangles, clustering, core number, and what neighbours have of them."""

from collections.abc import Callable, Mapping

import numpy as np

from vnestruct import reference
from vnestruct.embedding import parameters
from vnestruct.embedding.embed_graph import embed
from vnestruct.embedding.named_kinds import ROLE_COLUMNS, arc_counts, neighbour_means
from vnestruct.graph import IN, OUT, Graph
from vnestruct.kernels import reductions
from vnestruct.types import BoolArray, ValueArray


class NodeMeasures:
    """Measurements of all nodes of a graph, each computed when it is asked for; `known` has columns of kind "roles"."""

    def __init__(self, graph: Graph, known: Mapping[str, ValueArray], n_jobs: int | None = None) -> None:
        self.graph, self._known, self._n_jobs = graph, known, n_jobs
        self._values: dict[str, ValueArray] = {}

    def __getitem__(self, name: str) -> ValueArray:
        if name not in self._values:
            self._values[name] = _DEFINITIONS[name](self)
        return self._values[name]

    def column(self, name: str) -> ValueArray:
        """Return a column of kind "roles"; 0 for one that this graph does not have."""
        if not self._known:
            rows = embed(self.graph, kind="roles", n_jobs=self._n_jobs)
            self._known = dict(zip(ROLE_COLUMNS, rows.T, strict=False))
        return self._known.get(name, np.zeros(self.graph.n_nodes))


def cut_nodes(graph: Graph) -> BoolArray:
    """Return which nodes disconnect their component when they are removed."""
    if graph.n_nodes <= parameters.SMALL_GRAPH:
        return reference.cut_nodes(graph)
    is_cut: BoolArray = reductions.cut_nodes(graph.indptr, graph.indices)
    return is_cut


_DEFINITIONS: dict[str, Callable[[NodeMeasures], ValueArray]] = {
    "degree": lambda m: m.graph.degrees.astype(np.float64),
    # The links of a 1-ball less those of its centre: one for each triangle.
    "triangles": lambda m: (
        np.rint(np.exp(m.column("log_links")) * (m["degree"] + 1.0) / 2.0).clip(m["degree"]) - m["degree"]
    ),
    "clustering": lambda m: m["triangles"] / np.maximum(m["degree"] * (m["degree"] - 1.0) / 2.0, 1.0),
    # Burt's effective size over the degree: 1 if no two neighbours are linked.
    "efficiency": lambda m: 1.0 - 2.0 * m["triangles"] / np.maximum(m["degree"], 1.0) ** 2,
    "core": lambda m: np.rint(np.expm1(2.0 * m.column("log_core"))),
    "neighbour_degree": lambda m: neighbour_means(m.graph, m["degree"]),
    "neighbour_clustering": lambda m: neighbour_means(m.graph, m["clustering"]),
    # Whether the removal of a node divides its component.
    "cut": lambda m: cut_nodes(m.graph).astype(np.float64),
    "repeats": lambda m: m.column("repeats"),
    "out": lambda m: arc_counts(m.graph, OUT),
    "in": lambda m: arc_counts(m.graph, IN),
    "out_per_in": lambda m: (1.0 + m["out"]) / (1.0 + m["in"]),
}
