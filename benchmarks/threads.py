"""How much faster are many threads than one? ``python -m benchmarks.threads [THREADS]``, all CPUs by default.

Whole calls of ``embed`` on the same graph, one thread and many in alternation, after a call that compiles; the best of
each counts. *Balls* is the processor time of all threads together, relative to one thread: above 1, threads get in each
other's way. The last graph is a generated R-MAT graph (Chakrabarti et al. 2004) of 20 million edges at radius 1. The
rows must be the same to the last bit. Results go to ``results/threads.json``.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import numpy as np

from benchmarks.harness import RESULTS, compare, machine, thread_ceiling
from benchmarks.inputs import load
from vnestruct import Graph, embed
from vnestruct.graph.build import graph_from_ids

CASES = (("dblp-2010", 2, 12), ("musae_github", 2, 3), ("R-MAT", 1, 5))
"""Graph, radius, repeats."""


def rmat(scale: int, n_draws: int, seed: int) -> Graph:
    """Return an R-MAT graph with 2^scale nodes; the chances of the quadrants are .57, .19, .19 and .05."""
    generator = np.random.default_rng(seed)
    ends = np.zeros((2, n_draws), np.int64)
    for _ in range(scale):
        chance = generator.random(n_draws, np.float32)
        ends *= 2
        ends[0] += chance >= 0.76
        ends[1] += ((chance >= 0.57) & (chance < 0.76)) | (chance >= 0.95)
    return graph_from_ids(ends[0], ends[1], n_nodes=1 << scale)


def measure(name: str, radius: int, repeats: int, n_threads: int) -> dict[str, Any]:
    """Time one graph."""
    graph = rmat(22, 21_000_000, seed=1) if name == "R-MAT" else load(name).graph
    rows = [embed(graph, radius, n_jobs=n_jobs) for n_jobs in (1, n_threads)]
    calls = {str(n_jobs): lambda n_jobs=n_jobs: embed(graph, radius, n_jobs=n_jobs) for n_jobs in (1, n_threads)}
    one, many = compare(calls, repeats=repeats, once_above=60.0).values()
    facts = {"graph": name, "radius": radius, "nodes": graph.n_nodes, "edges": graph.indices.size // 2}
    facts |= {"one": one.as_dict(), "many": many.as_dict(), "speedup": one.best / many.best}
    facts["balls"] = many.as_dict()["processor_s"] / one.as_dict()["processor_s"]
    facts["same_bits"] = bool(np.array_equal(*rows))
    print(f"{name}, R = {radius}: {1e3 * one.best:.0f} ms on one thread, {1e3 * many.best:.1f} ms on {n_threads}:"
          f" {facts['speedup']:.1f}x, processor time {facts['balls']:.2f} of one thread's,"
          f" the same rows: {facts['same_bits']}", flush=True)  # fmt: skip
    return facts


def main() -> None:
    """Measure all cases."""
    n_threads = int(sys.argv[1]) if len(sys.argv) > 1 else os.cpu_count() or 1
    ceiling = thread_ceiling(n_threads)
    print(f"{n_threads} threads do pure arithmetic {ceiling:.1f} times as fast as one")
    results: dict[str, Any] = {"machine": machine(), "threads": n_threads, "ceiling": ceiling, "cases": []}
    for case in CASES:
        results["cases"].append(measure(*case, n_threads))
        (RESULTS / "threads.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
