"""Scaling beyond one machine: the cost of a cluster, the memory of its workers, and a graph larger than memory."""

import tempfile
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.harness import compare, target, warm_up, watch
from benchmarks.large_graph import write_large_graph
from benchmarks.ray_memory import worker_memory
from vnestruct import embed, read_graph
from vnestruct.graph import synthetic

RADIUS = 2


def scale(quick):
    """Measure everything."""
    warm_up()
    overhead = against_threads(20_000 if quick else 4_300_000)
    workers = worker_memory(100_000, 2_000) if quick else worker_memory()
    mapped = mapped_graph(100_000, 600_000_000) if quick else mapped_graph(6_000_000, 2_000_000_000)
    targets = [
        target("Ray, 2 workers, over 2 threads, including cluster start", overhead["ray_ratio"], "x", at_most=1.15),
        target("private memory of a worker above its baseline", max(workers["above_mb"]), " MB", at_most=100),
        target("resident memory, including mapped pages, R = 1", mapped["together_mb"], " MB", at_most=2000),
    ]
    tables = {"cluster": [overhead], "workers": [workers], "mapped": [mapped]}
    return {"settings": {}, "targets": targets, "tables": tables}


def against_threads(n_nodes):
    """Time two threads and a cluster of two workers, newly started and already running, on the same work."""
    import ray

    graph = synthetic.barabasi_albert(n_nodes, 5, seed=4)
    on_threads = partial(embed, graph, RADIUS, n_jobs=2)
    on_ray = partial(on_threads, engine="ray")
    # The cluster of the second is started and stopped by `embed` itself.
    times = compare({"threads_s": on_threads, "ray_s": on_ray}, repeats=1)
    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        embed(synthetic.barabasi_albert(2_000, 5, seed=0), RADIUS, engine="ray")
        times |= compare({"ray_running_s": on_ray}, repeats=1)
    finally:
        ray.shutdown()
    best = {what: timing.best for what, timing in times.items()}
    return {
        "nodes": graph.n_nodes, "edges": graph.n_edges, "radius": RADIUS, **best,
        "ray_ratio": best["ray_s"] / best["threads_s"],
        "identical": all(np.array_equal(times["threads_s"].results, timing.results) for timing in times.values()),
    }  # fmt: skip


def mapped_graph(n_nodes, limit):
    """Embed a mapped graph at radius 1 within `limit` bytes, enforced by the system; check some of its rows."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder, "graph.vng"), Path(folder, "rows.npy")
        n_edges = write_large_graph(file, n_nodes)
        words = ["embed", str(file), "-r", "1", "-j", "2", "--max-memory", str(limit), "-o", str(out), "-q"]
        seen = watch(words, data_limit=limit)
        graph, rows = read_graph(file), np.load(out, mmap_mode="r")
        chosen = np.sort(np.random.default_rng(2).choice(n_nodes, 200, replace=False))
        assert np.array_equal(rows[chosen], embed(graph, 1, nodes=chosen))
        size = {"nodes": n_nodes, "edges": n_edges, "file_mb": file.stat().st_size / 1e6, "limit_mb": limit / 1e6}
        return size | seen | {"ns_per_edge": 1e9 * seen["processor_s"] / n_edges}
