"""Synthetic graphs for examples, tests and benchmarks: fixed families, random models, rings with roles.

Nodes are 0..n-1 and every random graph is determined by its seed.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError
from vnestruct.graph.build import graph_from_ids
from vnestruct.graph.graph import Graph
from vnestruct.graph.random_graphs import (
    barabasi_albert,
    erdos_renyi,
    power_law,
    random_regular,
    watts_strogatz,
)
from vnestruct.graph.randomize import perturb, rewire
from vnestruct.graph.rings import Shape, fan_shape, house_shape, ring_of_shapes, star_shape

__all__ = [
    "Shape",
    "balanced_tree",
    "barabasi_albert",
    "barbell",
    "clique",
    "complete_bipartite",
    "complete_multipartite",
    "connected_caveman",
    "cycle",
    "double_star",
    "erdos_renyi",
    "fan_shape",
    "grid",
    "house_shape",
    "hypercube",
    "path",
    "perturb",
    "power_law",
    "random_regular",
    "rewire",
    "ring_of_shapes",
    "star",
    "star_shape",
    "watts_strogatz",
]


def path(n_nodes: int) -> Graph:
    """Return the path 0 - 1 - ... - n-1.

    Examples
    --------
    >>> path(4)
    Graph(4 nodes, 3 edges)
    """
    _require("n_nodes", n_nodes, 0)
    nodes = np.arange(n_nodes)
    return graph_from_ids(nodes[:-1], nodes[1:], n_nodes=n_nodes)


def cycle(n_nodes: int) -> Graph:
    """Return the cycle 0 - 1 - ... - n-1 - 0.

    Examples
    --------
    >>> cycle(4)
    Graph(4 nodes, 4 edges)
    """
    _require("n_nodes", n_nodes, 3)
    nodes = np.arange(n_nodes)
    return graph_from_ids(nodes, np.roll(nodes, -1), n_nodes=n_nodes)


def star(n_leaves: int) -> Graph:
    """Return the star of centre 0 and leaves 1..n_leaves.

    Examples
    --------
    >>> star(5)
    Graph(6 nodes, 5 edges)
    """
    _require("n_leaves", n_leaves, 0)
    return graph_from_ids(np.zeros(n_leaves, dtype=int), np.arange(1, n_leaves + 1), n_nodes=n_leaves + 1)


def double_star(left: int, right: int) -> Graph:
    """Return two joined centres 0 and 1 with `left` and `right` leaves.

    Examples
    --------
    >>> double_star(3, 4)
    Graph(9 nodes, 8 edges)
    """
    _require("left", left, 0)
    _require("right", right, 0)
    centres = np.repeat([0, 0, 1], [1, left, right])
    return graph_from_ids(centres, np.arange(1, left + right + 2), n_nodes=left + right + 2)


def clique(n_nodes: int) -> Graph:
    """Return the complete graph.

    Examples
    --------
    >>> clique(4)
    Graph(4 nodes, 6 edges)
    """
    _require("n_nodes", n_nodes, 0)
    source, target = np.triu_indices(n_nodes, 1)
    return graph_from_ids(source, target, n_nodes=n_nodes)


def barbell(clique_size: int, path_length: int) -> Graph:
    """Return two cliques joined by a path of `path_length` nodes: first clique, path, second clique.

    Examples
    --------
    >>> barbell(5, 3)
    Graph(13 nodes, 24 edges)
    """
    _require("clique_size", clique_size, 1)
    _require("path_length", path_length, 0)
    second = clique_size + path_length
    source, target = np.triu_indices(clique_size, 1)
    bridge = np.arange(clique_size - 1, second + 1)
    return graph_from_ids(
        np.concatenate([source, bridge[:-1], source + second]),
        np.concatenate([target, bridge[1:], target + second]),
        n_nodes=second + clique_size,
    )


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
        _require("size", size, 0)
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
    _require("branching", branching, 1)
    _require("height", height, 0)
    n_nodes = sum(branching**level for level in range(height + 1))
    children = np.arange(1, n_nodes)
    return graph_from_ids((children - 1) // branching, children, n_nodes=n_nodes)


def grid(rows: int, columns: int, *, shuffled: int | None = None) -> Graph:
    """Return the rectangular grid, numbered row by row.

    Parameters
    ----------
    rows, columns : int
        Size of the grid.
    shuffled : int, optional
        Seed of a random numbering instead.

    Returns
    -------
    Graph

    Examples
    --------
    >>> grid(3, 4)
    Graph(12 nodes, 17 edges)
    """
    _require("rows", rows, 1)
    _require("columns", columns, 1)
    nodes = np.arange(rows * columns)
    if shuffled is not None:
        nodes = np.random.default_rng(shuffled).permutation(nodes)
    board: npt.NDArray[np.int64] = nodes.reshape(rows, columns)
    source = np.concatenate([board[:, :-1].ravel(), board[:-1].ravel()])
    target = np.concatenate([board[:, 1:].ravel(), board[1:].ravel()])
    return graph_from_ids(source, target, n_nodes=nodes.size)


def hypercube(dimension: int) -> Graph:
    """Return the graph of the binary words of length `dimension`, joined where they differ in one digit.

    Examples
    --------
    >>> hypercube(3)
    Graph(8 nodes, 12 edges)
    """
    _require("dimension", dimension, 0)
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
    _require("n_cliques", n_cliques, 2)
    _require("size", size, 2)
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


def _require(name: str, value: int, least: int) -> None:
    if value < least:
        raise ParameterError(f"{name} is {value}; it must be at least {least}")
