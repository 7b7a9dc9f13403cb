"""The window of a live graph: which added edges count."""

import math
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import whole_number
from vnestruct.live.events import parse_duration
from vnestruct.types import IdArray, ValueArray

_OCCURRENCE = np.dtype([("ends", np.int32, 2), ("time", np.float64), ("weight", np.float64)])


class Window:
    """The added edges that count, oldest first: the last so many, or those of the last so many seconds."""

    def __init__(self, window: Any) -> None:
        self.by_time = not isinstance(window, int | np.integer)
        self._length = parse_duration("window", window) if self.by_time else whole_number("window", window, 1)
        self.now = -math.inf
        self._begin = self._end = 0
        self._queue = np.empty(64, _OCCURRENCE)
        self._cancelled: Counter[tuple[int, ...]] = Counter()

    @property
    def nbytes(self) -> int:
        """Bytes of the queue."""
        return self._queue.nbytes

    @property
    def edges(self) -> npt.NDArray[np.void]:
        """The edges in the window: ends, time and weight."""
        return self._queue[self._begin : self._end]

    def extend(self, ends: IdArray, times: ValueArray, weights: ValueArray) -> None:
        """Append added edges; by time, late ones take their place among the others."""
        if self._end + times.size > self._queue.size:
            kept = self.edges
            self._queue = np.empty(max(64, 3 * (kept.size + times.size) // 2), _OCCURRENCE)
            self._queue[: kept.size] = kept
            self._begin, self._end = 0, kept.size
        new = self._queue[self._end : self._end + times.size]
        new["ends"], new["time"], new["weight"] = ends, times, weights
        self._end += times.size
        if self.by_time and times.size:
            if times[0] < self.now or (np.diff(times) < 0.0).any():
                self.edges[:] = self.edges[np.argsort(self.edges["time"], kind="stable")]
            self.now = max(self.now, float(times.max()))

    def cancel(self, ends: IdArray) -> None:
        """Let the oldest occurrence of each of these edges expire without effect: it was removed before its time."""
        self._cancelled.update(map(tuple, np.sort(ends).tolist()))

    def expire(self) -> npt.NDArray[np.void]:
        """Take out what has left the window, and return it."""
        edges, cancelled = self.edges, self._cancelled
        if self.by_time:
            n_expired = int(np.searchsorted(edges["time"], self.now - self._length))
        else:
            n_expired = max(0, edges.size - int(self._length))
        self._begin += n_expired
        expired = edges[:n_expired]
        is_kept = np.ones(n_expired, bool)
        for i, pair in enumerate(map(tuple, np.sort(expired["ends"]).tolist() if cancelled else ())):
            if pair in cancelled:
                is_kept[i] = False
                cancelled[pair] -= 1
                if not cancelled[pair]:
                    del cancelled[pair]
        return expired[is_kept]
