"""Components that a thread has collected, reduced to tridiagonal form by a device, many at once."""

import threading
from contextlib import nullcontext

import numpy as np

from vnestruct.kernels.cuda.device import compiled, downloaded, fitting, import_cupy, limits, wait
from vnestruct.kernels.dense_balls import subtract_sums
from vnestruct.kernels.workspace import make_collected
from vnestruct.types import FlagArray, ValueArray

LEAST_ROWS, MOST_ROWS = 128, 2048
"""Rows of components for a device: 16 CPUs have done smaller ones before they are copied to an H200."""

SIZES = ((64, 128), (96, 256), (128, 256), (160, 512), (MOST_ROWS, 512))
"""Largest number of rows, and threads of a block for it; the square is in shared memory where that is large enough."""

ROWS_PER_BLOCK = 128  # rows of a component in global memory for each of the blocks that share it

_ROWS, _ARCS, _MEMORY_SHARE = 1 << 15, 1 << 21, 0.5  # room for what a thread collects; of the free memory, for squares
_OTHER_SHARED, _TILES = 1 << 10, 4  # bytes of shared memory for sums over threads; columns of a thread in the source
_AT_ONCE = 4  # threads that have large components reduced on a device; others wait
_turns = [threading.Semaphore(_AT_ONCE) for _ in range(64)]
"""By device. Blocks that share a component wait for one another, so each of them must have a place on the device."""


class Spectra:
    """What one of `n_threads` threads has collected for the current device."""

    def __init__(self, n_threads: int) -> None:
        cupy = import_cupy()
        self._device = int(cupy.cuda.Device().id)
        self._shared = limits(self._device).shared_per_block - _OTHER_SHARED
        self._blocks = limits(self._device).processors // _AT_ONCE
        unused = cupy.cuda.Device().mem_info[0] + cupy.get_default_memory_pool().free_bytes()
        rows = max(min(_ROWS, int(_MEMORY_SHARE * unused / n_threads) // (8 * MOST_ROWS)), 1)
        most = min(MOST_ROWS, (self._shared - _shared_bytes(0, SIZES[-1][1], False)) // 32)
        self.collected = make_collected(LEAST_ROWS, most, rows, _ARCS)
        self._stream = cupy.cuda.Stream(non_blocking=True)
        with self._stream:
            self._cancel = cupy.zeros(1, np.uint8)

    def complete(self, rows: ValueArray, cancel: FlagArray, is_full: bool) -> None:
        """Complete the entropies that lack what was collected, and forget it; make more room if nothing is full."""
        kept = self.collected
        number, n_rows, n_arcs, _ = kept.used.tolist()
        if not number:
            room = 2 * kept.diagonal.size, 2 * kept.values.size
            self.collected = make_collected(kept.least, kept.most, *room) if is_full else kept
            return
        kept.used[:] = 0
        # The largest first, so that no long one starts last.
        places = kept.places[np.argsort(-kept.places[:number, 1], kind="stable")]
        sizes = places[:, 1]
        cells = np.cumsum(sizes * (sizes + 2))
        queue = np.column_stack([places[:, :2], cells - sizes * (sizes + 2), np.zeros(number, np.int64)])
        inside = max((most for most, threads in SIZES if _shared_bytes(most, threads, True) <= self._shared), default=0)
        outside = int(np.searchsorted(-sizes, -inside))
        turn = _turns[self._device % 64] if outside and sizes[0] >= 2 * ROWS_PER_BLOCK else nullcontext()
        with fitting("a batch of balls") as cupy, self._stream, turn:
            arrays = kept.ptr[: n_rows + 1], kept.columns[:n_arcs], kept.values[:n_arcs], kept.diagonal[:n_rows]
            queue, ptr, columns, values, diagonal = map(cupy.asarray, (queue, *arrays))
            squares, off = (cupy.empty(n, np.float64) for n in (int(cells[outside - 1]) if outside else 1, n_rows))
            begin = 0
            while begin < number:
                size, is_inside = int(sizes[begin]), begin >= outside
                threads = next(threads for most, threads in SIZES if size <= most)
                end = int(np.searchsorted(-sizes, -max((most for most, _ in SIZES if most < size), default=0)))
                blocks = 1 if is_inside else max(min(self._blocks, size // ROWS_PER_BLOCK), 1)
                end = min(end, begin + self._blocks // blocks) if blocks > 1 else end
                definitions = {"BLOCK_THREADS": threads, "IN_SHARED": int(is_inside)}
                kernel = compiled(self._device, "tridiagonal.cu", "tridiagonalise", **definitions)
                shared = _shared_bytes(size, threads, is_inside)
                kernel.max_dynamic_shared_size_bytes = max(shared, kernel.max_dynamic_shared_size_bytes)
                arguments = queue[begin:end], ptr, columns, values, squares, diagonal, off, self._cancel
                kernel((end - begin, blocks), (threads,), arguments, shared_mem=shared)
                begin = end
            wait(self._cancel, lambda: bool(cancel[0]))
            subtract_sums(kept, number, downloaded(diagonal), downloaded(off), rows)


def _shared_bytes(rows: int, threads: int, with_square: bool) -> int:
    return 32 * rows + 8 * _TILES * threads + 8 * rows * rows * with_square
