"""Fixed families of graphs; nodes are 0..n-1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import networkx as nx
import numpy as np

from vnestruct.graph import Graph, graph_from_ids


def from_networkx(network: Any) -> Graph:
    """A networkx graph with its nodes numbered, in sorted order if they are not numbers already."""
    numbered = nx.convert_node_labels_to_integers(network, ordering="sorted")
    edges = np.array(numbered.edges, np.int64).reshape(-1, 2)
    return graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=len(numbered))


def double_star(left: int, right: int) -> Graph:
    """Two joined centres 0 and 1 with `left` and `right` leaves."""
    leaves = [(int(leaf >= left), leaf + 2) for leaf in range(left + right)]
    return from_networkx(nx.Graph([(0, 1), *leaves]))


def complete_bipartite(left: int, right: int) -> Graph:
    """The complete bipartite graph of parts 0..left-1 and left..left+right-1."""
    return complete_multipartite([left, right])


def complete_multipartite(sizes: Iterable[int]) -> Graph:
    """All nodes of different parts joined."""
    return from_networkx(nx.complete_multipartite_graph(*sizes))


def balanced_tree(branching: int, height: int) -> Graph:
    """The rooted tree in which every inner node has `branching` children, numbered level by level."""
    return from_networkx(nx.balanced_tree(branching, height))


def hypercube(dimension: int) -> Graph:
    """The binary words of length `dimension`, joined where they differ in one digit."""
    return from_networkx(nx.hypercube_graph(dimension))


def connected_caveman(n_cliques: int, size: int) -> Graph:
    """A ring of cliques: in each, the edge of its first two nodes leads to the clique before instead."""
    return from_networkx(nx.connected_caveman_graph(n_cliques, size))
