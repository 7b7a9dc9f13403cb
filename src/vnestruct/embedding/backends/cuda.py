"""The back end for NVIDIA GPUs, with threads of this process for what they leave to the CPU."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vnestruct.embedding.backends import ThreadsBackend
from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Plan, read_only
from vnestruct.embedding.tasks import BallTask, NodeTask, output_codes, task_type
from vnestruct.execute import Block, Cancelled, ThreadsEngine, cut_blocks
from vnestruct.graph import Graph
from vnestruct.kernels import DIGEST
from vnestruct.kernels import cuda as kernels
from vnestruct.types import FlagArray, IdArray, ValueArray

PAYS_ABOVE = 5e7  # walks to be followed, by estimate, for which a GPU makes up for its start
PAYS_ABOVE_ARCS = 2e7  # the same for radius 1, in arcs
BLOCKS_PER_DEVICE = 8  # aimed at where there is much to do: a device wants thousands of balls at a time
MIN_COST = 2e8  # estimated cost of a block that is worth a launch of its own
MAX_ITEMS = 1 << 22  # items of a block at most: bounds the rows in flight
KEPT_SHARE = 0.1  # of a device's memory, which CuPy may keep for the next call; other programs may want the rest


class CudaBackend(ThreadsBackend):
    """Uses all GPUs of this machine that CUDA shows (``CUDA_VISIBLE_DEVICES`` chooses), and `n_jobs` threads."""

    def __init__(self, *request: Any) -> None:
        self.n_devices = kernels.count_devices()
        # The compiler contracts products and sums as the device can.
        attributes = kernels.import_cupy().cuda.Device(0).attributes
        major, minor = (attributes.get(f"ComputeCapability{part}") for part in ("Major", "Minor"))
        self.device = f"GPU {major}.{minor} {DIGEST}"
        super().__init__(*request)

    @property
    def n_workers(self) -> int:
        """Number of GPUs."""
        return self.n_devices

    def radius_one(self, graph: Graph, outputs: Sequence[str], ranked: Plan | None = None) -> ValueArray:
        """Return radius 1 of every node; from the CPU, with a warning, if a device has too little memory."""
        codes = output_codes(outputs)
        try:
            if ranked is None:
                return kernels.closed_form(graph.indptr, graph.indices, codes)
            return kernels.closed_form_by_rank(ranked.graph, codes)
        except kernels.DeviceMemoryError as error:
            _warn(f"{error}; computed on the CPU")
            return super().radius_one(graph, outputs, ranked)

    def run(self, task: NodeTask, costs: ValueArray) -> Generator[tuple[Block, ValueArray], None, None]:
        """Run a task on the devices, if they have a kernel for it; blocks start with the most expensive."""
        if not isinstance(task, BallTask):
            return super().run(task, costs)
        blocks = cut_for_devices(costs, self.n_devices)
        return ThreadsEngine(self.n_devices).run(DeviceTask(task, costs, self.n_devices), blocks)

    def close(self) -> None:
        """End what was started, and give the memory of devices back, unless it is little."""
        super().close()
        cupy = kernels.import_cupy()
        for number in range(self.n_devices):
            with cupy.cuda.Device(number):
                pool = cupy.get_default_memory_pool()
                if pool.total_bytes() > KEPT_SHARE * cupy.cuda.Device(number).mem_info[1]:
                    pool.free_all_blocks()


def cut_for_devices(costs: ValueArray, n_devices: int) -> list[Block]:
    """Cut a work list into few large blocks."""
    target = max(float(costs.sum()) / (BLOCKS_PER_DEVICE * n_devices), MIN_COST / n_devices)
    return cut_blocks(costs, target=target, n_workers=n_devices, max_items=MAX_ITEMS)


def is_worthwhile(graph: Graph, settings: Settings) -> bool:
    """Tell whether there is a GPU, and the work is so large that it makes up for its start."""
    return is_large(graph, settings) and kernels.has_device()


def is_large(graph: Graph, settings: Settings) -> bool:
    """Tell whether the work is so large that a GPU makes up for its start."""
    degrees = np.diff(graph.indptr).astype(np.float64)
    arcs = float(degrees.sum())
    if not arcs or not any(issubclass(task_type(kind), BallTask) for kind in settings.kinds):
        return False
    has_closed_form = all(task_type(kind).has_closed_form for kind in settings.kinds) and not settings.weighted
    if settings.radius == 1 and has_closed_form:
        return arcs >= PAYS_ABOVE_ARCS
    # Walks of two steps, and for each step more as many again as a walk has ways to go on; a ball has no more arcs
    # than the graph.
    walks = float((degrees**2).sum())
    walks *= (walks / arcs) ** max(settings.radius - 2, 0)
    return min(walks, arcs * degrees.size) >= PAYS_ABOVE


@dataclass
class DeviceTask:
    """The work of a task, on the current device of the thread; on the CPU where that has too little memory."""

    task: BallTask
    costs: ValueArray
    n_devices: int

    def __post_init__(self) -> None:
        self._free = list(range(self.n_devices))

    def scratch(self) -> Any:
        """Make a free device the current one of this thread and copy the graph to it; None if it does not fit."""
        kernels.import_cupy().cuda.Device(self._free.pop()).use()
        plan = self.task.plan
        try:
            return kernels.DeviceGraph(plan.graph, plan.search, plan.components, self.task.first)
        except kernels.DeviceMemoryError as error:
            _warn(f"{error}; computed on the CPU")
            return None

    def __call__(self, block: Block, graph: Any, cancel: FlagArray) -> ValueArray:
        """Fill the rows of a block."""
        nodes = self.task.work[block.start : block.stop]
        if graph is None:
            return self._on_cpu(nodes, cancel)
        task, costs = self.task, self.costs[block.start : block.stop]
        try:
            rows, left = kernels.fill_rows(graph, nodes, costs, task.request(), lambda: bool(cancel[0]))
        except kernels.DeviceMemoryError:
            rows, left = np.zeros((nodes.size, task.radius * len(task.outputs))), np.arange(nodes.size)
        if cancel[0]:
            raise Cancelled
        if left.size:
            _warn(f"{left.size} of {nodes.size} balls do not fit into the memory of the GPU; computed on the CPU")
            rows[left] = self._on_cpu(nodes[left], cancel)
        return rows

    def describe(self, block: Block) -> str:
        """Name the nodes of a block."""
        return self.task.describe(block)

    def _on_cpu(self, nodes: IdArray, cancel: FlagArray) -> ValueArray:
        task = replace(self.task, work=read_only(nodes.copy()))
        return task(Block(0, 0, nodes.size, 1.0), task.scratch(), cancel)


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=3)
