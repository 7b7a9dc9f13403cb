"""Exact entropies: ``python -m benchmarks.exact OTHER_CHECKOUT [--rounds 2]``.

Fresh processes of this version and another one embed the same graphs in turns, on two threads; the best wall-clock and
processor times count, and the largest difference between their rows. Then, for this version alone: the reduction to
tridiagonal form against LAPACK's dsytrd and dsterf on one thread; the entropy of a generated graph of a million nodes
and five million edges, with its memory; and how many of 40 intervals hold the value from all eigenvalues, for this
estimate and for the linear-time formulas of FINGER (Chen et al. 2019), which state none. Results go to
``results/exact.json``.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import RESULTS
from benchmarks.inputs import BY_NAME, data_folder
from benchmarks.turns import HERE, run

CASES = [("facebook_combined", 1, "exact", 3), ("ca-GrQc", 2, "exact", 3), ("email-Enron", 1, "exact", 2),
         ("facebook_combined", 1, "normalized", 3), ("facebook_combined", 1, "punctured", 3)]  # fmt: skip
"""Graph, radius, kind, repetitions."""

EMBED = """
import json, sys, time
import numpy as np
import vnestruct
path, radius, kind, repetitions, kept = json.loads(sys.argv[1])
graph = vnestruct.read_graph(path)
vnestruct.embed(graph, radius, kind=kind, nodes=graph.nodes[:20], n_jobs=2)
times = []
for _ in range(repetitions):
    begin = time.perf_counter(), time.process_time()
    rows = vnestruct.embed(graph, radius, kind=kind, n_jobs=2)
    times.append((time.perf_counter() - begin[0], time.process_time() - begin[1]))
np.save(kept, rows)
print(json.dumps([min(column) for column in zip(*times)]))
"""

LARGE = """
import json, resource, time
import vnestruct
from vnestruct.graph.synthetic import barabasi_albert
graph = barabasi_albert(1_000_000, 5, seed=1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
rows = []
for kind in ("exact", "normalized"):
    vnestruct.entropy([(0, 1), (1, 2)], kind)
    begin = time.perf_counter(), time.process_time()
    found = vnestruct.entropy(graph, kind, interval=True)
    seconds = time.perf_counter() - begin[0], time.process_time() - begin[1]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    rows.append([kind, found.value, found.low, found.high, *seconds, before, memory])
print(json.dumps(rows))
"""


def in_turns(other: Path, rounds: int) -> list[dict[str, Any]]:
    """Embed with both versions, in turns."""
    rows = []
    for name, radius, kind, repetitions in CASES:
        path = data_folder() / "graphs" / (BY_NAME[name].file if name in BY_NAME else f"{name}.txt.gz")
        if not path.is_file():
            continue
        kept = {side: RESULTS / f"exact-{side}.npy" for side in ("other", "this")}
        best: dict[str, list[list[float]]] = {side: [] for side in kept}
        for _ in range(rounds):
            for side, checkout in (("other", other), ("this", HERE)):
                case = json.dumps([str(path), radius, kind, repetitions if side == "this" else 1, str(kept[side])])
                best[side].append(json.loads(run(checkout, EMBED, case)))
        difference = float(np.abs(np.load(kept["other"]) - np.load(kept["this"])).max())
        for file in kept.values():
            file.unlink()
        wall, cpu = ({side: min(times[i] for times in best[side]) for side in best} for i in (0, 1))
        row = {"graph": name, "radius": radius, "kind": kind, "wall_s": wall, "cpu_s": cpu, "difference": difference}
        print(f"{name} R = {radius} {kind}: {wall['other']:.3f} s -> {wall['this']:.3f} s, processor time"
              f" {cpu['other']:.3f} s -> {cpu['this']:.3f} s ({cpu['other'] / cpu['this']:.1f}x),"
              f" difference {difference:.1g}", flush=True)  # fmt: skip
        rows.append(row)
    return rows


def reductions(sizes: tuple[int, ...] = (30, 100, 300, 1000), work: float = 4e8) -> list[dict[str, Any]]:
    """Time the reduction and the sum, and LAPACK's, on one thread."""
    from scipy.linalg import lapack
    from tests.kernels.calls import tridiagonal_sum, tridiagonalise
    from threadpoolctl import threadpool_limits

    from vnestruct.kernels.workspace import make_dense_scratch

    rows, cancel = [], np.zeros(1, np.uint8)
    for k in sizes:
        stride = -(-k // 8) * 8
        dense, matrix = make_dense_scratch(1, k), np.zeros((stride, stride))
        matrix[:k, :k] = np.random.default_rng(k).normal(size=(k, k))
        matrix = matrix @ matrix.T
        best = [np.inf] * 4
        for _ in range(max(3, int(work / k**3))):
            dense.matrix[: stride * stride] = matrix.ravel()
            marks = [time.perf_counter()]
            tridiagonalise(k, dense, cancel)
            marks.append(time.perf_counter())
            tridiagonal_sum(dense.diagonal, dense.off, k, 0.0)
            marks.append(time.perf_counter())
            with threadpool_limits(1):
                marks.append(time.perf_counter())
                _, diagonal, off, _, _ = lapack.dsytrd(matrix[:k, :k], lower=1, lwork=32 * k)
                marks.append(time.perf_counter())
                lapack.dsterf(diagonal, off)
                marks.append(time.perf_counter())
            taken = np.diff(marks)
            best = [min(pair) for pair in zip(best, taken[[0, 1, 3, 4]], strict=True)]
        names = ("reduction_s", "sum_s", "dsytrd_s", "dsterf_s")
        rows.append({"rows": k} | dict(zip(names, map(float, best), strict=True)))
        print(f"{k} rows: " + ", ".join(f"{name[:-2]} {1e6 * x:.1f} us" for name, x in zip(names, best, strict=True)))
    return rows


def coverage(number: int = 40, sizes: tuple[int, int] = (2_000, 4_000)) -> dict[str, Any]:
    """Compare intervals, and FINGER's formulas, with values from all eigenvalues."""
    from tests.test_graph_entropy import drawn_graphs

    from vnestruct import entropy, graph_entropy

    held, widths, finger = 0, [], []
    for seed, graph in enumerate(drawn_graphs(number, *sizes)):
        value, quadratic, largest = entropy(graph, "exact"), entropy(graph, "quadratic"), graph.degrees.max()
        limit, graph_entropy.EXACT_LIMIT = graph_entropy.EXACT_LIMIT, 0
        found = entropy(graph, "exact", interval=True, random_state=seed)
        graph_entropy.EXACT_LIMIT = limit
        held += found.low <= value <= found.high
        widths.append((found.high - found.low) / value)
        # H-hat of FINGER is `approx`; H-tilde replaces the largest eigenvalue by twice the largest degree.
        finger.append([entropy(graph) / value, -quadratic * np.log(2 * largest / graph.degrees.sum()) / value])
    row = {"graphs": number, "held": int(held), "widest": max(widths), "finger_share": np.mean(finger, axis=0).tolist()}
    print(f"intervals: {held} of {number} hold the value, widest {100 * max(widths):.2f}%")
    print("FINGER's H-hat and H-tilde are {:.2f} and {:.2f} of it".format(*row["finger_share"]))
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="a checkout of the other version")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    results: dict[str, Any] = {"turns": in_turns(options.other.resolve(), options.rounds)}
    _write(results)
    results["reductions"] = reductions()
    for row in json.loads(run(HERE, LARGE)):
        kind, value, low, high, wall, cpu, before, memory = row
        print(f"{kind}: {value:.4f}, {low:.4f} to {high:.4f} ({100 * (high - low) / value:.2f}%), {wall:.1f} s,"
              f" processor time {cpu:.1f} s, {memory:.2f} GB ({before:.2f} GB before)", flush=True)  # fmt: skip
        names = ("kind", "value", "low", "high", "wall_s", "cpu_s", "before_gb", "memory_gb")
        results.setdefault("large", []).append(dict(zip(names, row, strict=True)))
    _write(results)
    results["coverage"] = coverage()
    _write(results)


def _write(results: dict[str, Any]) -> None:
    (RESULTS / "exact.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
