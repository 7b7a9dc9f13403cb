"""Radius 1 of a plain graph: closed form over degree-ordered triangle counts, no ball is ever built."""

from __future__ import annotations

import numpy as np

from vnestruct.execute import Block, Cancelled, Engine, InlineEngine, cut_blocks
from vnestruct.kernels import closed_form, triangles
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

_ALONE_BELOW = 2_000_000
"""Arcs below which one thread counts triangles sooner than several that add atomically."""


_INLINE_BELOW = 100_000
"""Arcs below which the work is done before a thread has started."""


class _TriangleTask:
    """Count triangles into one shared array; the rows of a block are empty."""

    def __init__(
        self, indptr: OffsetArray, indices: IdArray, split: IdArray, alone: bool, count: IdArray | None
    ) -> None:
        self._rows = (indptr, indices, split)
        self._alone = alone
        self._longest = int(split.max(initial=0))
        self.count = np.zeros(indices.size, np.int32) if count is None else count

    def scratch(self) -> tuple[IdArray, IdArray]:
        return np.zeros(self._rows[2].size, np.int32), np.zeros(self._longest + 1, np.int32)

    def __call__(self, block: Block, scratch: tuple[IdArray, IdArray], cancel: FlagArray) -> ValueArray:
        triangles.count_triangles(*self._rows, block.start, block.stop, *scratch, self.count, self._alone, cancel)
        if cancel[0]:
            raise Cancelled
        return np.empty((len(block), 0))

    def describe(self, block: Block) -> str:
        return f"triangles of ranks {block.start} to {block.stop - 1}"


def ball_sums(
    indptr: OffsetArray,
    indices: IdArray,
    split: IdArray,
    *,
    engine: Engine,
    n_workers: int,
    count: IdArray | None = None,
) -> tuple[OffsetArray, OffsetArray]:
    """Return what `kernels.closed_form` needs to know of every 1-ball, by rank.

    Only the first ``split[u]`` entries of each row are read: the neighbours of larger degree. `count` (zeros, one an
    entry) takes the triangles of each edge; where it lies is up to the caller.
    """
    alone = n_workers == 1 or indices.size < _ALONE_BELOW
    task = _TriangleTask(indptr, indices, split, alone, count)
    if alone:
        blocks = [Block(0, 0, split.size, 1.0)]
    else:
        blocks = cut_blocks(split.astype(np.float64) ** 2 + 1.0, n_workers=n_workers, max_items=max(1, split.size))
    if indices.size < _INLINE_BELOW:
        engine = InlineEngine()
    for _ in engine.run(task, blocks):
        pass
    sums: tuple[OffsetArray, OffsetArray] = closed_form.ball_sums(indptr, indices, split, task.count)
    return sums


def radius_one(
    indptr: OffsetArray,
    indices: IdArray,
    split: IdArray,
    degrees: OffsetArray,
    *,
    approximate: bool,
    engine: Engine,
    n_workers: int,
    count: IdArray | None = None,
) -> ValueArray:
    """Return the entropy of every 1-ball, by rank."""
    sums = ball_sums(indptr, indices, split, engine=engine, n_workers=n_workers, count=count)
    values = np.empty(split.size)
    closed_form.radius_one(degrees, *sums, approximate, values)
    return values
