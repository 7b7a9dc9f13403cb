"""How long a task will take: a few groups of balls are computed and the rest is extrapolated.

Groups of eight neighbours in the work list, which kernels take together, are drawn with probability proportional to
their estimated cost. The mean of time over cost, times the total cost, is then an unbiased estimate of the total time,
whatever the error of the cost estimate. Draws follow a low-discrepancy sequence, so that the same graph gives the same
sample, spread evenly over cheap and expensive nodes however early it ends.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.embedding.tasks import NodeTask
from vnestruct.execute import GROUP, Block, Cancelled
from vnestruct.kernels import balls

_DRAWS = 32
"""Groups drawn: 256 nodes."""

_FORECAST_SECONDS = 0.5
"""Time for the sample behind a forecast."""


@dataclass(frozen=True)
class Sample:
    """What a sample of a task says of all of it.

    Attributes
    ----------
    seconds : float
        Estimated time on one worker; of work that was too dear to sample, a lower bound.
    at_least : bool
        Whether it is only that.
    ball_arcs : float or None
        Estimated number of arcs, both directions, of all balls to be looked at; None if it was not counted.
    """

    seconds: float
    at_least: bool = False
    ball_arcs: float | None = 0.0

    def __add__(self, other: Sample) -> Sample:
        known = self.ball_arcs is not None and other.ball_arcs is not None
        arcs = self.ball_arcs + other.ball_arcs if known else None  # type: ignore[operator]
        return Sample(self.seconds + other.seconds, self.at_least or other.at_least, arcs)


def expected_time(task: NodeTask, cost: float, n_workers: int, above: float) -> tuple[float, bool] | None:
    """Return the seconds that a task will take, and whether that is only a lower bound; None if at most `above`."""
    if not cost * task.slowest > above * n_workers:
        return None
    sample = take_sample(task, _FORECAST_SECONDS)
    seconds = sample.seconds / n_workers
    return (seconds, sample.at_least) if seconds > above else None


def take_sample(task: NodeTask, seconds: float) -> Sample:
    """Run a few groups of a task, for about `seconds` at most, and extrapolate to all of it."""
    groups = _Groups(task)
    if not groups.n_groups:
        return Sample(0.0)
    scratch: Any = task.scratch()
    cancel = np.ones(1, np.uint8)
    with suppress(Cancelled):
        # A call that is cancelled from the start compiles or loads the kernel and does nothing else.
        task(groups.draw(0), scratch, cancel)
    cancel[0] = 0
    timer = threading.Timer(seconds, cancel.fill, (1,))
    timer.daemon = True
    timer.start()
    time_share = arc_share = 0.0
    n_done = 0
    begin = time.perf_counter()
    try:
        while n_done < groups.n_draws and (not n_done or time.perf_counter() - begin < seconds):
            block = groups.draw(n_done)
            before, start = _arcs_counted(task), time.perf_counter()
            task(block, scratch, cancel)
            time_share += (time.perf_counter() - start) / block.cost
            arc_share += (_arcs_counted(task) - before) / block.cost
            n_done += 1
    except Cancelled:
        if not n_done:
            return Sample(groups.total * (time.perf_counter() - begin) / block.cost, True, None)
    finally:
        timer.cancel()
    return Sample(
        seconds=groups.total * time_share / n_done,
        ball_arcs=groups.total * arc_share / n_done if task.counts_arcs else None,
    )


def _arcs_counted(task: NodeTask) -> float:
    """Return the arcs of the balls looked at so far."""
    return float(sum(counter[balls.ARCS] for counter in task.counters))


class _Groups:
    """The work of a task in groups of eight, to be drawn by their cost."""

    def __init__(self, task: NodeTask) -> None:
        costs = task.plan.costs(task.work, task.radius)
        self._n_items = costs.size
        self._costs = np.add.reduceat(costs, np.arange(0, costs.size, GROUP)) if costs.size else costs
        self._ends = np.cumsum(self._costs)
        self.n_groups = self._costs.size
        self.n_draws = _DRAWS
        self.total = float(self._ends[-1]) if self.n_groups else 0.0

    def draw(self, number: int) -> Block:
        """Return the group that the number-th draw falls on."""
        place = _radical_inverse(number + 1) * self.total
        chosen = min(int(np.searchsorted(self._ends, place, side="right")), self.n_groups - 1)
        start = chosen * GROUP
        return Block(chosen, start, min(start + GROUP, self._n_items), float(self._costs[chosen]))


def _radical_inverse(number: int) -> float:
    """Return the number-th term of van der Corput's sequence: 1/2, 1/4, 3/4, 1/8, ..."""
    value, scale = 0.0, 0.5
    while number:
        value += scale * (number & 1)
        number >>= 1
        scale /= 2
    return value
