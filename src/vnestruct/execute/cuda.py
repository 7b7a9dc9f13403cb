"""The engine for NVIDIA GPUs: one worker a device, and the blocks are shared among them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from queue import SimpleQueue
from typing import Any

from vnestruct.execute.base import Block, Task, cut_blocks
from vnestruct.execute.threads import ThreadsEngine
from vnestruct.types import FlagArray, ValueArray

BLOCKS_PER_DEVICE = 8
"""Blocks aimed at per device where there is much to do: a device wants thousands of balls at a time."""

LEAST_COST = 2e8
"""Estimated cost of a block that is worth a launch of its own."""

MAX_ITEMS = 1 << 22
"""Items of a block at most: bounds the rows in flight."""


class CudaEngine:
    """Run a task over blocks on all GPUs of this machine that CUDA shows (``CUDA_VISIBLE_DEVICES`` chooses).

    The task must be one that computes on the current device of the thread that calls it.

    Attributes
    ----------
    n_workers : int
        Number of GPUs.

    Examples
    --------
    >>> engine = CudaEngine()                                       # doctest: +SKIP
    >>> for block, rows in engine.run(task, cut_for_devices(costs, 1)):  # doctest: +SKIP
    ...     result[block.start : block.stop] = rows
    """

    def __init__(self) -> None:
        from vnestruct.kernels.cuda import count_devices

        self.n_workers = count_devices()

    def __repr__(self) -> str:
        return f"CudaEngine(n_workers={self.n_workers})"

    def run(self, task: Task, blocks: Sequence[Block]) -> Generator[tuple[Block, ValueArray], None, None]:
        """Yield every block with its rows, in order of completion; blocks start dearest first.

        Raises
        ------
        EngineError
            If a block fails, naming its nodes, chained from the original exception.
        """
        try:
            yield from ThreadsEngine(self.n_workers).run(_OnDevices(task, self.n_workers), blocks)
        finally:
            self._give_back()

    def _give_back(self) -> None:
        """Give memory that CuPy keeps back to the devices: other programs, and other libraries here, may want it."""
        from vnestruct.kernels.cuda import import_cupy

        cupy = import_cupy()
        for number in range(self.n_workers):
            with cupy.cuda.Device(number):
                cupy.get_default_memory_pool().free_all_blocks()


def cut_for_devices(costs: ValueArray, n_devices: int) -> list[Block]:
    """Cut a work list into few large blocks.

    Examples
    --------
    >>> import numpy as np
    >>> len(cut_for_devices(np.ones(100_000), 1)), len(cut_for_devices(np.full(100, 1e8), 1))
    (1, 8)
    """
    target = max(float(costs.sum()) / (BLOCKS_PER_DEVICE * n_devices), LEAST_COST / n_devices)
    return cut_blocks(costs, target=target, n_workers=n_devices, max_items=MAX_ITEMS)


class _OnDevices:
    """A task each of whose workers has a device of its own."""

    def __init__(self, task: Task, n_devices: int) -> None:
        self._task = task
        self._free: SimpleQueue[int] = SimpleQueue()
        for number in range(n_devices):
            self._free.put(number)

    def scratch(self) -> Any:
        """Make a device the current one of this thread, and the workspace on it."""
        from vnestruct.kernels.cuda import import_cupy

        import_cupy().cuda.Device(self._free.get()).use()
        return self._task.scratch()

    def __call__(self, block: Block, scratch: Any, cancel: FlagArray) -> ValueArray:
        """Compute the rows of a block."""
        return self._task(block, scratch, cancel)

    def describe(self, block: Block) -> str:
        """Name the nodes of a block."""
        return self._task.describe(block)
