"""How much memory does an embedding take, above the graph it works on? Measured in a fresh, warm process."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import PeakMemory, in_fresh_process
from vnestruct import embed
from vnestruct.graph import Graph, synthetic


def peak_memory(graph: Graph, radius: int, n_threads: int) -> dict[str, Any]:
    """Return the peak, in MB, of `embed` in a process that holds the graph and has compiled everything."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.npz")
        np.savez(path, indptr=graph.indptr, indices=graph.indices)
        return in_fresh_process("benchmarks.memory", str(path), str(radius), str(n_threads))


def _measure(path: Path, radius: int, n_threads: int) -> dict[str, Any]:
    with np.load(path) as arrays:
        graph = Graph(arrays["indptr"], arrays["indices"])
    small = synthetic.barabasi_albert(2_000, 5, seed=0)
    for r in (1, radius):
        embed(small, r, n_jobs=n_threads)
    peak = PeakMemory()
    values = embed(graph, radius, n_jobs=n_threads)
    above = peak.above_start()
    return {
        "radius": radius,
        "threads": n_threads,
        "peak_mb": above / 1e6,
        "matrix_mb": values.nbytes / 1e6,
        "graph_mb": (graph.indptr.nbytes + graph.indices.nbytes) / 1e6,
        "method": peak.method,
    }


if __name__ == "__main__":
    print(json.dumps(_measure(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))))
