"""What grows with a live graph: the numbers of its labels, its rows of neighbours, and the edges in its window."""

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.checks import whole_number
from vnestruct.errors import UnknownNodeError
from vnestruct.graph.labels import LabelArray, as_label_column, check_label
from vnestruct.kernels import live
from vnestruct.live.events import parse_duration
from vnestruct.types import IdArray, OffsetArray, ValueArray

_OCCURRENCE = np.dtype([("ends", np.int32, 2), ("time", np.float64), ("weight", np.float64)])

_CHUNK = 1 << 16  # labels numbered at once: tables have room for so many more than there are
_SIZES = 40  # sizes of blocks in the pool: more than any row needs


class NodeNumbers:
    """The labels of a growing graph and their numbers 0, 1, ... by first appearance; integers never pass a dict."""

    def __init__(self) -> None:
        self._n_integers = 0
        self._integers: OffsetArray = np.empty(0, np.int64)
        self._slots: IdArray = np.full(8, -1, np.int32)
        # Takes over once there is a label that is no integer.
        self._numbers: dict[Any, int] | None = None
        self._objects: list[Any] = []

    def __len__(self) -> int:
        return self._n_integers if self._numbers is None else len(self._objects)

    @property
    def nbytes(self) -> int:
        """Bytes of the tables of integers."""
        return self._integers.nbytes + self._slots.nbytes

    def labels(self, numbers: npt.NDArray[np.integer] | None = None) -> LabelArray:
        """Return the labels with these numbers, or all."""
        if self._numbers is None:
            known = self._integers[: self._n_integers]
            return known.copy() if numbers is None else known[numbers]
        return as_label_column(self._objects if numbers is None else [self._objects[i] for i in numbers.tolist()])

    def number(self, labels: LabelArray, *, new: bool = True) -> IdArray:
        """Return the number of each label; an unknown one gets the next number, or is refused."""
        if self._numbers is None and labels.dtype == np.int64:
            chunks = [self._number_integers(labels[i : i + _CHUNK], new) for i in range(0, labels.size, _CHUNK)]
            ids = np.concatenate([np.empty(0, np.int32), *chunks])
        else:
            ids = self._number_objects(labels.tolist(), new)
        if not new and ids.size and ids.min() < 0:
            label = labels[int(np.argmax(ids < 0))]
            raise UnknownNodeError(f"node {label.item() if labels.dtype == np.int64 else label!r} is not in the graph")
        return ids

    def _number_integers(self, labels: OffsetArray, new: bool) -> IdArray:
        known, room = self._integers[: self._n_integers], self._n_integers + labels.size
        if new and room > self._integers.size:
            self._integers = np.empty(room + room // 2, np.int64)
            self._integers[: known.size] = known
        if new and 2 * room > self._slots.size:
            self._slots = np.full(1 << (2 * room).bit_length(), -1, np.int32)
            live.number_integers(known, self._integers, 0, self._slots, True, np.empty(known.size, np.int32))
        ids = np.empty(labels.size, np.int32)
        self._n_integers = live.number_integers(labels, self._integers, self._n_integers, self._slots, new, ids)
        return ids

    def _number_objects(self, labels: list[Any], new: bool) -> IdArray:
        if self._numbers is None:
            self._objects = self.labels().tolist()
            self._numbers = {label: number for number, label in enumerate(self._objects)}
        numbers = self._numbers
        try:
            if not new:
                return np.array([numbers.get(label, -1) for label in labels], np.int32)
            fresh = list(dict.fromkeys(label for label in labels if label not in numbers))
        except TypeError:
            fresh = labels
        for label in fresh:
            check_label(label)
        numbers.update(zip(fresh, range(len(numbers), len(numbers) + len(fresh)), strict=True))
        self._objects += fresh
        return np.array([numbers[label] for label in labels], np.int32)


class LiveRows:
    """Neighbours and sums of the nodes 0, 1, ...; kernels stop where they lack room, and go on with more of it."""

    def __init__(self, weighted: bool) -> None:
        types = (np.int64, np.int8, np.int64, np.int64, np.int64, np.uint8, np.int32)
        pool, table, weights = np.empty(64, np.int32), np.full((64, 2), -1, np.int64), np.zeros(64 if weighted else 0)
        counts = np.array([0] * live.FREE + [-1] * _SIZES)
        self.state = live.LiveState._make([*(np.empty(0, kind) for kind in types), pool, table, weights, counts])

    def reserve(self, n_nodes: int) -> None:
        """Make room for so many nodes."""
        room = self.state.degree.size
        if n_nodes > room:
            more = n_nodes + n_nodes // 4 - room
            grown = [np.concatenate([array, np.zeros(more, array.dtype)]) for array in self.state[:7]]
            self.state = live.LiveState._make([*grown, *self.state[7:]])

    def change(self, ends: IdArray, signs: npt.NDArray[np.int8], weights: ValueArray) -> int:
        """Add and remove edges; return how many are done, fewer than all if an edge to remove is not there."""
        begin = np.zeros(1, np.int64)

        def apply(state: live.LiveState) -> int:
            begin[0], why = live.apply_changes(state, ends, signs, weights, begin[0])
            return why

        self.run(apply)
        return int(begin[0])

    def run(self, kernel: Callable[[live.LiveState], int]) -> None:
        """Call a kernel that stops where the arrays have no room, with larger arrays again, until it is done."""
        while (why := kernel(self.state)) in (live.TABLE_FULL, live.POOL_FULL):
            state = self.state
            if why == live.TABLE_FULL:
                n_slots = 2 * state.table.shape[0]
                table, kept = np.full((n_slots, 2), -1, np.int64), np.zeros(n_slots if state.weights.size else 0)
                self.state = state._replace(table=table, weights=kept)
                live.rehash(state, self.state)
            else:
                more = state.pool.size // 4 + 8 * int(state.degree.max()) + 64
                self.state = state._replace(pool=np.concatenate([state.pool, np.empty(more, np.int32)]))

    def take_changed(self) -> IdArray:
        """Return the nodes whose sums have changed since the last call."""
        counts = self.state.counts
        rows: IdArray = np.sort(self.state.changed[: counts[live.N_CHANGED]])
        self.state.is_changed[rows] = counts[live.N_CHANGED] = 0
        return rows


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
        edges = self.edges
        if self.by_time:
            n_expired = int(np.searchsorted(edges["time"], self.now - self._length))
        else:
            n_expired = max(0, edges.size - int(self._length))
        self._begin += n_expired
        expired = edges[:n_expired]
        if self._cancelled:
            expired = expired[[not self._cancels(tuple(pair)) for pair in np.sort(expired["ends"]).tolist()]]
        return expired

    def _cancels(self, pair: tuple[int, ...]) -> bool:
        n_left = self._cancelled.pop(pair, 0)
        if n_left > 1:
            self._cancelled[pair] = n_left - 1
        return n_left > 0
