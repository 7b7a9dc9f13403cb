"""Measure graph classifiers: ``python -m experiments.classification.measure networks|averaged|signatures``.

*Optimistic*, as GIN and GFN report: ten folds (those of seed 0), one epoch for all of them, the one with the best mean
test accuracy; over a grid, the best configuration. *Honest*: for each test fold, configuration and epoch are those of
the best mean accuracy on four folds of its training part, in runs that saw neither (ties: the smaller loss there); the
run on the whole training part is then scored once. *Smoothed* takes means over eleven epochs. Three seeds of folds.

VNEstruct is trained by the product, all folds at once; the other networks one after the other. The committed figures of
those are from before, when all networks of a collection were trained side by side; each figure names its commit, in
whose history the programs of finished comparisons are, too: of selection rules, of other variants, of second runs.
"""

import argparse
import json
import subprocess
import time
from dataclasses import asdict
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from experiments.classification.networks import NETWORKS
from experiments.storage import data_folder, read_json, write_json
from torch import nn
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader

from vnestruct import embed
from vnestruct.datasets import load
from vnestruct.setmodel import DeepSetsClassifier, SignatureClassifier, cross_validate
from vnestruct.setmodel.evaluation import best_epoch, inner_choices, pairs, training_classes
from vnestruct.setmodel.network import SetNetwork
from vnestruct.setmodel.training import Schedule, SetData, Split, Trainer

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results"
MAIN = ("MUTAG", "PTC_MR", "PTC_DGCNN", "IMDB-BINARY", "PROTEINS")
MORE = ("ENZYMES", "NCI1", "REDDIT-BINARY", "DD")
RADII, WIDTHS, ONE_WIDTH = (1, 2, 3, 4), (8, 16, 32), 32
DEGREE_BINS = 64
N_FOLDS = 10
DRAWS = {"first": (0, 1, 2), "fresh": (3, 4, 5)}
"""Seeds of folds; on the fresh ones, no selection rule was compared. All folds are in ``folds.json``."""

SUFFIXES = {"first": "networks", "fresh": "fresh"}
WINDOWS = {"honest": 1, "smoothed": 11}
RULE = "the whole grid averaged"
SIGNATURE_RADIUS = 2
FEW_INNER_FOLDS = ("NCI1", "DD")
"""Collections whose kernel matrices are large: heads are chosen on three inner folds instead of five."""


class Job(NamedTuple):
    """A network in one configuration: VNEstruct with a radius and a sum of features, or one of `NETWORKS`."""

    name: str
    network: str = "vnestruct"
    options: dict[str, Any] = {}  # noqa: RUF012
    schedule: Schedule = Schedule()
    radius: int = 4
    features: str = "X+H"


def jobs_of(name):
    """Return what is trained on a collection."""
    wide = {"width": ONE_WIDTH}
    if name in MORE:
        features = "X+H+attributes" if name == "ENZYMES" else "X+H"
        return [Job("vnestruct-one", options=wide, schedule=Schedule(batch_size=128), radius=2, features=features)]
    slow = Schedule(batch_size=128, learning_rate=0.001)
    jobs = [Job(f"vnestruct-r{r}-w{w}", options={"width": w}, radius=r) for r, w in product(RADII, WIDTHS)]
    jobs += [
        Job("gin", "gin", schedule=Schedule(batch_size=32)), Job("gcn", "gcn", schedule=slow),
        Job("gfn", "gfn", schedule=slow), Job("dgcnn", "dgcnn", schedule=slow._replace(batch_size=50)),
        Job("ablation-without-H", options=wide, features="X"), Job("ablation-H-only", options=wide, features="H"),
        Job("ablation-rich", options=wide, radius=2, features="X+H+noisy"),
    ]  # fmt: skip
    return jobs + [Job("ablation-attributes", options=wide, radius=2, features="X+H+attributes")] * (name == "PROTEINS")


def folds_of(name, seed):
    """Return the fold of each graph."""
    return np.array(list(map(int, json.loads((FOLDER / "folds.json").read_text())[name][str(seed)])))


def features_of(collection, words, radius):
    """Return node features, and which columns to scale: X is one-hot types or degrees, H the entropies."""
    blocks = {"X": lambda: one_hot(collection), "H": lambda: embed(collection, radius)}
    blocks["noisy"] = lambda: embed(collection, kind="noisy")
    blocks["attributes"] = lambda: collection.node_attributes
    parts = {word: blocks[word]() for word in words.split("+")}
    return np.hstack(list(parts.values())), np.repeat([w != "X" for w in parts], [p.shape[1] for p in parts.values()])


def one_hot(collection):
    """Return node types one-hot; where nodes have no types, the degree."""
    values = collection.node_types
    if values is None:
        values = np.minimum(collection.graph.degrees, DEGREE_BINS)[:, None]
    return np.hstack([(column[:, None] == np.unique(column)).astype(np.float32) for column in values.T])


def splits_of(fold, seed):
    """Return the runs of a seed: those that leave out one fold, then those that leave out two."""
    outs = [(k,) for k in range(N_FOLDS)]
    outs += pairs(N_FOLDS)
    nothing = np.zeros(0, np.int64)
    watched = [[np.flatnonzero(fold == k) for k in out] + [nothing] * (2 - len(out)) for out in outs]
    trained = [np.flatnonzero(~np.isin(fold, out)) for out in outs]
    return [Split(*both, seed=1000 * seed + number) for number, both in enumerate(zip(trained, watched, strict=True))]


def curves(job, collection, splits, device):
    """Return right answers and losses of every run, (runs, epochs, 2), on the folds that it left out."""
    classes = training_classes(collection)[1]
    if job.network == "vnestruct":
        features, scaled = features_of(collection, job.features, job.radius)
        network = SetNetwork(len(splits), features.shape[1], int(classes.max()) + 1, **job.options)
        data = SetData(np.diff(collection.offsets), features, classes, scaled)
        found = Trainer(network, data, splits, job.schedule, device).run()
        return found.hits, found.loss
    graphs = message_data(collection, classes)
    both = [message_curves(job, graphs, split, device) for split in splits]
    hits, losses = (np.array(part) for part in zip(*both, strict=True))
    return hits, losses


def message_data(collection, classes):
    """Return the graphs with their node types, as PyTorch Geometric takes them."""
    graph, x = collection.graph, torch.from_numpy(one_hot(collection))
    rows, graphs = np.repeat(np.arange(graph.n_nodes), graph.degrees), []
    for number, (first, last) in enumerate(zip(collection.offsets[:-1], collection.offsets[1:], strict=True)):
        part = slice(graph.indptr[first], graph.indptr[last])
        edges = torch.from_numpy(np.stack([rows[part], graph.indices[part]]).astype(np.int64) - int(first))
        graphs.append(Data(x=x[first:last], edge_index=edges, y=torch.tensor([int(classes[number])])))
    return graphs


def message_curves(job, graphs, split, device):
    """Train a network that passes messages; return right answers and losses on both sets after every epoch."""
    torch.manual_seed(split.seed)
    options, schedule = dict(job.options), job.schedule
    if job.network == "dgcnn":
        options["k"] = int(np.sort([graph.num_nodes for graph in graphs])[int(np.ceil(0.4 * len(graphs))) - 1])
    n_classes = max(int(graph.y) for graph in graphs) + 1
    model = NETWORKS[job.network](graphs[0].x.shape[1], n_classes, **options).to(device)
    # A last batch of one graph has no variance to normalise by.
    loader = DataLoader([graphs[i] for i in split.train], schedule.batch_size, shuffle=True, drop_last=True)
    watched = [DataLoader([graphs[i] for i in part], 256) for part in split.watched]
    optimiser = torch.optim.Adam(model.parameters(), lr=schedule.learning_rate)
    decay = torch.optim.lr_scheduler.StepLR(optimiser, schedule.decay_every, schedule.decay)
    hits, losses = [], []
    for _ in range(schedule.epochs):
        model.train()
        for batch in loader:
            batch = batch.to(device)
            loss = nn.functional.cross_entropy(model(batch.x, batch.edge_index, batch.batch), batch.y)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        decay.step()
        model.eval()
        row = np.zeros((2, 2))
        for place, batches in enumerate(watched):
            for batch in batches:
                batch = batch.to(device)
                with torch.no_grad():
                    scores = model(batch.x, batch.edge_index, batch.batch)
                row[:, place] += (
                    int((scores.argmax(1) == batch.y).sum()),
                    float(nn.functional.cross_entropy(scores, batch.y, reduction="sum")),
                )
        hits.append(row[0].astype(int))
        losses.append(row[1] / [max(len(part), 1) for part in split.watched])
    return hits, losses


def figures(runs, sizes):
    """Return the figures of a configuration from the curves of each seed."""
    found = []
    for (hits, _), size in zip(runs, sizes, strict=True):
        epoch, accuracy = best_epoch(hits[:N_FOLDS, :, 0], size)
        curve = accuracy.mean(axis=0)
        std = float(accuracy[:, epoch].std())
        found.append({"mean": float(curve[epoch]), "std": std, "epoch": epoch + 1, "curve": curve[9::10].tolist()})
    entry = {"optimistic": found[0] | {"seeds": [one["mean"] for one in found]}, "choices": {}}
    for rule, window in WINDOWS.items():
        chosen = [inner_choices(*run, size, window) for run, size in zip(runs, sizes, strict=True)]
        entry["choices"][rule] = [[asdict(one) | {"epoch": one.epoch + 1} for one in row] for row in chosen]
        entry[rule] = honest(entry["choices"][rule])
    return entry


def honest(choices):
    """Return the figures of the honest protocol from the choices of each seed."""
    tests = np.array([[fold["test"] for fold in seed] for seed in choices])
    return {"mean": float(tests.mean()), "std": float(tests.std()), "seeds": tests.mean(axis=1).tolist()}


def best_of_grid(grid):
    """Return the figures of VNEstruct with its grid: the best configuration, chosen by each protocol's rule."""
    best = max(grid, key=lambda key: grid[key]["optimistic"]["mean"])
    every = zip(*(entry["optimistic"]["seeds"] for entry in grid.values()), strict=True)
    optimistic = grid[best]["optimistic"] | {"configuration": best, "seeds": list(map(max, every))}
    found = {"optimistic": optimistic, "configurations": len(grid), "choices": {}}
    for rule in WINDOWS:
        named = [[[{"configuration": key, **fold} for fold in seed] for seed in one["choices"][rule]]
                 for key, one in grid.items()]  # fmt: skip
        chosen = [
            [
                max(options, key=lambda option: (option["validation"], -option["loss"]))
                for options in zip(*seeds, strict=True)
            ]
            for seeds in zip(*named, strict=True)
        ]
        found["choices"][rule], found[rule] = chosen, honest(chosen)
    return found | {key: grid[best][key] for key in ("where", "commit")}


def networks(name, draw, device):
    """Train all jobs of a collection."""
    collection, path = load(name, data_folder()), RESULTS / f"{name}.{SUFFIXES[draw]}.json"
    folds = [folds_of(name, seed) for seed in DRAWS[draw]]
    entries = {}
    for job in jobs_of(name):
        if draw == "fresh" and not job.name.startswith("vnestruct-r"):
            continue
        start = time.perf_counter()
        runs = [
            curves(job, collection, splits_of(fold, seed), device)
            for fold, seed in zip(folds, DRAWS[draw], strict=True)
        ]
        entries[job.name] = figures(runs, [np.bincount(fold) for fold in folds])
        entries[job.name] |= {"seconds": time.perf_counter() - start, "where": where(device), "commit": commit()}
        print(name, job.name, f"{100 * entries[job.name]['honest']['mean']:.2f}", flush=True)
    grid = {key: entry for key, entry in entries.items() if key.startswith("vnestruct-r")}
    if grid:
        entries["vnestruct"] = best_of_grid(grid)
        for entry in grid.values():
            del entry["choices"]
    write_json(path, {"data_set": name, "networks": entries})


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
        start, model = (
            time.perf_counter(),
            SignatureClassifier(SIGNATURE_RADIUS, inner_folds=n_inner, random_state=seed),
        )
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


def commit():
    """Return the commit that is checked out, with "-dirty" if files differ from it."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    return subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False).stdout.strip()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=["networks", "averaged", "signatures"])
    parser.add_argument("names", nargs="*", default=[*MAIN, *MORE])
    parser.add_argument("--draw", default="first", choices=list(DRAWS), help="which seeds of folds")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    chosen = parser.parse_args()
    for one in chosen.names:
        if chosen.what == "networks":
            networks(one, chosen.draw, chosen.device)
        elif chosen.what == "signatures" or one in MAIN:
            (signatures if chosen.what == "signatures" else averaged)(one, chosen.device)
