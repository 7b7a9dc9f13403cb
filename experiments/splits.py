"""The collections with published splits: graphs, classes, and the ten outer folds of Errica et al. (2020)."""

import gzip
import json
from typing import NamedTuple

import numpy as np
from experiments.storage import data_folder
from numpy.typing import NDArray

from vnestruct import datasets
from vnestruct.datasets import Collection
from vnestruct.graph import GraphSet, graph_from_ids

NAMES = ("ENZYMES", "IMDB-BINARY", "PROTEINS", "NCI1", "COLLAB", "REDDIT-BINARY")
ALL_NAMES = (*NAMES, "DD")
Ids = NDArray[np.int64]


class Fold(NamedTuple):
    """Graphs of one outer fold: a test set, and the remaining graphs in a training and a validation set."""

    train: Ids
    validation: Ids
    test: Ids


def load(name):
    """Return a collection from the folder ``tu`` of the data."""
    return _read_collab() if name == "COLLAB" else datasets.load(name, data_folder())


def classes_of(collection):
    """Return the class of each graph as a code from 0."""
    return np.unique(np.asarray(collection.labels), return_inverse=True)[1].astype(np.int64)


def folds_of(name, collection):
    """Return the published folds.

    Raises
    ------
    ValueError
        If they do not fit the order of the graphs: the sets of a fold must partition the graphs, and every test set
        must have the classes of the collection in the same proportions, to one graph each.
    """
    file = {"PROTEINS": "PROTEINS_full"}.get(name, name)
    entries = json.loads(gzip.decompress((data_folder() / "splits" / f"{file}_splits.json.gz").read_bytes()))
    classes, folds = classes_of(collection), []
    for entry in entries:
        chosen = entry["model_selection"][0]
        folds.append(Fold(*map(np.array, (chosen["train"], chosen["validation"], entry["test"]))))
        counts = np.bincount(classes[folds[-1].test], minlength=classes.max() + 1)
        is_partition = np.array_equal(np.sort(np.concatenate(folds[-1])), np.arange(classes.size))
        if not is_partition or np.abs(counts - np.bincount(classes) / len(entries)).max() > 1.0:
            raise ValueError(f"the splits of {name} do not fit its graphs: {counts.tolist()} in a test set")
    return folds


def _read_collab():
    """Read the one-file layout: per graph its size and class, then per node a tag, a degree and the neighbours."""
    graphs, labels = [], []
    with gzip.open(data_folder() / "tu" / "COLLAB_dgcnn.txt.gz", "rt") as lines:
        for _ in range(int(next(lines))):
            size, label = map(int, next(lines).split())
            rows = [[int(word) for word in next(lines).split()] for _ in range(size)]
            source = np.repeat(np.arange(size), [row[1] for row in rows])
            target = np.array([node for row in rows for node in row[2:]], np.int64)
            graphs.append(graph_from_ids(source, target, n_nodes=size))
            labels.append(label)
    union = GraphSet.from_graphs(graphs)
    return Collection(union.graph, union.offsets, np.array(labels), name="COLLAB")
