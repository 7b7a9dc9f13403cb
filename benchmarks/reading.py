"""Time and memory to read a large edge list, compared with networkx, and with pyarrow reading the same into columns."""

import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.harness import PeakMemory, in_fresh_process, target

SHARE = 20
"""networkx reads one of so many edges, and its time and memory are extrapolated linearly."""


def _ours(path):
    from vnestruct import read_graph

    graph = read_graph(path)
    return {"csr_mb": (graph.indptr.nbytes + graph.indices.nbytes) / 1e6}


def _networkx(path):
    import networkx as nx

    nx.read_edgelist(path, nodetype=int)


def _pyarrow(path):
    from pyarrow import csv

    names = csv.ReadOptions(column_names=["source", "target"])
    csv.read_csv(path, read_options=names, parse_options=csv.ParseOptions(delimiter=" "))


READERS = {"vnestruct": _ours, "networkx": _networkx, "pyarrow": _pyarrow}


def reading(quick):
    """Measure all readers in alternation, each in a fresh process."""
    n_edges, n_nodes = (200_000, 20_000) if quick else (10_000_000, 1_000_000)
    generator = np.random.default_rng(31)
    with tempfile.TemporaryDirectory() as folder:
        whole, part, warm = (Path(folder, f"{name}.txt") for name in ("whole", "part", "warm"))
        for path, count in ((whole, n_edges), (part, n_edges // SHARE), (warm, 5_000)):
            np.savetxt(path, generator.integers(n_nodes, size=(count, 2)), fmt="%d")
        runs = {name: [] for name in READERS}
        for _ in range(1 if quick else 3):
            for name, found in runs.items():
                path = part if name == "networkx" else whole
                found.append(in_fresh_process("benchmarks.reading", name, path, warm))
        file_mb, csr_mb = whole.stat().st_size / 1e6, runs["vnestruct"][0]["csr_mb"]
    rows = []
    for name, found in runs.items():
        scale = SHARE if name == "networkx" else 1
        best, peak = min(run["seconds"] for run in found), max(run["peak_mb"] for run in found)
        rows.append(
            {"reader": name, "read": f"1/{scale} of the edges", "whole_s": scale * best, "peak_mb": scale * peak}
        )
    ours, theirs, arrow = rows
    targets = [
        target(
            "networkx.read_edgelist (extrapolated) / read_graph", theirs["whole_s"] / ours["whole_s"], "x", at_least=10
        ),
        target("read_graph / pyarrow.csv into columns", ours["whole_s"] / arrow["whole_s"], "x", at_most=4),
        target(
            "peak memory of read_graph: 4 x CSR + file", ours["peak_mb"], " MB", at_most=round(4 * csr_mb + file_mb)
        ),
    ]
    files = [{"edges": n_edges, "nodes": n_nodes, "file_mb": file_mb, "csr_mb": csr_mb}]
    return {"settings": {"share": SHARE}, "targets": targets, "tables": {"readers": rows, "file": files}}


def measure(reader, path, warm):
    """Read a file after a small one, twice: the first call imports and compiles, the second settles the memory."""
    for _ in range(2):
        READERS[reader](warm)
    peak, begin = PeakMemory(), time.perf_counter()
    facts = READERS[reader](path) or {}
    return {"seconds": time.perf_counter() - begin, "peak_mb": peak.megabytes(), **facts}


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
