"""The collections with published splits: graphs, classes, and the ten outer folds of Errica et al. (2020)."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vnestruct import datasets
from vnestruct.graph import GraphSet, graph_from_ids
from vnestruct.graph.graphset import ragged_ranges
from vnestruct.io import read_graph
from vnestruct.setmodel.evaluation import stratified_folds

NAMES = ("ENZYMES", "IMDB-BINARY", "PROTEINS", "NCI1", "COLLAB", "REDDIT-BINARY")
ALL_NAMES = (*NAMES, "DD")
AIRPORTS = ("brazil-airports", "europe-airports")
N_FOLDS = 10
_FILES = {"PROTEINS": "PROTEINS_full"}


@dataclass(frozen=True)
class Fold:
    """Graphs of one outer fold: a test set, and the remaining graphs in a training and a validation set."""

    train: NDArray[np.int64]
    validation: NDArray[np.int64]
    test: NDArray[np.int64]


@dataclass(frozen=True)
class Task:
    """Graphs to classify, or with `per_node` the nodes of one graph, and the folds."""

    name: str
    collection: GraphSet
    classes: NDArray[np.int64]
    folds: list[Fold]
    per_node: bool = False


def load_task(name: str, folder: Path) -> Task:
    """Return a collection with its folds; airports have folds of their nodes."""
    collection = load(name, folder)
    if name not in AIRPORTS:
        return Task(name, collection, classes_of(collection), folds_of(name, folder, collection))
    labels = dict(np.loadtxt(folder / "roles" / f"labels-{name}.txt", dtype=np.int64, skiprows=1).tolist())
    classes = np.array([labels[int(node)] for node in collection.graph.nodes], dtype=np.int64)
    number = stratified_folds(classes, N_FOLDS, 0)
    folds = []
    for fold in range(N_FOLDS):
        held = (fold, (fold + 1) % N_FOLDS)
        folds.append(
            Fold(*(np.flatnonzero(part) for part in (~np.isin(number, held), number == held[1], number == fold)))
        )
    return Task(name, collection, classes, folds, per_node=True)


def load(name: str, folder: Path) -> GraphSet:
    """Return a collection from the folder with ``tu/``."""
    if name in AIRPORTS:
        graph = read_graph(folder / "roles" / f"{name}.edgelist")
        return GraphSet(graph, [0, graph.n_nodes], name=name)
    if name == "COLLAB":
        return _read_collab(folder / "tu" / "COLLAB_dgcnn.txt.gz")
    return datasets.load(name, folder)


def classes_of(collection: GraphSet) -> NDArray[np.int64]:
    """Return the class of each graph as a code from 0."""
    return np.unique(np.asarray(collection.labels), return_inverse=True)[1].astype(np.int64)


def folds_of(name: str, folder: Path, collection: GraphSet) -> list[Fold]:
    """Return the published folds.

    Raises
    ------
    ValueError
        If they do not fit the order of the graphs: the sets of a fold must partition the graphs, and every test set
        must have the classes of the collection in the same proportions, to one graph each.
    """
    with gzip.open(folder / "splits" / f"{_FILES.get(name, name)}_splits.json.gz", "rt") as file:
        folds = [_fold(entry) for entry in json.load(file)]
    classes = classes_of(collection)
    shares = np.bincount(classes) / len(folds)
    for fold in folds:
        everything = np.sort(np.concatenate([fold.train, fold.validation, fold.test]))
        counts = np.bincount(classes[fold.test], minlength=shares.size)
        if not np.array_equal(everything, np.arange(classes.size)) or np.abs(counts - shares).max() > 1.0:
            raise ValueError(f"the splits of {name} do not fit its graphs: {counts.tolist()} for {shares.tolist()}")
    return folds


def _fold(entry: dict[str, Any]) -> Fold:
    chosen = entry["model_selection"][0]
    return Fold(
        *(np.array(graphs, dtype=np.int64) for graphs in (chosen["train"], chosen["validation"], entry["test"]))
    )


def _read_collab(path: Path) -> GraphSet:
    """Read the one-file layout: per graph its size and class, then per node a tag, a degree and the neighbours."""
    with gzip.open(path, "rt") as file:
        numbers = np.fromstring(file.read(), dtype=np.int64, sep=" ")
    sizes, labels, first_neighbours, degrees = [], [], [], []
    place = 1
    for _ in range(int(numbers[0])):
        size, label = numbers[place : place + 2].tolist()
        place += 2
        for _ in range(size):
            first_neighbours.append(place + 2)
            degrees.append(int(numbers[place + 1]))
            place += 2 + degrees[-1]
        sizes.append(size)
        labels.append(label)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    source = np.repeat(np.arange(offsets[-1]), degrees)
    first_node = np.repeat(np.repeat(offsets[:-1], sizes), degrees)
    neighbours = numbers[ragged_ranges(np.array(first_neighbours), np.array(degrees))] + first_node
    graph = graph_from_ids(source, neighbours, n_nodes=int(offsets[-1]))
    return GraphSet(graph, offsets, np.array(labels), name="COLLAB")
