"""Engines: run a task over blocks of work, on threads of this process or elsewhere."""

from vnestruct.execute.base import (
    Block,
    Cancelled,
    Engine,
    Task,
    block_failure,
    cut_blocks,
    dearest_first,
)
from vnestruct.execute.cpus import resolve_n_jobs, usable_cpus
from vnestruct.execute.cuda import CudaEngine, cut_for_devices
from vnestruct.execute.inline import InlineEngine
from vnestruct.execute.ray import RayEngine
from vnestruct.execute.threads import ThreadsEngine

__all__ = [
    "Block",
    "Cancelled",
    "CudaEngine",
    "Engine",
    "InlineEngine",
    "RayEngine",
    "Task",
    "ThreadsEngine",
    "block_failure",
    "cut_blocks",
    "cut_for_devices",
    "dearest_first",
    "resolve_n_jobs",
    "usable_cpus",
]
