"""GPUs: when they pay, the task they run, and the CPU in their place where their memory is too small."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.tasks import CERTAINTY, BallTask
from vnestruct.execute import Block, Cancelled
from vnestruct.graph import Graph
from vnestruct.kernels.workspace import RankedGraph
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

DEVICE_KINDS = ("approx", "quadratic")
"""Kinds that GPUs compute; the others need every eigenvalue of a ball, and are left to the CPU."""

PAYS_ABOVE = 5e7
"""Walks to be followed, by estimate, for which a GPU makes up for its start."""

PAYS_ABOVE_ARCS = 2e7
"""The same for radius 1, in arcs."""


def chosen_engine(engine: str, graph: Graph, settings: Settings, max_memory: int | None) -> str:
    """Return the engine, with ``"auto"`` decided: GPUs where there are any and the work is large enough to pay."""
    if engine != "auto":
        return engine
    if max_memory is not None or not is_worthwhile(graph, settings):
        return "threads"
    from vnestruct.kernels.cuda import has_device

    return "cuda" if has_device() else "threads"


def is_worthwhile(graph: Graph, settings: Settings) -> bool:
    """Tell whether the work is so large that a GPU makes up for its start.

    Examples
    --------
    >>> from vnestruct.embedding.parameters import checked_settings
    >>> from vnestruct.graph.synthetic import barabasi_albert
    >>> is_worthwhile(barabasi_albert(1000, 3, seed=1), checked_settings(2))
    False
    """
    if not any(kind in DEVICE_KINDS for kind in settings.kinds):
        return False
    degrees = np.diff(graph.indptr).astype(np.float64)
    arcs = float(degrees.sum())
    if not arcs:
        return False
    if settings.radius == 1 and not settings.weighted:
        return arcs >= PAYS_ABOVE_ARCS
    # Walks of two steps, and for each step more as many again as a walk has ways to go on; a ball has no more arcs
    # than the graph.
    walks = float((degrees**2).sum())
    walks *= (walks / arcs) ** max(settings.radius - 2, 0)
    return min(walks, arcs * degrees.size) >= PAYS_ABOVE


def cuda_digest() -> str:
    """Return a fingerprint of the kernels for GPUs."""
    from vnestruct.kernels.cuda import digest

    return digest()


def warn_of_spectra(settings: Settings) -> None:
    """Say which of the kinds asked for do not run on GPUs."""
    others = [kind for kind in settings.kinds if kind not in DEVICE_KINDS]
    if others:
        named = ", ".join(f"kind={kind!r}" for kind in others)
        warnings.warn(
            f"{named} needs every eigenvalue of a ball, for which there is no GPU kernel: computed on the CPU",
            RuntimeWarning,
            stacklevel=4,
        )


@dataclass
class DeviceTask:
    """The work of a `BallTask`, on the current device of the thread; on the CPU where that has too little memory."""

    task: BallTask
    costs: ValueArray

    def scratch(self) -> Any:
        """Bring the graph to the device; None if it does not fit."""
        from vnestruct.kernels.cuda import DeviceGraph, DeviceMemoryError

        plan = self.task.plan
        try:
            return DeviceGraph(plan.graph, plan.search, plan.components, self.task.first)
        except DeviceMemoryError as error:
            _warn(f"{error}; computed on the CPU")
            return None

    def __call__(self, block: Block, graph: Any, cancel: FlagArray) -> ValueArray:
        """Fill the rows of a block."""
        nodes = self.task.work[block.start : block.stop]
        if graph is None:
            return self._on_cpu(nodes, cancel)
        rows, left = self._on_device(nodes, self.costs[block.start : block.stop], graph, cancel)
        if cancel[0]:
            raise Cancelled
        if left.size:
            _warn(f"{left.size} of {nodes.size} balls do not fit into the memory of the GPU; computed on the CPU")
            rows[left] = self._on_cpu(nodes[left], cancel)
        return rows

    def describe(self, block: Block) -> str:
        """Name the nodes of a block."""
        return self.task.describe(block)

    def _on_device(
        self, nodes: IdArray, costs: ValueArray, graph: Any, cancel: FlagArray
    ) -> tuple[ValueArray, npt.NDArray[np.intp]]:
        from vnestruct.kernels.cuda import DeviceMemoryError, Request, fill_rows

        request = Request(self.task.radius, self.task.kind == "approx", CERTAINTY * self.task.tolerance)
        try:
            return fill_rows(graph, nodes, costs, request, lambda: bool(cancel[0]))
        except DeviceMemoryError:
            return np.zeros((nodes.size, self.task.radius)), np.arange(nodes.size)

    def _on_cpu(self, nodes: IdArray, cancel: FlagArray) -> ValueArray:
        nodes = nodes.copy()
        nodes.flags.writeable = False
        task = replace(self.task, work=nodes, counters=[])
        return task(Block(0, 0, nodes.size, 1.0), task.scratch(), cancel)


def device_closed_form(indptr: OffsetArray, indices: IdArray, *, approximate: bool) -> ValueArray | None:
    """Return radius 1 of every node, by node; None, with a warning, if the device has too little memory."""
    from vnestruct.kernels.cuda import DeviceMemoryError, closed_form

    try:
        return closed_form(indptr, indices, approximate=approximate)
    except DeviceMemoryError as error:
        _warn(f"{error}; computed on the CPU")
        return None


def device_radius_one(graph: RankedGraph, *, approximate: bool) -> ValueArray | None:
    """Return radius 1 of every node of a graph in ranks, by rank; None, with a warning, as above."""
    from vnestruct.kernels.cuda import DeviceMemoryError, closed_form_by_rank

    try:
        degrees = np.diff(graph.indptr)
        return closed_form_by_rank(graph.indptr, graph.indices, graph.split, degrees, approximate=approximate)
    except DeviceMemoryError as error:
        _warn(f"{error}; computed on the CPU")
        return None


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=3)
