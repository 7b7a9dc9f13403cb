"""Is this version slower than another one? ``python -m benchmarks turns --other CHECKOUT [--rounds 3]``.

Fresh processes of the two versions run in turns, each on the same graphs; the best time of each counts, and rows are
compared. The cold start is the first ``embed(karate, 2)`` of a process with an empty compile cache.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.harness import ROOT, path_of, target

WEIGHTED, DIRECTED = {"weighted": True}, {"direction": "out"}
CASES = [
    *((name, 1, 1, {}, 12) for name in ("email-Enron", "dblp-2010", "moscow-roads", "facebook_combined")),
    ("facebook_combined", 2, 2, {}, 6), ("email-Enron", 2, 2, {}, 3), ("dblp-2010", 2, 2, {}, 4),
    ("moscow-roads", 2, 2, {}, 4), ("moscow-roads", 3, 2, {}, 3), ("email-Enron", 2, 1, {}, 2),
    ("dblp-2010", 2, 1, {}, 2), ("musae_github", 2, 2, {}, 1),
    *((name, radius, n, how, 3) for name in ("ca-GrQc", "facebook_combined") for radius in (1, 2) for n in (1, 2)
      for how in (WEIGHTED, DIRECTED)),
    *(("ca-GrQc", radius, n, {}, 5) for radius in (1, 2, 3) for n in (1, 2)),
    ("facebook_combined", 1, 2, {"kind": "exact"}, 3), ("ca-GrQc", 2, 1, {"kind": "exact"}, 3),
    ("ca-GrQc", 2, 2, {"kind": "exact"}, 3), ("email-Enron", 1, 2, {"kind": "exact"}, 2),
    ("facebook_combined", 1, 2, {"kind": "normalized"}, 3), ("facebook_combined", 1, 2, {"kind": "punctured"}, 3),
]  # fmt: skip
"""Graph, radius, threads, other parameters, repetitions."""

QUICK = [("ca-GrQc", 1, 1, {}, 1), ("ca-GrQc", 2, 2, {"kind": "exact"}, 1)]

WARM = """
import json, sys, time
import numpy as np
import vnestruct
from vnestruct.graph import graph_from_ids
files, cases, kept = map(json.loads, sys.argv[1:])
graphs = {name: vnestruct.read_graph(path) for name, path in files.items()}
def made(name, how):
    graph = graphs[name]
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    ends = rows[rows < graph.indices], graph.indices[rows < graph.indices]
    if "weighted" in how:
        return graph_from_ids(*ends, np.random.default_rng(1).uniform(0.1, 10, ends[0].size), n_nodes=graph.n_nodes)
    return graph_from_ids(*ends, n_nodes=graph.n_nodes, directed=True) if "direction" in how else graph
best = []
for i, (name, radius, n_jobs, how, repetitions) in enumerate(cases):
    graph, times = made(name, how), []
    vnestruct.embed(graph, radius, nodes=graph.nodes[:200], n_jobs=n_jobs, **how)
    for _ in range(repetitions):
        begin = time.perf_counter()
        rows = vnestruct.embed(graph, radius, n_jobs=n_jobs, **how)
        times.append(time.perf_counter() - begin)
    best.append(min(times))
    np.save(f"{kept}-{i}.npy", rows)
print(json.dumps(best))
"""

COLD = """
import time
import networkx, vnestruct
graph = networkx.karate_club_graph()
begin = time.perf_counter()
vnestruct.embed(graph, 2)
print(time.perf_counter() - begin)
"""


def run(checkout, script, *arguments, cold=False):
    """Run a script with the package of a checkout, in a process of its own; return what it prints last."""
    with tempfile.TemporaryDirectory() as cache:
        variables = os.environ | {"PYTHONPATH": str(checkout / "src")} | ({"NUMBA_CACHE_DIR": cache} if cold else {})
        command = [sys.executable, "-c", script, *map(json.dumps, arguments)]
        ended = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True, cwd=cache)
    return json.loads(ended.stdout.splitlines()[-1])


def turns(quick, other, rounds):
    """Measure two versions in turns."""
    cases = QUICK if quick else CASES
    files = {name: str(path_of(name)) for name, *_ in cases}
    sides, rows = {"other": other.resolve(), "this": ROOT}, []
    with tempfile.TemporaryDirectory() as folder:
        warm, cold = {side: [] for side in sides}, {side: [] for side in sides}
        for _ in range(rounds):
            for side, checkout in sides.items():
                warm[side].append(run(checkout, WARM, files, cases, str(Path(folder, side))))
                cold[side].append(run(checkout, COLD, cold=True))
        for i, (name, radius, n_jobs, how, _) in enumerate(cases):
            kept = [np.load(Path(folder, f"{side}-{i}.npy")) for side in sides]
            times = {f"{side}_s": min(found[i] for found in warm[side]) for side in sides}
            how_said = ", ".join(f"{key}={value}" for key, value in how.items()) or "plain"
            rows.append({"graph": name, "radius": radius, "threads": n_jobs, "how": how_said, **times,
                         "difference": float(np.abs(kept[0] - kept[1]).max())})  # fmt: skip
    times = {f"{side}_s": min(found) for side, found in cold.items()}
    rows.append({"graph": "karate, cold start", "radius": 2, "threads": None, "how": "plain", **times})
    for row in rows:
        row["this_over_other_ratio"] = row["this_s"] / row["other_s"]
    ratios = [row["this_over_other_ratio"] for row in rows[:-1]]
    targets = [
        target("largest time over that of the other version", max(ratios), "x", at_most=1.1),
        target("geometric mean of these", math.exp(float(np.mean(np.log(ratios)))), "x", at_most=1.03),
    ]
    return {"settings": {"rounds": rounds}, "targets": targets, "tables": {"turns": rows}}
