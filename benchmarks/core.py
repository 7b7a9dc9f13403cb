"""Everything about computing in one run: ours, the naive version, igraph, memory and growth."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import networkx as nx
import numpy as np

from benchmarks import growth, harness, naive, speed, targets, yardstick
from benchmarks.arcs import ball_arcs
from benchmarks.harness import say
from benchmarks.inputs import INPUTS, Loaded, load
from benchmarks.memory import peak_memory
from vnestruct import embed

THREADS = (1, 2)


@dataclass(frozen=True)
class Settings:
    """The named parameters of a run."""

    graphs: tuple[str, ...] = tuple(one.name for one in INPUTS)
    radii: tuple[int, ...] = (1, 2, 3)
    repeats: int = 3
    longest_s: float = 60.0
    """A radius above 2 is left out where one thread is estimated to need longer than this."""
    naive_s: float = 20.0
    naive_elsewhere_s: float = 4.0
    """Seconds for the naive version at radii that are no target."""
    igraph_repeats: int = yardstick.REPEATS
    growth_sides: tuple[int, ...] = growth.SIDES
    memory_case: tuple[str, int] | None = targets.MEMORY_CASE


QUICK = Settings(
    graphs=("facebook_combined", "email-Enron"),
    radii=(1, 2),
    repeats=1,
    naive_s=2.0,
    naive_elsewhere_s=0.5,
    igraph_repeats=3,
    growth_sides=(100, 178, 316),
    memory_case=("facebook_combined", 2),
)


def run_core(settings: Settings) -> dict[str, Any]:
    """Measure everything; return the results as they go into the JSON."""
    machine = harness.machine()
    say("warm-up: compiling or loading kernels")
    speed.warm_up()
    ceiling = [harness.thread_ceiling(2)]
    ns_per_cycle = harness.nanoseconds_per_cycle()
    graphs = []
    memory: dict[str, Any] | None = None
    for name in settings.graphs:
        loaded = load(name)
        say(f"{loaded.title}: {loaded.graph!r}")
        graphs.append(_measure(loaded, settings, ns_per_cycle))
        if settings.memory_case and settings.memory_case[0] == name:
            say(f"{name}: memory in a fresh process")
            peak = peak_memory(loaded.graph, settings.memory_case[1], targets.THREADS)
            memory = {"name": name, "generated": loaded.generated, **peak}
    say("growth on grids")
    grown = growth.grid_growth(settings.growth_sides, THREADS, repeats=settings.repeats)
    ceiling.append(harness.thread_ceiling(2))
    results: dict[str, Any] = {
        "settings": asdict(settings),
        "machine": machine,
        "thread_ceiling": ceiling,
        "ns_per_cycle": ns_per_cycle,
        "graphs": graphs,
        "growth": grown,
        "memory": memory,
    }
    return {**results, "targets": targets.core_rows(results)}


def _measure(loaded: Loaded, settings: Settings, ns_per_cycle: float) -> dict[str, Any]:
    graph = loaded.graph
    say(f"{loaded.name}: R = 1 beside igraph")
    beside = yardstick.against_igraph(graph, settings.igraph_repeats)
    slow = naive.to_networkx(graph)
    runs = [_run(loaded, slow, radius, settings, ns_per_cycle) for radius in settings.radii]
    return {
        "name": loaded.name,
        "generated": loaded.generated,
        "nodes": graph.n_nodes,
        "edges": graph.n_edges,
        "largest_degree": int(graph.degrees.max(initial=0)),
        "igraph": beside,
        "runs": runs,
    }


def _run(loaded: Loaded, slow: nx.Graph, radius: int, settings: Settings, ns_per_cycle: float) -> dict[str, Any]:
    graph = loaded.graph
    estimate = speed.estimated_seconds(graph, radius) if radius > 2 else None
    if estimate is not None and estimate > settings.longest_s:
        say(f"{loaded.name}: R = {radius} left out, about {estimate:.0f} s on one thread")
        return {"radius": radius, "skipped": f"left out: about {estimate:.0f} s", "estimate_s": estimate}
    say(f"{loaded.name}: R = {radius}, ours" + (f", about {estimate:.0f} s on one thread" if estimate else ""))
    times = speed.embedding_times(graph, radius, THREADS, settings.repeats)
    arcs = ball_arcs(graph, radius)
    ours = times[targets.THREADS].best
    per_arc = None
    if radius > 1:
        breakdown = speed.instrumented(graph, radius, targets.THREADS)
        per_arc = speed.per_arc(breakdown, arcs, times[targets.THREADS], targets.THREADS, ns_per_cycle)
    budget = settings.naive_s if radius == loaded.naive_radius else settings.naive_elsewhere_s
    say(f"{loaded.name}: R = {radius}, naive, {budget:g} s")
    sample = naive.naive_sample(slow, radius, budget)
    return {
        "radius": radius,
        "estimate_s": estimate,
        "times": {str(n): timing.as_dict() for n, timing in times.items()},
        "speedup": times[1].best / ours,
        "arcs": asdict(arcs),
        "per_arc": per_arc,
        "naive": _naive_facts(loaded, sample, arcs.all_nodes, radius, ours),
    }


def _naive_facts(loaded: Loaded, sample: naive.Sample, all_arcs: int, radius: int, ours: float) -> dict[str, Any]:
    graph = loaded.graph
    total = sample.total_seconds(all_arcs)
    error = sample.relative_error()
    rows = embed(graph, radius, nodes=graph.nodes[sample.nodes])
    return {
        "label": "extrapolated: sample seconds / sample R-ball arcs x all R-ball arcs; columns 1..R on both sides",
        "seed": naive.SEED,
        "nodes": int(sample.nodes.size),
        "seconds": float(sample.seconds.sum()),
        "arcs": int(sample.arcs.sum()),
        "seconds_extrapolated": total,
        "seconds_extrapolated_by_nodes": float(sample.seconds.mean() * graph.n_nodes),
        "relative_error": error if math.isfinite(error) else None,
        "ratio": total / ours,
        # Not an error of ours: a hundred steps of power iteration leave one.
        "largest_difference": float(np.abs(rows - sample.rows).max(initial=0.0)),
    }
