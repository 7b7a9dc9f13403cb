"""The engine for work that ends before a thread has started: the calling thread itself."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from vnestruct.execute.base import Block, Task, block_failure
from vnestruct.types import ValueArray


class InlineEngine:
    """Run a task over blocks in the calling thread, one after the other.

    Examples
    --------
    >>> from vnestruct.execute import InlineEngine, cut_blocks
    >>> list(InlineEngine().run(None, cut_blocks([])))
    []
    """

    n_workers = 1

    def run(self, task: Task, blocks: Sequence[Block]) -> Generator[tuple[Block, ValueArray], None, None]:
        """Yield every block with its rows, in the order given."""
        cancel = np.zeros(1, np.uint8)
        scratch = task.scratch() if blocks else None
        for block in blocks:
            try:
                rows = task(block, scratch, cancel)
            except Exception as error:
                raise block_failure(task, block, error) from error
            yield block, rows
