"""Is this version slower than another? ``python -m benchmarks turns --other COMMIT_OR_CHECKOUT [--rounds 3]``.

Fresh processes of the two versions run in turns, each on the same graphs; the best time of each counts, and rows are
compared. Radius 1 is also compared with igraph, and 1,000 molecules are embedded one by one. The cold start is the
first ``embed(karate, 2)`` of a process with an empty compile cache. About 20 minutes on two processors.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path

import numpy as np

from benchmarks.harness import ROOT, path_of, say, target

WEIGHTED, DIRECTED, EXACT = {"weighted": True}, {"direction": "out"}, {"kind": "exact"}
THREADS = (1, 2)
SMALL, LARGE = ("ca-GrQc", "email-Eu-core"), ("facebook_combined", "email-Enron", "dblp-2010", "usroads")
PLAIN = [*product((*SMALL, *LARGE), (1, 2)), *product((*SMALL, "facebook_combined", "dblp-2010", "usroads"), (3,))]
CASES = [
    *((*one, n, {}) for one, n in product([*PLAIN, ("musae_github", 1)], THREADS)),
    ("musae_github", 2, 2, {}), ("email-Enron", 3, 2, {}),
    *product(SMALL, (1, 2, 3), THREADS, (WEIGHTED, DIRECTED)), *product(LARGE, (1, 2), (2,), (WEIGHTED, DIRECTED)),
    *product((*SMALL, "facebook_combined", "email-Enron"), (1,), THREADS, (EXACT,)),
    *product(("ca-GrQc",), (2, 3), (2,), (EXACT,)), ("facebook_combined", 1, 2, {"kind": "punctured"}),
]  # fmt: skip
"""Graph, radius, threads, other parameters."""

QUICK = [("ca-GrQc", 1, 1, {}), ("ca-GrQc", 2, 2, EXACT)]
MOLECULES = 1000

WARM = """
import json, sys, time
import igraph, numpy as np, vnestruct
from vnestruct.graph import graph_from_ids
files, cases, kept, n_molecules = map(json.loads, sys.argv[1:])
graphs = {name: vnestruct.read_graph(path, directed=False) for name, path in files.items()}
def best(call):
    times = []
    while not times or (sum(times) < 0.5 and len(times) < 12):
        begin = time.perf_counter()
        found = call()
        times.append(time.perf_counter() - begin)
    return min(times), found
def ends_of(graph):
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    return rows[rows < graph.indices], graph.indices[rows < graph.indices]
def made(name, how):
    graph, ends = graphs[name], ends_of(graphs[name])
    if "weighted" in how:
        return graph_from_ids(*ends, np.random.default_rng(1).uniform(0.1, 10, ends[0].size), n_nodes=graph.n_nodes)
    return graph_from_ids(*ends, n_nodes=graph.n_nodes, directed=True) if "direction" in how else graph
times = []
for i, (name, radius, n_jobs, how) in enumerate(cases):
    graph = made(name, how)
    vnestruct.embed(graph, radius, nodes=graph.nodes[:200], n_jobs=n_jobs, **how)
    seconds, rows = best(lambda: vnestruct.embed(graph, radius, n_jobs=n_jobs, **how))
    times.append(seconds)
    np.save(f"{kept}-{i}.npy", rows)
peers = {}
for name, graph in graphs.items():
    other = igraph.Graph(n=graph.n_nodes, edges=np.column_stack(ends_of(graph)).tolist())
    peers[name] = best(lambda: other.transitivity_local_undirected(mode="zero"))[0]
random = np.random.default_rng(2)
sizes = random.integers(10, 40, n_molecules)
molecules = [
    graph_from_ids(np.append(random.integers(0, np.arange(1, n)), 0), np.append(np.arange(1, n), n - 1), n_nodes=n)
    for n in sizes.tolist()
]
alone = best(lambda: [vnestruct.embed(graph, 2, n_jobs=1) for graph in molecules])[0]
print(json.dumps({"times": times, "igraph": peers, "molecules": alone}))
"""

COLD = """
import time
import networkx, vnestruct
graph = networkx.karate_club_graph()
begin = time.perf_counter()
vnestruct.embed(graph, 2)
print(time.perf_counter() - begin)
"""


def run(checkout, script, *arguments, cache):
    """Run a script with the package of a checkout, in a process of its own; return what it prints last."""
    variables = os.environ | {"PYTHONPATH": str(checkout / "src"), "NUMBA_CACHE_DIR": str(cache)}
    command = [sys.executable, "-c", script, *map(json.dumps, arguments)]
    ended = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True, cwd=checkout)
    return json.loads(ended.stdout.splitlines()[-1])


def checkout_of(other, folder):
    """Return a checkout: the given one, or a commit's files, unpacked."""
    if Path(other).is_dir():
        return Path(other).resolve()
    packed = subprocess.run(["git", "archive", other, "src"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    target_folder = folder / "other"
    target_folder.mkdir()
    subprocess.run(["tar", "-x", "-C", str(target_folder)], input=packed, check=True)
    return target_folder


def turns(quick, other, rounds):
    """Measure two versions in turns."""
    cases, n_molecules = (QUICK, 20) if quick else (CASES, MOLECULES)
    files = {name: str(path_of(name)) for name, *_ in cases}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        sides = {"other": checkout_of(other, folder), "this": ROOT}
        warm, cold = {side: [] for side in sides}, {side: [] for side in sides}
        for turn, (side, checkout) in product(range(rounds), sides.items()):
            say(f"round {turn + 1} of {rounds}, {side} version")
            kept = str(folder / side)
            warm[side].append(run(checkout, WARM, files, cases, kept, n_molecules, cache=folder / f"cache-{side}"))
            cold[side].append(run(checkout, COLD, cache=folder / f"cold-{side}-{turn}"))
        rows = [
            {"graph": name, "radius": radius, "threads": n_jobs,
             "how": ", ".join(f"{key}={value}" for key, value in how.items()) or "plain",
             **{f"{side}_s": min(found["times"][i] for found in warm[side]) for side in sides},
             "difference": float(np.abs(np.subtract(*(np.load(folder / f"{side}-{i}.npy") for side in sides))).max())}
            for i, (name, radius, n_jobs, how) in enumerate(cases)
        ]  # fmt: skip
    alone = {f"{side}_s": min(found["molecules"] for found in warm[side]) for side in sides}
    start = {f"{side}_s": min(found) for side, found in cold.items()}
    other_rows = [
        {"graph": f"{n_molecules} molecules one by one", "radius": 2, "threads": 1, "how": "plain"} | alone,
        {"graph": "karate, cold start", "radius": 2, "threads": None, "how": "plain"} | start,
    ]
    for row in rows + other_rows:
        row["this_over_other_ratio"] = row["this_s"] / row["other_s"]
    ratios = [row["this_over_other_ratio"] for row in rows]
    peers = []
    for row in rows:
        if (row["radius"], row["threads"], row["how"]) == (1, 1, "plain"):
            seconds = min(found["igraph"][row["graph"]] for side in sides for found in warm[side])
            ours = {"this_s": row["this_s"], "igraph_s": seconds}
            peers.append({"graph": row["graph"], **ours, "ratio": row["this_s"] / seconds})
    targets = [
        target("largest time over that of the other version", max(ratios), "x", at_most=1.1),
        target("geometric mean of these", math.exp(float(np.mean(np.log(ratios)))), "x", at_most=1.03),
        target("largest time at radius 1 over igraph's", max(row["ratio"] for row in peers), "x", at_most=1.0),
        target("molecules over the other version", other_rows[0]["this_over_other_ratio"], "x", at_most=3.0),
        target("first embed(karate, 2), empty caches", start["this_s"], " s", at_most=2.0),
    ]
    tables = {"turns": rows + other_rows, "radius_1_and_igraph": peers}
    return {"settings": {"rounds": rounds, "other": str(other)}, "targets": targets, "tables": tables}
