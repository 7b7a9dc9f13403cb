"""Engines: run a task over blocks of work, on threads of this process or elsewhere."""

from vnestruct.execute.threads import (
    BLOCKS_PER_WORKER,
    GROUP,
    Block,
    Cancelled,
    Task,
    ThreadsEngine,
    cut_blocks,
    resolve_n_jobs,
    run_inline,
)

__all__ = [
    "BLOCKS_PER_WORKER", "GROUP", "Block", "Cancelled", "Task", "ThreadsEngine", "cut_blocks", "resolve_n_jobs",
    "run_inline",
]  # fmt: skip
