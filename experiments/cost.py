"""Cost: seconds and peak memory of every method, on Barabasi-Albert graphs (m = 5) and real ones.

Each run is a process of its own on one thread (``python -m experiments.cost METHOD GRAPH``). It first embeds a tiny
graph, so that compilation and imports are not counted. Seconds are of CPU time, which on one thread is the time on an
idle machine; memory is what the process holds at its peak beyond what it held before. A run ends at the limit of
seconds or of `MEMORY_GIB`; after that, larger graphs of the same kind are not tried.
"""

import ctypes
import gc
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

from experiments.methods import BY_NAME, METHODS
from experiments.real_graphs import labelled_graph, plain_graph
from experiments.storage import RESULTS, read_rows, write_rows

from vnestruct.graph.synthetic import barabasi_albert

PATH = RESULTS / "cost.csv"
LIMIT = 600
MEMORY_GIB = 12
N_ROLES = 16
SHORT, REPETITIONS = 0.5, 5
"""Runs shorter than this many seconds are repeated, and the median is reported."""

FAMILIES = {
    "Barabasi-Albert": ("100", "1000", "10000", "100000"),
    "real": ("brazil-airports", "email-Eu-core.txt.gz", "ca-GrQc.txt.gz", "email-Enron.txt.gz", "usroads.mtx.gz"),
}
LEFT_OUT = ("vnestruct-r3", "rolx-own")


def run(limit=LIMIT):
    """Measure what is missing, and repeat runs that were stopped at a lower limit."""
    rows = {(row["method"], row["graph"]): row for row in measured_rows()}
    for family, names in FAMILIES.items():
        failed = set()
        for name in names:
            for method in METHODS:
                key = method.name, name
                known = rows.get(key)
                settled = known and (known["outcome"] not in ("out of time", "not tried") or known["limit_s"] >= limit)
                if method.name not in LEFT_OUT and not settled:
                    row = {"family": family, "graph": name, "method": method.name, "limit_s": limit}
                    rows[key] = row | measured(method.name, name, limit, tried=method.name not in failed)
                    write_rows(PATH, list(rows.values()))
                    print(rows[key], flush=True)
                if key in rows and rows[key]["outcome"] != "done":
                    failed.add(method.name)


def measured_rows():
    """Return the known rows, the last of each method and graph; a graph's name is text even if it is a number."""
    rows = [row | {"graph": str(row["graph"])} for row in read_rows(PATH)]
    return list({(row["method"], row["graph"]): row for row in rows}.values())


def measured(method, graph, limit, *, tried):
    """Return one run's size, outcome, seconds and memory."""
    empty = {"nodes": "", "edges": "", "outcome": "not tried", "seconds": "", "peak_mib": ""}
    if not tried:
        return empty
    command = [sys.executable, "-W", "ignore", "-m", "experiments.cost", method, graph]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, timeout=limit, env=os.environ | threads, check=False
        )
    except subprocess.TimeoutExpired:
        return empty | {"outcome": "out of time"}
    if ended.returncode == 0:
        return empty | {"outcome": "done"} | json.loads(ended.stdout.splitlines()[-1])
    if any(sign in ended.stderr for sign in ("MemoryError", "Unable to allocate", "can't allocate")):
        return empty | {"outcome": "out of memory"}
    sys.stderr.write(ended.stderr[-2000:])
    return empty | {"outcome": "failed"}


def load(name):
    """Return a Barabasi-Albert graph with the given number of nodes, or a real one by name."""
    if name.isdigit():
        return barabasi_albert(int(name), 5, seed=0)
    return labelled_graph(name)[0] if name.endswith("airports") else plain_graph(name)


def main(method, name):
    """Measure one method on one graph, and print one JSON object."""
    embed = BY_NAME[method].embed
    embed(barabasi_albert(40, 5, seed=1), 3, 0)
    graph = load(name)
    # Memory that was freed but not returned to the system would hide part of the peak.
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_GIB << 30, MEMORY_GIB << 30))
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    held = _kib("VmRSS")
    seconds = [_timed(embed, graph)]
    peak = max(_kib("VmHWM") - held, 0)
    # A graph may cache results, so each repetition gets a new one.
    while seconds[0] < SHORT and len(seconds) < REPETITIONS:
        seconds.append(_timed(embed, load(name)))
    size = {"nodes": graph.n_nodes, "edges": graph.n_edges}
    print(json.dumps(size | {"seconds": round(statistics.median(seconds), 6), "peak_mib": round(peak / 1024, 2)}))


def _timed(embed, graph):
    begin = time.process_time()
    embed(graph, N_ROLES, 0)
    return time.process_time() - begin


def _kib(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))


if __name__ == "__main__":
    main(*sys.argv[1:])
