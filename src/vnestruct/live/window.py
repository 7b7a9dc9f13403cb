"""Which edges a live graph keeps: the last so many, or those of the last so many seconds."""

from __future__ import annotations

import datetime
import math
import re
from collections import Counter
from typing import Any

import numpy as np

from vnestruct.checks import whole_number
from vnestruct.errors import Message, Parameter, ParameterError
from vnestruct.live.events import seconds_of
from vnestruct.types import IdArray, ValueArray

_UNITS = {"": 1.0, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}

Occurrences = tuple[IdArray, ValueArray, ValueArray]
"""Ends (two rows), times and weights of added edges."""


def parse_duration(name: str, duration: Any) -> float:
    """Return a time span in seconds from a number of seconds, a timedelta, or text such as 90s, 15min, 12h, 7d, 2w.

    Examples
    --------
    >>> parse_duration("window", "7d"), parse_duration("every", 60)
    (604800.0, 60.0)
    """
    if isinstance(duration, datetime.timedelta | np.timedelta64):
        duration = (
            duration / type(duration)(1, "s") if isinstance(duration, np.timedelta64) else duration.total_seconds()
        )
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(s|min|h|d|w|)\s*", str(duration))
    if match is None or not float(match[1]) > 0.0:
        units = ", ".join(unit for unit in _UNITS if unit)
        raise ParameterError(Message(Parameter(name), f" is a time span such as 7d ({units}), not {duration!r}"))
    return float(match[1]) * _UNITS[match[2]]


def as_seconds(times: Any, n_edges: int) -> ValueArray:
    """Return one time per edge in seconds, from numbers, dates or texts such as 2004-05-14 09:30, one or several."""
    given = np.asarray(times)
    try:
        if given.dtype.kind not in "iuf":
            given = np.array([seconds_of(time) for time in given.ravel()]).reshape(given.shape)
        seconds = np.ascontiguousarray(np.broadcast_to(given.astype(np.float64), n_edges))
    except (TypeError, ValueError) as error:
        raise ParameterError(f"time must be one number or date, or one per edge: {error}") from None
    if not np.isfinite(seconds).all():
        raise ParameterError("time must be finite")
    return seconds


class Window:
    """The added edges that count, oldest first."""

    def __init__(self, window: Any) -> None:
        self.by_time = not isinstance(window, int | np.integer)
        self._length = parse_duration("window", window) if self.by_time else whole_number("window", window, 1)
        self.now = -math.inf
        self._head = self._tail = 0
        self._ends: IdArray = np.empty((2, 64), np.int32)
        self._times: ValueArray = np.empty(64)
        self._weights: ValueArray = np.empty(64)
        self._cancelled: Counter[tuple[int, int]] = Counter()

    @property
    def nbytes(self) -> int:
        """Bytes of the queue."""
        return self._ends.nbytes + self._times.nbytes + self._weights.nbytes

    def occurrences(self) -> Occurrences:
        """Return what is in the window, oldest first."""
        kept = slice(self._head, self._tail)
        return self._ends[:, kept], self._times[kept], self._weights[kept]

    def extend(self, ends: IdArray, times: ValueArray, weights: ValueArray | None) -> None:
        """Append added edges; by time, late ones take their place among the others."""
        n = times.size
        if self._tail + n > self._times.size:
            kept = self.occurrences()
            self._head, self._tail = 0, kept[1].size
            room = max(64, 3 * (self._tail + n) // 2)
            self._ends, self._times, self._weights = np.empty((2, room), np.int32), np.empty(room), np.empty(room)
            self._ends[:, : self._tail], self._times[: self._tail], self._weights[: self._tail] = kept
        place = slice(self._tail, self._tail + n)
        self._ends[:, place], self._times[place], self._weights[place] = (
            ends,
            times,
            1.0 if weights is None else weights,
        )
        in_order = n < 2 or bool((times[1:] >= times[:-1]).all())
        if self.by_time and n and not (in_order and times[0] >= self.now):
            queue = slice(self._head, self._tail + n)
            order = np.argsort(self._times[queue], kind="stable")
            for array in (self._ends, self._times, self._weights):
                array[..., queue] = array[..., queue][..., order]
        self._tail += n
        if n:
            self.now = max(self.now, float(times.max()))

    def cancel(self, ends: IdArray) -> None:
        """Let the oldest occurrence of each of these edges expire without effect: it was removed before its time."""
        self._cancelled.update(map(tuple, np.sort(ends, axis=0).T.tolist()))

    def expire(self) -> tuple[IdArray, ValueArray]:
        """Take out what has left the window; return its ends and weights."""
        if self.by_time:
            last = int(np.searchsorted(self.occurrences()[1], self.now - self._length))
        else:
            last = max(0, self._tail - self._head - int(self._length))
        gone = slice(self._head, self._head + last)
        ends, weights = self._ends[:, gone].copy(), self._weights[gone].copy()
        self._head += last
        if self._cancelled and last:
            kept = np.array([not self._cancels(pair) for pair in np.sort(ends, axis=0).T.tolist()])
            ends, weights = ends[:, kept], weights[kept]
        return ends, weights

    def _cancels(self, pair: list[int]) -> bool:
        left = self._cancelled.get((pair[0], pair[1]), 0)
        if left == 1:
            del self._cancelled[pair[0], pair[1]]
        elif left:
            self._cancelled[pair[0], pair[1]] -= 1
        return left > 0
