"""Measure graph classifiers: ``python -m experiments.classification.measure networks|averaged|signatures``.

*Optimistic*, as GIN and GFN report: ten folds (those of seed 0), one epoch for all of them, the one with the best mean
test accuracy. *Honest*: for each test fold, the epoch is that of the best mean accuracy on four folds of its training
part, in runs that saw neither (ties: the smaller loss there); the run on the whole training part is then scored once.
*Smoothed* takes means over eleven epochs. Three seeds of folds.

All networks are trained by the product's loop. The committed figures are from before, when all networks of a collection
were trained side by side; each figure names its commit, in whose history the programs of finished comparisons are, too:
of the grid, ablations, selection rules, other variants and second runs.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from benchmarks.harness import commit
from experiments.classification.networks import NETWORKS
from experiments.encodings import data_list
from experiments.storage import data_folder, read_json, write_json
from torch import nn
from torch_geometric.data import Batch

from vnestruct.datasets import load
from vnestruct.setmodel import DeepSetsClassifier, NodeFeatures, SignatureClassifier, cross_validate
from vnestruct.setmodel.evaluation import chosen_epochs, pairs, training_classes
from vnestruct.setmodel.network import SetNetwork, train

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results"
MAIN = ("MUTAG", "PTC_MR", "PTC_DGCNN", "IMDB-BINARY", "PROTEINS")
MORE = ("ENZYMES", "NCI1", "REDDIT-BINARY", "DD")
RADII, ONE_WIDTH = (1, 2, 3, 4), 32
N_FOLDS = 10
DRAWS = {"first": (0, 1, 2), "fresh": (3, 4, 5)}
"""Seeds of folds; on the fresh ones, no selection rule was compared. All folds are in ``folds.json``."""

SUFFIXES = {"first": "networks", "fresh": "fresh"}
WINDOWS = {"honest": 1, "smoothed": 11}
RULE = "the whole grid averaged"
SIGNATURE_RADIUS = 2
FEW_INNER_FOLDS = ("NCI1", "DD")
"""Collections whose kernel matrices are large: heads are chosen on three inner folds instead of five."""


JOBS = {
    "vnestruct-one": {"batch_size": 128},
    "gin": {"batch_size": 32},
    "gcn": {"batch_size": 128, "learning_rate": 0.001},
    "gfn": {"batch_size": 128, "learning_rate": 0.001},
    "dgcnn": {"batch_size": 50, "learning_rate": 0.001},
}
"""How each network is trained: VNEstruct in one configuration, and `NETWORKS`."""


def folds_of(name, seed):
    """Return the fold of each graph."""
    return np.array(list(map(int, json.loads((FOLDER / "folds.json").read_text())[name][str(seed)])))


class Messages(nn.Module):
    """A network that passes messages, on a list of graphs."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, graphs):
        """Return the scores of the classes of each graph."""
        batch = Batch.from_data_list(graphs)
        return self.network(batch.x, batch.edge_index, batch.batch)


def graphs_and_network(name, collection, n_classes, device):
    """Return the graphs as a network takes them, and the network."""
    sizes = np.diff(collection.offsets)
    if name == "vnestruct-one":
        values = torch.from_numpy(NodeFeatures(2).fit(collection).transform(collection)).float().to(device)
        return values.split(sizes.tolist()), SetNetwork(values.shape[1], n_classes, width=ONE_WIDTH).to(device)
    x = torch.from_numpy(NodeFeatures(0).fit(collection).transform(collection)).float()
    graphs = data_list(collection)
    for graph, values in zip(graphs, x.split(sizes.tolist()), strict=True):
        graph.x = values
        graph.to(device)
    options = {"k": int(np.sort(sizes)[int(np.ceil(0.4 * sizes.size)) - 1])} if name == "dgcnn" else {}
    return graphs, Messages(NETWORKS[name](x.shape[1], n_classes, **options)).to(device)


def runs_of(name, collection, fold, seed, device, **schedule):
    """Return the history of every run by the folds that it left out: one fold, then two."""
    codes = torch.from_numpy(training_classes(collection)[1]).to(device)
    runs = {}
    for number, out in enumerate([(k,) for k in range(N_FOLDS)] + pairs(N_FOLDS)):
        torch.manual_seed(1000 * seed + number)
        graphs, network = graphs_and_network(name, collection, int(codes.max()) + 1, device)
        kept = np.flatnonzero(~np.isin(fold, out))
        watched = [[graphs[i] for i in np.flatnonzero(fold == k)] for k in out]
        runs[out] = train(network, [graphs[i] for i in kept], codes[kept], watched, **schedule)
    return runs


def figures(seeds, folds, codes):
    """Return the figures of a configuration from the runs of each seed."""
    entry, found, curves = {"choices": {rule: [] for rule in WINDOWS}}, [], []
    for runs, fold in zip(seeds, folds, strict=True):
        tests = [runs[k,].scores[0].argmax(axis=2) == codes[fold == k] for k in range(N_FOLDS)]
        accuracy = np.array([hits.mean(axis=1) for hits in tests])
        curves.append(accuracy.mean(axis=0))
        epoch = int(curves[-1].argmax())
        std, curve = float(accuracy[:, epoch].std()), curves[-1][9::10].tolist()
        found.append({"mean": float(curves[-1][epoch]), "std": std, "epoch": epoch + 1, "curve": curve})
        for rule, window in WINDOWS.items():
            entry["choices"][rule].append([
                {"epoch": e + 1, "validation": validation, "loss": loss, "test": float(row[e])}
                for row, (e, validation, loss) in zip(accuracy, chosen_epochs(runs, fold, codes, window), strict=True)
            ])  # fmt: skip
    entry["optimistic"] = found[0] | {"seeds": [one["mean"] for one in found]}
    return entry | {rule: honest(entry["choices"][rule]) for rule in WINDOWS}


def honest(choices):
    """Return the figures of the honest protocol from the choices of each seed."""
    tests = np.array([[fold["test"] for fold in seed] for seed in choices])
    return {"mean": float(tests.mean()), "std": float(tests.std()), "seeds": tests.mean(axis=1).tolist()}


def networks(name, device):
    """Train the networks on a collection."""
    collection, path = load(name, data_folder()), RESULTS / f"{name}.networks.json"
    folds, codes = [folds_of(name, seed) for seed in DRAWS["first"]], training_classes(collection)[1]
    result = read_json(path) or {"data_set": name, "networks": {}}
    for job, schedule in JOBS.items():
        start = time.perf_counter()
        runs = [runs_of(job, collection, fold, seed, device, **schedule) for seed, fold in enumerate(folds)]
        entry = figures(runs, folds, codes) | {"seconds": time.perf_counter() - start, "where": where(device)}
        result["networks"][job] = entry | {"commit": commit()}
        write_json(path, result)
        print(name, job, f"{100 * entry['honest']['mean']:.2f}", flush=True)


def averaged(name, device):
    """Average the networks of the grid: nothing is chosen, so the figure is the same under both protocols."""
    result, collection = read_json(RESULTS / "averaged.json") or {}, load(name, data_folder())
    for draw, seeds in DRAWS.items():
        model = DeepSetsClassifier(radius=4, width=ONE_WIDTH, average=True, device=device)
        tests = cross_validate(model, collection, splits=[folds_of(name, seed) for seed in seeds]).accuracies
        means = {"mean": float(tests.mean()), "std": float(tests.std()), "seeds": tests.mean(axis=1).tolist()}
        result.setdefault(name, {})[draw] = {RULE: means, "where": where(device), "commit": commit()}
    write_json(RESULTS / "averaged.json", result)


def signatures(name, device):
    """Measure the signature heads under both protocols."""
    collection, n_inner = load(name, data_folder()), 3 if name in FEW_INNER_FOLDS else 5
    for seed in DRAWS["first"]:
        start = time.perf_counter()
        model = SignatureClassifier(SIGNATURE_RADIUS, inner_folds=n_inner, random_state=seed)
        found = cross_validate(model, collection, splits=folds_of(name, seed))
        facts = {"data_set": name, "seed": seed, "radius": SIGNATURE_RADIUS, "tests": found.accuracies[0].tolist()}
        facts |= {"heads": [heads.split(", ") for heads in found.chosen[0]], "commit": commit()}
        write_json(RESULTS / f"{name}.signature.{seed}.json", facts | {"seconds": time.perf_counter() - start})
    if name in MAIN:
        model = SignatureClassifier(SIGNATURE_RADIUS)
        found = cross_validate(model, collection, splits=folds_of(name, 0), protocol="optimistic")
        facts = {"data_set": name, "seed": 0, "radius": SIGNATURE_RADIUS, "tests": found.accuracies[0].tolist()}
        facts |= {"head": found.chosen[0][0], "commit": commit()}
        write_json(RESULTS / f"{name}.signature.optimistic.json", facts)


def where(device):
    """Return the machine."""
    return f"{torch.cuda.get_device_name() if device == 'cuda' else 'CPU'}, torch {torch.__version__}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=["networks", "averaged", "signatures"])
    parser.add_argument("names", nargs="*", default=[*MAIN, *MORE])
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    chosen = parser.parse_args()
    for one in chosen.names:
        if chosen.what == "networks":
            networks(one, chosen.device)
        elif chosen.what == "signatures" or one in MAIN:
            (signatures if chosen.what == "signatures" else averaged)(one, chosen.device)
