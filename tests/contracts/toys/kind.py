"""A toy kind: the logarithm of the number of nodes of a ball."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vnestruct.embedding.tasks import NodeTask
from vnestruct.execute import Block
from vnestruct.types import FlagArray, ValueArray


class SizeTask(NodeTask):
    """Counts nodes level by level."""

    @staticmethod
    def leaves_follow(kind: str) -> bool:
        """Tell that a leaf has a row of its own: its 1-ball has two nodes, not none."""
        return False

    def __call__(self, block: Block, scratch: Any, cancel: FlagArray) -> ValueArray:
        """Compute the rows of a block."""
        indptr, indices = self.plan.search
        rows = np.zeros((len(block), self.radius))
        for row, centre in zip(rows, self.work[block.start : block.stop].tolist(), strict=True):
            ball = {centre}
            for r in range(self.radius):
                ball |= {int(v) for u in ball for v in indices[indptr[u] : indptr[u + 1]]}
                row[r] = math.log(len(ball))
        return rows
