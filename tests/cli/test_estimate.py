"""The estimate of work: exact where every ball is the same, close where they differ, in time whatever the graph."""

from __future__ import annotations

import time

import numpy as np
import pytest

from vnestruct import embed
from vnestruct.embedding import sample, tasks
from vnestruct.embedding.backends.threads import ThreadsBackend
from vnestruct.embedding.estimate import estimate
from vnestruct.embedding.parameters import checked_settings
from vnestruct.embedding.pipeline import planned_passes, prepare
from vnestruct.embedding.progress import Forecast, Progress
from vnestruct.embedding.run import Run
from vnestruct.embedding.sample import _radical_inverse
from vnestruct.execute import Block, Cancelled
from vnestruct.graph.synthetic import barabasi_albert, cycle, grid
from vnestruct.types import FlagArray, ValueArray


def test_time_is_of_the_right_size() -> None:
    graph = barabasi_albert(3000, 3, seed=1)
    settings = checked_settings(3)
    ratios = []
    for _ in range(3):
        [work] = estimate(graph, settings, [3], 1)
        begin = time.perf_counter()
        embed(graph, 3, n_jobs=1)
        assert work.high is not None
        ratios.append(np.sqrt(work.low * work.high) / (time.perf_counter() - begin))
    # Another program may take the processor from either; the median of three does not care.
    assert 0.25 < sorted(ratios)[1] < 4.0


def test_huge_balls_give_a_lower_bound_in_time() -> None:
    estimate(cycle(10), checked_settings(1), [2], 1)
    begin = time.perf_counter()
    [work] = estimate(grid(200, 200), checked_settings(1), [300], 1, seconds=0.2)
    assert time.perf_counter() - begin < 10.0
    assert work.high is None
    assert work.low > 1.0


def test_too_large_balls_are_foreseen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "EXACT_LIMIT", 40)
    for n_nodes, is_refused in ((40, False), (200, True)):
        [work] = estimate(barabasi_albert(n_nodes, 20, seed=1), checked_settings(1, "exact"), [4], 1)
        assert (work.refused is not None) == is_refused
    assert work.refused is not None
    assert "nodes, more than 40" in work.refused


class Listener(Progress):
    """Keeps the forecasts of work above some seconds."""

    def __init__(self, above: float) -> None:
        self.forecast_above = above
        self.forecasts: list[Forecast] = []

    def expect(self, forecast: Forecast) -> None:
        self.forecasts.append(forecast)


def test_long_work_is_announced_before_it_begins() -> None:
    graph = barabasi_albert(3000, 3, seed=1)
    listener = Listener(0.001)
    values = embed(graph, 2, n_jobs=1, progress=listener)
    [forecast] = listener.forecasts
    assert 0.001 < forecast.low < forecast.high < 60.0
    assert (forecast.kind, forecast.n_signatures) == ("approx", 1)
    assert forecast.workers == "1 thread"
    silent = Listener(60.0)
    assert np.array_equal(values, embed(graph, 2, n_jobs=1, progress=silent))
    assert not silent.forecasts


class EqualWork:
    """Takes the same time for every unit of cost."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.clock = 0.0
        self.blocks: list[Block] = []

    def scratch(self) -> None:
        return None

    def __call__(self, block: Block, scratch: None, cancel: FlagArray) -> ValueArray:
        if cancel[0]:
            raise Cancelled
        self.blocks.append(block)
        self.clock += self.seconds * block.cost
        return np.empty((len(block), 0))

    def describe(self, block: Block) -> str:
        return str(block)


def test_ranges_hold_what_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rates that are all the same give their mean, and the least and most of it."""
    costs = np.random.default_rng(3).random(8000) * 1e-3 + 1e-4
    task = EqualWork(1.0)
    monkeypatch.setattr(sample, "_LEAST_COST", 0.0)
    monkeypatch.setattr(sample, "_busy_time", lambda: task.clock)
    monkeypatch.setattr(sample.time, "perf_counter", lambda: 2.0 * task.clock)  # another program takes half of the time
    drawn = sample.take_sample(task, costs, 1, seconds=30.0)
    assert len(task.blocks) == 64
    assert all(block.cost == pytest.approx(costs[block.start : block.stop].sum()) for block in task.blocks)
    total = 2.0 * costs.sum()
    assert drawn.low == pytest.approx(0.6 * total)
    assert drawn.high == pytest.approx(1.6 * total)
    assert (drawn.shared_by(4).low, drawn.shared_by(4).high) == (drawn.low / 4, drawn.high / 4)


def test_two_estimates_take_the_same_sample() -> None:
    """What `info` says and what a run says differ by what the clock says alone."""
    graph, blocks = barabasi_albert(3000, 3, seed=1), []
    for _ in range(2):
        task = EqualWork(0.0)
        sample.take_sample(task, np.diff(graph.indptr).astype(float), 1, seconds=60.0)
        blocks.append(task.blocks)
    assert blocks[0] == blocks[1]
    # Groups of eight would be over before the clock has moved; 64 larger ones are an eighth of the work.
    assert sum(len(block) for block in blocks[0]) == pytest.approx(graph.n_nodes / 8, rel=0.5)


def test_huge_local_graphs_are_not_sampled() -> None:
    """A ball that would take much memory gives a lower bound from its size."""
    graph = grid(300, 300)
    job = prepare(
        graph, checked_settings(60), planned_passes(checked_settings(60))[0], np.ones(graph.n_nodes, bool),
        Run(ThreadsBackend(1), Progress()),
    )  # fmt: skip
    task = job.task(job.work).within(100_000)
    drawn = sample.take_sample(task, job.plan.costs(job.work, 60), 1, seconds=5.0)
    assert drawn.high == np.inf
    assert drawn.low > 0.0


def test_draws_spread_evenly() -> None:
    for n_draws in (4, 16, 32):
        draws = sorted(_radical_inverse(i) for i in range(1, n_draws))
        assert np.diff([0.0, *draws, 1.0]).max() <= 1.0 / n_draws + 1e-12
