"""How fast is a large edge list read? Beside networkx, and beside pyarrow reading the same bytes into columns."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import harness, targets
from benchmarks.harness import PeakMemory, in_fresh_process, say

SEED = 31
_CHUNK = 1_000_000


@dataclass(frozen=True)
class Settings:
    """The named parameters of a run."""

    edges: int = 10_000_000
    nodes: int = 1_000_000
    repeats: int = 3
    networkx_share: int = 20
    """networkx reads the first one in this many edges, and its time is extrapolated linearly."""


QUICK = Settings(edges=200_000, nodes=20_000, repeats=1)


def write_edge_list(path: Path, n_edges: int, n_nodes: int) -> None:
    """Write random pairs of integer ids, one a line, separated by a space."""
    generator = np.random.default_rng(SEED)
    with path.open("w") as file:
        for start in range(0, n_edges, _CHUNK):
            pairs = generator.integers(n_nodes, size=(min(_CHUNK, n_edges - start), 2))
            np.savetxt(file, pairs, fmt="%d")


def _read_ours(path: Path) -> dict[str, float]:
    from vnestruct import read_graph

    graph = read_graph(path)
    return {"csr_mb": (graph.indptr.nbytes + graph.indices.nbytes) / 1e6}


def _read_networkx(path: Path) -> dict[str, float]:
    import networkx as nx

    nx.read_edgelist(path, nodetype=int)
    return {}


def _read_pyarrow(path: Path) -> dict[str, float]:
    from pyarrow import csv

    csv.read_csv(
        path,
        read_options=csv.ReadOptions(column_names=["source", "target"]),
        parse_options=csv.ParseOptions(delimiter=" "),
    )
    return {}


READERS: dict[str, Callable[[Path], dict[str, float]]] = {
    "vnestruct": _read_ours,
    "networkx": _read_networkx,
    "pyarrow": _read_pyarrow,
}


def run_reading(settings: Settings) -> dict[str, Any]:
    """Measure all readers, in turns, each in a fresh process."""
    machine = harness.machine()
    with tempfile.TemporaryDirectory() as folder:
        whole, part, warm = (Path(folder, name) for name in ("whole.txt", "part.txt", "warm.txt"))
        say(f"writing {settings.edges:,} edges")
        write_edge_list(whole, settings.edges, settings.nodes)
        _copy_lines(whole, part, settings.edges // settings.networkx_share)
        write_edge_list(warm, 5_000, 1_000)
        file_mb = whole.stat().st_size / 1e6
        measured: dict[str, list[dict[str, Any]]] = {name: [] for name in READERS}
        for turn in range(settings.repeats):
            for name in READERS:
                say(f"{name}, run {turn + 1} of {settings.repeats}")
                path = part if name == "networkx" else whole
                measured[name].append(in_fresh_process("benchmarks.reading", name, str(path), str(warm)))
    readers = {}
    for name, runs in measured.items():
        timing = harness.Timing(tuple(run["seconds"] for run in runs))
        share = settings.networkx_share if name == "networkx" else 1
        peak = max(run["peak_mb"] for run in runs)
        readers[name] = {
            **timing.as_dict(),
            "share": share,
            "whole_s": timing.best * share,
            "peak_mb": peak * share,
        }
    results: dict[str, Any] = {
        "settings": asdict(settings),
        "machine": machine,
        "edges": settings.edges,
        "nodes": settings.nodes,
        "file_mb": file_mb,
        "csr_mb": measured["vnestruct"][0]["csr_mb"],
        "readers": readers,
    }
    return {**results, "targets": targets.reading_rows(results)}


def _copy_lines(source: Path, target: Path, count: int) -> None:
    with source.open() as lines, target.open("w") as copy:
        for _, line in zip(range(count), lines, strict=False):
            copy.write(line)


def _measure(reader: str, path: Path, warm: Path) -> dict[str, Any]:
    read = READERS[reader]
    # Twice: imports and compiled code, then whatever a first file leaves behind.
    read(warm)
    read(warm)
    peak = PeakMemory()
    begin = time.perf_counter()
    facts = read(path)
    seconds = time.perf_counter() - begin
    return {"seconds": seconds, "peak_mb": peak.above_start() / 1e6, **facts}


if __name__ == "__main__":
    print(json.dumps(_measure(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))))
