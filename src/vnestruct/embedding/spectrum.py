"""The block task of kinds that need every eigenvalue of a ball."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vnestruct.embedding.tasks import BallTooLargeError, NodeTask
from vnestruct.execute import Block, Cancelled
from vnestruct.kernels import dense_balls
from vnestruct.kernels.quotient import DenseScratch, make_dense_scratch
from vnestruct.kernels.workspace import Workspace, enlarge
from vnestruct.types import FlagArray, ValueArray

EXACT_LIMIT = 4_000
"""Dense rows above which the full spectrum of a graph is refused: time grows with the cube, memory with the square."""

_KINDS = {"exact": dense_balls.EXACT, "normalized": dense_balls.NORMALIZED, "punctured": dense_balls.PUNCTURED}


@dataclass
class SpectrumScratch:
    """Scratch of one worker; grows to the largest ball it meets."""

    space: Workspace
    dense: DenseScratch


class SpectrumTask(NodeTask):
    """Entropies that need every eigenvalue: kinds `exact`, `normalized`, `punctured`."""

    @staticmethod
    def leaves_follow(kind: str) -> bool:
        """Tell whether a leaf's neighbour may stand for it: without its centre a ball is a different graph."""
        return kind != "punctured"

    def scratch(self) -> SpectrumScratch:
        """Make the workspace of one worker."""
        return SpectrumScratch(self.workspace(False), dense_scratch(512, 32))

    def __call__(self, block: Block, scratch: SpectrumScratch, cancel: FlagArray) -> ValueArray:
        """Fill the rows of a block."""
        plan, nodes = self.plan, self.work[block.start : block.stop]
        rows = np.zeros((nodes.size, self.radius))
        position = 0
        while position < nodes.size:
            work = _KINDS[self.kind], nodes[position:], rows[position:]
            done, reason, n_rows, n_arcs = dense_balls.fill_dense_rows(
                plan.graph, plan.search, scratch.space, scratch.dense, *work, cancel
            )
            position += done
            if cancel[0]:
                raise Cancelled
            if reason == dense_balls.TOO_LARGE:
                raise BallTooLargeError(int(nodes[position]), n_rows)
            n_nodes, size = scratch.dense.leader.size, scratch.dense.diagonal.size
            if reason == dense_balls.ENLARGE:
                scratch.space = enlarge(scratch.space, n_rows, n_arcs)
                scratch.dense = dense_scratch(max(n_nodes, n_rows + n_rows // 2), size)
            if reason == dense_balls.ENLARGE_MATRIX:
                scratch.dense = dense_scratch(n_nodes, min(n_rows + n_rows // 2, EXACT_LIMIT))
        return rows

    def explain(self, rank: int, n_nodes: int) -> str:
        """Say why a ball is too large."""
        wrong = f"needs all eigenvalues of a ball; one around node {self.label(rank)!r} has {n_nodes:,} nodes, more "
        remedy = (
            f"than {EXACT_LIMIT:,}, and too many for sparse elimination: choose a smaller radius or `kind='approx'`"
        )
        return f"`kind={self.kind!r}` {wrong}{remedy}"


def dense_scratch(n_nodes: int, size: int) -> DenseScratch:
    """Make scratch for balls of so many nodes, and so many of them in a matrix."""
    return make_dense_scratch(n_nodes, size, EXACT_LIMIT, dense_balls.ELIMINATED * EXACT_LIMIT)
