"""Entropies of the balls of many nodes on one device: which kernel takes which ball, and what is left over.

Balls are queued by their estimated cost: small ones for kernels that give a warp to each and keep all of it in shared
memory, others for kernels that give a block of threads to each. A ball that turns out too large for its kernel is
handed on, so a bad estimate costs a second search and nothing else. Which kernel ends up with a ball depends on the
ball alone, and the same holds for its bits.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from vnestruct.kernels.cuda.device import DeviceMemoryError, compiled, downloaded, import_cupy, limits, wait
from vnestruct.kernels.cuda.graph import DeviceGraph
from vnestruct.kernels.cuda.job import Queues, Scratch, pack_job, padded_arcs
from vnestruct.kernels.workspace import Request
from vnestruct.types import IdArray, ValueArray


class Small(NamedTuple):
    """A kernel with one warp per ball: the largest estimated cost it is given, and what it has room for."""

    most_cost: float
    nodes: int
    arcs: int
    steps: int

    def shared(self, weighted: bool, collapsed: bool) -> int:
        """Return the bytes of shared memory, as ``struct Pool`` lays them out."""
        size = 8 * (2 * self.nodes + 2 * self.steps + 4) + 2 * self.arcs + 12 * self.nodes + 12 * self.nodes
        size += 8 * (self.arcs + self.nodes) if weighted else 12 * self.nodes * collapsed
        return (size + 63) // 16 * 16


class Large(NamedTuple):
    """A kernel with a block a ball: the largest estimated cost it is given, its threads, and what else it takes."""

    most_cost: float
    threads: int
    shared: int  # bytes of a vector to keep in shared memory
    per_processor: int  # blocks at once on each multiprocessor


# Measured on an H200: which costs go to which kernel at radius 2, and how many threads and how much memory each has.
SMALL = (Small(96.0, 64, 768, 64), Small(1024.0, 256, 3072, 96))
LARGE = (Large(4096.0, 256, 12 << 10, 5), Large(np.inf, 512, 88 << 10, 2))

_LOOSER = 2.0
"""The estimate counts walks, of which there are ever more than nodes: borders grow by this with each further hop."""

_WORDS_NEAR_NODES = 1 << 17  # nodes up to which the set of visited ones is kept in shared memory
_OTHER_SHARED = 4 << 10  # bytes of shared memory that are left for sums over threads
_MOST_ARCS = 1 << 30  # arcs of a ball that places in its rows, of four bytes, can number with room to spare
_MEMORY_SHARE = 0.6  # share of the free memory of a device to take for scratch
_FEW_ARCS = 1 << 18  # room for arcs that a block should have before there are many blocks


def fill_rows(
    graph: DeviceGraph, work: IdArray, costs: ValueArray, request: Request,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> tuple[ValueArray, npt.NDArray[np.intp]]:  # fmt: skip
    """Return the rows of the nodes of ranks `work`, and the positions that did not fit into the memory of the device.

    `costs` are the estimated ones of their balls: walks of as many steps as the radius. `is_cancelled` is asked now and
    then; the rows are worthless once it says yes.
    """
    run = _Run(graph, request, is_cancelled)
    rows, left = run.rows_of(work, costs)
    left = np.sort(left)
    # Balls that are all of their component wait for its entropy.
    waiting = np.isnan(rows)
    waiting[left] = False
    if waiting.any() and not is_cancelled():
        row, column = np.divmod(np.flatnonzero(waiting), rows.shape[1])
        components = graph.component_of[work[row]]
        if graph.component_values is None:
            graph.component_values = np.full((graph.n_components, request.outputs.size), np.nan)
        node = np.full(graph.n_components, -1, np.int32)  # from which a search reaches all of a component
        node[components] = work[row]
        missing = np.flatnonzero((node >= 0) & np.isnan(graph.component_values[:, 0]))
        values, too_large = run.component_values(node[missing])
        values[too_large] = np.nan
        graph.component_values[missing] = values
        rows[row, column] = graph.component_values[components, column // request.radius]
        if too_large.size:
            left = np.union1d(left, row[np.isin(components, missing[too_large])])
    return rows, left


class _Run:
    """The launches of one call."""

    def __init__(self, graph: DeviceGraph, request: Request, is_cancelled: Callable[[], bool]) -> None:
        self._cupy, self._limits = import_cupy(), limits(graph.device)
        self._graph, self._request, self._is_cancelled = graph, request, is_cancelled
        # Kernels read this byte before each ball: a look at the host's memory would cost more than a ball.
        self._cancel = self._cupy.zeros(1, np.uint8)
        self._fields = graph.fields() | {
            "cancel": self._cancel, "with_largest": int(request.with_largest),
            "tolerance": float(request.tolerance), "outputs": self._cupy.asarray(request.outputs),
            "n_outputs": int(request.outputs.size), "scale": float(request.scale),
        }  # fmt: skip

    def rows_of(self, work: IdArray, costs: ValueArray) -> tuple[ValueArray, npt.NDArray[np.intp]]:
        cupy, radius, n_outputs = self._cupy, self._request.radius, self._request.outputs.size
        borders = [_LOOSER ** max(radius - 2, 0) * one.most_cost for one in (*SMALL, *LARGE)]
        kernel = sum((costs > border).astype(np.int8) for border in borders)
        queues = [np.flatnonzero(kernel == i).astype(np.int32) for i in range(len(borders))]
        for i in range(len(SMALL), len(borders)):
            # The dearest first, so that no long one starts last.
            queues[i] = queues[i][np.argsort(-costs[queues[i]], kind="stable")]
        rows = cupy.zeros((work.size, n_outputs * radius), np.float64)
        fields = {"work": cupy.asarray(work), "rows": rows, "radius": radius, "smallest": self._request.smallest}
        queue = Queues(cupy, queues, work.size, len(SMALL))
        for i in range(len(SMALL)):
            self._launch_small(fields, queue, i)
        # These have more blocks, so their memory is mostly enough for the others as well.
        self._launch_large(fields, queue, 2, borders[2])
        self._launch_large(fields, queue, 3, float(costs.max(initial=0.0)))
        left = self._leftovers(fields, queue)
        return downloaded(rows), left

    def component_values(self, nodes: IdArray) -> tuple[ValueArray, npt.NDArray[np.intp]]:
        cupy = self._cupy
        rows = cupy.zeros((nodes.size, self._request.outputs.size), np.float64)
        fields = {"work": cupy.asarray(nodes), "rows": rows, "radius": 1, "smallest": 1, "by_component": 1}
        everything, none = np.arange(nodes.size, dtype=np.int32), np.empty(0, np.int32)
        queue = Queues(cupy, [none, none, none, everything], nodes.size, len(SMALL))
        self._launch_large(fields, queue, 3, float(self._graph.n_nodes))
        left = self._leftovers(fields, queue)
        return rows.get(), left

    def _launch_small(self, fields: dict[str, Any], queue: Queues, index: int) -> None:
        if not queue.may_hold(index):
            return
        small, graph = SMALL[index], self._graph
        shared = small.shared(graph.weighted, graph.collapsed)
        if shared > self._limits.shared_per_block:
            raise DeviceMemoryError(f"a kernel needs {shared:,} bytes of shared memory, more than this GPU has")
        kernel = compiled(
            graph.device, "small_balls.cu", "small_balls",
            MOST_NODES=small.nodes, MOST_ARCS=small.arcs, MOST_STEPS=small.steps, WITH_WEIGHTS=int(graph.weighted),
            WITH_TWINS=int(graph.collapsed),
        )  # fmt: skip
        fields = {**fields, **queue.fields(index, index + 1)}
        self._launch(kernel, self._limits.blocks(32, shared), 32, shared, fields, queue)

    def _launch_large(self, fields: dict[str, Any], queue: Queues, index: int, most_cost: float) -> None:
        if queue.may_hold(index):
            most_nodes = int(min(self._graph.n_nodes, 1 + self._request.radius * max(most_cost, 1.0)))
            blocks = self._limits.processors * LARGE[index - len(SMALL)].per_processor
            self._launch_blocks(fields, queue, index, blocks, most_nodes)

    def _leftovers(self, fields: dict[str, Any], queue: Queues) -> npt.NDArray[np.intp]:
        """Run what did not fit with fewer blocks that have more memory each; return what does not fit even so."""
        blocks = self._limits.processors * LARGE[-1].per_processor
        while True:
            left = queue.take(lambda: wait(self._cancel, self._is_cancelled))
            if not left.size or self._is_cancelled() or blocks == 1:
                return left.astype(np.intp)
            blocks = max(1, min(blocks // 16, left.size))
            queue.put(left)
            self._launch_blocks(fields, queue, 3, blocks, self._graph.n_nodes)

    def _launch_blocks(self, fields: dict[str, Any], queue: Queues, index: int, blocks: int, nodes: int) -> None:
        graph, large = self._graph, LARGE[index - len(SMALL)]
        short = graph.n_nodes < 1 << 16
        words_near = graph.n_nodes <= _WORDS_NEAR_NODES
        room = self._limits.shared_per_block - _OTHER_SHARED - graph.n_nodes // 4 * words_near
        entries = max(0, min(large.shared, room)) // 8

        def scratch_for(arcs: int) -> Scratch:
            near = min(entries, nodes + 1)
            kinds = graph.weighted, near, words_near, graph.collapsed
            return Scratch(graph.n_nodes, nodes, arcs, 2 if short else 4, *kinds)

        # No more than is needed, since taking memory takes time.
        all_arcs = min(padded_arcs(nodes, int(graph.most_arcs[nodes - 1]), large.threads), _MOST_ARCS)
        blocks, arcs, memory = self._scratch(scratch_for, blocks, all_arcs)
        scratch = scratch_for(arcs)
        kernel = compiled(
            graph.device, "balls.cu", "balls",
            BLOCK_THREADS=large.threads, BLOCKS_PER_PROCESSOR=large.per_processor, SHORT_COLUMNS=int(short),
            WITH_WEIGHTS=int(graph.weighted), WITH_TWINS=int(graph.collapsed),
        )  # fmt: skip
        details = {
            "scratch": memory, "scratch_bytes": scratch.bytes, "most_nodes": scratch.most_nodes,
            "most_arcs": scratch.most_arcs, "most_steps": scratch.most_steps, "near_entries": scratch.near_entries,
            "words_near": int(words_near),
        }  # fmt: skip
        # What is too large is left over.
        fields = {**fields, **queue.fields(index, 4), **details}
        self._launch(kernel, blocks, large.threads, scratch.shared, fields, queue)

    def _scratch(self, scratch_for: Callable[[int], Scratch], blocks: int, all_arcs: int) -> tuple[int, int, Any]:
        """Return (blocks, room for arcs of each, the memory): all that is needed, or all there is."""
        cupy, graph = self._cupy, self._graph
        kept = 0 if graph.scratch is None else int(graph.scratch.nbytes)
        unused = cupy.cuda.Device().mem_info[0] + cupy.get_default_memory_pool().free_bytes()
        budget = int(_MEMORY_SHARE * (unused + kept))
        for _ in range(8):
            while True:
                fixed = scratch_for(0).bytes
                per_arc = (scratch_for(1 << 20).bytes - fixed) / (1 << 20)
                arcs = int(min(all_arcs, (budget / blocks - fixed - 64) / per_arc)) & ~3
                if blocks == 1 or arcs >= min(all_arcs & ~3, _FEW_ARCS):
                    break
                blocks = max(1, blocks // 2)
            if arcs <= 0:
                break
            size = blocks * scratch_for(arcs).bytes
            if size <= kept:
                return blocks, arcs, graph.scratch
            graph.scratch = None
            try:
                graph.scratch = cupy.empty(size, np.uint8)
                return blocks, arcs, graph.scratch
            except cupy.cuda.memory.OutOfMemoryError:
                kept = 0
                budget = min(budget, size) // 2
        raise DeviceMemoryError("the memory of the GPU is too small for a single ball")

    def _launch(
        self, kernel: Any, blocks: int, threads: int, shared: int, fields: dict[str, Any], queue: Queues
    ) -> None:
        on_device = self._cupy.asarray(pack_job({**self._fields, **fields}))
        queue.keep.append(on_device)
        if shared > kernel.max_dynamic_shared_size_bytes:
            kernel.max_dynamic_shared_size_bytes = shared
        kernel((blocks,), (threads,), (on_device,), shared_mem=shared)
