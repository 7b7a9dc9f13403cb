"""A toy engine: everything in the calling thread, and a list of what it was asked for."""

from __future__ import annotations

from collections.abc import Generator

from vnestruct.embedding.backends import ThreadsBackend
from vnestruct.embedding.tasks import NodeTask
from vnestruct.execute import Block, cut_blocks, run_inline
from vnestruct.types import ValueArray

kinds_run: list[str] = []


class SerialBackend(ThreadsBackend):
    """Runs blocks one after the other."""

    def run(self, task: NodeTask, costs: ValueArray) -> Generator[tuple[Block, ValueArray], None, None]:
        """Run a task."""
        kinds_run.append(task.kind)
        return run_inline(task, cut_blocks(costs))
