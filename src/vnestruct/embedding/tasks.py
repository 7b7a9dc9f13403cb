"""The block tasks: what an engine runs to fill rows of the embedding; here those of cheap kinds."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from vnestruct.embedding.parameters import KINDS
from vnestruct.embedding.plan import Plan, read_only
from vnestruct.errors import EngineError, TooLargeError
from vnestruct.execute import Block, Cancelled
from vnestruct.graph import Graph
from vnestruct.kernels import DIGEST, balls, closed_form
from vnestruct.kernels.workspace import Balls, Request, Workspace, enlarge, make_workspace
from vnestruct.lazy import load
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

ROW_BYTES, ARC_BYTES = 880, 18
"""Memory of a local graph for each of its nodes and for each arc looked at, with the room it is given to grow."""

CERTAINTY = 0.25  # share of the tolerance that the proven error of an eigenvalue may take; rounding has the rest
_SHORT_COST = 2e4  # cost, in arcs, of work that is done before a thread has started; Ctrl-C waits for it
_SHORT_RADIUS = 8  # radius up to which that cost says enough about the time


class BallTooLargeError(TooLargeError):
    """The ball around the node of rank `rank`, of `n_nodes` nodes, is more than a task will do."""

    def __init__(self, rank: int, n_nodes: int) -> None:
        super().__init__(rank, n_nodes)
        self.rank, self.n_nodes = rank, n_nodes


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

    def start(self) -> ValueArray:
        """Return what is known before the work is done, by rank, output and radius: 0 for nodes without edges."""
        return np.zeros((self.plan.n_nodes, len(self.outputs), self.radius))

    def scratch(self) -> Any:
        """Make the workspace of one worker."""
        return None

    def __call__(self, block: Block, scratch: Any, cancel: FlagArray) -> ValueArray:
        """Compute the rows of a block."""
        raise NotImplementedError

    def is_short(self, cost: float) -> bool:
        """Tell whether work of this cost takes less time than starting a thread."""
        return False

    def describe(self, block: Block) -> str:
        """Name the nodes of a block by their labels, in the order they are worked on."""
        ranks = self.work[block.start : block.stop]
        if not ranks.size:
            return "no nodes"
        first, last = map(self.label, ranks[[0, -1]].tolist())
        return f"nodes {first!r} to {last!r} ({ranks.size} in work order)" if ranks.size > 1 else f"node {first!r}"

    def label(self, rank: int) -> Any:
        """Return the label of a node."""
        assert self.graph is not None
        return self.graph.nodes[[self.plan.node[rank]]].tolist()[0]

    def explain(self, rank: int, n_nodes: int) -> str:
        """Say why a ball is too large."""
        return f"the ball around node {self.label(rank)!r} has {n_nodes:,} nodes, more than kind {self.kind!r} can do"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "graph": None, "_kernels": DIGEST}

    def workspace(self, collapsed: bool) -> Workspace:
        """Make scratch for kernels; refuse where they are different: their last bits might be, too."""
        if self.__dict__.get("_kernels", DIGEST) != DIGEST:
            where = f"machine {platform.node()}"
            raise EngineError(f"{where} has another version of vnestruct; install the same one on all machines")
        return make_workspace(self.plan.n_nodes, self.plan.graph.weights is not None, collapsed)


class BallTask(NodeTask):
    """What follows from traces and the largest eigenvalue: kinds `approx`, `quadratic`, `unscaled`, `sizes`."""

    has_closed_form = True
    together = True
    seconds_per_cost = 1e-8

    def start(self) -> ValueArray:
        """Return what is known beforehand: balls of one node, radius 1 in closed form, leaves of weighted graphs."""
        values, rows = super().start(), self.plan.graph
        values[:, [output == "nodes" for output in self.outputs]] = 1.0
        if self.first is not None:
            values[:, :, 0] = self.first
        elif rows.weights is not None:
            leaves = np.flatnonzero(self.plan.leaf_of >= 0)
            edges = np.empty((leaves.size, len(self.outputs)))
            weights = rows.weights[rows.indptr[leaves]]
            closed_form.single_edges(weights, output_codes(self.outputs), self.plan.scale, edges)
            values[leaves, :, 0] = edges
        return values

    def is_short(self, cost: float) -> bool:
        """Tell whether work of this cost takes less time than starting a thread."""
        return self.radius <= _SHORT_RADIUS and cost * self.radius < _SHORT_COST

    def scratch(self) -> list[Workspace]:
        """Make the workspace of one worker, which grows to the largest ball it meets."""
        return [self.workspace(self.plan.graph.copies is not None)]

    def request(self) -> Request:
        """Return what kernels compute of each ball."""
        smallest, codes = (1 if self.first is None else 2), output_codes(self.outputs)
        tolerance = CERTAINTY * self.tolerance
        needs_largest = not {"approx", "unscaled", "largest"}.isdisjoint(self.outputs)
        return Request(smallest, self.radius, codes, needs_largest, self.plan.scale, tolerance)

    def __call__(self, block: Block, scratch: list[Workspace], cancel: FlagArray) -> ValueArray:
        """Fill the rows of a block."""
        plan = self.plan
        wanted = Balls(plan.graph, plan.search, plan.components, self.request())
        nodes = self.work[block.start : block.stop]
        rows = np.zeros((nodes.size, self.radius, len(self.outputs)))
        if self.first is not None:
            rows[:, 0] = self.first[nodes]
        position = 0
        while position < nodes.size:
            done, n_rows, n_arcs = balls.fill_rows(wanted, scratch[0], nodes[position:], rows[position:], cancel)
            position += done
            if cancel[0]:
                raise Cancelled
            if n_rows:
                if plan.limit is not None and ROW_BYTES * n_rows + ARC_BYTES * n_arcs > plan.limit:
                    raise BallTooLargeError(int(nodes[position]), n_rows)
                scratch[0] = enlarge(scratch[0], n_rows, n_arcs)
        return rows.transpose(0, 2, 1).reshape(nodes.size, -1)

    def explain(self, rank: int, n_nodes: int) -> str:
        """Say why a ball is too large."""
        wrong = f"balls around node {self.label(rank)!r} and the nodes computed with it have {n_nodes:,} nodes"
        remedy = "raise the limit, use fewer threads (`n_jobs`), or choose a smaller radius"
        return f"{wrong}, which do not fit into the memory limit; {remedy}"


def task_type(kind: str) -> type[NodeTask]:
    """Return the task that computes a kind of entropy."""
    return load(KINDS[kind])  # type: ignore[no-any-return]


def output_codes(outputs: Sequence[str]) -> OffsetArray:
    """Return outputs as kernels take them: their places in `kernels.closed_form.OUTPUTS`."""
    return read_only(np.array([closed_form.OUTPUTS.index(output) for output in outputs], np.int64))
