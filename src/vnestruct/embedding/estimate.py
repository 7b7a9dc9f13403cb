"""How much work an embedding is, for several radii, before it is done."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vnestruct.embedding.backends.threads import ThreadsBackend
from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.pipeline import entropy_columns, has_closed_form, planned_passes, prepare
from vnestruct.embedding.progress import as_progress
from vnestruct.embedding.run import Run
from vnestruct.embedding.sample import Sample, take_sample
from vnestruct.errors import TooLargeError
from vnestruct.graph import Graph, graph_from_ids


@dataclass(frozen=True)
class Estimate:
    """The estimated work of an embedding.

    Attributes
    ----------
    radius : int
        Its radius.
    ball_arcs : float or None
        Number of arcs, both directions, of all balls of radius 2 and more that must be processed; balls that follow
        from others (leaves, twins) do not count. None where kernels do not count them: with weights, for kinds that
        need every eigenvalue, and where counting a ball took too long.
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
    backend = ThreadsBackend(n_jobs)
    run = Run(backend, as_progress(False))
    _load_kernels(graph, settings, run)
    totals = {radius: Sample(0.0) for radius in radii}
    refused: dict[int, str] = {}
    everyone = np.ones(graph.n_nodes, bool)
    for signatures in planned_passes(settings):
        asked = {radius: replace(settings, radius=radius) for radius in radii}
        larger = [radius for radius in radii if not has_closed_form(graph, asked[radius], signatures)]
        begin = time.perf_counter()
        if len(larger) < len(asked):
            backend.radius_one(graph, signatures.outputs)
            totals[1] += Sample(time.perf_counter() - begin)
        if not larger:
            continue
        begin = time.perf_counter()
        job = prepare(graph, asked[max(larger)], signatures, everyone, run)
        prepared = time.perf_counter() - begin
        for radius in larger:
            try:
                sample = take_sample(replace(job, settings=asked[radius]).task(job.work), seconds)
            except TooLargeError as error:
                refused[radius] = error.args[0]
                continue
            totals[radius] += replace(sample, seconds=prepared + sample.seconds / backend.n_workers)
    return [
        Estimate(radius, total.ball_arcs, total.seconds, total.at_least, refused.get(radius))
        for radius, total in totals.items()
    ]


def _load_kernels(graph: Graph, settings: Settings, run: Run) -> None:
    """Compile or load what the graph will need, on a graph of the same kind that is soon done."""
    weights = None if graph.weights is None else np.ones(2)
    tiny = graph_from_ids(np.arange(2), np.arange(1, 3), weights, n_nodes=3, directed=graph.directed)
    for radius in (1, 2):
        entropy_columns(tiny, replace(settings, radius=radius), np.ones(3, bool), run)
