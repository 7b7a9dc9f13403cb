"""How much work an embedding is, for several radii, before it is done."""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from mmap import mmap

import numpy as np

from vnestruct.embedding.backends import Submit
from vnestruct.embedding.backends.threads import ThreadsBackend, at_once
from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.pipeline import Job, Pass, entropy_columns, has_closed_form, planned_passes, prepare
from vnestruct.embedding.plan import Ranked
from vnestruct.embedding.progress import as_progress
from vnestruct.embedding.radius_one import TriangleTask, UpwardArcs, is_alone
from vnestruct.embedding.run import Run
from vnestruct.embedding.sample import SECONDS, Sample, measured, sample_balls, take_sample
from vnestruct.errors import TooLargeError
from vnestruct.graph import Graph, graph_from_ids
from vnestruct.types import ValueArray

_SUM_SECONDS = 5e-9  # time per arc for what follows from triangles


@dataclass(frozen=True)
class Estimate:
    """The estimated work of an embedding."""

    radius: int
    low: float  # range of the wall-clock time in seconds on the workers it was asked for
    high: float | None  # None without a known bound, because one group of balls outlasted the time for sampling
    refused: str | None = None  # why the embedding would fail, if a ball in the sample is too large for the kind


def estimate(
    graph: Graph, settings: Settings, radii: Sequence[int], n_jobs: int | None = None, seconds: float = SECONDS
) -> list[Estimate]:
    """Estimate the work of embedding all nodes of a graph, for several radii.

    What all nodes have in common is computed, which takes no longer than reading the graph did, and a sample of the
    rest: the same sample on which a run bases its own forecast. The radius of the settings does not matter. `n_jobs`
    threads will share the work, all CPUs by default. Sampling takes at most `seconds` for each radius and signature.
    """
    backend = _Rehearsal(n_jobs, seconds)
    run = Run(backend, as_progress(False))
    _load_kernels(graph, settings)
    totals = {radius: Sample(0.0, 0.0) for radius in radii}
    refused: dict[int, str] = {}
    for signatures in planned_passes(settings):
        asked = {radius: replace(settings, radius=radius) for radius in radii}
        larger = [radius for radius in radii if not has_closed_form(graph, asked[radius], signatures)]
        job, planned = backend.planned(graph, asked[max(radii)], signatures, run)
        if len(larger) < len(asked):
            # Where no larger radius is asked for: ranking, and triangles.
            assert backend.first is not None
            totals[1] += measured(backend.ranking) + backend.first
        for radius in larger:
            task = replace(job, settings=asked[radius]).task(job.work)
            costs = job.plan.costs(job.work, radius)
            try:
                sample = sample_balls(task, costs, backend.n_workers, seconds)
            except TooLargeError as error:
                refused[radius] = error.args[0]
                continue
            n_workers = 1 if task.is_short(float(costs.sum())) else backend.n_workers
            totals[radius] += planned + sample.shared_by(n_workers)
    return [
        Estimate(r, total.low, None if math.isinf(total.high) else total.high, refused.get(r))
        for r, total in totals.items()
    ]


class _Rehearsal(ThreadsBackend):
    """Plans the work of a run, but only samples radius 1."""

    def __init__(self, n_jobs: int | None, seconds: float) -> None:
        super().__init__(n_jobs)
        self.first: Sample | None = None
        self._seconds, self._sampling, self.ranking = seconds, 0.0, 0.0

    def rank(self, graph: Graph, settings: Settings, direction: str) -> Ranked:
        """Rewrite a graph in ranks, and remember how long that took."""
        begin = time.perf_counter()
        ranked = super().rank(graph, settings, direction)
        self.ranking = time.perf_counter() - begin
        return ranked._replace(may_copy=False)

    def radius_one(self, graph: Graph, outputs: Sequence[str], ranked: Ranked | None = None) -> ValueArray:
        """Estimate the time, and return zeros."""
        assert ranked is not None
        begin = time.perf_counter()
        arcs = UpwardArcs.of_ranked(ranked)
        n_threads = 1 if is_alone(arcs, self.threads) else self.n_workers
        # In small pages, of which a sample needs a part; large ones would be as much memory as the graph.
        count = np.frombuffer(mmap(-1, 4 * arcs.indices.size + 4), np.int32)
        task, sums = TriangleTask(arcs, n_threads == 1, count), measured(_SUM_SECONDS * arcs.indices.size)
        del arcs
        for _ in range(2):
            # The first sample has the system clear these pages, a third of its time; a run does it once for all edges.
            sample = take_sample(task, task.costs(), n_threads, self._seconds / 2)
        self.first = sample.shared_by(n_threads) + sums
        self._sampling = time.perf_counter() - begin
        return np.zeros((graph.n_nodes, len(outputs)))

    def planned(self, graph: Graph, settings: Settings, signatures: Pass, run: Run) -> tuple[Job, Sample]:
        """Prepare a job; return it, and the time that a run needs before its first ball."""
        self.first, self._sampling, begin = None, 0.0, time.perf_counter()
        job = prepare(graph, settings, signatures, np.ones(graph.n_nodes, bool), run)
        plan = measured(time.perf_counter() - begin - self._sampling)
        if job.first is None or self.first is None:
            return job, plan
        # A run counts triangles and plans at the same time, if it has the threads.
        both = plan + self.first
        return job, both if self.n_workers == 1 else replace(both, low=max(plan.low, self.first.low))

    @contextmanager
    def background(self) -> Iterator[Submit]:
        """Run the first function at once, the sample of radius 1: nothing may disturb it."""
        with super().background() as submit:
            first = [at_once]
            yield lambda function: (first.pop() if first else submit)(function)


def _load_kernels(graph: Graph, settings: Settings) -> None:
    """Compile or load what the graph will need, on a graph of the same kind that is soon done."""
    weights = None if graph.weights is None else np.ones(2)
    tiny = graph_from_ids(np.arange(2), np.arange(1, 3), weights, n_nodes=3, directed=graph.directed)
    run = Run(ThreadsBackend(1), as_progress(False))
    for radius in (1, 2):
        entropy_columns(tiny, replace(settings, radius=radius), np.ones(3, bool), run)
