"""How fast a large edge list becomes a graph, and in how much memory.

    python -m tests.io.benchmark_reading [--edges 10000000] [--networkx]

Each measurement runs in a process of its own, in turns, and the best of three counts: the ratios hold on a busy
machine too. Targets: to CSR at least 10 times faster than ``networkx.read_edgelist`` (measured on a tenth of the file,
since it takes minutes), at most 4 times the time of ``pyarrow.csv`` reading the same bytes into columns, and at most
4 times the memory of the CSR plus the file.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PROGRAMS = {
    "vnestruct": """
import pyarrow.csv, scipy.sparse
from vnestruct.io import read_graph
def work(path):
    graph = read_graph(path)
    return graph.indptr.nbytes + graph.indices.nbytes
""",
    "pyarrow": """
import pyarrow.csv
def work(path):
    names = pyarrow.csv.ReadOptions(column_names=["source", "target"])
    return pyarrow.csv.read_csv(path, names, pyarrow.csv.ParseOptions(delimiter=" ")).nbytes
""",
    "networkx": """
import networkx
def work(path):
    return networkx.read_edgelist(path, nodetype=int).number_of_edges()
""",
}
MEASURE = """
import json, resource, sys, time
start = time.perf_counter()
result = work(sys.argv[1])
seconds = time.perf_counter() - start
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, result]))
"""


def measure(name: str, path: Path) -> tuple[float, int, int]:
    """Return seconds, peak bytes and the result of one program in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAMS[name] + MEASURE, str(path)], capture_output=True, text=True, check=True
    )
    seconds, peak, result = json.loads(run.stdout)
    return seconds, peak, result


def write_edges(path: Path, n_edges: int, seed: int = 1) -> None:
    """Write random edges between a tenth as many nodes."""
    generator = np.random.default_rng(seed)
    with path.open("wb") as stream:
        for start in range(0, n_edges, 1_000_000):
            rows = generator.integers(0, n_edges // 10, (min(1_000_000, n_edges - start), 2)).tolist()
            stream.write("".join(f"{source} {target}\n" for source, target in rows).encode())


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--edges", type=int, default=10_000_000)
    options.add_argument("--networkx", action="store_true", help="also measure networkx, which takes a while")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, tenth = Path(folder, "edges.txt"), Path(folder, "tenth.txt")
        write_edges(path, given.edges)
        write_edges(tenth, given.edges // 10)
        ours, theirs = [], []
        for _ in range(3):
            theirs.append(measure("pyarrow", path))
            ours.append(measure("vnestruct", path))
        seconds, peak, size = min(ours)
        columns = min(theirs)[0]
        allowed = 4 * size + path.stat().st_size
        print(f"vnestruct {seconds:.2f} s, {given.edges / seconds / 1e6:.1f} million edges a second")
        print(f"pyarrow.csv into columns {columns:.2f} s: ratio {seconds / columns:.2f}, target at most 4")
        print(f"peak {peak / 2**20:.0f} MiB: {peak / allowed:.2f} of 4 x CSR + file ({allowed / 2**20:.0f} MiB)")
        if given.networkx:
            slow, fast = measure("networkx", tenth)[0], min(measure("vnestruct", tenth) for _ in range(3))[0]
            print(f"networkx {slow:.2f} s on a tenth, vnestruct {fast:.2f} s: {slow / fast:.0f} times, target 10")


if __name__ == "__main__":
    main()
