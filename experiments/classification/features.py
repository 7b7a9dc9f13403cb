"""Node features of the collections, computed once: ``python -m experiments.classification.features``.

Training needs nothing but these files: no reader, no kernel. Each ``NAME.npz`` holds

- ``sizes``, ``classes``: nodes and class of each graph; ``arcs``: both directions of every edge, graph by graph;
- ``X``: node types one-hot, or the degree one-hot in bins capped at `DEGREE_BINS` where nodes have no types;
- ``attributes``: the numbers that nodes come with, where there are any;
- ``H``: entropies at radius 1 to 4; ``rich``: the columns of kind "noisy";
- ``seconds``: what the entropies took, after the kernels were compiled.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

DATA_SETS = ("MUTAG", "PTC_MR", "PTC_DGCNN", "IMDB-BINARY", "PROTEINS", "ENZYMES", "NCI1", "DD", "REDDIT-BINARY")
RADIUS = 4
DEGREE_BINS = 64
FOLDER = Path("build/classification/features")
DATA = Path(os.environ.get("VNESTRUCT_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")


def make(name: str, threads: int = 1) -> dict[str, Any]:
    """Return the arrays of one collection."""
    from vnestruct.datasets import read_tu
    from vnestruct.embedding import embed

    collection = read_tu(DATA / "tu" / f"{name}.zip")
    graph = collection.graph
    embed(graph, RADIUS, n_jobs=threads, nodes=np.arange(10))
    begin = time.perf_counter()
    entropies = embed(graph, RADIUS, n_jobs=threads)
    seconds = time.perf_counter() - begin
    rows = np.repeat(np.arange(graph.n_nodes, dtype=np.int32), graph.degrees)
    labels: Any = collection.labels
    _, classes = np.unique(labels, return_inverse=True)
    arrays: dict[str, Any] = {
        "sizes": np.diff(collection.offsets),
        "classes": classes,
        "arcs": np.vstack([rows, graph.indices]),
        "X": _one_hot(collection, graph.degrees),
        "H": entropies.astype(np.float32),
        "rich": embed(collection, kind="noisy", n_jobs=threads).astype(np.float32),
        "seconds": np.float64(seconds),
    }
    if collection.node_attributes is not None:
        arrays["attributes"] = collection.node_attributes.astype(np.float32)
    return arrays


def load(folder: Path, name: str) -> dict[str, Any]:
    """Return the arrays of one collection from its file."""
    with np.load(folder / f"{name}.npz") as file:
        return {key: file[key] for key in file.files}


def _one_hot(collection: Any, degrees: Any) -> Any:
    bins = np.minimum(degrees, DEGREE_BINS)[:, np.newaxis]
    values = bins if collection.node_types is None else collection.node_types
    columns = []
    for column in values.T:
        known, codes = np.unique(column, return_inverse=True)
        columns.append(np.eye(known.size, dtype=np.uint8)[codes])
    return np.hstack(columns)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=DATA_SETS)
    parser.add_argument("--out", type=Path, default=FOLDER)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.names:
        arrays = make(name)
        np.savez_compressed(arguments.out / f"{name}.npz", **arrays)
        shape = arrays["X"].shape
        print(f"{name}: {arrays['sizes'].size} graphs, X {shape}, entropies in {float(arrays['seconds']):.2f} s")


if __name__ == "__main__":
    main()
