"""Is this version slower than another one? ``python -m benchmarks.turns OTHER_CHECKOUT [--rounds 3]``.

Fresh processes of the two versions run in turns, each on the same graphs; the best time of each counts. The cold start
is the first ``embed(karate, 2)`` of a process with an empty compile cache. Results go to ``results/turns.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.harness import RESULTS
from benchmarks.inputs import BY_NAME, data_folder

HERE = Path(__file__).parents[1]

CASES = [
    ("email-Enron", 1, 1, 12), ("dblp-2010", 1, 1, 12), ("moscow-roads", 1, 1, 12), ("facebook_combined", 1, 1, 12),
    ("facebook_combined", 2, 2, 6), ("email-Enron", 2, 2, 3), ("dblp-2010", 2, 2, 4), ("moscow-roads", 2, 2, 4),
    ("moscow-roads", 3, 2, 3), ("email-Enron", 2, 1, 2), ("dblp-2010", 2, 1, 2), ("musae_github", 2, 2, 1),
]  # fmt: skip
"""Graph, radius, threads, repetitions."""

WARM = """
import json, sys, time
import vnestruct
files, cases = json.loads(sys.argv[1]), json.loads(sys.argv[2])
graphs = {name: vnestruct.read_graph(path) for name, path in files.items()}
for graph in graphs.values():
    for radius in (1, 2):
        vnestruct.embed(graph, radius, nodes=graph.nodes[:200])
best = []
for name, radius, n_jobs, repetitions in cases:
    times = []
    for _ in range(repetitions):
        begin = time.perf_counter()
        vnestruct.embed(graphs[name], radius, n_jobs=n_jobs)
        times.append(time.perf_counter() - begin)
    best.append(min(times))
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


def run(checkout: Path, script: str, *arguments: str, cold: bool = False) -> str:
    """Run a script with the package of a checkout, in a process of its own."""
    with tempfile.TemporaryDirectory() as cache:
        variables = os.environ | {"PYTHONPATH": str(checkout / "src")} | ({"NUMBA_CACHE_DIR": cache} if cold else {})
        command = [sys.executable, "-c", script, *arguments]
        ended = subprocess.run(command, env=variables, capture_output=True, text=True, check=True, cwd=cache)
    return ended.stdout.splitlines()[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="a checkout of the other version")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    files = {name: str(data_folder() / "graphs" / BY_NAME[name].file) for name, *_ in CASES}
    cases = [case for case in CASES if Path(files[case[0]]).is_file()]
    files = {name: files[name] for name, *_ in cases}
    sides = {"other": options.other.resolve(), "this": HERE}
    warm: dict[str, list[list[float]]] = {side: [] for side in sides}
    cold: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(options.rounds):
        for side, checkout in sides.items():
            warm[side].append(json.loads(run(checkout, WARM, json.dumps(files), json.dumps(cases))))
            cold[side].append(float(run(checkout, COLD, cold=True)))
    rows = []
    for i, (name, radius, n_jobs, _) in enumerate(cases):
        other, this = (min(times[i] for times in warm[side]) for side in ("other", "this"))
        rows.append({"graph": name, "radius": radius, "threads": n_jobs, "other_s": other, "this_s": this})
    rows.append({"graph": "karate, cold start", "radius": 2, "threads": None}
                | {f"{side}_s": min(cold[side]) for side in ("other", "this")})  # fmt: skip
    for row in rows:
        where = f"{row['graph']} R = {row['radius']}" + (f", {row['threads']} threads" if row["threads"] else "")
        print(f"{where:40} {row['other_s']:9.4f} s {row['this_s']:9.4f} s   {row['this_s'] / row['other_s']:.3f}")
    (RESULTS / "turns.json").write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
