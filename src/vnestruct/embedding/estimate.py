"""How much work an embedding is, before it is done: a few balls are computed and the rest is extrapolated.

Groups of eight neighbours in the work list, which kernels take together, are drawn with probability proportional to
their estimated cost. The mean of time over cost, times the cost of all, is then an unbiased estimate of the time of all
whatever the error of the cost estimate. Draws follow a low-discrepancy sequence, so that the same graph gives the same
sample, spread evenly over cheap and dear nodes however early it ends.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.signatures import Runner, entropy_columns
from vnestruct.embedding.tasks import BallTask, SpectrumTask
from vnestruct.execute import Block, Cancelled, Engine, Task
from vnestruct.graph import Graph
from vnestruct.kernels import balls
from vnestruct.types import ValueArray

_GROUP = 8
_DRAWS = 32
"""Groups drawn: 256 nodes."""

_SLOW = 40e-9
"""Seconds per unit of estimated cost that no graph exceeds by much; to skip sampling where all is over soon."""


@dataclass(frozen=True)
class Sample:
    """What a sample of a task says of all of it, on one worker.

    Attributes
    ----------
    seconds : float
        Estimated time; of work that was too dear to sample, a lower bound.
    at_least : bool
        Whether it is only that.
    ball_arcs : float
        Estimated number of arcs, both directions, of all balls to be looked at.
    """

    seconds: float
    at_least: bool = False
    ball_arcs: float = 0.0


@dataclass(frozen=True)
class Estimate:
    """The estimated work of an embedding.

    Attributes
    ----------
    radius : int
        Its radius.
    ball_arcs : float
        Number of arcs, both directions, of all balls of all radii that must be looked at; balls that follow from
        others (leaves, twins, radius 1 in closed form) do not count.
    seconds : float
        Wall-clock time on the workers it was asked for.
    at_least : bool
        Whether `seconds` is only a lower bound, because one group of balls outlasted the time for sampling.
    """

    radius: int
    ball_arcs: float
    seconds: float
    at_least: bool


def estimate(graph: Graph, settings: Settings, n_workers: int, seconds: float = 1.0) -> Estimate:
    """Estimate the work of embedding all nodes of a graph.

    Parameters
    ----------
    graph : Graph
        The graph.
    settings : Settings
        What is to be computed.
    n_workers : int
        Threads that will share the work.
    seconds : float, default 1.0
        Time for sampling at most; preparing the graph comes on top.

    Examples
    --------
    >>> from vnestruct.embedding.parameters import checked_settings
    >>> from vnestruct.graph.synthetic import cycle
    >>> work = estimate(cycle(100), checked_settings(2), n_workers=1)
    >>> work.ball_arcs         # each of 100 balls is a path of five nodes
    800.0
    """
    engine = _SamplingEngine(seconds)
    begin = time.perf_counter()
    entropy_columns(graph, settings, np.ones(graph.n_nodes, bool), Runner(engine, n_workers))
    prepared = time.perf_counter() - begin - engine.spent
    return Estimate(
        radius=settings.radius,
        ball_arcs=sum(sample.ball_arcs for sample in engine.samples),
        seconds=prepared + sum(sample.seconds for sample in engine.samples) / n_workers,
        at_least=any(sample.at_least for sample in engine.samples),
    )


class _SamplingEngine:
    """An engine that runs a sample of each task and yields nothing."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.samples: list[Sample] = []
        self.spent = 0.0

    def run(self, task: Task, blocks: Sequence[Block]) -> Iterator[tuple[Block, ValueArray]]:
        begin = time.perf_counter()
        self.samples.append(take_sample(task, blocks, self._seconds))
        self.spent += time.perf_counter() - begin
        return iter(())


class ForewarningEngine:
    """An engine that estimates long work before it hands it on to another engine.

    Parameters
    ----------
    engine : Engine
        What does the work.
    n_workers : int
        Its number of workers.
    warn : callable
        Called with (seconds, whether that is only a lower bound, the kind of entropy) before work of more than
        `above` seconds.
    above : float, default 60.0
        Shorter work needs no warning.
    """

    def __init__(
        self, engine: Engine, n_workers: int, warn: Callable[[float, bool, str], None], above: float = 60.0
    ) -> None:
        self._engine = engine
        self._n_workers = n_workers
        self._warn = warn
        self._above = above

    def run(self, task: Task, blocks: Sequence[Block]) -> Iterator[tuple[Block, ValueArray]]:
        """Warn if need be, then run."""
        if isinstance(task, BallTask | SpectrumTask) and self._may_be_long(task, blocks):
            sample = take_sample(task, blocks, seconds=0.5)
            seconds = sample.seconds / self._n_workers
            if seconds > self._above:
                self._warn(seconds, sample.at_least, task.kind)
        return self._engine.run(task, blocks)

    def _may_be_long(self, task: BallTask | SpectrumTask, blocks: Sequence[Block]) -> bool:
        cost = sum(block.cost for block in blocks)
        # A spectrum takes the cube of a ball's size, of which the cost says little.
        return isinstance(task, SpectrumTask) or cost * _SLOW > self._above * self._n_workers


def take_sample(task: Task, blocks: Sequence[Block], seconds: float) -> Sample:
    """Run a few groups of a task, or its blocks where nothing finer is known, for about `seconds`."""
    groups = _Groups(task, blocks)
    if groups.total <= 0.0:
        return Sample(0.0)
    scratch = task.scratch()
    counters = getattr(task, "counters", [])
    cancel = np.ones(1, np.uint8)
    with suppress(Cancelled):
        # A call that is cancelled from the start compiles or loads the kernel and does nothing else.
        task(groups.draw(0), scratch, cancel)
    cancel[0] = 0
    timer = threading.Timer(seconds, cancel.fill, (1,))
    timer.daemon = True
    timer.start()
    rates: list[float] = []
    arcs: list[float] = []
    cost = 1.0
    begin = time.perf_counter()
    try:
        for number in range(_DRAWS):
            block = groups.draw(number)
            cost, before, start = block.cost, _arcs(counters), time.perf_counter()
            task(block, scratch, cancel)
            rates.append((time.perf_counter() - start) / cost)
            arcs.append((_arcs(counters) - before) / cost)
            if time.perf_counter() - begin > seconds:
                break
    except Cancelled:
        if not rates:
            return Sample(groups.total * (time.perf_counter() - begin) / cost, True, groups.total)
    finally:
        timer.cancel()
    return Sample(groups.total * float(np.mean(rates)), False, groups.total * float(np.mean(arcs)))


class _Groups:
    """The pieces of a task that are drawn, by their cost."""

    def __init__(self, task: Task, blocks: Sequence[Block]) -> None:
        self._size = 0
        if isinstance(task, BallTask | SpectrumTask) and task.work.size:
            self._size = _GROUP
            items = task.plan.costs(task.work, task.radius)
            self._n_items = items.size
            self._costs = np.add.reduceat(items, np.arange(0, items.size, _GROUP))
        else:
            self._blocks = blocks
            self._costs = np.array([block.cost for block in blocks])
        self._ends = np.cumsum(self._costs)
        self.total = float(self._ends[-1]) if self._ends.size else 0.0

    def draw(self, number: int) -> Block:
        """Return the piece that the number-th draw falls on."""
        place = _radical_inverse(number + 1) * self.total
        chosen = min(int(np.searchsorted(self._ends, place, side="right")), self._ends.size - 1)
        if not self._size:
            return self._blocks[chosen]
        start = chosen * self._size
        return Block(chosen, start, min(start + self._size, self._n_items), float(self._costs[chosen]))


def _radical_inverse(number: int) -> float:
    """Return the number-th term of van der Corput's sequence: 1/2, 1/4, 3/4, 1/8, ..."""
    value, scale = 0.0, 0.5
    while number:
        value += scale * (number & 1)
        number >>= 1
        scale /= 2
    return value


def _arcs(counters: list[np.ndarray]) -> float:  # type: ignore[type-arg, unused-ignore]
    return float(sum(counter[balls.ARCS] for counter in counters))
