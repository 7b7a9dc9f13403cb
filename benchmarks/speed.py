"""How long a whole embedding takes, on one thread and on two, and where the time goes."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from benchmarks.arcs import BallArcs
from benchmarks.harness import Timing, compare
from vnestruct import embed
from vnestruct.embedding.backends.threads import ThreadsBackend
from vnestruct.embedding.parameters import checked_settings
from vnestruct.embedding.pipeline import signature_matrix
from vnestruct.embedding.plan import read_only, plan_ranked, rank_graph
from vnestruct.embedding.progress import as_progress
from vnestruct.embedding.run import Run
from vnestruct.embedding.tasks import BallTask, NodeTask
from vnestruct.execute import Block
from vnestruct.graph import Graph, synthetic
from vnestruct.kernels import balls
from vnestruct.types import ValueArray

_LANES = 8
_PROBE_SECONDS = 1.5
_PROBE_SEED = 7
_COUNTERS = ("BALLS", "ARCS", "UNION_ARCS", "STEPS", "LANE_STEPS", "SEARCH", "ROWS", "LANCZOS")


def warm_up() -> None:
    """Compile, or load, every kernel that is measured."""
    # Graphs in which many nodes have twins use other kernels.
    for graph in (synthetic.barabasi_albert(2_000, 5, seed=0), synthetic.grid(8, 8), synthetic.barbell(10, 7)):
        for radius in (1, 2, 3):
            for n_jobs in (1, 2):
                embed(graph, radius, n_jobs=n_jobs)


def embedding_times(graph: Graph, radius: int, threads: tuple[int, ...], repeats: int) -> dict[int, Timing]:
    """Time `embed` from Graph to matrix, alternating between numbers of threads."""
    timings = compare({str(n): partial(embed, graph, radius, n_jobs=n) for n in threads}, repeats=repeats)
    return {int(name): timing for name, timing in timings.items()}


def estimated_seconds(graph: Graph, radius: int) -> float:
    """Estimate the time of `embed` on one thread, radius 2 or more, from random groups of nodes worked on together."""
    # Processor time of this thread, so that a busy machine does not inflate the estimate.
    begin = time.thread_time()
    plan = plan_ranked(rank_graph(graph), reduce_leaves=True, collapse=True)
    work = plan.in_order(plan.required(np.ones(graph.n_nodes, bool)))
    prepare = time.thread_time() - begin
    groups = -(-work.size // _LANES)
    # The values of radius 1 are cheap and do not affect the cost.
    task = BallTask(graph, plan, work, radius, ("approx",), 1e-9, read_only(np.zeros((graph.n_nodes, 1))))
    scratch, cancel = task.scratch(), np.zeros(1, np.uint8)
    spent, done = 0.0, 0
    for group in np.random.default_rng(_PROBE_SEED).permutation(groups).tolist():
        start = group * _LANES
        begin = time.thread_time()
        task(Block(group, start, min(start + _LANES, work.size), 1.0), scratch, cancel)
        spent += time.thread_time() - begin
        done += 1
        if spent > _PROBE_SECONDS:
            break
    return prepare + spent / max(1, done) * groups


class _Recorder(ThreadsBackend):
    """Runs everything on threads, and keeps the task that fills rows, which has the kernel's counters."""

    task: NodeTask | None = None
    begun = 0.0

    def run(self, task: NodeTask, costs: ValueArray) -> Generator[tuple[Block, ValueArray], None, None]:
        self.task = task
        self.begun = time.perf_counter()
        return super().run(task, costs)


@dataclass(frozen=True)
class Breakdown:
    """The kernel's counters of one run of radius 2 or more, its seconds before the balls, and its total seconds."""

    counters: dict[str, int]
    prepare_s: float
    whole_s: float
    values: ValueArray


def instrumented(graph: Graph, radius: int, n_threads: int) -> Breakdown:
    """Compute what `embed` computes, and keep the kernel's counters."""
    recorder = _Recorder(n_threads)
    begin = time.perf_counter()
    values = signature_matrix(graph, checked_settings(radius), None, Run(recorder, as_progress(False)))
    end = time.perf_counter()
    counters = recorder.task.counters if recorder.task else []
    total = np.sum([np.zeros(balls.N_COUNTERS, np.int64), *counters], axis=0)
    prepare = recorder.begun - begin if recorder.task else end - begin
    return Breakdown({name: int(total[getattr(balls, name)]) for name in _COUNTERS}, prepare, end - begin, values)


def per_arc(
    breakdown: Breakdown, arcs: BallArcs, timing: Timing, n_threads: int, ns_per_cycle: float
) -> dict[str, Any]:
    """Return nanoseconds per arc of the R-balls built and thread: in total and by part.

    In all is the time of `embed` times its threads. The parts come from another run, with counters; `other` is
    what they leave of that run: the plan, radius 1, clearing up, threads that wait.
    """
    counters = breakdown.counters
    built = max(1, arcs.built)
    parts = {name.lower(): counters[name] * ns_per_cycle / built for name in ("SEARCH", "ROWS", "LANCZOS")}
    whole = breakdown.whole_s * n_threads * 1e9 / built
    return {
        "ns_per_arc_and_thread": timing.best * n_threads * 1e9 / built,
        "processor_ns_per_arc": min(timing.processor) * 1e9 / built,
        "parts_ns": {**parts, "other": whole - sum(parts.values())},
        "parts_run_ns": whole,
        "prepare_s": breakdown.prepare_s,
        "balls_of_all_radii": counters["BALLS"],
        "arcs_of_all_radii": counters["ARCS"],
        "steps_per_ball": counters["STEPS"] / max(1, counters["BALLS"]),
        "lane_use": counters["STEPS"] / counters["LANE_STEPS"] if counters["LANE_STEPS"] else None,
        # Exact if all groups are full: arcs of a group's union divided by the mean of its balls.
        "union_over_mean": _LANES * counters["UNION_ARCS"] / max(1, counters["ARCS"]),
    }
