"""Queues of balls in the memory of a device, from which the blocks of a kernel take what they do next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from vnestruct.types import IdArray


class Queues:
    """Queues of balls on the device, by kernel; the last takes what is left over.

    Parameters
    ----------
    cupy : module
        CuPy.
    queues : list of arrays of int32
        The balls of each kernel.
    room : int
        Balls in all.
    chained : int
        The first `chained` kernels hand on to the next.
    """

    def __init__(self, cupy: Any, queues: list[IdArray], room: int, chained: int) -> None:
        self._cupy = cupy
        self._chained = chained
        self._room = max(room, 1)
        self._count = len(queues) + 1
        balls = np.zeros((self._count, self._room), np.int32)
        lengths = np.zeros(self._count, np.int32)
        for i, queue in enumerate(queues):
            balls[i, : queue.size] = queue
            lengths[i] = queue.size
        self._filled = [queue.size > 0 for queue in queues]
        self._balls = cupy.asarray(balls)
        self._lengths = cupy.asarray(lengths)
        self._taken = cupy.zeros(self._count, np.int32)
        self.keep: list[Any] = []
        """What launches under way still read."""

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
        length = int(self._lengths[-1])
        left: IdArray = self._balls[-1, :length].get()
        return left

    def put(self, balls: IdArray) -> None:
        """Put what was left over into the queue before it, which then is all there is to do."""
        self._balls[-2, : balls.size] = self._cupy.asarray(np.sort(balls))
        self._lengths[-2] = balls.size
        self._lengths[-1] = 0
        self._taken[-2] = 0


class Flag:
    """A byte of device memory that kernels read before each ball: a look at the host's would cost more than a ball."""

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self.value = cupy.zeros(1, np.uint8)

    def set(self) -> None:
        """Set it while kernels run: a copy on a stream of its own needs no room among their blocks."""
        self.value.set(np.ones(1, np.uint8), stream=self._cupy.cuda.Stream(non_blocking=True))
