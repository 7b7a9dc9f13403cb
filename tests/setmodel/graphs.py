"""Small collections for the tests of classifiers."""

from __future__ import annotations

import numpy as np

from vnestruct.datasets import as_collection
from vnestruct.graph import GraphSet, graph_from_ids


def molecules(n_graphs: int = 40, seed: int = 0, types: bool = True) -> GraphSet:
    """Rings of class 0 and random trees of class 1, of 5 to 12 nodes, with two types of nodes."""
    random = np.random.default_rng(seed)
    members, kinds = [], []
    for place in range(n_graphs):
        n = int(random.integers(5, 13))
        nodes = np.arange(n)
        parents = np.array([random.integers(0, max(child, 1)) for child in nodes[1:]]) if place % 2 else None
        ends = (nodes, (nodes + 1) % n) if parents is None else (parents, nodes[1:])
        members.append(graph_from_ids(*ends, n_nodes=n))
        kinds.append(random.integers(0, 2, n))
    joined = as_collection(members, ["tree" if place % 2 else "ring" for place in range(n_graphs)])
    return GraphSet(joined.graph, joined.offsets, joined.labels, node_types=np.concatenate(kinds) if types else None)


def reordered(graphs: GraphSet, seed: int = 1) -> GraphSet:
    """The same graphs with the nodes of each in another order."""
    random = np.random.default_rng(seed)
    order = np.concatenate(
        [first + random.permutation(size) for first, size in zip(graphs.offsets, np.diff(graphs.offsets), strict=False)]
    )
    union = graphs.graph
    assert graphs.node_types is not None
    moved = graph_from_ids(order[union.sources], order[union.indices], n_nodes=union.n_nodes)
    return GraphSet(moved, graphs.offsets, graphs.labels, node_types=graphs.node_types[np.argsort(order)])
