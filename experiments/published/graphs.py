"""The graphs of the paper's Tables 1 and 2, from the folder ``published`` of the data folder.

They come from github.com/giannisnik/segk, the program of an earlier paper that shares an author with ours. Rings: 20
graphs per set. The perturbed graphs are not the clean ones with noise: they are other rings with about 10% as many
added edges as nodes. Enron: 143 people, 2,583 undirected edges.
"""

import io
import re
import zipfile
from functools import cache

import numpy as np
from experiments.storage import data_folder

from vnestruct.graph import graph_from_ids, graph_from_pairs

SETS = {
    "basic": "Basic",
    "basic_perturbed": "Basic Perturbed",
    "varied": "Varied",
    "varied_perturbed": "Varied Perturbed",
}
"""Name of each set of rings, and of its block in the paper's Table 1."""

N_GRAPHS = 20
ENRON_SIZE = (143, 2583)
UNKNOWN = ""
"""The position of people who have none in the data, or one that is none of the seven."""


def folder():
    """Return the folder of the published graphs."""
    return data_folder() / "published"


@cache
def ring(name, number):
    """Return a graph of a set of rings, and the role of each node, numbered 0, 1, ..."""
    with zipfile.ZipFile(folder() / "rings" / f"{name}.zip") as archive:
        edges = np.loadtxt(io.BytesIO(archive.read(f"{name}_{number}.edgelist")), dtype=np.int64)
        labels = np.loadtxt(io.BytesIO(archive.read(f"{name}_{number}_class_labels.txt")), dtype=np.int64)
    graph = graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=labels.size)
    return graph, np.unique(labels, return_inverse=True)[1].astype(np.int64)


def enron():
    """Return the e-mail graph and the position of each person, `UNKNOWN` if it is none of the seven.

    A managing director counts as a director. The lawyer, the people marked N/A and those not listed have no position.
    """
    edges = [line.split()[:2] for line in _lines("email-Enron-full-proj-graph.txt")]
    graph = graph_from_pairs([int(source) for source, _ in edges], [int(target) for _, target in edges])
    if (graph.n_nodes, graph.n_edges) != ENRON_SIZE:
        raise ValueError(f"The Enron graph has {graph.n_nodes} nodes and {graph.n_edges} edges, not {ENRON_SIZE}")
    positions = {}
    for line in _lines("employees.txt"):
        name, *rest = re.split(r"\s{2,}", line.split("\t")[1])
        if rest and rest[0] not in ("N/A", "In House Lawyer"):
            # Addresses are first.last; the address column of the file writes some of them in another way.
            positions[".".join(name.lower().split()[:2])] = rest[0].removeprefix("Managing ")
    addresses = dict(line.split() for line in _lines("email-Enron-full-node-labels.txt"))
    names = [addresses[str(node)].partition("@")[0] for node in graph.nodes.tolist()]
    return graph, np.array([positions.get(name, UNKNOWN) for name in names])


def _lines(name):
    return (folder() / "enron" / name).read_text().splitlines()
