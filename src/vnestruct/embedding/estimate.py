"""How much work an embedding is, before it is done: a few balls are computed and the rest is extrapolated.

Groups of eight neighbours in the work list, which kernels take together, are drawn with probability proportional to
their estimated cost. The mean of time over cost, times the cost of all, is then an unbiased estimate of the time of all
whatever the error of the cost estimate. Draws follow a low-discrepancy sequence, so that the same graph gives the same
sample, spread evenly over cheap and dear nodes however early it ends.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.runner import Runner
from vnestruct.embedding.signatures import entropy_columns, has_closed_form, prepare, requested_signatures
from vnestruct.embedding.tasks import BallTask, SpectrumTask
from vnestruct.errors import TooLargeError
from vnestruct.execute import Block, Cancelled, Engine, Task, ThreadsEngine
from vnestruct.graph import Graph, graph_from_ids
from vnestruct.kernels import balls
from vnestruct.types import ValueArray

_GROUP = 8
_DRAWS = 32
"""Groups drawn: 256 nodes."""

_SLOW = 40e-9
"""Seconds per unit of estimated cost that no graph exceeds by much; to skip sampling where all is over soon."""


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


@dataclass(frozen=True)
class Estimate:
    """The estimated work of an embedding.

    Attributes
    ----------
    radius : int
        Its radius.
    ball_arcs : float or None
        Number of arcs, both directions, of all balls of radius 2 and more that must be looked at; balls that follow
        from others (leaves, twins) do not count. None where kernels do not count them: with weights, for kinds that
        need every eigenvalue, and where a ball was too dear to look at.
    seconds : float
        Wall-clock time on the workers it was asked for.
    at_least : bool
        Whether `seconds` is only a lower bound, because one group of balls outlasted the time for sampling.
    refused : str or None
        Why the embedding would fail, if a ball in the sample is too large for the kind.
    """

    radius: int
    ball_arcs: float | None
    seconds: float
    at_least: bool
    refused: str | None = None


def estimate(
    graph: Graph, settings: Settings, radii: Sequence[int], n_jobs: int | None = None, seconds: float = 0.4
) -> list[Estimate]:
    """Estimate the work of embedding all nodes of a graph, for several radii.

    What all nodes have in common is computed, and so is radius 1 where it has its closed form: that takes no longer
    than reading the graph did.

    Parameters
    ----------
    graph : Graph
        The graph.
    settings : Settings
        What is to be computed; its radius does not matter.
    radii : sequence of int
        The radii of interest.
    n_jobs : int, optional
        Threads that will share the work; all CPUs by default.
    seconds : float, default 0.4
        Time for sampling at most, for each radius and signature.

    Examples
    --------
    >>> from vnestruct.embedding.parameters import checked_settings
    >>> from vnestruct.graph.synthetic import cycle
    >>> [work] = estimate(cycle(100), checked_settings(1), [2])
    >>> round(work.ball_arcs)         # each of 100 balls is a path of five nodes
    800
    """
    engine = ThreadsEngine(n_jobs)
    runner = Runner(engine, engine.n_workers)
    _load_kernels(graph, settings, runner)
    totals = {radius: Sample(0.0) for radius in radii}
    refused: dict[int, str] = {}
    everyone = np.ones(graph.n_nodes, bool)
    for one in requested_signatures(settings):
        asked = {radius: replace(settings, radius=radius) for radius in radii}
        larger = [radius for radius in radii if not has_closed_form(graph, asked[radius], one)]
        begin = time.perf_counter()
        if len(larger) < len(asked):
            entropy_columns(graph, _alone(settings, one.kind), everyone, runner)
            totals[1] += Sample(time.perf_counter() - begin)
        if not larger:
            continue
        begin = time.perf_counter()
        job = prepare(graph, asked[max(larger)], one, everyone, runner)
        prepared = time.perf_counter() - begin
        for radius in larger:
            try:
                sample = take_sample(replace(job, settings=asked[radius]).task(job.work), seconds)
            except TooLargeError as error:
                refused[radius] = error.args[0]
                continue
            totals[radius] += replace(sample, seconds=prepared + sample.seconds / runner.n_workers)
    return [
        Estimate(radius, total.ball_arcs, total.seconds, total.at_least, refused.get(radius))
        for radius, total in totals.items()
    ]


def _alone(settings: Settings, kind: str) -> Settings:
    return replace(settings, radius=1, kinds=(kind,), directions=("all",))


def _load_kernels(graph: Graph, settings: Settings, runner: Runner) -> None:
    """Compile or load what the graph will need, on a graph of the same kind that is soon done."""
    weights = None if graph.weights is None else np.ones(2)
    tiny = graph_from_ids(np.arange(2), np.arange(1, 3), weights, n_nodes=3, directed=graph.directed)
    for radius in (1, 2):
        entropy_columns(tiny, replace(settings, radius=radius), np.ones(3, bool), runner)


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

    def run(self, task: Task, blocks: Sequence[Block]) -> Generator[tuple[Block, ValueArray], None, None]:
        """Warn if need be, then run."""
        if isinstance(task, BallTask | SpectrumTask) and self._may_be_long(task, blocks):
            sample = take_sample(task, seconds=0.5)
            seconds = sample.seconds / self._n_workers
            if seconds > self._above:
                self._warn(seconds, sample.at_least, task.kind)
        return self._engine.run(task, blocks)

    def _may_be_long(self, task: BallTask | SpectrumTask, blocks: Sequence[Block]) -> bool:
        cost = sum(block.cost for block in blocks)
        # A spectrum takes the cube of a ball's size, of which the cost says little.
        return isinstance(task, SpectrumTask) or cost * _SLOW > self._above * self._n_workers


def take_sample(task: BallTask | SpectrumTask, seconds: float) -> Sample:
    """Run a few groups of a task, for about `seconds` at most, and extrapolate to all of it."""
    groups = _Groups(task)
    if not groups.n_groups:
        return Sample(0.0)
    scratch: Any = task.scratch()
    counters = _Counters(task)
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
            before, start = counters.arcs, time.perf_counter()
            task(block, scratch, cancel)
            time_share += (time.perf_counter() - start) / block.cost
            arc_share += (counters.arcs - before) / block.cost
            n_done += 1
    except Cancelled:
        if not n_done:
            return Sample(groups.total * (time.perf_counter() - begin) / block.cost, True, None)
    finally:
        timer.cancel()
    return Sample(
        seconds=groups.total * time_share / n_done,
        ball_arcs=groups.total * arc_share / n_done if counters.are_kept else None,
    )


class _Counters:
    """What kernels count while they work."""

    def __init__(self, task: BallTask | SpectrumTask) -> None:
        self._kept = task.counters if isinstance(task, BallTask) else []
        self.are_kept = isinstance(task, BallTask) and task.plan.graph.weights is None

    @property
    def arcs(self) -> float:
        """Arcs of the balls looked at so far."""
        return float(sum(counter[balls.ARCS] for counter in self._kept))


class _Groups:
    """The work of a task in groups of eight, to be drawn by their cost."""

    def __init__(self, task: BallTask | SpectrumTask) -> None:
        costs = task.plan.costs(task.work, task.radius)
        self._n_items = costs.size
        self._costs = np.add.reduceat(costs, np.arange(0, costs.size, _GROUP)) if costs.size else costs
        self._ends = np.cumsum(self._costs)
        self.n_groups = self._costs.size
        self.n_draws = _DRAWS
        self.total = float(self._ends[-1]) if self.n_groups else 0.0

    def draw(self, number: int) -> Block:
        """Return the group that the number-th draw falls on."""
        place = _radical_inverse(number + 1) * self.total
        chosen = min(int(np.searchsorted(self._ends, place, side="right")), self.n_groups - 1)
        start = chosen * _GROUP
        return Block(chosen, start, min(start + _GROUP, self._n_items), float(self._costs[chosen]))


def _radical_inverse(number: int) -> float:
    """Return the number-th term of van der Corput's sequence: 1/2, 1/4, 3/4, 1/8, ..."""
    value, scale = 0.0, 0.5
    while number:
        value += scale * (number & 1)
        number >>= 1
        scale /= 2
    return value
