"""Real graphs with known roles, as stored in the data folder."""

import csv
import gzip

import numpy as np
from experiments.storage import data_folder

from vnestruct.graph import graph_from_pairs
from vnestruct.io import read_graph

UNKNOWN = "NA"


def labelled_graph(name, folder="roles"):
    """Return a graph of a folder, such as "actor", and the class of each node, -1 where it is unknown."""
    folder = data_folder() / folder
    edges, labels = folder / f"{name}.edgelist", folder / f"labels-{name}.txt"
    if not labels.exists():
        edges, labels = (_present(folder / f"{name}.{suffix}") for suffix in ("edge", "lbl"))
    pairs = np.array([line.split()[:2] for line in _lines(edges)], dtype=np.int64)
    known = dict(map(int, line.split()[:2]) for line in _lines(labels) if line[0].isdigit())
    graph = graph_from_pairs(pairs[:, 0], pairs[:, 1])
    return graph, np.array([known.get(node, -1) for node in graph.nodes.tolist()], dtype=np.int64)


def enron():
    """Return the e-mail graph of 143 people, directions dropped, and their positions, `UNKNOWN` for 43 of them."""
    folder = data_folder() / "roles" / "enron"
    with (folder / "enron143_labels.csv").open(newline="") as file:
        positions = {row["id"]: row["role7"] for row in csv.DictReader(file)}
    with (folder / "enron143_arcs.csv").open(newline="") as file:
        arcs = [(row["from"], row["to"]) for row in csv.DictReader(file)]
    graph = graph_from_pairs([source for source, _ in arcs], [target for _, target in arcs], nodes=list(positions))
    return graph, np.array([positions[node] for node in graph.nodes.tolist()])


def plain_graph(name):
    """Return a graph of the folder ``graphs``, by its file's name."""
    return read_graph(data_folder() / "graphs" / name)


def _present(path):
    return path if path.exists() else path.with_name(path.name + ".gz")


def _lines(path):
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    return [line for line in text.splitlines() if line.strip()]
