"""Time of structural encodings on the collections of the fair splits: ``python -m experiments.encodings [NAME ...]``.

CPU time of every encoding on one thread, after the kernels are compiled. The accuracies of GIN and GPS with these
encodings in ``results/encodings`` are by code of commit b3aabe0: a network's result is its test accuracy at the epoch
with the smallest validation loss, for ten folds and five seeds.
"""

import argparse
import time

import numpy as np
import torch
from experiments.splits import NAMES, load
from experiments.storage import RESULTS, read_json, write_json
from torch import nn
from torch_geometric.data import Data
from torch_geometric.transforms import AddLaplacianEigenvectorPE, AddRandomWalkPE, LocalDegreeProfile

from vnestruct.pyg import AddVNEstruct

FOLDER = RESULTS / "encodings"
WALK_LENGTH, N_EIGENVECTORS, DEGREE_CAP = 20, 8, 63
OURS = {
    "radius 1": {"radius": 1},
    "vnestruct": {"radius": 2},
    "vnestruct general": {"radius": 2, "kind": ("approx", "sizes"), "aggregate": ("mean", "std")},
}
"""One entropy, which is only timed; the two of the paper; and 36 columns."""

ENCODINGS = ("degree", "local degree profile", "random walk", "Laplacian", "vnestruct", "vnestruct general")
SAMPLED, LARGEST = {("REDDIT-BINARY", "random walk"): 20}, 2000
"""Walks there take minutes, and gigabytes for large graphs: every twentieth graph up to 2,000 nodes is timed, by size,
and the time multiplied, so that the figure is too low."""


def data_list(collection):
    """Return the graphs without attributes, as PyTorch Geometric's transforms take them."""
    graph, rows, graphs = collection.graph, collection.graph.sources, []
    for first, last in zip(collection.offsets[:-1].tolist(), collection.offsets[1:].tolist(), strict=True):
        part = slice(graph.indptr[first], graph.indptr[last])
        edges = np.stack([rows[part], graph.indices[part]]).astype(np.int64) - first
        graphs.append(Data(edge_index=torch.from_numpy(edges), num_nodes=last - first))
    return graphs


def encoded(name, graphs):
    """Return an encoding of the nodes of all graphs."""
    if name in OURS:
        return torch.cat([graph.vne for graph in AddVNEstruct(**OURS[name], n_jobs=1)(graphs)]).log1p()
    if name == "random walk":
        return torch.cat([AddRandomWalkPE(WALK_LENGTH)(graph.clone()).random_walk_pe for graph in graphs])
    if name == "local degree profile":
        return torch.cat([LocalDegreeProfile()(graph.clone()).x for graph in graphs]).log1p()
    if name == "degree":
        degrees = torch.cat([torch.bincount(g.edge_index[0], minlength=g.num_nodes) for g in graphs])
        return nn.functional.one_hot(degrees.clamp(max=DEGREE_CAP), DEGREE_CAP + 1).float()
    random, rows = np.random.default_rng(0), []
    for graph in graphs:
        # Graphs with too few nodes for all eigenvectors have zeros in the other columns; the start is given.
        n, k = graph.num_nodes, min(N_EIGENVECTORS, max(graph.num_nodes - 1, 0))
        options = {"v0": random.normal(size=n), "ncv": min(n, 60), "tol": 1e-3}
        found = AddLaplacianEigenvectorPE(k, is_undirected=True, **options)(graph.clone()) if k else None
        vectors = torch.zeros(n, 0) if found is None else found.laplacian_eigenvector_pe
        rows.append(nn.functional.pad(vectors, (0, N_EIGENVECTORS - k)))
    return torch.cat(rows)


def seconds(name):
    """Return the CPU time of each encoding of a collection."""
    torch.set_num_threads(1)
    graphs, found = data_list(load(name)), {}
    titles = {"vnestruct, radius 1": "radius 1", "vnestruct, radius 2": "vnestruct"}
    titles |= {encoding: encoding for encoding in ENCODINGS if encoding != "vnestruct"}
    for title, encoding in titles.items():
        step, chosen = SAMPLED.get((name, encoding), 1), graphs
        if step > 1:
            smaller = sorted((g for g in graphs if g.num_nodes <= LARGEST), key=lambda g: int(g.num_nodes))
            chosen = smaller[step // 2 :: step]
        times = []
        for _ in range(1 + title.startswith("vnestruct")):  # the first call may compile
            start = time.process_time()
            encoded(encoding, chosen)
            times.append(time.process_time() - start)
        found[title] = round(min(times) * step, 4)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("collections", nargs="*", choices=[*NAMES, []], help="by default those without a result")
    known = read_json(FOLDER / "seconds.json") or {}
    for chosen in parser.parse_args().collections or [name for name in NAMES if name not in known]:
        known[chosen] = seconds(chosen)
        write_json(FOLDER / "seconds.json", known)
