"""Signatures that are computed when they are asked for: only those of balls that have changed since the last time."""

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from vnestruct.embedding import embed
from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.update_graph import affected_by
from vnestruct.graph import Graph
from vnestruct.types import BoolArray, ValueArray


@dataclass(frozen=True)
class Pending:
    """What computing the signatures of a live graph would cost now."""

    nodes: int
    """Nodes whose balls have changed and must be computed."""
    share: float
    """Their share of all nodes."""
    seconds: float | None
    """Expected time, at the time per node of the last computation; None before the first one."""


class OnDemand:
    """The signatures of the graph that was computed last."""

    def __init__(self, settings: Settings, n_jobs: int | None) -> None:
        self._settings, self._n_jobs = settings, n_jobs
        self._graph = Graph([0], [])
        self._values: ValueArray = np.empty((0, len(settings.columns)))
        self._changed: BoolArray = np.empty(0, bool)
        self._seconds: float | None = None

    def pending(self, graph: Graph) -> Pending:
        """Return what `compute` would cost."""
        n_affected = int(np.count_nonzero(self._affected(graph)))
        seconds = None if self._seconds is None else n_affected * self._seconds
        return Pending(n_affected, n_affected / max(graph.n_nodes, 1), seconds)

    def compute(self, graph: Graph) -> ValueArray:
        """Return the signatures of the graph, after computing those that have changed."""
        affected, settings = self._affected(graph), self._settings
        rows, n_new = np.flatnonzero(affected), graph.n_nodes - self._graph.n_nodes
        self._values = np.pad(self._values, ((0, n_new), (0, 0)))
        self._changed = affected | np.pad(self._changed, (0, n_new))
        if rows.size:
            begin = time.perf_counter()
            self._values[rows] = embed(
                graph, settings.radius, kind=settings.kinds, weighted=settings.weighted, n_jobs=self._n_jobs,
                nodes=None if rows.size == graph.n_nodes else graph.nodes[rows],
            )  # fmt: skip
            self._seconds = (time.perf_counter() - begin) / rows.size
        self._graph = graph
        return self._values

    def take_changed(self) -> npt.NDArray[np.intp]:
        """Return the nodes that were computed since the last call."""
        rows = np.flatnonzero(self._changed)
        self._changed[:] = False
        return rows

    def _affected(self, graph: Graph) -> BoolArray:
        """Return which balls differ between the graph that was computed last and this one."""
        last, n_nodes = self._graph, graph.n_nodes
        old, new = matrix(last, n_nodes), matrix(graph, n_nodes)
        differs = sparse.triu(old != new)
        if 4 * differs.nnz > n_nodes:
            # Searching from both ends of so many edges would take longer than computing every ball.
            return np.ones(n_nodes, bool)
        added, removed = (np.column_stack((differs * edges.astype(bool)).nonzero()) for edges in (new, old))
        affected = affected_by(graph, added, "all", self._settings.radius)
        affected[: last.n_nodes] |= affected_by(last, removed, "all", self._settings.radius)
        affected[last.n_nodes :] = True
        return affected


def matrix(graph: Graph, n_nodes: int) -> sparse.csr_array:
    """Return the adjacency matrix of a graph, with room for so many nodes."""
    weights = np.ones(graph.indices.size) if graph.weights is None else graph.weights
    indptr = np.append(graph.indptr, np.full(n_nodes - graph.n_nodes, graph.indptr[-1]))
    return sparse.csr_array((weights, graph.indices, indptr), shape=(n_nodes, n_nodes))
