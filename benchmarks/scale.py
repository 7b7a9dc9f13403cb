"""Scaling beyond one machine: the cost of a cluster, the memory of its workers, and a graph larger than memory."""

from __future__ import annotations

import tempfile
import time
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import harness, speed, targets
from benchmarks.footprint import check_radius_one, watch
from benchmarks.harness import say
from benchmarks.large_graph import write_large_graph
from benchmarks.ray_memory import worker_memory
from vnestruct import embed
from vnestruct.embedding.forecast import forecasts
from vnestruct.embedding.parameters import checked_settings
from vnestruct.graph import Graph, synthetic

N_WORKERS = 2
RADIUS = 2


@dataclass(frozen=True)
class Settings:
    """The named parameters of a run."""

    work_s: float = 100.0
    """Minimum seconds of work for two threads in the comparison with a cluster."""
    smallest: int = 50_000
    memory_nodes: int = 2_900_000
    memory_wanted: int = 20_000
    mapped_nodes: int = 6_000_000
    mapped_limit: int = 2_000_000_000


QUICK = Settings(
    work_s=5.0,
    smallest=20_000,
    memory_nodes=100_000,
    memory_wanted=2_000,
    mapped_nodes=100_000,
    mapped_limit=600_000_000,
)


def run_scale(settings: Settings) -> dict[str, Any]:
    """Measure everything; return the results for the JSON file."""
    machine = harness.machine()
    speed.warm_up()
    results: dict[str, Any] = {
        "settings": asdict(settings),
        "machine": machine,
        "overhead": _overhead(settings),
        "worker_memory": None,
        "mapped": None,
    }
    say("memory of workers that share a graph")
    results["worker_memory"] = worker_memory(settings.memory_nodes, settings.memory_wanted)
    say("a graph larger than memory")
    results["mapped"] = mapped_graph(settings.mapped_nodes, settings.mapped_limit)
    return {**results, "targets": targets.scale_rows(results)}


def _overhead(settings: Settings) -> dict[str, Any]:
    """Time two threads and a cluster of two workers, newly started and already running, on the same work."""
    graph, expected, arcs = _busy_graph(settings)
    say(f"{graph!r}, radius {RADIUS}: about {expected:.0f} s on {N_WORKERS} threads")
    rows: dict[str, Any] = {}
    import ray

    def keep(name: str, **options: Any) -> None:
        rows[name] = embed(graph, RADIUS, n_jobs=N_WORKERS, **options)

    # Started and stopped by `embed` itself.
    timings = harness.compare(
        {"threads": partial(keep, "threads"), "ray": partial(keep, "ray", engine="ray")}, repeats=1
    )
    ray.init(address="local", num_cpus=N_WORKERS, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        embed(synthetic.barabasi_albert(2_000, 5, seed=0), RADIUS, engine="ray")
        running = harness.compare({"running": partial(keep, "running", engine="ray")}, repeats=1)["running"]
    finally:
        ray.shutdown()
    return {
        "nodes": graph.n_nodes,
        "edges": graph.n_edges,
        "radius": RADIUS,
        "threads_s": timings["threads"].best,
        "ray_s": timings["ray"].best,
        "ray_running_s": running.best,
        "ball_arcs": arcs,
        "processor_ns_per_arc": 1e9 * timings["threads"].processor[0] / arcs,
        "ratio": timings["ray"].best / timings["threads"].best,
        "ratio_running": running.best / timings["threads"].best,
        "identical": all(np.array_equal(rows["threads"], other) for other in rows.values()),
    }


def _busy_graph(settings: Settings) -> tuple[Graph, float, float]:
    """Return a scale-free graph that keeps two threads busy long enough, its estimated seconds, and its ball arcs."""
    n_nodes = settings.smallest
    while True:
        graph = synthetic.barabasi_albert(n_nodes, 5, seed=4)
        [work] = forecasts(graph, checked_settings(RADIUS), [RADIUS], N_WORKERS)
        if work.seconds >= settings.work_s:
            return graph, work.seconds, work.arcs
        n_nodes += n_nodes // 2


def mapped_graph(n_nodes: int, limit: int) -> dict[str, Any]:
    """Embed a mapped graph at radius 1 within `limit` bytes, enforced by the system; check some of its rows."""
    with tempfile.TemporaryDirectory() as folder:
        graph, rows = Path(folder, "graph.vng"), Path(folder, "rows.npy")
        begin = time.perf_counter()
        n_edges = write_large_graph(graph, n_nodes)
        written = time.perf_counter() - begin
        words = [
            "embed",
            str(graph),
            "-r",
            "1",
            "-j",
            str(N_WORKERS),
            "--max-memory",
            str(limit),
            "-o",
            str(rows),
            "-q",
        ]
        seen = watch(["-m", "vnestruct.cli", *words], data_limit=limit)
        check_radius_one(graph, rows)
        return {
            "nodes": n_nodes,
            "edges": n_edges,
            "file_mb": graph.stat().st_size / 1e6,
            "write_s": written,
            "limit_mb": limit / 1e6,
            "ns_per_edge": 1e9 * seen.processor / n_edges,
            **seen.as_dict(),
        }
