"""One run of one method on one graph, measured: ``python -m experiments.cost_worker METHOD GRAPH``."""

from __future__ import annotations

import ctypes
import gc
import json
import resource
import statistics
import sys
import time
from pathlib import Path

from experiments.cost import MEMORY_GIB
from experiments.methods import BY_NAME, Embed
from experiments.real_graphs import labelled_graph, plain_graph

from vnestruct.graph import Graph
from vnestruct.graph.synthetic import barabasi_albert

N_ROLES = 16
SHORT, REPETITIONS = 0.5, 5
"""Runs shorter than this many seconds are repeated, and the median is reported."""


def load(name: str) -> Graph:
    """Return a Barabasi-Albert graph with the given number of nodes, or a real one by name."""
    if name.isdigit():
        return barabasi_albert(int(name), 5, seed=0)
    return labelled_graph(name)[0] if name.endswith("airports") else plain_graph(name)


def main(method: str, name: str) -> None:
    """Measure and print one JSON object."""
    embed = BY_NAME[method].embed
    embed(barabasi_albert(40, 5, seed=1), 3, 0)
    graph = load(name)
    print("ready", flush=True)
    # Memory that was freed but not returned to the system would hide part of the peak.
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_GIB << 30, MEMORY_GIB << 30))
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    held = _status("VmRSS")
    seconds = [_timed(embed, graph)]
    peak = max(_status("VmHWM") - held, 0)
    # A graph may cache results, so each repetition gets a new one.
    while seconds[0] < SHORT and len(seconds) < REPETITIONS:
        seconds.append(_timed(embed, load(name)))
    size = {"nodes": graph.n_nodes, "edges": graph.n_edges}
    print(json.dumps(size | {"seconds": round(statistics.median(seconds), 6), "peak_mib": round(peak / 1024, 2)}))


def _timed(embed: Embed, graph: Graph) -> float:
    begin = time.process_time()
    embed(graph, N_ROLES, 0)
    return time.process_time() - begin


def _status(field: str) -> int:
    """Return a field of the process's status, in KiB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field + ":"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
