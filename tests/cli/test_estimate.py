"""The estimate of work: exact where every ball is the same, close where they differ, in time whatever the graph."""

from __future__ import annotations

import time

import numpy as np
import pytest

from vnestruct import embed
from vnestruct.embedding.estimate import estimate
from vnestruct.embedding.parameters import checked_settings
from vnestruct.embedding.progress import Forecast, Progress
from vnestruct.embedding.sample import _radical_inverse
from vnestruct.graph import Graph
from vnestruct.graph.synthetic import barabasi_albert, cycle, grid, star


def ball_arcs(graph: Graph, radius: int) -> int:
    """Arcs of all balls of radius 2..R, counted one by one."""
    total = 0
    rows = [set(graph.indices[a:b].tolist()) for a, b in zip(graph.indptr, graph.indptr[1:], strict=False)]
    for centre in range(graph.n_nodes):
        ball = {centre}
        for r in range(1, radius + 1):
            ball |= {w for u in ball for w in rows[u]}
            total += sum(len(rows[u] & ball) for u in ball) if r > 1 else 0
    return total


def test_equal_balls_are_counted_exactly() -> None:
    estimates = estimate(cycle(1000), checked_settings(1), [1, 2, 3], 1)
    assert [work.ball_arcs for work in estimates] == pytest.approx([0, 8_000, 8_000 + 12_000])
    assert not any(work.at_least for work in estimates)


def test_unequal_balls_are_estimated() -> None:
    graph = barabasi_albert(600, 3, seed=5)
    [work] = estimate(graph, checked_settings(1), [2], 1)
    assert work.ball_arcs == pytest.approx(ball_arcs(graph, 2), rel=0.35)


def test_the_sample_is_the_same_each_time() -> None:
    graph = barabasi_albert(600, 3, seed=5)
    first, second = (estimate(graph, checked_settings(1), [2], 1, seconds=30)[0] for _ in range(2))
    assert first.ball_arcs == second.ball_arcs


def test_time_is_of_the_right_size() -> None:
    graph = barabasi_albert(3000, 3, seed=1)
    settings = checked_settings(3)
    ratios = []
    for _ in range(3):
        [work] = estimate(graph, settings, [3], 1)
        begin = time.perf_counter()
        embed(graph, 3, n_jobs=1)
        ratios.append(work.seconds / (time.perf_counter() - begin))
    # Another program may take the processor from either; the median of three does not care.
    assert 0.25 < sorted(ratios)[1] < 4.0


def test_huge_balls_give_a_lower_bound_in_time() -> None:
    estimate(cycle(10), checked_settings(1), [2], 1)
    begin = time.perf_counter()
    [work] = estimate(grid(200, 200), checked_settings(1), [300], 1, seconds=0.2)
    assert time.perf_counter() - begin < 10.0
    assert work.at_least
    assert work.ball_arcs is None
    assert work.seconds > 1.0


def test_too_large_balls_are_foreseen() -> None:
    for n_leaves, is_refused in ((100, False), (5_000, True)):
        [work] = estimate(star(n_leaves), checked_settings(1, "exact"), [1], 1)
        assert (work.refused is not None) == is_refused
    assert work.refused is not None
    assert "5,001 nodes, more than 4,000" in work.refused


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
    assert forecast.seconds > 0.001
    assert (forecast.at_least, forecast.kind, forecast.n_signatures) == (False, "approx", 1)
    assert forecast.workers == "1 thread"
    silent = Listener(60.0)
    assert np.array_equal(values, embed(graph, 2, n_jobs=1, progress=silent))
    assert not silent.forecasts


def test_draws_spread_evenly() -> None:
    for n_draws in (4, 16, 32):
        draws = sorted(_radical_inverse(i) for i in range(1, n_draws))
        assert np.diff([0.0, *draws, 1.0]).max() <= 1.0 / n_draws + 1e-12
