"""Engines: run a task over blocks of work, on threads of this process or elsewhere."""

from vnestruct.execute.base import (
    BLOCKS_PER_WORKER,
    GROUP,
    Block,
    Cancelled,
    Task,
    block_failure,
    costliest_first,
    cut_blocks,
)
from vnestruct.execute.cpus import resolve_n_jobs, usable_cpus
from vnestruct.execute.threads import InlineEngine, ThreadsEngine

__all__ = [
    "BLOCKS_PER_WORKER", "GROUP", "Block", "Cancelled", "InlineEngine", "Task", "ThreadsEngine",
    "block_failure", "costliest_first", "cut_blocks", "resolve_n_jobs", "usable_cpus",
]  # fmt: skip
