"""Private memory of cluster workers that share a graph."""

import json
import sys
import tempfile
import time
from pathlib import Path
from threading import Event, Thread

from benchmarks.harness import in_fresh_process
from benchmarks.large_graph import GROUP, write_large_graph
from vnestruct import Graph, embed, read_graph
from vnestruct.graph import synthetic


def worker_memory(n_nodes=2_900_000, n_wanted=20_000):
    """Return the memory of two workers above their baseline, by default with a graph of 400 MB, in MB."""
    return in_fresh_process("benchmarks.ray_memory", n_nodes, n_wanted)


def measure(n_nodes, n_wanted):
    """Measure in this process."""
    import ray

    ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    with tempfile.TemporaryDirectory() as folder:
        write_large_graph(Path(folder, "graph.vng"), n_nodes)
        mapped = read_graph(Path(folder, "graph.vng"))
        # Private to this process: nothing is mapped, everything goes through the object store.
        graph = Graph(mapped.indptr.copy(), mapped.indices.copy())
    # The baseline has imported everything and run all kernels on a tiny graph. Then the memory for the graph, and the
    # memory for the largest balls: those of hubs, 85,000 nodes each.
    ordinary = [node for node in range(n_wanted) if node % GROUP]
    hubs = list(range(0, n_wanted, GROUP))
    small = synthetic.barabasi_albert(2_000, 5, seed=0)
    steps = [(small, None), (graph, ordinary), (graph, [*ordinary[:2_000], *hubs])]
    before, after, at_hubs = (
        _peaks(lambda g=g, nodes=nodes: embed(g, 2, nodes=nodes, engine="ray", n_jobs=2)) for g, nodes in steps
    )
    workers = sorted(set(before) & set(after) & set(at_hubs))
    assert len(workers) == 2, (before, after)
    return {
        "graph_mb": (graph.indptr.nbytes + graph.indices.nbytes) / 1e6, "nodes": graph.n_nodes,
        "baseline_mb": [before[pid] / 1e6 for pid in workers],
        "above_mb": [(after[pid] - before[pid]) / 1e6 for pid in workers],
        "above_at_hubs_mb": [(at_hubs[pid] - before[pid]) / 1e6 for pid in workers],
    }  # fmt: skip


def _peaks(work):
    """Do some work; return the peak private memory of each worker process, sampled ten times per second."""
    over, peaks = Event(), {}

    def look():
        while not over.wait(0.1):
            for entry in Path("/proc").glob("[0-9]*"):
                try:
                    if (entry / "cmdline").read_bytes().startswith((b"ray::compute", b"ray::IDLE")):
                        lines = (entry / "smaps_rollup").read_text().splitlines()
                        own = sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_"))
                        peaks[int(entry.name)] = max(peaks.get(int(entry.name), 0), own)
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


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), int(sys.argv[2]))))
