"""Signatures that are computed when they are asked for: only those of balls that have changed since the last time."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.pipeline import entropy_columns
from vnestruct.embedding.run import open_run
from vnestruct.embedding.update_graph import mark_affected, recomputed
from vnestruct.graph import Edited, Graph
from vnestruct.types import OffsetArray, ValueArray

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Pending:
    """What computing the signatures of a live graph would cost now.

    Attributes
    ----------
    nodes : int
        Nodes whose balls have changed and must be computed.
    share : float
        Their share of all nodes.
    seconds : float or None
        Expected time, at the time per node of the last computation; None before the first one.
    """

    nodes: int
    share: float
    seconds: float | None


class OnDemand:
    """The signatures of the graph that was computed last."""

    def __init__(self, settings: Settings, n_jobs: int | None) -> None:
        self._settings = settings
        self._n_jobs = n_jobs
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
        affected = np.zeros(graph.n_nodes, bool)
        affected[self._graph.n_nodes :] = True
        (old_keys, old), (new_keys, new) = edge_weights(self._graph), edge_weights(graph)
        # A stable sort merges two ascending runs; np.union1d would hash them.
        keys = np.sort(np.concatenate([old_keys, new_keys]), kind="stable")
        keys = keys[np.append(True, keys[1:] != keys[:-1])[: keys.size]]
        before, after = np.zeros(keys.size), np.zeros(keys.size)
        before[np.searchsorted(keys, old_keys)], after[np.searchsorted(keys, new_keys)] = old, new
        different = np.flatnonzero(before != after)
        if 4 * different.size > graph.n_nodes:
            # Searching from both ends of so many edges would take longer than computing every ball.
            affected[:] = True
            return affected
        ends = ends_of(keys[different]).T.tolist()
        arcs = zip(np.stack([before, before], 1)[different], np.stack([after, after], 1)[different], strict=True)
        changes = {(u, v): (tuple(old), tuple(new)) for (u, v), (old, new) in zip(ends, arcs, strict=True)}
        mark_affected(self._graph, Edited(graph, changes), "all", self._settings, affected)
        return affected


def edge_weights(graph: Graph) -> tuple[OffsetArray, ValueArray]:
    """Return each edge as one number, ascending, and its weight."""
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    once = rows < graph.indices
    weights = np.ones(graph.n_edges) if graph.weights is None else graph.weights[once]
    return rows[once] << 32 | graph.indices[once], weights


def ends_of(keys: OffsetArray) -> npt.NDArray[np.int32]:
    """Return the two ends of each edge that is given as one number."""
    return np.stack([keys >> 32, keys & 0xFFFFFFFF]).astype(np.int32)
