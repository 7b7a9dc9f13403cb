"""Radius 1 of a plain graph: closed form over degree-ordered triangle counts, no ball is ever built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vnestruct.embedding.plan import Ranked, frozen
from vnestruct.execute import Block, Cancelled, InlineEngine, ThreadsEngine, cut_blocks
from vnestruct.graph import Graph
from vnestruct.kernels import closed_form, ranking, triangles
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

_ALONE_BELOW = 2_000_000
"""Arcs below which one thread counts triangles sooner than several that add atomically."""

_INLINE_BELOW = 100_000
"""Arcs below which the work is done before a thread has started."""


class UpwardArcs(NamedTuple):
    """The arcs of a graph in ranks from each node to its neighbours of larger degree: all that triangles need."""

    rank: IdArray
    """Rank of each node."""
    indptr: OffsetArray
    indices: IdArray
    split: IdArray
    """How many entries of each row count; the others are not read."""
    degrees: OffsetArray
    """Degree of each node, by rank."""

    @classmethod
    def of_graph(cls, graph: Graph) -> UpwardArcs:
        """Rewrite only these arcs in ranks."""
        rank, node = ranking.rank_by_degree(graph.indptr)
        rows = ranking.upward_rows(graph.indptr, graph.indices, frozen(rank), frozen(node))
        indptr, indices, split = (frozen(array) for array in rows)
        return cls(rank, indptr, indices, split, frozen(np.diff(graph.indptr)[node]))

    @classmethod
    def of_ranked(cls, ranked: Ranked) -> UpwardArcs:
        """Take them from a graph that is in ranks already."""
        rows = ranked.graph
        return cls(ranked.rank, rows.indptr, rows.indices, rows.split, frozen(np.diff(rows.indptr)))


def ball_sums(
    arcs: UpwardArcs, threads: ThreadsEngine, count: IdArray | None = None
) -> tuple[OffsetArray, OffsetArray]:
    """Return what `kernels.closed_form` needs to know of every 1-ball, by rank.

    `count` (zeros, one per entry) takes the triangles of each edge; by default it is allocated here.
    """
    alone = is_alone(arcs, threads)
    task = TriangleTask(arcs, alone, count)
    if alone:
        blocks = [Block(0, 0, arcs.split.size, 1.0)]
    else:
        blocks = cut_blocks(task.costs(), n_workers=threads.n_workers, max_items=max(1, arcs.split.size))
    engine = InlineEngine() if arcs.indices.size < _INLINE_BELOW else threads
    for _ in engine.run(task, blocks):
        pass
    sums: tuple[OffsetArray, OffsetArray] = closed_form.ball_sums(arcs.indptr, arcs.indices, arcs.split, task.count)
    return sums


def is_alone(arcs: UpwardArcs, threads: ThreadsEngine) -> bool:
    """Tell whether one thread counts all triangles."""
    return threads.n_workers == 1 or arcs.indices.size < _ALONE_BELOW


def radius_one(
    arcs: UpwardArcs, outputs: Sequence[str], threads: ThreadsEngine, count: IdArray | None = None
) -> ValueArray:
    """Return the outputs of every 1-ball, one column each, by rank."""
    sums = ball_sums(arcs, threads, count)
    values = np.empty((arcs.split.size, len(outputs)))
    closed_form.radius_one(arcs.degrees, *sums, output_codes(outputs), values)
    return values


def output_codes(outputs: Sequence[str]) -> OffsetArray:
    """Return outputs as kernels take them: their places in `kernels.closed_form.OUTPUTS`."""
    return frozen(np.array([closed_form.OUTPUTS.index(output) for output in outputs], np.int64))


def need_largest(outputs: Sequence[str]) -> bool:
    """Tell whether an output needs the largest eigenvalue."""
    return not {"approx", "unscaled", "largest"}.isdisjoint(outputs)


class TriangleTask:
    """Count triangles into one shared array; the rows of a block are empty.

    With `alone` false several threads count at the same time.
    """

    def __init__(self, arcs: UpwardArcs, alone: bool, count: IdArray | None = None) -> None:
        self._rows = (arcs.indptr, arcs.indices, arcs.split)
        self._alone = alone
        self._longest = int(arcs.split.max(initial=0))
        self.count = np.zeros(arcs.indices.size, np.int32) if count is None else count

    def costs(self) -> ValueArray:
        """Return the estimated cost of each rank."""
        return self._rows[2].astype(np.float64) ** 2 + 1.0

    def scratch(self) -> tuple[IdArray, IdArray]:
        """Make the marks of one worker."""
        return np.zeros(self._rows[2].size, np.int32), np.zeros(self._longest + 1, np.int32)

    def __call__(self, block: Block, scratch: tuple[IdArray, IdArray], cancel: FlagArray) -> ValueArray:
        """Count the triangles whose lowest corner is in a block."""
        triangles.count_triangles(*self._rows, block.start, block.stop, *scratch, self.count, self._alone, cancel)
        if cancel[0]:
            raise Cancelled
        return np.empty((len(block), 0))

    def describe(self, block: Block) -> str:
        """Name a block."""
        return f"triangles of ranks {block.start} to {block.stop - 1}"
