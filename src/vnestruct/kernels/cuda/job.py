"""What a kernel over balls is given: the fields of ``job.cuh``, the memory of a block, and the queues of balls."""

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.types import IdArray

_STRUCT = Path(__file__).with_name("job.cuh").read_text(encoding="utf-8").partition("Job {")[2].partition("};")[0]
FIELDS = {name: "d" if kind == "double" else "q" for kind, name in re.findall(r"^ +([\w *]+) (\w+);", _STRUCT, re.M)}
"""The fields of ``struct Job``, in order: doubles, and integers or addresses."""

_CHUNK_ARCS = 512  # room for rows that a warp takes at a time; what is left of it at the end is lost


def pack_job(values: dict[str, Any]) -> npt.NDArray[np.uint64]:
    """Return the fields as the kernel reads them; arrays become addresses, fields left out 0."""
    unknown = values.keys() - set(FIELDS)
    assert not unknown, unknown
    fields = [0 if (value := values.get(name)) is None else value for name in FIELDS]
    numbers = [value if isinstance(value, int | float) else int(value.data.ptr) for value in fields]
    return np.frombuffer(struct.pack("".join(FIELDS.values()), *numbers), np.uint64)


@dataclass(frozen=True)
class Scratch:
    """How large a ball a block has room for, and where its arrays are."""

    n_nodes: int
    most_nodes: int
    most_arcs: int
    column_bytes: int
    weighted: bool
    near_entries: int
    words_near: bool
    collapsed: bool = False

    @property
    def most_steps(self) -> int:
        """Steps of an iteration, at most."""
        return min(2 * self.most_nodes + 64, 1 << 14)

    @property
    def words(self) -> int:
        """Bytes of the set of visited nodes."""
        return 2 * _padded(4 * ((self.n_nodes + 31) // 32))

    @property
    def shared(self) -> int:
        """Bytes of shared memory."""
        return _padded(8 * self.near_entries) + (self.words if self.words_near else 0)

    @property
    def bytes(self) -> int:
        """Bytes of device memory, as ``make_space`` lays them out."""
        nodes = 4 * _padded(4 * self.most_nodes) + _padded(8 * (self.most_nodes + 1)) + _padded(8 * self.most_nodes)
        steps = 2 * _padded(8 * self.most_steps)
        arcs = _padded(self.column_bytes * self.most_arcs)
        if self.weighted:
            arcs += _padded(8 * self.most_arcs)
        nodes += _padded(8 * self.most_nodes) * (self.weighted or self.collapsed)
        nodes += _padded(4 * self.most_nodes) * self.collapsed
        return nodes + steps + arcs + (0 if self.words_near else self.words)


def padded_arcs(n_nodes: int, n_arcs: int, threads: int) -> int:
    """Return room for rows that is enough for any ball of a graph."""
    # Of a chunk, a quarter at most is lost.
    return (n_arcs + 3 * n_nodes) * 4 // 3 + (threads // 32) * _CHUNK_ARCS + 8


def _padded(size: int) -> int:
    return (size + 15) & ~15


class Queues:
    """Queues of balls, by kernel, for `room` in all; the last takes what is left over, the first `chained` hand on."""

    def __init__(self, cupy: Any, queues: list[IdArray], room: int, chained: int) -> None:
        self._cupy, self._chained = cupy, chained
        self._balls = cupy.zeros((len(queues) + 1, max(room, 1)), np.int32)
        for i, queue in enumerate(queues):
            self._balls[i, : queue.size] = cupy.asarray(queue)
        self._filled = [queue.size > 0 for queue in queues]
        self._lengths = cupy.asarray(np.array([*map(len, queues), 0], np.int32))
        self._taken = cupy.zeros(len(queues) + 1, np.int32)
        self.keep: list[Any] = []  # what launches under way still read

    def may_hold(self, index: int) -> bool:
        """Tell whether there may be anything in a queue when its turn comes."""
        return any(self._filled[: index + 1]) if index <= self._chained else self._filled[index]

    def fields(self, index: int, following: int) -> dict[str, Any]:
        """Return the fields of a job that takes from a queue and hands on to another."""
        return {
            "queue": self._balls[index], "queue_length": self._lengths[index : index + 1],
            "taken": self._taken[index : index + 1], "too_large": self._balls[following],
            "too_large_length": self._lengths[following : following + 1],
        }  # fmt: skip

    def take(self, wait: Callable[[], None]) -> IdArray:
        """Wait for all launches and return what is left over."""
        wait()
        self.keep.clear()
        left: IdArray = self._balls[-1, : int(self._lengths[-1])].get()
        return left

    def put(self, balls: IdArray) -> None:
        """Put what was left over into the queue before it, which then is all there is to do."""
        self._balls[-2, : balls.size] = self._cupy.asarray(np.sort(balls))
        self._lengths[-2] = balls.size
        self._lengths[-1] = 0
        self._taken[-2] = 0
