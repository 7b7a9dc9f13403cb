"""CPU time of every encoding, kernels compiled, one thread: ``python -m experiments.encodings.timing [NAME ...]``.

CPU time, not time of day, so that other programs of the machine matter little. PyTorch Geometric's random walks on
REDDIT-BINARY take minutes, and gigabytes for the graphs above 2,000 nodes: they are timed on every twentieth graph, by
size, up to 2,000 nodes, and multiplied; the larger graphs are left out, so the figure is too low.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from experiments.encodings import encode
from experiments.encodings.collections import NAMES, load
from experiments.storage import RESULTS, data_folder
from torch_geometric.data import Data

from vnestruct.pyg import AddVNEstruct

FILE = RESULTS / "encodings" / "seconds.json"
OURS: dict[str, dict[str, Any]] = {
    "vnestruct, radius 1": {"radius": 1},
    "vnestruct, radius 2": {"radius": 2},
    "vnestruct general": {"radius": 2, "kind": ("approx", "sizes"), "aggregate": ("mean", "std")},
}
THEIRS: dict[str, Callable[[list[Data]], Any]] = {
    "degree": encode._degree,
    "local degree profile": encode._profile,
    "random walk": encode._random_walk,
    "Laplacian": encode._laplacian,
}
SAMPLED = {("REDDIT-BINARY", "random walk"): 20}
LARGEST = 2000


def cpu_seconds(call: Callable[[list[Data]], Any], graphs: list[Data], times: int = 1) -> float:
    """Return the least CPU time of several calls."""
    found = []
    for _ in range(times):
        start = time.process_time()
        call(graphs)
        found.append(time.process_time() - start)
    return min(found)


def measure(name: str, data: Path) -> dict[str, float]:
    """Return the seconds of each encoding of a collection."""
    torch.set_num_threads(1)
    graphs = encode.data_list(load(name, data))
    seconds = {}
    for encoding, options in OURS.items():
        transform = AddVNEstruct(**options, n_jobs=1)
        # The first of two calls may compile.
        seconds[encoding] = cpu_seconds(transform, graphs, 2)
        print(name, encoding, seconds[encoding], flush=True)
    for encoding, call in THEIRS.items():
        chosen, factor = graphs, 1.0
        if step := SAMPLED.get((name, encoding)):
            smaller = sorted((g for g in graphs if g.num_nodes <= LARGEST), key=lambda g: int(g.num_nodes))
            chosen, factor = smaller[step // 2 :: step], float(step)
        seconds[encoding] = cpu_seconds(call, chosen) * factor
        print(name, encoding, seconds[encoding], flush=True)
    return {encoding: float(np.round(value, 4)) for encoding, value in seconds.items()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(NAMES)}; by default those that have no times yet")
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder with tu/")
    arguments = parser.parse_args()
    times = json.loads(FILE.read_text()) if FILE.exists() else {}
    for collection in arguments.names or [name for name in NAMES if name not in times]:
        times[collection] = measure(collection, arguments.data)
        FILE.parent.mkdir(parents=True, exist_ok=True)
        FILE.write_text(json.dumps(times, indent=1, sort_keys=True) + "\n")
