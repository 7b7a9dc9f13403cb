"""Memory that a worker of a cluster takes for itself, beside a graph that it shares with the others."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.footprint import private_bytes
from benchmarks.harness import in_fresh_process
from benchmarks.large_graph import GROUP, write_large_graph
from vnestruct import Graph, embed
from vnestruct.graph import synthetic
from vnestruct.io import read_vng

N_WORKERS = 2
_NODES = 2_900_000
_WANTED = 20_000


def worker_memory(n_nodes: int = _NODES, n_wanted: int = _WANTED) -> dict[str, Any]:
    """Return what two workers take above their baseline, with a graph of 400 MB, in MB."""
    return in_fresh_process("benchmarks.ray_memory", str(n_nodes), str(n_wanted))


def _measure(n_nodes: int, n_wanted: int) -> dict[str, Any]:
    import ray

    ray.init(address="local", num_cpus=N_WORKERS, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.vng")
        write_large_graph(path, n_nodes)
        mapped = read_vng(path, verify=False)
        # Of this process's own: nothing is mapped, everything goes through the object store.
        graph = Graph._trusted(mapped.indptr.copy(), mapped.indices.copy())
    # The baseline has imported everything and run all kernels, on a graph that is next to nothing.
    small = synthetic.barabasi_albert(2_000, 5, seed=0)
    before = _peaks(lambda: embed(small, 2, engine="ray", n_jobs=N_WORKERS))
    # What the graph costs, and apart from that what room the largest balls take: those of hubs, 85,000 nodes each.
    ordinary = [node for node in range(n_wanted) if node % GROUP]
    hubs = list(range(0, n_wanted, GROUP))
    after = _peaks(lambda: embed(graph, 2, nodes=ordinary, engine="ray", n_jobs=N_WORKERS))
    at_hubs = _peaks(lambda: embed(graph, 2, nodes=[*ordinary[:2_000], *hubs], engine="ray", n_jobs=N_WORKERS))
    workers = sorted(set(before) & set(after) & set(at_hubs))
    assert len(workers) == N_WORKERS, (before, after)
    return {
        "graph_mb": (graph.indptr.nbytes + graph.indices.nbytes) / 1e6,
        "nodes": graph.n_nodes,
        "baseline_mb": [before[pid] / 1e6 for pid in workers],
        "above_mb": [(after[pid] - before[pid]) / 1e6 for pid in workers],
        "above_at_hubs_mb": [(at_hubs[pid] - before[pid]) / 1e6 for pid in workers],
    }


def _peaks(work: Any) -> dict[int, int]:
    """Do some work; return the most private memory of each worker process, looked at ten times a second."""
    from threading import Event, Thread

    over, peaks = Event(), dict[int, int]()

    def look() -> None:
        while not over.wait(0.1):
            for pid in _workers():
                try:
                    peaks[pid] = max(peaks.get(pid, 0), private_bytes(pid))
                except OSError:
                    continue

    watcher = Thread(target=look)
    watcher.start()
    try:
        work()
        time.sleep(0.3)
    finally:
        over.set()
        watcher.join()
    return peaks


def _workers() -> list[int]:
    """Return the processes that have run blocks; Ray names them so."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                title = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if title.startswith((b"ray::compute", b"ray::IDLE")):
                found.append(int(entry.name))
    return found


if __name__ == "__main__":
    print(json.dumps(_measure(int(sys.argv[1]), int(sys.argv[2]))))
