"""Find the nodes of a graph again in a renamed copy that has lost some edges: ``python -m experiments.matching``.

`match_nodes` with its defaults, also with 20 known pairs, next to ReFeX's features and the degree control.
Precision at k is the share of nodes whose counterpart is among the k candidates. ReFeX chooses its features from the
graph, so it sees the graph and the copy as one graph. Results: ``results/matching.csv``.
"""

import argparse

import numpy as np
from experiments.baselines import refex
from experiments.baselines.structure import control
from experiments.real_graphs import labelled_graph, plain_graph
from experiments.storage import RESULTS, complete_rows
from sklearn.neighbors import NearestNeighbors
from sklearn.preprocessing import StandardScaler

from vnestruct import match_nodes
from vnestruct.graph import GraphSet, graph_from_ids

PATH = RESULTS / "matching.csv"
GRAPHS = {
    "europe-airports": lambda: labelled_graph("europe-airports")[0],
    "email-Eu-core": lambda: plain_graph("email-Eu-core.txt.gz"),
    "facebook": lambda: plain_graph("facebook_combined.txt.gz"),
    "ca-GrQc": lambda: plain_graph("ca-GrQc.txt.gz"),
    "actor": lambda: labelled_graph("actor")[0],
}
REMOVED = (0, 1, 5, 10)
METHODS = ("vnestruct", "vnestruct, 20 seeds", "ReFeX, bins", "ReFeX, logarithms", "degree")
N_SEEDS = 20
REPEATS = 3
K = 10


def noisy_copy(graph, percent, seed):
    """Return a copy without some of the edges and in random node order, and the position of each node in it."""
    rng = np.random.default_rng(seed)
    source = graph.sources
    once = source < graph.indices
    source, target = source[once], graph.indices[once]
    kept = np.sort(rng.permutation(source.size)[round(source.size * percent / 100) :])
    order = rng.permutation(graph.n_nodes)
    return graph_from_ids(order[source[kept]], order[target[kept]], n_nodes=graph.n_nodes), order


def candidates(method, graph, copy, order, seed):
    """Return the positions of the K candidates of every node."""
    if method.startswith("vnestruct"):
        left, right = (graph_from_ids(g.sources, g.indices, n_nodes=g.n_nodes) for g in (graph, copy))
        known = np.random.default_rng(seed).permutation(graph.n_nodes)[:N_SEEDS]
        seeds = {int(node): int(order[node]) for node in known} if "seeds" in method else None
        found = match_nodes(left, right, K, seeds=seeds)
        return np.array([[other for other, _ in found[node]] for node in range(graph.n_nodes)])
    union = GraphSet.from_graphs([graph, copy]).graph
    features = refex.recursive_features(union) if "ReFeX" in method else None
    rows = control(union) if features is None else features.bins
    if features is not None and "logarithms" in method:
        rows = np.log1p(features.values)
    # Each graph by its own deviations, as `match_nodes` does.
    halves = np.split(np.asarray(rows, dtype=float), [graph.n_nodes])
    rows = np.vstack([StandardScaler().fit_transform(half) for half in halves]).round(8)
    model = NearestNeighbors(n_neighbors=K).fit(rows[graph.n_nodes :])
    return model.kneighbors(rows[: graph.n_nodes], return_distance=False)


def precision(found, order, k):
    """Return the share of nodes whose counterpart is among their first k candidates."""
    return float((found[:, :k] == order[:, np.newaxis]).any(axis=1).mean())


def measure(key):
    """Return the precision of a method on one graph, over several copies."""
    graph = GRAPHS[key["graph"]]()
    scores = []
    for seed in range(REPEATS):
        copy, order = noisy_copy(graph, key["removed"], seed)
        found = candidates(key["method"], graph, copy, order, seed)
        scores.append([precision(found, order, k) for k in (1, K)])
    print(key, np.mean(scores, axis=0).round(3), flush=True)
    at_one, at_ten = np.mean(scores, axis=0).tolist()
    return key | {"nodes": graph.n_nodes, "precision at 1": at_one, "precision at 10": at_ten}


def run(graphs=tuple(GRAPHS)):
    """Compute missing rows of the result file."""
    keys = [{"graph": g, "removed": p, "method": m} for g in graphs for p in REMOVED for m in METHODS]
    places = list(GRAPHS)
    complete_rows(
        PATH, keys, measure, lambda row: (places.index(row["graph"]), row["removed"], METHODS.index(row["method"]))
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("graphs", nargs="*", help=", ".join(GRAPHS))
    run(parser.parse_args().graphs or tuple(GRAPHS))
