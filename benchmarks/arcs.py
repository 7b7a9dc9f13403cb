"""How many arcs do the R-balls have? The size of the problem that every version solves.

The kernel counts arcs of the balls it builds. Here it runs on all nodes, without the reductions (leaves, twins), at
radius R alone, and without eigenvalues. A ball that stopped growing before radius R is its whole component.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vnestruct.embedding.plan import Plan, read_only, plan_ranked, rank_graph
from vnestruct.embedding.radius_one import output_codes
from vnestruct.execute import Block, Cancelled, ThreadsEngine, cut_blocks
from vnestruct.graph import Graph
from vnestruct.kernels import balls
from vnestruct.kernels.workspace import Workspace, enlarge, make_workspace
from vnestruct.types import FlagArray, IdArray, ValueArray

_STOPPED = -1.0
"""Marks the rows of balls that did not grow at the last level: no entropy is negative."""


@dataclass(frozen=True)
class BallArcs:
    """Arcs (each edge twice) of the R-balls of a graph."""

    radius: int
    all_nodes: int
    """Over all nodes: the work of a version without reductions."""
    built: int
    """Over the balls that are computed, which excludes leaves, twins and balls that stopped growing."""
    n_built: int


@dataclass
class _Place:
    space: Workspace
    counters: Any


@dataclass
class _ArcTask:
    """Count the arcs of R-balls; one column marks the balls that stopped growing before level R."""

    plan: Plan
    work: IdArray
    radius: int
    counters: list[Any] = field(default_factory=list)

    def scratch(self) -> _Place:
        counters = np.zeros(balls.N_COUNTERS, np.int64)
        self.counters.append(counters)
        return _Place(make_workspace(self.plan.n_nodes, False), counters)

    def __call__(self, block: Block, place: _Place, cancel: FlagArray) -> ValueArray:
        nodes = self.work[block.start : block.stop]
        rows = np.full((nodes.size, self.radius, 1), _STOPPED)
        position = 0
        while position < nodes.size:
            # Radius R as the smallest one: the levels below are searched, not built.
            position, n_rows, n_arcs = balls.fill_rows(
                self.plan.graph, self.plan.search, nodes, position, nodes.size, self.radius, self.radius,
                output_codes(["quadratic"]), 1.0, False, 1e-9, self.plan.components, place.space, rows,
                place.counters, cancel,
            )  # fmt: skip
            if cancel[0]:
                raise Cancelled
            if n_rows:
                place.space = enlarge(place.space, n_rows, n_arcs)
        stopped: ValueArray = (rows[:, -1] == _STOPPED).astype(np.float64)
        return stopped

    def describe(self, block: Block) -> str:
        return f"positions {block.start} to {block.stop - 1}"


def ball_arcs(graph: Graph, radius: int, n_threads: int = 2) -> BallArcs:
    """Count the arcs of all R-balls, exactly."""
    plan = plan_ranked(rank_graph(graph), reduce_leaves=True)
    required = plan.required(np.ones(graph.n_nodes, bool))
    grown, n_grown, stopped = _count(plan, required, radius, n_threads)
    others, _, stopped_others = _count(plan, ~required, radius, n_threads)
    return BallArcs(radius, grown + others + stopped + stopped_others, grown, n_grown)


def _count(plan: Plan, chosen: Any, radius: int, n_threads: int) -> tuple[int, int, int]:
    """Return (arcs of the balls that reach level R, their number, arcs of the others)."""
    work = plan.in_order(chosen)
    task = _ArcTask(plan, read_only(work), radius)
    stopped = np.zeros(work.size, bool)
    for block, rows in ThreadsEngine(n_threads).run(task, cut_blocks(plan.costs(work, radius), n_workers=n_threads)):
        stopped[block.start : block.stop] = rows[:, 0] > 0
    total = np.sum([np.zeros(balls.N_COUNTERS, np.int64), *task.counters], axis=0)
    degrees = np.diff(plan.graph.indptr)
    of_component = np.zeros(plan.components.size.size, np.int64)
    np.add.at(of_component, plan.components.of, degrees)
    whole = of_component[plan.components.of[work[stopped]]]
    return int(total[balls.ARCS]), int(total[balls.BALLS]), int(whole.sum())
