"""Structural encodings in GIN and GPS on the published fair splits: ``python -m experiments.encodings train``.

``train`` trains what is missing in the result file, best on a GPU; ``time`` measures the CPU time of every encoding, on
one thread, after the kernels are compiled. A network's result is its test accuracy at the epoch with the smallest
validation loss, for ten folds and five seeds. The committed accuracies are those of the same networks trained side by
side, fifty at a time, by code of commit b3aabe0, whose layers a test compared with PyTorch Geometric's.
"""

import argparse
import json
import time
from typing import NamedTuple

import numpy as np
import torch
from experiments.real_graphs import labelled_graph
from experiments.splits import NAMES, Fold, classes_of, folds_of, load
from experiments.storage import RESULTS, read_json, write_json
from torch import nn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GINConv, GPSConv, global_add_pool, global_mean_pool
from torch_geometric.transforms import AddLaplacianEigenvectorPE, AddRandomWalkPE, LocalDegreeProfile

from vnestruct.graph import GraphSet
from vnestruct.pyg import AddVNEstruct
from vnestruct.setmodel.evaluation import stratified_folds

FOLDER = RESULTS / "encodings"
AIRPORTS = ("brazil-airports", "europe-airports")
WALK_LENGTH, N_EIGENVECTORS, DEGREE_CAP = 20, 8, 63
CHANNELS, HEADS, DROPOUT, N_SEEDS = 32, 4, 0.5, 5
LAYERS, RATES = {"GIN": 3, "GPS": 2}, {"GIN": 5e-3, "GPS": 2e-3}
OURS = {
    "radius 1": {"radius": 1},
    "vnestruct": {"radius": 2},
    "vnestruct general": {"radius": 2, "kind": ("approx", "sizes"), "aggregate": ("mean", "std")},
}
"""One entropy, which is only timed; the two of the paper; and 36 columns."""

ENCODINGS = ("none", "degree", "local degree profile", "random walk", "Laplacian", "vnestruct", "vnestruct general")
SAMPLED, LARGEST = {("REDDIT-BINARY", "random walk"): 20}, 2000
"""Walks there take minutes, and gigabytes for large graphs: every twentieth graph up to 2,000 nodes is timed, by size,
and the time multiplied, so that the figure is too low."""


class Plan(NamedTuple):
    """How a collection is trained."""

    epochs: int
    batch: int
    attention: str = "multihead"


PLANS = {
    "ENZYMES": Plan(80, 50), "IMDB-BINARY": Plan(50, 64), "PROTEINS": Plan(50, 64), "NCI1": Plan(60, 128),
    "COLLAB": Plan(25, 100), "REDDIT-BINARY": Plan(25, 64, "performer"), **dict.fromkeys(AIRPORTS, Plan(150, 1)),
}  # fmt: skip


def data_list(collection):
    """Return the graphs without attributes, as PyTorch Geometric's transforms take them."""
    graph, graphs = collection.graph, []
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
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


def standardised(values, *, centred=True):
    """Return columns of mean 0 and deviation 1; constant columns become 0."""
    deviation = values.std(0, unbiased=False)
    scaled = (values - values.mean(0) * centred) / deviation.clamp(min=1e-7)
    return torch.where(deviation > 1e-7, scaled, 0.0).clamp(-100.0, 100.0)


def base_columns(collection):
    """Return what nodes have without any encoding: one-hot types and standardised attributes, or the constant 1."""
    types = [] if collection.node_types is None else collection.node_types.T
    blocks = [torch.from_numpy((column[:, None] == np.unique(column)).astype(np.float32)) for column in types]
    if collection.node_attributes is not None:
        blocks.append(standardised(torch.from_numpy(np.asarray(collection.node_attributes, np.float32))))
    return torch.cat(blocks, 1) if blocks else torch.ones(collection.graph.n_nodes, 1)


class Network(nn.Module):
    """Layers, then all their outputs side by side, pooled per graph, into a classifier with one hidden layer."""

    def __init__(self, kind, n_inputs, n_classes, attention, *, per_node):
        super().__init__()
        self.kind, self.per_node = kind, per_node
        self.input = nn.Linear(n_inputs, CHANNELS)
        self.layers, self.norms = nn.ModuleList(), nn.ModuleList()
        for _ in range(LAYERS[kind]):
            norm = [nn.BatchNorm1d(CHANNELS)] if kind == "GIN" else []
            hidden, last = nn.Linear(CHANNELS, CHANNELS), nn.Linear(CHANNELS, CHANNELS)
            layer = GINConv(nn.Sequential(hidden, *norm, nn.ReLU(), last))
            self.layers.append(layer if kind == "GIN" else GPSConv(CHANNELS, layer, HEADS, attn_type=attention))
            self.norms.append(nn.BatchNorm1d(CHANNELS))
        width = LAYERS[kind] * CHANNELS * (1 if per_node else 2)
        hidden, last = nn.Linear(width, CHANNELS), nn.Linear(CHANNELS, n_classes)
        self.head = nn.Sequential(nn.BatchNorm1d(width), hidden, nn.ReLU(), nn.Dropout(DROPOUT), last)

    def forward(self, x, edges, graph_of):
        """Return the scores of the classes for each graph or node."""
        x, outputs = self.input(x), []
        for layer, norm in zip(self.layers, self.norms, strict=True):
            x = norm(layer(x, edges)).relu() if self.kind == "GIN" else layer(x, edges, graph_of)
            pooled = [x] if self.per_node else [global_mean_pool(x, graph_of), global_add_pool(x, graph_of)]
            outputs += pooled
        return self.head(torch.cat(outputs, 1))


def trained(kind, graphs, fold, plan, seed, signs, device):
    """Train one network; return its test accuracy at the best epoch, and that epoch.

    With one graph, the folds are of its nodes. The columns `signs` change their signs at random in each graph.
    """
    torch.manual_seed(seed)
    per_node = len(graphs) == 1
    n_classes = int(torch.cat([graph.y for graph in graphs]).max()) + 1
    model = Network(kind, graphs[0].x.shape[1], n_classes, plan.attention, per_node=per_node).to(device)
    parts = [graphs] * 3 if per_node else [[graphs[i] for i in part] for part in fold]
    loaders = [DataLoader(part, plan.batch, shuffle=not place) for place, part in enumerate(parts)]
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATES[kind], weight_decay=1e-4)
    steps = plan.epochs * len(loaders[0])
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATES[kind], total_steps=steps, pct_start=0.1)
    best = [float("inf"), 0.0, 0.0]

    def scored(place, batch):
        batch = batch.to(device)
        x = batch.x.float()
        if model.training:
            flips = torch.randint(0, 2, (batch.num_graphs, x[:, signs].shape[1]), device=device) * 2.0 - 1.0
            x[:, signs] *= flips[batch.batch]
        rows = torch.as_tensor(fold[place], device=device) if per_node else slice(None)
        return model(x, batch.edge_index, batch.batch)[rows], batch.y[rows]

    for epoch in range(plan.epochs):
        model.train()
        for batch in loaders[0]:
            loss = nn.functional.cross_entropy(*scored(0, batch))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
        model.eval()
        with torch.no_grad():
            validation, test = ([scored(place, batch) for batch in loaders[place]] for place in (1, 2))
        lost = sum(float(nn.functional.cross_entropy(*pair, reduction="sum")) for pair in validation)
        right = [(scores.argmax(1) == y).float() for scores, y in test]
        if lost < best[0]:
            best = [lost, float(torch.cat(right).mean()), epoch]
    return best[1:]


def task(name):
    """Return a collection, its classes and its folds; airports are one graph, whose nodes have classes."""
    if name not in AIRPORTS:
        collection = load(name)
        return collection, classes_of(collection), folds_of(name, collection)
    graph, classes = labelled_graph(name)
    number = stratified_folds(classes, 10, 0)
    parts = [(number == fold, number == (fold + 1) % 10) for fold in range(10)]
    folds = [Fold(*map(np.flatnonzero, (~(test | held), held, test))) for test, held in parts]
    return GraphSet(graph, [0, graph.n_nodes]), classes, folds


def train(options):
    """Train all cells that are not in the result file."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    for name in options.collections:
        cells = read_json(options.out) or []
        done = {(cell["network"], cell["encoding"]) for cell in cells if cell["collection"] == name}
        missing = [(kind, encoding) for kind in LAYERS for encoding in ENCODINGS if (kind, encoding) not in done]
        if not missing:
            continue
        (collection, classes, folds), plan = task(name), PLANS[name]
        graphs, base = data_list(collection), base_columns(collection)
        targets = torch.from_numpy(classes).split(1 if len(graphs) > 1 else classes.size)
        for kind, encoding in missing:
            columns, start = base, time.perf_counter()
            if encoding != "none":
                added = encoded(encoding, graphs)
                added = added if encoding == "degree" else standardised(added, centred=encoding != "Laplacian")
                columns = torch.cat([base, added], 1)
            signs = slice(base.shape[1], columns.shape[1] if encoding == "Laplacian" else base.shape[1])
            for graph, x, y in zip(graphs, columns.split([g.num_nodes for g in graphs]), targets, strict=True):
                graph.x, graph.y = x, y
            found = np.array([
                [trained(kind, graphs, fold, plan, seed, signs, device) for fold in folds] for seed in range(N_SEEDS)
            ])  # fmt: skip
            cells.append({
                "collection": name, "network": kind, "encoding": encoding, "epochs": plan.epochs,
                "seconds": round(time.perf_counter() - start, 2),
                "machine": torch.cuda.get_device_name() if device == "cuda" else "CPU", "torch": torch.__version__,
                "accuracies": found[..., 0].round(6).tolist(), "chosen": found[..., 1].astype(int).tolist(),
            })  # fmt: skip
            options.out.write_text("[\n" + ",\n".join(map(json.dumps, cells)) + "\n]\n")
            print(name, kind, encoding, found[..., 0].mean(), flush=True)


def seconds(name):
    """Return the CPU time of each encoding of a collection."""
    torch.set_num_threads(1)
    graphs, found = data_list(load(name)), {}
    titles = {"vnestruct, radius 1": "radius 1", "vnestruct, radius 2": "vnestruct"}
    titles |= {encoding: encoding for encoding in ENCODINGS[1:] if encoding != "vnestruct"}
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
    parser.add_argument("action", choices=["train", "time"])
    parser.add_argument("--collections", nargs="+", default=[*NAMES, *AIRPORTS], choices=[*NAMES, *AIRPORTS])
    parser.add_argument("--out", type=type(FOLDER), default=FOLDER / "accuracies.json")
    arguments = parser.parse_args()
    if arguments.action == "train":
        train(arguments)
    else:
        known = read_json(FOLDER / "seconds.json") or {}
        for chosen in [name for name in arguments.collections if name in NAMES and name not in known]:
            known[chosen] = seconds(chosen)
            write_json(FOLDER / "seconds.json", known)
