"""How long a task will take: a few groups of its work are run and the rest is extrapolated.

Groups of neighbours in the work list, which kernels take together, are drawn with probability proportional to their
estimated cost. The mean of time over cost, times the total cost, is then an unbiased estimate of the total time,
whatever the error of the cost estimate. Draws follow a low-discrepancy sequence, so that the same graph gives the same
sample, spread evenly over cheap and expensive nodes however early it ends. As many threads draw as will work: they
share caches and memory in the sample as they will in the run.
"""

from __future__ import annotations

import itertools
import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from vnestruct.embedding.tasks import BallTooLargeError, NodeTask
from vnestruct.execute import GROUP, Block, Cancelled, Task
from vnestruct.graph.build import return_freed_memory
from vnestruct.types import FlagArray, ValueArray

SECONDS = 0.5  # time for a sample
_DRAWS = 64  # groups drawn
_LEAST_COST, _LARGEST_SHARE = 3e6, 0.125
"""Cost of a sample that is not too short to be measured, or this share of the total: where balls are small, a group has
so many more."""

_BYTES = 100_000_000  # memory for local graphs of a sample; for larger ones, a lower bound on the time must do
_NODE_SECONDS = 2e-6  # least time per node of such a local graph
_SPREAD = 2.0  # standard errors of the mean on either side that a range covers
_LEAST, _MOST = 0.6, 1.6
"""A range reaches at least from and to these multiples of the estimate: runs of the same work differ that much."""


_busy_time = time.thread_time if time.get_clock_info("thread_time").resolution < 1e-5 else time.perf_counter
"""A clock that stands still while another program has the processor, where it is fine enough."""


@dataclass(frozen=True)
class Sample:
    """What a sample says about all of the work."""

    low: float  # range of the time in seconds
    high: float  # infinite if the work was too expensive to sample

    def __add__(self, other: Sample) -> Sample:
        return Sample(self.low + other.low, self.high + other.high)

    def shared_by(self, n_workers: int) -> Sample:
        """Return the same for work that some workers share."""
        return Sample(self.low / n_workers, self.high / n_workers)


def measured(seconds: float) -> Sample:
    """Return the range of the time of work that took so long once."""
    return Sample(_LEAST * seconds, _MOST * seconds)


def sample_balls(task: NodeTask, costs: ValueArray, n_threads: int, seconds: float = SECONDS) -> Sample:
    """Run a few groups of balls, of which the largest are left out, and extrapolate."""
    return take_sample(task.within(_BYTES // n_threads), costs, n_threads, seconds)


def take_sample(task: Task, costs: ValueArray, n_threads: int, seconds: float = SECONDS) -> Sample:
    """Run a few groups of a task, for about `seconds`, and extrapolate to all of it on one worker."""
    groups = _Groups(costs)
    del costs
    return_freed_memory()
    if not groups.n_groups:
        return Sample(0.0, 0.0)
    cancel = np.ones(1, np.uint8)
    with suppress(Cancelled):
        # A call that is cancelled from the start compiles or loads the kernel and does nothing else.
        task(groups.draw(0), task.scratch(), cancel)
    cancel[0] = 0
    draws = _Draws(task, groups, cancel)
    timer = threading.Timer(seconds, cancel.fill, (1,))
    timer.daemon = True
    with ThreadPoolExecutor(n_threads) as pool:
        workers = [pool.submit(draws.work) for _ in range(n_threads)]
        timer.start()
        try:
            for worker in workers:
                worker.result()
        finally:
            cancel[0] = 1
            timer.cancel()
    low, high = draws.range()
    return Sample(groups.total * low, groups.total * high)


class _Draws:
    """Groups run by several threads, with the time per cost of each."""

    def __init__(self, task: Task, groups: _Groups, cancel: FlagArray) -> None:
        self._task, self._groups, self._cancel = task, groups, cancel
        self._numbers = itertools.count()
        self.rates: list[float] = []
        self.unfinished: list[float] = []
        self.too_large: list[float] = []
        self.delays: list[tuple[float, float]] = []  # time passed and time on a processor, which others use as well

    def work(self) -> None:
        """Run one group after the other, until there are enough or time is over."""
        scratch = self._task.scratch()
        while (number := next(self._numbers)) < _DRAWS and not self._cancel[0]:
            block = self._groups.draw(number)
            begin, started = _busy_time(), time.perf_counter()
            try:
                self._task(block, scratch, self._cancel)
            except Cancelled:
                self.unfinished.append((_busy_time() - begin) / block.cost)
                return
            except BallTooLargeError as error:
                self.too_large.append(_NODE_SECONDS * error.n_nodes / block.cost)
                continue
            finally:
                busy = _busy_time() - begin
                self.delays.append((time.perf_counter() - started, busy))
            self.rates.append(busy / block.cost)

    def range(self) -> tuple[float, float]:
        """Return the range of the mean time per cost."""
        passed, busy = np.sum(self.delays, axis=0)
        slowdown = max(float(passed / busy), 1.0) if busy > 0.0 else 1.0
        if self.too_large or not self.rates:
            return float(np.mean(self.rates + self.unfinished + self.too_large)) * slowdown, math.inf
        # What was not finished took at least as long as it did; left out, it would make the mean too small.
        slow = [rate for rate in self.unfinished if rate > np.mean(self.rates)]
        rates = np.array(self.rates + slow) * slowdown
        mean = float(rates.mean())
        # One draw says nothing of the spread between draws.
        error = _SPREAD * float(rates.std(ddof=1) / np.sqrt(rates.size) if rates.size > 1 else mean)
        most = mean + error * (1.0 + len(slow))
        return max(_LEAST * mean - error, 0.3 * mean), max(_MOST * mean, most * _MOST)


class _Groups:
    """Work in groups, to be drawn by their cost."""

    def __init__(self, costs: ValueArray) -> None:
        self._n_items, self.total = costs.size, float(costs.sum())
        wanted = min(_LEAST_COST, _LARGEST_SHARE * self.total) / _DRAWS
        n_groups = max(int(wanted / max(self.total / max(costs.size, 1) * GROUP, 1e-300)), 1)
        self._size = GROUP * n_groups
        self._costs = np.add.reduceat(costs, np.arange(0, costs.size, self._size)) if costs.size else costs
        self._ends = np.cumsum(self._costs)
        self.n_groups = self._costs.size

    def draw(self, number: int) -> Block:
        """Return the group that the number-th draw falls on."""
        place = _radical_inverse(number + 1) * self.total
        chosen = min(int(np.searchsorted(self._ends, place, side="right")), self.n_groups - 1)
        start = chosen * self._size
        return Block(chosen, start, min(start + self._size, self._n_items), float(self._costs[chosen]))


def _radical_inverse(number: int) -> float:
    """Return the number-th term of van der Corput's sequence: 1/2, 1/4, 3/4, 1/8, ..."""
    return int(f"{number:b}"[::-1], 2) / (1 << number.bit_length())
