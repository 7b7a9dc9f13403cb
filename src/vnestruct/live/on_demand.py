"""Signatures that are computed when they are asked for: only those of balls that have changed since the last time."""

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.pipeline import Mask, entropy_columns
from vnestruct.embedding.run import open_run
from vnestruct.embedding.update_graph import affected_by, recomputed
from vnestruct.graph import Graph
from vnestruct.types import IdArray, ValueArray


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
        self.values: ValueArray = np.empty((0, len(settings.columns)))
        self._changed: Mask = np.empty(0, bool)
        self._seconds: float | None = None

    def pending(self, graph: Graph) -> Pending:
        """Return what `compute` would cost."""
        n_affected = int(np.count_nonzero(self._affected(graph)))
        seconds = None if self._seconds is None else n_affected * self._seconds
        return Pending(n_affected, n_affected / max(graph.n_nodes, 1), seconds)

    def compute(self, graph: Graph) -> ValueArray:
        """Return the signatures of the graph, after computing those that have changed."""
        affected = self._affected(graph)
        rows = np.flatnonzero(affected)
        n_new = graph.n_nodes - self._graph.n_nodes
        self.values = np.concatenate([self.values, np.zeros((n_new, self.values.shape[1]))])
        self._changed = affected | np.concatenate([self._changed, np.ones(n_new, bool)])
        if rows.size:
            begin = time.perf_counter()
            with open_run(graph, self._settings, n_jobs=self._n_jobs) as run:
                if rows.size < graph.n_nodes:
                    self.values[rows] = recomputed(graph, rows, self._settings, run)
                else:
                    self.values = entropy_columns(graph, self._settings, affected, run)
            self._seconds = (time.perf_counter() - begin) / rows.size
        self._graph = graph
        return self.values

    def take_changed(self) -> npt.NDArray[np.intp]:
        """Return the nodes that were computed since the last call."""
        rows = np.flatnonzero(self._changed)
        self._changed[:] = False
        return rows

    def _affected(self, graph: Graph) -> Mask:
        """Return which balls differ between the graph that was computed last and this one."""
        old = self._graph
        affected = np.arange(graph.n_nodes) >= old.n_nodes
        (old_ends, old_weights), (new_ends, new_weights) = edges_of(old), edges_of(graph)
        ends, weights = np.concatenate([old_ends, new_ends]), np.concatenate([old_weights, new_weights])
        keys = ends[:, 0].astype(np.int64) << 32 | ends[:, 1]
        # A stable sort merges two ascending runs.
        order = np.argsort(keys, kind="stable")
        same = (np.diff(keys[order]) == 0) & (np.diff(weights[order]) == 0.0)
        differs = np.ones(keys.size, bool)
        differs[order[1:][same]] = differs[order[:-1][same]] = False
        if 4 * np.unique(keys[differs]).size > graph.n_nodes:
            # Searching from both ends of so many edges would take longer than computing every ball.
            return np.ones(graph.n_nodes, bool)
        is_new = np.arange(keys.size) >= old.n_edges
        affected[: old.n_nodes] |= affected_by(old, ends[differs & ~is_new], "all", self._settings.radius)
        return affected | affected_by(graph, ends[differs & is_new], "all", self._settings.radius)


def edges_of(graph: Graph) -> tuple[IdArray, ValueArray]:
    """Return both ends and the weight of each edge, in ascending order."""
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    once = rows < graph.indices
    weights = np.ones(graph.n_edges) if graph.weights is None else graph.weights[once]
    return np.stack([rows[once].astype(np.int32), graph.indices[once]], axis=1), weights
