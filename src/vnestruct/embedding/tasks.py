"""The block tasks: what an engine runs to fill rows of the embedding."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vnestruct.embedding.plan import Plan
from vnestruct.errors import EngineError, TooLargeError
from vnestruct.execute import Block, Cancelled
from vnestruct.graph import Graph
from vnestruct.kernels import DIGEST, balls, dense_balls
from vnestruct.kernels.workspace import DenseScratch, Workspace, enlarge, make_dense_scratch, make_workspace
from vnestruct.types import FlagArray, IdArray, ValueArray

EXACT_LIMIT = 4_000
"""Nodes above which the full spectrum of a graph is refused: time grows with the cube, memory with the square."""

ROW_BYTES, ARC_BYTES = 880, 18
"""Memory of a local graph for each of its nodes and for each arc looked at, with the room it is given to grow."""

CERTAINTY = 0.25
"""Share of the tolerance that the proven error of an eigenvalue may take; rounding has the rest."""

_SPECTRAL_KINDS = {
    "exact": dense_balls.EXACT,
    "normalized": dense_balls.NORMALIZED,
    "punctured": dense_balls.PUNCTURED,
}


@dataclass
class _Workplace:
    """Scratch of one worker; grows to the largest ball it meets."""

    space: Workspace
    dense: DenseScratch | None = None


class BallTooLargeError(TooLargeError):
    """A ball of `n_nodes` nodes around the node of rank `rank` is more than a task will do."""

    def __init__(self, rank: int, n_nodes: int) -> None:
        super().__init__(rank, n_nodes)
        self.rank = rank
        self.n_nodes = n_nodes


class _Travelling:
    """A task that can go to another process, which must have the same kernels. Labels stay behind."""

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "graph": None, "counters": [], "_kernels": DIGEST}

    def check_kernels(self) -> None:
        """Refuse to work where the kernels are others: their last bits might be, too."""
        if self.__dict__.get("_kernels", DIGEST) != DIGEST:
            raise EngineError(
                f"machine {platform.node()} has another version of vnestruct; install the same one on all machines"
            )


@dataclass
class BallTask(_Travelling):
    """Entropies that need at most the largest eigenvalue: kinds `approx` and `quadratic`."""

    graph: Graph | None
    plan: Plan
    work: IdArray
    radius: int
    kind: str
    tolerance: float
    first: ValueArray | None
    """Radius 1 of every node by rank, where it is known in closed form."""
    counters: list[Any] = field(default_factory=list)
    """One array of counters a worker (`vnestruct.kernels.balls` names them)."""
    limit: int | None = None
    """Bytes that the local graph of a group of balls may take."""

    def scratch(self) -> tuple[_Workplace, Any]:
        """Make the workspace and the counters of one worker."""
        self.check_kernels()
        counters = np.zeros(balls.N_COUNTERS, np.int64)
        self.counters.append(counters)
        graph = self.plan.graph
        space = make_workspace(self.plan.n_nodes, graph.weights is not None, graph.copies is not None)
        return _Workplace(space), counters

    def __call__(self, block: Block, scratch: tuple[_Workplace, Any], cancel: FlagArray) -> ValueArray:
        """Fill the rows of a block."""
        place, counters = scratch
        nodes = self.work[block.start : block.stop]
        rows = np.zeros((nodes.size, self.radius))
        if self.first is not None:
            rows[:, 0] = self.first[nodes]
        position = 0
        while position < nodes.size:
            position, n_rows, n_arcs = balls.fill_rows(
                self.plan.graph, self.plan.search, nodes, position, nodes.size,
                1 if self.first is None else 2, self.radius, self.kind == "approx", CERTAINTY * self.tolerance,
                self.plan.components, place.space, rows, counters, cancel,
            )  # fmt: skip
            if cancel[0]:
                raise Cancelled
            if n_rows:
                if self.limit is not None and ROW_BYTES * n_rows + ARC_BYTES * n_arcs > self.limit:
                    raise _named(self, BallTooLargeError(int(nodes[position]), n_rows))
                place.space = enlarge(place.space, n_rows, n_arcs)
        return rows

    def describe(self, block: Block) -> str:
        """Name the nodes of a block."""
        return describe_nodes(self.graph, self.plan, self.work[block.start : block.stop])

    def explain(self, label: object, n_nodes: int) -> str:
        """Say why a ball is too large."""
        return (
            f"balls around node {label!r} and others beside it have {n_nodes:,} nodes, which do not fit into the "
            "memory allowed; allow more, use fewer threads (n_jobs), or choose a smaller radius"
        )


@dataclass
class SpectrumTask(_Travelling):
    """Entropies that need every eigenvalue: kinds `exact`, `normalized`, `punctured`."""

    graph: Graph | None
    plan: Plan
    work: IdArray
    radius: int
    kind: str

    def scratch(self) -> _Workplace:
        """Make the workspace of one worker."""
        self.check_kernels()
        space = make_workspace(self.plan.n_nodes, self.plan.graph.weights is not None)
        return _Workplace(space, make_dense_scratch(32))

    def __call__(self, block: Block, place: _Workplace, cancel: FlagArray) -> ValueArray:
        """Fill the rows of a block."""
        nodes = self.work[block.start : block.stop]
        rows = np.zeros((nodes.size, self.radius))
        position = 0
        while position < nodes.size:
            position, reason, n_rows, n_arcs = dense_balls.fill_dense_rows(
                self.plan.graph, self.plan.search, nodes, position, nodes.size, self.radius,
                _SPECTRAL_KINDS[self.kind], EXACT_LIMIT, place.space, place.dense, rows, cancel,
            )  # fmt: skip
            if cancel[0]:
                raise Cancelled
            if reason == dense_balls.TOO_LARGE:
                raise _named(self, BallTooLargeError(int(nodes[position]), n_rows))
            if reason == dense_balls.ENLARGE:
                place.space = enlarge(place.space, n_rows, n_arcs)
                if place.dense is None or n_rows > place.dense.values.size:
                    place.dense = make_dense_scratch(min(n_rows + n_rows // 2, EXACT_LIMIT))
        return rows

    def describe(self, block: Block) -> str:
        """Name the nodes of a block."""
        return describe_nodes(self.graph, self.plan, self.work[block.start : block.stop])

    def explain(self, label: object, n_nodes: int) -> str:
        """Say why a ball is too large."""
        return (
            f"kind={self.kind!r} needs all eigenvalues of a ball; one around node {label!r} has {n_nodes:,} "
            f"nodes, more than {EXACT_LIMIT:,}: choose a smaller radius or kind='approx'"
        )


def too_large(task: BallTask | SpectrumTask, error: BallTooLargeError) -> TooLargeError:
    """Return what to tell the user of a ball that is too large, from whatever process it was reported."""
    assert task.graph is not None
    [label] = task.graph.nodes[[task.plan.node[error.rank]]].tolist()
    return TooLargeError(task.explain(label, error.n_nodes))


def _named(task: BallTask | SpectrumTask, error: BallTooLargeError) -> TooLargeError:
    """Name the node, where labels are at hand."""
    return error if task.graph is None else too_large(task, error)


def describe_nodes(graph: Graph | None, plan: Plan, ranks: IdArray) -> str:
    """Name the nodes of a block by their labels, in the order they are worked on."""
    assert graph is not None
    if not ranks.size:
        return "no nodes"
    first, last = graph.nodes[plan.node[ranks[[0, -1]]]].tolist()
    return f"nodes {first!r} to {last!r} ({ranks.size} in work order)" if ranks.size > 1 else f"node {first!r}"
