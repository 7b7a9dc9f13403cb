"""Encodings of the nodes of a collection, each timed: our transform and those of PyTorch Geometric.

All run on one thread, from the same list of `Data` objects. Encodings are standardised over the nodes of the collection
and kept in single files of half-precision numbers, small enough to be copied to a machine with a GPU.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from experiments.encodings.collections import load
from numpy.typing import NDArray
from torch_geometric.data import Data
from torch_geometric.transforms import AddLaplacianEigenvectorPE, AddRandomWalkPE, LocalDegreeProfile

from vnestruct.graph import GraphSet
from vnestruct.pyg import AddVNEstruct

ENCODINGS = ("none", "degree", "local degree profile", "random walk", "Laplacian", "vnestruct", "vnestruct general")
WALK_LENGTH = 20
N_EIGENVECTORS = 8
DEGREE_CAP = 63
OURS: dict[str, dict[str, Any]] = {
    "vnestruct": {"radius": 2},
    "vnestruct general": {"radius": 2, "kind": ("approx", "sizes"), "aggregate": ("mean", "std")},
}
"""The two entropies of the paper, and 36 columns."""

Columns = NDArray[np.float32]


def data_list(collection: GraphSet) -> list[Data]:
    """Return the graphs without attributes, as PyTorch Geometric's transforms take them."""
    graph, offsets = collection.graph, collection.offsets
    graphs = []
    for first, last in zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True):
        entries = slice(int(graph.indptr[first]), int(graph.indptr[last]))
        source = np.repeat(np.arange(last - first), np.diff(graph.indptr[first : last + 1]))
        edges = np.stack([source, graph.indices[entries] - first]).astype(np.int64)
        graphs.append(Data(edge_index=torch.from_numpy(edges), num_nodes=last - first))
    return graphs


def _degree(graphs: list[Data]) -> Columns:
    """Return one-hot degrees; large ones share a column."""
    degrees = [torch.bincount(g.edge_index[0], minlength=g.num_nodes).clamp(max=DEGREE_CAP) for g in graphs]
    return torch.nn.functional.one_hot(torch.cat(degrees), DEGREE_CAP + 1).float().numpy()


def _profile(graphs: list[Data]) -> Columns:
    transform = LocalDegreeProfile()
    return torch.cat([transform(g.clone()).x for g in graphs]).log1p().numpy()


def _random_walk(graphs: list[Data]) -> Columns:
    transform = AddRandomWalkPE(WALK_LENGTH)
    return torch.cat([transform(g).random_walk_pe for g in graphs]).numpy()


def _laplacian(graphs: list[Data]) -> Columns:
    """Return eigenvectors; graphs with too few nodes for all of them have zeros in the other columns."""
    rng = np.random.default_rng(0)
    rows = []
    for graph in graphs:
        k = min(N_EIGENVECTORS, max(graph.num_nodes - 1, 0))
        row = torch.zeros(graph.num_nodes, N_EIGENVECTORS)
        if k:
            # The start of the iteration is given, so that a second run has the same result.
            transform = AddLaplacianEigenvectorPE(
                k, is_undirected=True, v0=rng.normal(size=graph.num_nodes), ncv=min(graph.num_nodes, 60), tol=1e-3
            )
            row[:, :k] = transform(graph).laplacian_eigenvector_pe
        rows.append(row)
    return torch.cat(rows).numpy()


def _ours(name: str, graphs: list[Data]) -> Columns:
    transform = AddVNEstruct(**OURS[name], n_jobs=1)
    return torch.cat([g.vne for g in transform(graphs)]).log1p().numpy()


_ENCODERS: dict[str, Callable[[list[Data]], Columns]] = {
    "degree": _degree,
    "local degree profile": _profile,
    "random walk": _random_walk,
    "Laplacian": _laplacian,
    **{name: partial(_ours, name) for name in OURS},
}


def _timed(encoding: str, graphs: list[Data]) -> tuple[Columns, float]:
    torch.set_num_threads(1)
    start = time.perf_counter()
    values = _ENCODERS[encoding](graphs)
    return values, time.perf_counter() - start


def _in_order(columns: list[Columns], graphs: list[Data]) -> Columns:
    """Put the rows of every n-th graph, n = 0, 1, ..., back into the order of the graphs."""
    starts = np.concatenate([[0], np.cumsum([graph.num_nodes for graph in graphs])])
    values = np.empty((starts[-1], columns[0].shape[1]), np.float32)
    for first, part in enumerate(columns):
        place = 0
        for graph in range(first, len(graphs), len(columns)):
            size = starts[graph + 1] - starts[graph]
            values[starts[graph] : starts[graph + 1]] = part[place : place + size]
            place += size
    return values


def standardised(values: Columns, *, centred: bool = True) -> NDArray[np.float16]:
    """Return columns of mean 0 and deviation 1; constant columns become 0."""
    deviation = values.std(axis=0, dtype=np.float64)
    shift = values.mean(axis=0, dtype=np.float64) if centred else 0.0
    scaled = np.where(deviation > 1e-7, (values - shift) / np.maximum(deviation, 1e-7), 0.0)
    return np.clip(scaled, -100.0, 100.0).astype(np.float16)


def base_columns(collection: GraphSet) -> NDArray[np.float16]:
    """Return what nodes have without any encoding: one-hot types and standardised attributes, or the constant 1."""
    blocks = []
    if collection.node_types is not None:
        for column in collection.node_types.T:
            blocks.append((column[:, np.newaxis] == np.unique(column)).astype(np.float16))
    if collection.node_attributes is not None:
        blocks.append(standardised(np.asarray(collection.node_attributes, dtype=np.float32)))
    return np.hstack(blocks) if blocks else np.ones((collection.graph.n_nodes, 1), dtype=np.float16)


def encode(name: str, data: Path, folder: Path, n_jobs: int = 1) -> None:
    """Compute and time the encodings of a collection that are not in `folder` yet.

    With several jobs, those that take minutes on large graphs share the graphs; the times of the jobs are added.
    """
    torch.set_num_threads(1)
    folder.mkdir(parents=True, exist_ok=True)
    times_path = folder / "seconds.json"
    graphs: list[Data] = []
    for encoding in ENCODINGS[1:]:
        path = folder / f"{name}.{encoding.replace(' ', '-')}.npz"
        if path.exists():
            continue
        if not graphs:
            graphs = data_list(load(name, data))
            for name_of_ours in OURS:
                _ENCODERS[name_of_ours](graphs[:2])  # compiles the kernels, once per machine
        parts = [graphs]
        if encoding in ("random walk", "Laplacian"):
            parts = [graphs[first :: 8 * n_jobs] for first in range(8 * n_jobs)] if n_jobs > 1 else parts
        columns: list[Columns] = []
        seconds = 0.0
        with ProcessPoolExecutor(n_jobs) if len(parts) > 1 else nullcontext() as pool:
            for found, taken in (map if pool is None else pool.map)(_timed, [encoding] * len(parts), parts):
                columns.append(found)
                seconds += taken
        values = _in_order(columns, graphs) if len(parts) > 1 else columns[0]
        kept = (
            values.astype(np.float16) if encoding == "degree" else standardised(values, centred=encoding != "Laplacian")
        )
        np.savez_compressed(path, values=kept)
        times = json.loads(times_path.read_text()) if times_path.exists() else {}
        times.setdefault(name, {})[encoding] = round(seconds, 4)
        times_path.write_text(json.dumps(times, indent=1, sort_keys=True) + "\n")
        print(f"{name}: {encoding} in {seconds:.2f} s, {path.stat().st_size / 1e6:.1f} MB", flush=True)


def input_columns(base: NDArray[np.float16], name: str, encoding: str, folder: Path) -> NDArray[np.float16]:
    """Return the columns that a network sees: those of the nodes themselves, then those of an encoding."""
    if encoding == "none":
        return base
    with np.load(folder / f"{name}.{encoding.replace(' ', '-')}.npz") as file:
        return np.hstack([base, file["values"]])
