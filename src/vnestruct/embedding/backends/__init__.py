"""Back ends: who does the work of the pipeline, and where the graph lies meanwhile.

Each supplies three operations: rank a graph, compute radius 1, run a task over blocks. The pipeline knows nothing else
about them. This is the default one, and the base of the others: threads of this process, and the graph in its memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Plan, rank_graph, read_only
from vnestruct.embedding.tasks import NodeTask, output_codes
from vnestruct.execute import BLOCKS_PER_WORKER, Block, Cancelled, ThreadsEngine, cut_blocks, run_inline
from vnestruct.graph import Graph
from vnestruct.kernels import closed_form, ranking
from vnestruct.kernels.ranking import SERIAL, Parallel
from vnestruct.kernels.workspace import UpwardRows
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

_MAX_BLOCK_COST = 2e8  # of a block, so that progress is shown, and rows are kept, every few seconds
_FEW_THREADS = 4  # below which planning is not shared: it takes up to twice the processor time
_FEW_ARCS = 200_000  # below which planning is done before threads have started
_SERIAL_BELOW = 2_000_000  # arcs below which one thread counts triangles sooner than two that add atomically
_INLINE_BELOW = 100_000  # arcs below which triangles are counted before a thread has started


class UpwardArcs(NamedTuple):
    """The arcs of a graph in ranks from each node to its neighbours of larger degree: all that triangles need."""

    rank: IdArray  # rank of each node
    rows: UpwardRows
    degrees: OffsetArray  # degree of each node, by rank

    @classmethod
    def of_graph(cls, graph: Graph) -> UpwardArcs:
        """Rewrite only these arcs in ranks."""
        rank, node = map(read_only, ranking.rank_by_degree(graph.indptr))
        indptr, indices, split = ranking.upward_rows(graph.indptr, graph.indices, rank, node)
        rows = UpwardRows(read_only(indptr), read_only(indices), read_only(split))
        return cls(rank, rows, read_only(graph.degrees[node]))

    @classmethod
    def of_ranked(cls, ranked: Plan) -> UpwardArcs:
        """Take them from a graph that is in ranks already."""
        rows = ranked.graph
        return cls(ranked.rank, UpwardRows(rows.indptr, rows.indices, rows.split), read_only(np.diff(rows.indptr)))


class ThreadsBackend:
    """Does everything on threads of this process, by default one per CPU; the base of all back ends."""

    device = "cpu"  # what decides the last bits of a row: this, or the kind of GPU and its kernels

    def __init__(
        self, n_jobs: int | None = None, address: str | None = None, plans: Path | None = None,
        on_message: Callable[[str], None] = lambda text: None,
    ) -> None:  # fmt: skip
        self.threads = ThreadsEngine(n_jobs)
        self.n_jobs, self.address, self.plans, self.on_message = n_jobs, address, plans, on_message

    @property
    def n_workers(self) -> int:
        """Number of workers that share a task."""
        return self.threads.n_workers

    def parallel(self, n_arcs: int) -> Parallel:
        """Return what shares the planning of a graph with so many arcs: many threads, or the caller alone."""
        is_shared = self.threads.n_workers >= _FEW_THREADS and n_arcs >= _FEW_ARCS
        return Parallel(self.threads.n_workers, self.threads.map) if is_shared else SERIAL

    def rank(self, graph: Graph, settings: Settings, direction: str) -> Plan:
        """Rewrite a graph in ranks of degree, in memory."""
        parallel = self.parallel(graph.indices.size)
        return rank_graph(graph, weighted=settings.weighted, direction=direction, parallel=parallel)

    def radius_one(self, graph: Graph, outputs: Sequence[str], ranked: Plan | None = None) -> ValueArray:
        """Return radius 1 of every node of a plain graph: by rank if the graph is given in ranks, else by node."""
        if ranked is not None:
            return self.closed_form(UpwardArcs.of_ranked(ranked), outputs)
        parallel = self.parallel(graph.indices.size)
        # Threads share the rewriting of all arcs; one rewrites those that are needed.
        shared = parallel.number > 1
        arcs = UpwardArcs.of_ranked(rank_graph(graph, parallel=parallel)) if shared else UpwardArcs.of_graph(graph)
        return parallel.take(self.closed_form(arcs, outputs), arcs.rank)

    def closed_form(self, arcs: UpwardArcs, outputs: Sequence[str], count: IdArray | None = None) -> ValueArray:
        """Return the outputs of every 1-ball, by rank, from triangles: no ball is ever built.

        `count` may hold zeros, one per entry of the arcs, that take the triangles of each edge.
        """
        n_nodes, n_arcs, n_workers = arcs.rows.split.size, arcs.rows.indices.size, self.threads.n_workers
        is_serial = n_arcs * (n_workers - 1) < _SERIAL_BELOW
        task = TriangleTask(arcs.rows, is_serial, np.zeros(n_arcs, np.int32) if count is None else count)
        blocks = [Block(0, 0, n_nodes, 1.0)]
        if not is_serial:
            # Few blocks: their costs are well known, and many threads would wait for one another between short ones.
            costs = 1.0 + np.square(arcs.rows.split, dtype=np.float64)
            blocks = cut_blocks(costs, n_workers=max(1, n_workers // 8), max_items=max(1, n_nodes))
        list((run_inline if n_arcs < _INLINE_BELOW else self.threads.run)(task, blocks))
        parallel, (triangles, squares) = self.parallel(n_arcs), np.zeros((2, n_nodes), np.int64)
        values, codes = np.empty((n_nodes, len(outputs))), output_codes(outputs)

        def add(first: int, last: int) -> None:
            closed_form.add_ball_sums(arcs.rows, task.count, first, last, parallel.number == 1, triangles, squares)

        def describe(first: int, last: int) -> None:
            part = slice(first, last)
            closed_form.radius_one(arcs.degrees[part], triangles[part], squares[part], codes, values[part])

        parallel.for_rows(arcs.rows.indptr, add)
        parallel.for_items(n_nodes, describe)
        return values

    def run(self, task: NodeTask, costs: ValueArray) -> Generator[tuple[Block, ValueArray], None, None]:
        """Cut a work list by cost and yield every block with its rows; short work is done in the calling thread."""
        total, n_workers = float(costs.sum()), self.threads.n_workers
        # Many threads wait for one another between blocks, so there are fewer; long work is cut into short blocks.
        n_workers = max(min(n_workers, 4), n_workers // 4, math.ceil(total / (BLOCKS_PER_WORKER * _MAX_BLOCK_COST)))
        return (run_inline if task.is_short(total) else self.threads.run)(task, cut_blocks(costs, n_workers=n_workers))

    def submit(self, function: Callable[[], Any]) -> Callable[[], Any]:
        """Run a function beside the caller, if there are threads and memory for it; return what has its result."""
        return self.threads.submit(function)

    def close(self) -> None:
        """End what was started: nothing is left running between calls."""
        self.threads.close()


@dataclass
class TriangleTask:
    """Count triangles into one shared array, on one thread or on several; the rows of a block are empty."""

    rows: UpwardRows
    is_serial: bool
    count: IdArray

    def scratch(self) -> tuple[IdArray, IdArray]:
        """Make the marks of one worker."""
        split = self.rows.split
        return np.zeros(split.size, np.int32), np.zeros(int(split.max(initial=0)) + 1, np.int32)

    def __call__(self, block: Block, scratch: tuple[IdArray, IdArray], cancel: FlagArray) -> ValueArray:
        """Count the triangles whose lowest corner is in a block."""
        ends = block.start, block.stop
        closed_form.count_triangles(self.rows, *ends, *scratch, self.count, self.is_serial, cancel)
        if cancel[0]:
            raise Cancelled
        return np.empty((len(block), 0))

    def describe(self, block: Block) -> str:
        """Name a block."""
        return f"triangles of ranks {block.start} to {block.stop - 1}"
