"""How much faster are many threads than one? ``python -m benchmarks.threads [THREADS]``, all CPUs by default.

First what the machine can do: pure arithmetic, and vector code on private memory (a matrix of 400 rows per thread,
reduced to tridiagonal form), which shows how far processors slow down when all are busy. Then whole calls of ``embed``
on the same graph, one thread and many in alternation, after a call that compiles. The CPUs of a rented machine differ,
and their speed changes with what its other users do, so the one thread takes another CPU each time, and medians are
compared. *Of the fastest* compares the best run of many threads with the best run of one. *Capacity* is how many CPUs
as fast as the fastest all CPUs together amount to. Processor time is the median, too. The last graph is a generated
R-MAT graph (Chakrabarti et al. 2004) of 20 million edges at radius 1. The rows must be the same to the last bit.
Results go to ``results/threads.json``.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from typing import Any

import numpy as np
from tests.kernels.calls import tridiagonalise

from benchmarks.harness import RESULTS, compare, machine, thread_ceiling
from benchmarks.inputs import load
from vnestruct import Graph, embed
from vnestruct.graph.build import graph_from_ids
from vnestruct.kernels.workspace import make_dense_scratch

CASES = (("dblp-2010", 2, 16), ("musae_github", 2, 3), ("R-MAT", 1, 2))
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


def vector_ceiling(n_threads: int, size: int = 400, seconds: float = 1.0) -> float:
    """Return how many reductions of a dense matrix per second `n_threads` threads finish, relative to one thread."""

    def work(_: int) -> float:
        dense, cancel, count = make_dense_scratch(1, size), np.zeros(1, np.uint8), 0
        dense.matrix[:] = np.random.default_rng(1).normal(size=dense.matrix.size)
        begin = time.perf_counter()
        while time.perf_counter() - begin < seconds:
            tridiagonalise(size, dense, cancel)  # again and again: what is left takes as long as what was there
            count += 1
        return count / (time.perf_counter() - begin)

    rates = []
    for number in (1, n_threads, 1, n_threads):
        with ThreadPoolExecutor(number) as pool:
            rates.append(sum(pool.map(work, range(number))))
    return max(rates[1::2]) / max(rates[::2])


def on_next_cpu(cpus: Iterator[int], function: Callable[[], object]) -> None:
    """Call a function on one CPU alone."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {next(cpus)})
    try:
        function()
    finally:
        os.sched_setaffinity(0, allowed)


def measure(name: str, radius: int, repeats: int, n_threads: int) -> dict[str, Any]:
    """Time one graph."""
    graph = rmat(22, 21_000_000, seed=1) if name == "R-MAT" else load(name).graph
    rows = [embed(graph, radius, n_jobs=n_jobs) for n_jobs in (1, n_threads)]
    allowed = sorted(os.sched_getaffinity(0))
    cpus = cycle([cpu for start in range(5) for cpu in allowed[start::5]])  # few repeats see different ones, too
    calls = {
        "one": lambda: on_next_cpu(cpus, lambda: embed(graph, radius, n_jobs=1)),
        "many": lambda: embed(graph, radius, n_jobs=n_threads),
    }
    one, many = compare(calls, repeats=repeats, once_above=60.0).values()
    facts = {"graph": name, "radius": radius, "nodes": graph.n_nodes, "edges": graph.indices.size // 2}
    facts |= {"one_s": one.seconds, "many_s": many.seconds, "speedup": one.median / many.median}
    facts["of_fastest"] = one.best / many.best
    facts["capacity"] = n_threads * float(np.mean(one.best / np.array(one.seconds)))
    facts["processor"] = float(np.median(many.processor) / np.median(one.processor))
    facts["same_bits"] = bool(np.array_equal(*rows))
    print(f"{name}, R = {radius}: {1e3 * one.median:.0f} ms on one thread, {1e3 * many.median:.1f} ms on {n_threads}:"
          f" {facts['speedup']:.1f}x ({facts['of_fastest']:.1f}x of the fastest, capacity {facts['capacity']:.1f}),"
          f" processor time {facts['processor']:.2f} of one thread's, the same rows: {facts['same_bits']}",
          flush=True)  # fmt: skip
    return facts


def main() -> None:
    """Measure all cases."""
    n_threads = int(sys.argv[1]) if len(sys.argv) > 1 else os.cpu_count() or 1
    ceilings = {"arithmetic": thread_ceiling(n_threads), "vectors": vector_ceiling(n_threads)}
    print("{} threads are {:.1f} times as fast as one at arithmetic, {:.1f} times at vector code".format(
        n_threads, *ceilings.values()))  # fmt: skip
    results: dict[str, Any] = {"machine": machine(), "threads": n_threads, "ceilings": ceilings, "cases": []}
    for case in CASES:
        results["cases"].append(measure(*case, n_threads))
        (RESULTS / "threads.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
