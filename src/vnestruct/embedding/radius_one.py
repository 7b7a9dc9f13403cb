"""Radius 1 of a plain graph, new or changed: closed form over degree-ordered triangle counts, no ball is ever built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vnestruct.embedding.plan import Ranked, frozen
from vnestruct.execute import Block, Cancelled, InlineEngine, ThreadsEngine, cut_blocks
from vnestruct.graph import Graph
from vnestruct.kernels import closed_form, ranking
from vnestruct.sharing import ALONE, Share
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

_ALONE_BELOW = 2_000_000  # arcs below which one thread counts triangles sooner than two that add atomically
_INLINE_BELOW = 100_000  # arcs below which the work is done before a thread has started


class UpwardArcs(NamedTuple):
    """The arcs of a graph in ranks from each node to its neighbours of larger degree: all that triangles need."""

    rank: IdArray  # rank of each node
    indptr: OffsetArray
    indices: IdArray
    split: IdArray  # how many entries of each row count, the smallest of them first; the others are not read
    degrees: OffsetArray  # degree of each node, by rank

    @classmethod
    def of_graph(cls, graph: Graph, share: Share = ALONE) -> UpwardArcs:
        """Rewrite only these arcs in ranks."""
        rank, node = ranking.rank_by_degree(graph.indptr)
        indptr, indices, split = ranking.upward_rows(graph.indptr, graph.indices, frozen(rank), frozen(node), share)
        degrees = share.taken(np.diff(graph.indptr), node)
        return cls(rank, frozen(indptr), frozen(indices), frozen(split), frozen(degrees))

    @classmethod
    def of_ranked(cls, ranked: Ranked) -> UpwardArcs:
        """Take them from a graph that is in ranks already."""
        rows = ranked.graph
        return cls(ranked.rank, rows.indptr, rows.indices, rows.split, frozen(np.diff(rows.indptr)))


def ball_sums(
    arcs: UpwardArcs, threads: ThreadsEngine, count: IdArray | None = None
) -> tuple[OffsetArray, OffsetArray]:
    """Return what `kernels.closed_form` needs to know of every 1-ball, by rank; `count` as for `TriangleTask`."""
    alone, share = is_alone(arcs, threads), threads.share(arcs.indices.size)
    task = TriangleTask(arcs, alone, count)
    if alone:
        blocks = [Block(0, 0, arcs.split.size, 1.0)]
    else:
        # Few blocks: their costs are well known, and many threads would wait for one another between short ones.
        n_workers = max(1, threads.n_workers // 8)
        blocks = cut_blocks(task.costs(), n_workers=n_workers, max_items=max(1, arcs.split.size))
    engine = InlineEngine() if arcs.indices.size < _INLINE_BELOW else threads
    for _ in engine.run(task, blocks):
        pass
    sums = np.zeros(arcs.split.size, np.int64), np.zeros(arcs.split.size, np.int64)
    rows = arcs.indptr, arcs.indices, arcs.split, task.count
    is_one = share.number == 1
    share.rows(arcs.indptr, lambda first, last: closed_form.add_ball_sums(*rows, first, last, is_one, *sums))
    return sums


def is_alone(arcs: UpwardArcs, threads: ThreadsEngine) -> bool:
    """Tell whether one thread counts all triangles."""
    return arcs.indices.size * (threads.n_workers - 1) < _ALONE_BELOW


def radius_one(
    arcs: UpwardArcs, outputs: Sequence[str], threads: ThreadsEngine, count: IdArray | None = None
) -> ValueArray:
    """Return the outputs of every 1-ball, one column each, by rank."""
    return _described(arcs.degrees, ball_sums(arcs, threads, count), outputs, threads.share(arcs.indices.size))


def _described(
    degrees: OffsetArray, sums: tuple[OffsetArray, OffsetArray], outputs: Sequence[str], share: Share = ALONE
) -> ValueArray:
    values, codes = np.empty((degrees.size, len(outputs))), output_codes(outputs)

    def describe(first: int, last: int) -> None:
        triangles, squares = (one[first:last] for one in sums)
        closed_form.radius_one(degrees[first:last], triangles, squares, codes, values[first:last])

    share.items(degrees.size, describe)
    return values


def output_codes(outputs: Sequence[str]) -> OffsetArray:
    """Return outputs as kernels take them: their places in `kernels.closed_form.OUTPUTS`."""
    return frozen(np.array([closed_form.OUTPUTS.index(output) for output in outputs], np.int64))


def need_largest(outputs: Sequence[str]) -> bool:
    """Tell whether an output needs the largest eigenvalue."""
    return not {"approx", "unscaled", "largest"}.isdisjoint(outputs)


class TriangleTask:
    """Count triangles into one shared array, `alone` or on several threads; the rows of a block are empty."""

    def __init__(self, arcs: UpwardArcs, alone: bool, count: IdArray | None = None) -> None:
        self._rows = (arcs.indptr, arcs.indices, arcs.split)
        self._alone = alone
        self._longest = int(arcs.split.max(initial=0))
        # Zeros, one per entry, that take the triangles of each edge.
        self.count = np.zeros(arcs.indices.size, np.int32) if count is None else count

    def costs(self) -> ValueArray:
        """Return the estimated cost of each rank."""
        costs: ValueArray = np.square(self._rows[2], dtype=np.float64)
        costs += 1.0
        return costs

    def scratch(self) -> tuple[IdArray, IdArray]:
        """Make the marks of one worker."""
        # Filled, because the system clears the memory of `np.zeros` at its first use, which a sample would measure.
        return np.full(self._rows[2].size, 0, np.int32), np.zeros(self._longest + 1, np.int32)

    def __call__(self, block: Block, scratch: tuple[IdArray, IdArray], cancel: FlagArray) -> ValueArray:
        """Count the triangles whose lowest corner is in a block."""
        closed_form.count_triangles(*self._rows, block.start, block.stop, *scratch, self.count, self._alone, cancel)
        if cancel[0]:
            raise Cancelled
        return np.empty((len(block), 0))

    def describe(self, block: Block) -> str:
        """Name a block."""
        return f"triangles of ranks {block.start} to {block.stop - 1}"
