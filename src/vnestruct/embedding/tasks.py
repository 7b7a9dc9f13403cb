"""The block tasks: what an engine runs to fill rows of the embedding."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from vnestruct.embedding.parameters import KINDS
from vnestruct.embedding.plan import Plan
from vnestruct.embedding.radius_one import need_largest, output_codes
from vnestruct.errors import EngineError, TooLargeError
from vnestruct.execute import Block, Cancelled
from vnestruct.graph import Graph
from vnestruct.kernels import DIGEST, balls, closed_form, dense_balls
from vnestruct.kernels.workspace import (
    Balls,
    DenseScratch,
    Request,
    Workspace,
    enlarge,
    make_dense_scratch,
    make_workspace,
)
from vnestruct.types import FlagArray, IdArray, ValueArray

EXACT_LIMIT = 4_000
"""Dense rows above which the full spectrum of a graph is refused: time grows with the cube, memory with the square."""

ROW_BYTES, ARC_BYTES = 880, 18
"""Memory of a local graph for each of its nodes and for each arc looked at, with the room it is given to grow."""

CERTAINTY = 0.25  # share of the tolerance that the proven error of an eigenvalue may take; rounding has the rest
_SHORT_COST = 2e4  # cost, in arcs, of work that is done before a thread has started; Ctrl-C waits for it
_SHORT_RADIUS = 8  # radius up to which that cost says enough about the time
_SPECTRAL_KINDS = {"exact": dense_balls.EXACT, "normalized": dense_balls.NORMALIZED, "punctured": dense_balls.PUNCTURED}


class BallTooLargeError(TooLargeError):
    """A ball of `n_nodes` nodes around the node of rank `rank` is more than a task will do."""

    def __init__(self, rank: int, n_nodes: int) -> None:
        super().__init__(rank, n_nodes)
        self.rank, self.n_nodes = rank, n_nodes


@dataclass
class WorkerState:
    """Scratch of one worker; grows to the largest ball it meets."""

    space: Workspace
    dense: DenseScratch | None = None


@dataclass
class NodeTask:
    """Rows of one or more signatures; a subclass computes the kinds that `parameters.KINDS` assigns to it.

    A row has the radii of the first output, then those of the next. A task can go to another process, which must have
    the same kernels. Labels stay behind.
    """

    graph: Graph | None
    plan: Plan
    work: IdArray
    radius: int
    outputs: tuple[str, ...]
    tolerance: float = 1e-9
    first: ValueArray | None = None  # radius 1 of every node by rank, one column per output, if in closed form
    limit: int | None = None  # bytes that the local graph of a group of balls may take

    has_closed_form: ClassVar[bool] = False  # whether radius 1 of a plain graph follows from its triangles
    together: ClassVar[bool] = False  # whether several outputs cost one pass; otherwise a task has one
    seconds_per_cost: ClassVar[float] = 5e-7  # roughly, on one thread

    @staticmethod
    def leaves_follow(kind: str) -> bool:
        """Tell whether the (r-1)-ball of a leaf's neighbour may stand for the r-ball of the leaf."""
        return True

    @property
    def kind(self) -> str:
        """The outputs, by name."""
        return ", ".join(self.outputs)

    def start(self, n_nodes: int) -> ValueArray:
        """Return the values of nodes without edges, by node, output and radius."""
        return np.zeros((n_nodes, len(self.outputs), self.radius))

    def leaf_rows(self, leaves: IdArray) -> ValueArray | None:
        """Return radius 1 of leaves, one column per output, where it differs from that of nodes without edges."""
        return None

    def scratch(self) -> Any:
        """Make the workspace of one worker."""
        return None

    def __call__(self, block: Block, scratch: Any, cancel: FlagArray) -> ValueArray:
        """Compute the rows of a block."""
        raise NotImplementedError

    def is_short(self, cost: float) -> bool:
        """Tell whether work of this cost takes less time than starting a thread."""
        return False

    def explain(self, label: object, n_nodes: int) -> str:
        """Say why a ball is too large."""
        return f"the ball around node {label!r} has {n_nodes:,} nodes, more than kind {self.kind!r} can do"

    def describe(self, block: Block) -> str:
        """Name the nodes of a block by their labels, in the order they are worked on."""
        assert self.graph is not None
        ranks = self.work[block.start : block.stop]
        if not ranks.size:
            return "no nodes"
        first, last = self.graph.nodes[self.plan.node[ranks[[0, -1]]]].tolist()
        return f"nodes {first!r} to {last!r} ({ranks.size} in work order)" if ranks.size > 1 else f"node {first!r}"

    def too_large(self, rank: int, n_nodes: int) -> TooLargeError:
        """Return the error for a ball that is too large; it names the node where labels are known."""
        if self.graph is None:
            return BallTooLargeError(rank, n_nodes)
        [label] = self.graph.nodes[[self.plan.node[rank]]].tolist()
        return TooLargeError(self.explain(label, n_nodes))

    def error_of(self, failure: EngineError) -> Exception:
        """Return what to tell the user about a failure: an error of ours, from whatever process, explains itself."""
        cause = failure.__cause__
        if isinstance(cause, BallTooLargeError):
            return self.too_large(cause.rank, cause.n_nodes)
        return cause if isinstance(cause, TooLargeError) else failure

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "graph": None, "_kernels": DIGEST}

    def check_kernels(self) -> None:
        """Refuse to work where the kernels are different: their last bits might be, too."""
        if self.__dict__.get("_kernels", DIGEST) != DIGEST:
            where = f"machine {platform.node()}"
            raise EngineError(f"{where} has another version of vnestruct; install the same one on all machines")


class BallTask(NodeTask):
    """What follows from traces and the largest eigenvalue: kinds `approx`, `quadratic`, `unscaled`, `sizes`."""

    has_closed_form = True
    together = True
    seconds_per_cost = 1e-8

    def start(self, n_nodes: int) -> ValueArray:
        """Return the values of nodes without edges: balls of one node."""
        values = super().start(n_nodes)
        values[:, [output == "nodes" for output in self.outputs]] = 1.0
        return values

    def leaf_rows(self, leaves: IdArray) -> ValueArray | None:
        """Return radius 1 of leaves, one column per output: balls of one edge."""
        indptr, weights = self.plan.graph.indptr, self.plan.graph.weights
        if weights is None:
            return None
        values = np.empty((leaves.size, len(self.outputs)))
        closed_form.single_edges(weights[indptr[leaves]], output_codes(self.outputs), self.plan.scale, values)
        return values

    def is_short(self, cost: float) -> bool:
        """Tell whether work of this cost takes less time than starting a thread."""
        return self.radius <= _SHORT_RADIUS and cost * self.radius < _SHORT_COST

    def scratch(self) -> WorkerState:
        """Make the workspace of one worker."""
        self.check_kernels()
        graph = self.plan.graph
        return WorkerState(make_workspace(self.plan.n_nodes, graph.weights is not None, graph.copies is not None))

    def request(self) -> Request:
        """Return what kernels compute of each ball."""
        smallest, codes = (1 if self.first is None else 2), output_codes(self.outputs)
        tolerance = CERTAINTY * self.tolerance
        return Request(smallest, self.radius, codes, need_largest(self.outputs), self.plan.scale, tolerance)

    def __call__(self, block: Block, scratch: WorkerState, cancel: FlagArray) -> ValueArray:
        """Fill the rows of a block."""
        nodes = self.work[block.start : block.stop]
        plan = self.plan
        wanted = Balls(plan.graph, plan.search, plan.components, self.request())
        rows = np.zeros((nodes.size, self.radius, len(self.outputs)))
        if self.first is not None:
            rows[:, 0] = self.first[nodes]
        position = 0
        while position < nodes.size:
            done, n_rows, n_arcs = balls.fill_rows(wanted, scratch.space, nodes[position:], rows[position:], cancel)
            position += done
            if cancel[0]:
                raise Cancelled
            if n_rows:
                if self.limit is not None and ROW_BYTES * n_rows + ARC_BYTES * n_arcs > self.limit:
                    raise self.too_large(int(nodes[position]), n_rows)
                scratch.space = enlarge(scratch.space, n_rows, n_arcs)
        return rows.transpose(0, 2, 1).reshape(nodes.size, -1)

    def explain(self, label: object, n_nodes: int) -> str:
        """Say why a ball is too large."""
        wrong = f"balls around node {label!r} and the nodes computed with it have {n_nodes:,} nodes, which do not fit "
        return (
            f"{wrong}into the memory limit; raise the limit, use fewer threads (`n_jobs`), or choose a smaller radius"
        )


class SpectrumTask(NodeTask):
    """Entropies that need every eigenvalue: kinds `exact`, `normalized`, `punctured`."""

    @staticmethod
    def leaves_follow(kind: str) -> bool:
        """Tell whether a leaf's neighbour may stand for it: without its centre a ball is a different graph."""
        return kind != "punctured"

    def scratch(self) -> WorkerState:
        """Make the workspace of one worker."""
        self.check_kernels()
        space = make_workspace(self.plan.n_nodes, self.plan.graph.weights is not None)
        return WorkerState(space, _dense_scratch(512, 32))

    def __call__(self, block: Block, scratch: WorkerState, cancel: FlagArray) -> ValueArray:
        """Fill the rows of a block."""
        nodes = self.work[block.start : block.stop]
        rows = np.zeros((nodes.size, self.radius))
        position = 0
        while position < nodes.size:
            assert scratch.dense is not None
            done, reason, n_rows, n_arcs = dense_balls.fill_dense_rows(
                self.plan.graph, self.plan.search, scratch.space, scratch.dense, _SPECTRAL_KINDS[self.kind],
                nodes[position:], rows[position:], cancel,
            )  # fmt: skip
            position += done
            if cancel[0]:
                raise Cancelled
            if reason == dense_balls.TOO_LARGE:
                raise self.too_large(int(nodes[position]), n_rows)
            n_nodes, size = scratch.dense.leader.size, scratch.dense.diagonal.size
            if reason == dense_balls.ENLARGE:
                scratch.space = enlarge(scratch.space, n_rows, n_arcs)
                scratch.dense = _dense_scratch(max(n_nodes, n_rows + n_rows // 2), size)
            if reason == dense_balls.ENLARGE_MATRIX:
                scratch.dense = _dense_scratch(n_nodes, min(n_rows + n_rows // 2, EXACT_LIMIT))
        return rows

    def explain(self, label: object, n_nodes: int) -> str:
        """Say why a ball is too large."""
        wrong = f"needs all eigenvalues of a ball; one around node {label!r} has {n_nodes:,} nodes, more than "
        remedy = f"{EXACT_LIMIT:,}, and too many for sparse elimination: choose a smaller radius or `kind='approx'`"
        return f"`kind={self.kind!r}` {wrong}{remedy}"


def _dense_scratch(n_nodes: int, size: int) -> DenseScratch:
    return make_dense_scratch(n_nodes, size, EXACT_LIMIT, dense_balls.ELIMINATED * EXACT_LIMIT)


def task_type(kind: str) -> type[NodeTask]:
    """Return the task that computes a kind of entropy."""
    module, _, name = KINDS[kind].partition(":")
    return getattr(import_module(module), name)  # type: ignore[no-any-return]
