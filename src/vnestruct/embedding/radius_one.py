"""Radius 1 of a plain graph: closed form over degree-ordered triangle counts, no ball is ever built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vnestruct.embedding.plan import Plan, rank_graph, read_only
from vnestruct.execute import Block, Cancelled, ThreadsEngine, cut_blocks, run_inline
from vnestruct.graph import Graph
from vnestruct.kernels import closed_form, ranking
from vnestruct.kernels.workspace import UpwardRows
from vnestruct.sharing import SERIAL, Parallel
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

_SERIAL_BELOW = 2_000_000  # arcs below which one thread counts triangles sooner than two that add atomically
_INLINE_BELOW = 100_000  # arcs below which the work is done before a thread has started


class UpwardArcs(NamedTuple):
    """The arcs of a graph in ranks from each node to its neighbours of larger degree: all that triangles need."""

    rank: IdArray  # rank of each node
    indptr: OffsetArray
    indices: IdArray
    split: IdArray  # how many entries of each row count, the smallest of them first; the others are not read
    degrees: OffsetArray  # degree of each node, by rank

    @classmethod
    def of_graph(cls, graph: Graph, parallel: Parallel = SERIAL) -> UpwardArcs:
        """Rewrite only these arcs in ranks; threads share the rewriting of all arcs instead."""
        if parallel.number > 1:
            return cls.of_ranked(rank_graph(graph, parallel=parallel))
        rank, node = map(read_only, ranking.rank_by_degree(graph.indptr))
        indptr, indices, split = ranking.upward_rows(graph.indptr, graph.indices, rank, node)
        return cls(rank, read_only(indptr), read_only(indices), read_only(split), read_only(graph.degrees[node]))

    @classmethod
    def of_ranked(cls, ranked: Plan) -> UpwardArcs:
        """Take them from a graph that is in ranks already."""
        rows = ranked.graph
        return cls(ranked.rank, rows.indptr, rows.indices, rows.split, read_only(np.diff(rows.indptr)))


def radius_one(
    arcs: UpwardArcs, outputs: Sequence[str], threads: ThreadsEngine, count: IdArray | None = None
) -> ValueArray:
    """Return the outputs of every 1-ball, one column each, by rank.

    `count` may hold zeros, one per entry of the arcs, that take the triangles of each edge.
    """
    n_nodes, n_arcs = arcs.split.size, arcs.indices.size
    is_serial = n_arcs * (threads.n_workers - 1) < _SERIAL_BELOW
    task = TriangleTask(arcs, is_serial, np.zeros(n_arcs, np.int32) if count is None else count)
    blocks = [Block(0, 0, n_nodes, 1.0)]
    if not is_serial:
        # Few blocks: their costs are well known, and many threads would wait for one another between short ones.
        costs = 1.0 + np.square(arcs.split, dtype=np.float64)
        blocks = cut_blocks(costs, n_workers=max(1, threads.n_workers // 8), max_items=max(1, n_nodes))
    list((run_inline if n_arcs < _INLINE_BELOW else threads.run)(task, blocks))
    parallel, (triangles, squares) = threads.parallel(n_arcs), np.zeros((2, n_nodes), np.int64)
    rows, is_one = UpwardRows(arcs.indptr, arcs.indices, arcs.split), parallel.number == 1
    parallel.for_rows(
        arcs.indptr,
        lambda first, last: closed_form.add_ball_sums(rows, task.count, first, last, is_one, triangles, squares),
    )
    values, codes = np.empty((n_nodes, len(outputs))), output_codes(outputs)

    def describe(first: int, last: int) -> None:
        part = slice(first, last)
        closed_form.radius_one(arcs.degrees[part], triangles[part], squares[part], codes, values[part])

    parallel.for_items(n_nodes, describe)
    return values


def output_codes(outputs: Sequence[str]) -> OffsetArray:
    """Return outputs as kernels take them: their places in `kernels.closed_form.OUTPUTS`."""
    return read_only(np.array([closed_form.OUTPUTS.index(output) for output in outputs], np.int64))


def need_largest(outputs: Sequence[str]) -> bool:
    """Tell whether an output needs the largest eigenvalue."""
    return not {"approx", "unscaled", "largest"}.isdisjoint(outputs)


class TriangleTask:
    """Count triangles into one shared array, on one thread or on several; the rows of a block are empty."""

    def __init__(self, arcs: UpwardArcs, is_serial: bool, count: IdArray) -> None:
        self._rows, self._is_serial, self.count = UpwardRows(arcs.indptr, arcs.indices, arcs.split), is_serial, count

    def scratch(self) -> tuple[IdArray, IdArray]:
        """Make the marks of one worker."""
        split = self._rows.split
        return np.zeros(split.size, np.int32), np.zeros(int(split.max(initial=0)) + 1, np.int32)

    def __call__(self, block: Block, scratch: tuple[IdArray, IdArray], cancel: FlagArray) -> ValueArray:
        """Count the triangles whose lowest corner is in a block."""
        ends = block.start, block.stop
        closed_form.count_triangles(self._rows, *ends, *scratch, self.count, self._is_serial, cancel)
        if cancel[0]:
            raise Cancelled
        return np.empty((len(block), 0))

    def describe(self, block: Block) -> str:
        """Name a block."""
        return f"triangles of ranks {block.start} to {block.stop - 1}"
