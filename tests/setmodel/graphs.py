"""Small collections for the tests of classifiers."""

from __future__ import annotations

import numpy as np

from vnestruct.datasets import as_collection
from vnestruct.graph import GraphSet, graph_from_ids


def molecules(n_graphs: int = 40, seed: int = 0, types: bool = True) -> GraphSet:
    """Rings of class 0 and random trees of class 1, of 5 to 12 nodes, with two types of nodes."""
    random = np.random.default_rng(seed)
    members, labels, kinds = [], [], []
    for place in range(n_graphs):
        n = int(random.integers(5, 13))
        nodes = np.arange(n)
        if place % 2 == 0:
            members.append(graph_from_ids(nodes, (nodes + 1) % n, n_nodes=n))
        else:
            parents = np.array([random.integers(0, max(child, 1)) for child in nodes[1:]])
            members.append(graph_from_ids(parents, nodes[1:], n_nodes=n))
        labels.append("tree" if place % 2 else "ring")
        kinds.append(random.integers(0, 2, n))
    joined = as_collection(members, labels)
    if not types:
        return joined
    return GraphSet(joined.graph, joined.offsets, joined.labels, node_types=np.concatenate(kinds))


def reordered(graphs: GraphSet, seed: int = 1) -> GraphSet:
    """The same graphs with the nodes of each in another order."""
    random = np.random.default_rng(seed)
    members, kinds = [], []
    for place, graph in enumerate(graphs):
        order = random.permutation(graph.n_nodes)
        rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
        members.append(graph_from_ids(order[rows], order[graph.indices], n_nodes=graph.n_nodes))
        if graphs.node_types is not None:
            kinds.append(graphs.node_types[graphs.slice(place)][np.argsort(order)])
    joined = as_collection(members, graphs.labels)
    types = np.concatenate(kinds) if kinds else None
    return GraphSet(joined.graph, joined.offsets, joined.labels, node_types=types)
