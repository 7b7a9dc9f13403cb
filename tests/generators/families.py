"""Fixed families of graphs; nodes are 0..n-1."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vnestruct.checks import whole_number
from vnestruct.graph import Graph, graph_from_ids


def double_star(left: int, right: int) -> Graph:
    """Return two joined centres 0 and 1 with `left` and `right` leaves.

    Examples
    --------
    >>> double_star(3, 4)
    Graph(9 nodes, 8 edges)
    """
    whole_number("left", left, 0)
    whole_number("right", right, 0)
    centres = np.repeat([0, 0, 1], [1, left, right])
    return graph_from_ids(centres, np.arange(1, left + right + 2), n_nodes=left + right + 2)


def complete_bipartite(left: int, right: int) -> Graph:
    """Return the complete bipartite graph of parts 0..left-1 and left..left+right-1.

    Examples
    --------
    >>> complete_bipartite(2, 3)
    Graph(5 nodes, 6 edges)
    """
    return complete_multipartite([left, right])


def complete_multipartite(sizes: Iterable[int]) -> Graph:
    """Return the graph that joins all nodes of different parts.

    Examples
    --------
    >>> complete_multipartite([2, 2, 2])
    Graph(6 nodes, 12 edges)
    """
    parts = list(sizes)
    for size in parts:
        whole_number("size", size, 0)
    part = np.repeat(np.arange(len(parts)), parts)
    source, target = np.triu_indices(part.size, 1)
    across = part[source] != part[target]
    return graph_from_ids(source[across], target[across], n_nodes=part.size)


def balanced_tree(branching: int, height: int) -> Graph:
    """Return the rooted tree in which every inner node has `branching` children, numbered level by level.

    Examples
    --------
    >>> balanced_tree(2, 3)
    Graph(15 nodes, 14 edges)
    """
    whole_number("branching", branching, 1)
    whole_number("height", height, 0)
    n_nodes = sum(branching**level for level in range(height + 1))
    children = np.arange(1, n_nodes)
    return graph_from_ids((children - 1) // branching, children, n_nodes=n_nodes)


def hypercube(dimension: int) -> Graph:
    """Return the graph of the binary words of length `dimension`, joined where they differ in one digit.

    Examples
    --------
    >>> hypercube(3)
    Graph(8 nodes, 12 edges)
    """
    whole_number("dimension", dimension, 0)
    nodes = np.repeat(np.arange(2**dimension), dimension)
    flipped = nodes ^ np.tile(1 << np.arange(dimension), 2**dimension)
    upward = nodes < flipped
    return graph_from_ids(nodes[upward], flipped[upward], n_nodes=2**dimension)


def connected_caveman(n_cliques: int, size: int) -> Graph:
    """Return a ring of cliques: in each, the edge of its first two nodes leads to the clique before instead.

    Examples
    --------
    >>> connected_caveman(4, 5)
    Graph(20 nodes, 40 edges)
    """
    whole_number("n_cliques", n_cliques, 2)
    whole_number("size", size, 2)
    n_nodes = n_cliques * size
    source, target = np.triu_indices(size, 1)
    starts = np.arange(0, n_nodes, size)
    # The first pair of a clique is its nodes 0 and 1.
    inner_source = (starts[:, np.newaxis] + source[1:]).ravel()
    inner_target = (starts[:, np.newaxis] + target[1:]).ravel()
    return graph_from_ids(
        np.concatenate([inner_source, starts]),
        np.concatenate([inner_target, (starts - 1) % n_nodes]),
        n_nodes=n_nodes,
    )
