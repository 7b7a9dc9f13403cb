"""Components that a thread has collected, reduced to tridiagonal form by a device, many at once."""

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from vnestruct.kernels.collected import COMPONENTS, make_collected, subtract_sums
from vnestruct.kernels.cuda.device import compiled, downloaded, fitting, import_cupy, limits, wait
from vnestruct.types import ValueArray

LEAST_ROWS, MOST_ROWS = 48, 2048
"""Rows of components for a device. It has to make up for the copy, and for elimination, which only the CPU knows."""

SIZES = ((64, 128), (96, 256), (128, 256), (160, 512), (MOST_ROWS, 512))
"""Largest number of rows, and threads of a block for it; the square is in shared memory where that is large enough."""

ROWS_PER_BLOCK = 128  # one block, or more, for so many rows of a component whose square is not in shared memory

_ROWS, _ARCS = 1 << 16, 1 << 21  # room for what a thread collects before its device is called
_CELLS = 1 << 25  # entries of squares in global memory at the same time, for each thread
_MEMORY_SHARE = 0.5  # share of the free memory of a device for the squares of all threads
_OTHER_SHARED = 1 << 10  # bytes of shared memory for sums over threads
_TILES = 4  # columns of a thread, as in ``tridiagonal.cu``
_SHARE = 4  # threads that can have large components reduced at the same time


class Spectra:
    """What one of `n_threads` threads has collected for the current device."""

    def __init__(self, n_threads: int) -> None:
        cupy = import_cupy()
        self._device = int(cupy.cuda.Device().id)
        self._shared = limits(self._device).shared_per_block - _OTHER_SHARED
        unused = cupy.cuda.Device().mem_info[0] + cupy.get_default_memory_pool().free_bytes()
        self._blocks = max(limits(self._device).processors // _SHARE, 1)
        self._cells = min(_CELLS, int(_MEMORY_SHARE * unused / n_threads) // 8)
        most = min(MOST_ROWS, (self._shared - _shared(0, SIZES[-1][1], False)) // 32)
        self.collected = make_collected(LEAST_ROWS, most, _ROWS, _ARCS)
        # Rows up to which the square is in shared memory.
        self._inside = max((rows for rows, threads in SIZES if _shared(rows, threads, True) <= self._shared), default=0)
        self._stream = cupy.cuda.Stream(non_blocking=True)
        with self._stream:
            self._cancel = cupy.zeros(1, np.uint8)

    def make_room(self, entropies: ValueArray, is_cancelled: Callable[[], bool]) -> None:
        """Complete what can be, or enlarge the room for components if that is nothing."""
        kept = self.collected
        if kept.used[COMPONENTS]:
            self.complete(entropies, is_cancelled)
        else:
            self.collected = make_collected(kept.least, kept.most, 2 * kept.diagonal.size, 2 * kept.values.size)

    def complete(self, entropies: ValueArray, is_cancelled: Callable[[], bool]) -> None:
        """Complete the entropies that lack what was collected, and forget it."""
        if not self.collected.used[COMPONENTS]:
            return
        try:
            subtract_sums(self.collected, *self._tridiagonal_forms(is_cancelled), entropies)
        finally:
            self.collected.used[:] = 0

    def _tridiagonal_forms(self, is_cancelled: Callable[[], bool]) -> tuple[ValueArray, ValueArray]:
        kept = self.collected
        number, n_rows, n_arcs = kept.used.tolist()
        # The largest first, so that no long one starts last; those whose squares are outside of shared memory lead.
        order = np.argsort(-kept.size[:number], kind="stable")
        sizes = kept.size[order]
        cells = np.cumsum(sizes * (sizes + 2))
        outside = int(np.searchsorted(-sizes, -self._inside))
        queue = np.stack([kept.first[order], sizes, cells - sizes * (sizes + 2), np.zeros(number, np.int64)], axis=1)
        most_cells = min(cells[outside - 1], max(self._cells, cells[0])) if outside else 1
        together = self._blocks if outside and sizes[0] >= 2 * ROWS_PER_BLOCK else 0
        with fitting("a batch of balls") as cupy, self._stream, _together(self._device, together):
            queue, ptr = cupy.asarray(queue), cupy.asarray(kept.ptr[: n_rows + 1])
            columns, values = cupy.asarray(kept.columns[:n_arcs]), cupy.asarray(kept.values[:n_arcs])
            diagonal, off = cupy.asarray(kept.diagonal[:n_rows]), cupy.empty(n_rows, np.float64)
            squares = cupy.empty(int(most_cells), np.float64)
            begin = 0
            while begin < number:
                rows, is_inside, blocks = int(sizes[begin]), begin >= outside, 1
                threads = next(threads for most, threads in SIZES if rows <= most)
                end = int(np.searchsorted(-sizes, -max((most for most, _ in SIZES if most < rows), default=0)))
                if not is_inside:
                    blocks = max(min(self._blocks, rows // ROWS_PER_BLOCK), 1)
                    last = int(np.searchsorted(cells, cells[begin] - rows * (rows + 2) + most_cells, "right"))
                    end = min(end, last, begin + self._blocks // blocks if blocks > 1 else number)
                definitions = {"BLOCK_THREADS": threads, "IN_SHARED": int(is_inside)}
                kernel = compiled(self._device, "tridiagonal.cu", "tridiagonalise", **definitions)
                shared = _shared(rows, threads, is_inside)
                if shared > kernel.max_dynamic_shared_size_bytes:
                    kernel.max_dynamic_shared_size_bytes = shared
                arguments = queue[begin:end], ptr, columns, values, squares, diagonal, off, self._cancel
                kernel((end - begin, blocks), (threads,), arguments, shared_mem=shared)
                begin = end
            wait(self._cancel, is_cancelled)
            return downloaded(diagonal), downloaded(off)


def _shared(rows: int, threads: int, with_square: bool) -> int:
    """Return the bytes of shared memory that ``tridiagonal.cu`` lays out."""
    return 32 * rows + 8 * _TILES * threads + 8 * rows * rows * with_square


_taking = threading.Lock()


@functools.cache
def _places(device: int) -> threading.Semaphore:
    return threading.Semaphore(limits(device).processors)


@contextmanager
def _together(device: int, number: int) -> Iterator[None]:
    """Keep places on a device for blocks that wait for one another: for one without a place, others wait for ever."""
    with _taking:
        for _ in range(number):
            _places(device).acquire()
    try:
        yield
    finally:
        if number:
            _places(device).release(number)
