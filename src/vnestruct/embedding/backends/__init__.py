"""Back ends: who does the work of the pipeline, and where the graph lies meanwhile.

Each supplies three operations: rank a graph, compute radius 1, run a task over blocks. The pipeline knows nothing else
about them. This is the default one, and the base of the others: threads of this process, and the graph in its memory.
"""

import math
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any

from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Plan, rank_graph
from vnestruct.embedding.radius_one import UpwardArcs, radius_one
from vnestruct.embedding.tasks import NodeTask
from vnestruct.execute import BLOCKS_PER_WORKER, Block, ThreadsEngine, cut_blocks, run_inline
from vnestruct.graph import Graph
from vnestruct.types import ValueArray

_MAX_BLOCK_COST = 2e8  # of a block, so that progress is shown, and rows are kept, every few seconds


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

    def rank(self, graph: Graph, settings: Settings, direction: str) -> Plan:
        """Rewrite a graph in ranks of degree, in memory."""
        parallel = self.threads.parallel(graph.indices.size)
        return rank_graph(graph, weighted=settings.weighted, direction=direction, parallel=parallel)

    def radius_one(self, graph: Graph, outputs: Sequence[str], ranked: Plan | None = None) -> ValueArray:
        """Return radius 1 of every node of a plain graph: by rank if the graph is given in ranks, else by node."""
        parallel = self.threads.parallel(graph.indices.size)
        arcs = UpwardArcs.of_graph(graph, parallel) if ranked is None else UpwardArcs.of_ranked(ranked)
        values = radius_one(arcs, outputs, self.threads)
        return parallel.take(values, arcs.rank) if ranked is None else values

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
