"""Components that a thread has collected, reduced to tridiagonal form by a device, many at once."""

from collections.abc import Callable

import numpy as np

from vnestruct.kernels.collected import COMPONENTS, make_collected, subtract_sums
from vnestruct.kernels.cuda.device import compiled, downloaded, fitting, import_cupy, limits, wait
from vnestruct.types import ValueArray

LEAST_ROWS, MOST_ROWS = 48, 2048
"""Rows of components for a device. It has to make up for the copy, and for elimination, which only the CPU knows."""

SIZES = ((64, 128), (96, 256), (128, 256), (164, 512), (MOST_ROWS, 512))
"""Largest number of rows, and threads for each component; the square is in shared memory where that is large enough."""

_ROWS, _ARCS, _CELLS = 1 << 16, 1 << 21, 1 << 25  # room of a batch; a device runs one for each thread
_MEMORY_SHARE = 0.5  # share of the free memory of a device for the squares of all threads
_OTHER_SHARED = 1 << 10  # bytes of shared memory for sums over threads


class Spectra:
    """What one of `n_threads` threads has collected for the current device."""

    def __init__(self, n_threads: int) -> None:
        cupy = import_cupy()
        self._device = int(cupy.cuda.Device().id)
        self._shared = limits(self._device).shared_per_block - _OTHER_SHARED
        unused = cupy.cuda.Device().mem_info[0] + cupy.get_default_memory_pool().free_bytes()
        cells = min(_CELLS, int(_MEMORY_SHARE * unused / n_threads) // 8)
        self.collected = make_collected(LEAST_ROWS, min(MOST_ROWS, self._shared // 32), _ROWS, _ARCS, max(cells, 1))
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
            room = 2 * kept.diagonal.size, 2 * kept.values.size, 2 * kept.cells
            self.collected = make_collected(kept.least, kept.most, *room)

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
        number, n_rows, n_arcs = kept.used[:3].tolist()
        places = kept.places[:number]
        # The largest first, so that no long one starts last; what is behind them is in shared memory.
        places = places[np.argsort(-places[:, 1], kind="stable")]
        sizes = places[:, 1]
        cells = np.cumsum(sizes * sizes)
        places[1:, 2], places[:1, 2] = cells[:-1], 0
        with fitting("a batch of balls") as cupy, self._stream:
            queue, ptr = cupy.asarray(places), cupy.asarray(kept.ptr[: n_rows + 1])
            columns, values = cupy.asarray(kept.columns[:n_arcs]), cupy.asarray(kept.values[:n_arcs])
            diagonal, off = cupy.asarray(kept.diagonal[:n_rows]), cupy.empty(n_rows, np.float64)
            outside = int(np.searchsorted(-sizes, -self._inside))
            squares = cupy.empty(cells[outside - 1] if outside else 1, np.float64)
            ends = [*np.searchsorted(-sizes, [-rows for rows, _ in SIZES[-2::-1]]).tolist(), number]
            begin = 0
            for (_, threads), end in zip(reversed(SIZES), ends, strict=True):
                if begin == end:
                    continue
                shared = _shared(int(sizes[begin]), threads, begin >= outside)
                definitions = {"BLOCK_THREADS": threads, "IN_SHARED": int(begin >= outside)}
                kernel = compiled(self._device, "tridiagonal.cu", "tridiagonalise", **definitions)
                if shared > kernel.max_dynamic_shared_size_bytes:
                    kernel.max_dynamic_shared_size_bytes = shared
                arguments = queue[begin:end], ptr, columns, values, squares, diagonal, off, self._cancel
                kernel((end - begin,), (threads,), arguments, shared_mem=shared)
                begin = end
            wait(self._cancel, is_cancelled)
            return downloaded(diagonal), downloaded(off)


def _shared(rows: int, threads: int, with_square: bool) -> int:
    """Return the bytes of shared memory that ``tridiagonal.cu`` lays out."""
    return 24 * rows + 8 * max(rows, threads) + 8 * rows * rows * with_square
