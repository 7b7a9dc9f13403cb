"""Synthetic graphs for examples: fixed families, a grid, preferential attachment, a random loss of edges.

Nodes are 0..n-1 and every random graph is determined by its seed.

>>> path(4), cycle(4), clique(4)
(Graph(4 nodes, 3 edges), Graph(4 nodes, 4 edges), Graph(4 nodes, 6 edges))
>>> star(5), barbell(5, 3), grid(3, 4)
(Graph(6 nodes, 5 edges), Graph(13 nodes, 24 edges), Graph(12 nodes, 17 edges))
>>> barabasi_albert(100, 3, seed=1)
Graph(100 nodes, 291 edges)
"""

import numpy as np

from vnestruct.errors import ParameterError, whole_number
from vnestruct.graph.build import graph_from_ids
from vnestruct.graph.graph import Graph
from vnestruct.graph.validate import reverse_entries
from vnestruct.types import OffsetArray

__all__ = ["barabasi_albert", "barbell", "clique", "cycle", "grid", "path", "star"]

_SEQUENTIAL_NODES = 2000  # nodes that a preferential-attachment graph grows one by one; the rest is drawn at once


def path(n_nodes: int) -> Graph:
    """Return the path 0 - 1 - ... - n-1."""
    whole_number("n_nodes", n_nodes, 0)
    nodes = np.arange(n_nodes)
    return graph_from_ids(nodes[:-1], nodes[1:], n_nodes=n_nodes)


def cycle(n_nodes: int) -> Graph:
    """Return the cycle 0 - 1 - ... - n-1 - 0."""
    whole_number("n_nodes", n_nodes, 3)
    nodes = np.arange(n_nodes)
    return graph_from_ids(nodes, np.roll(nodes, -1), n_nodes=n_nodes)


def star(n_leaves: int) -> Graph:
    """Return the star of centre 0 and leaves 1..n_leaves."""
    whole_number("n_leaves", n_leaves, 0)
    return graph_from_ids(np.zeros(n_leaves, dtype=int), np.arange(1, n_leaves + 1), n_nodes=n_leaves + 1)


def clique(n_nodes: int) -> Graph:
    """Return the complete graph."""
    whole_number("n_nodes", n_nodes, 0)
    source, target = np.triu_indices(n_nodes, 1)
    return graph_from_ids(source, target, n_nodes=n_nodes)


def barbell(clique_size: int, path_length: int) -> Graph:
    """Return two cliques joined by a path of `path_length` nodes: first clique, path, second clique."""
    whole_number("clique_size", clique_size, 1)
    whole_number("path_length", path_length, 0)
    second = clique_size + path_length
    source, target = np.triu_indices(clique_size, 1)
    bridge = np.arange(clique_size - 1, second + 1)
    tails = np.concatenate([source, bridge[:-1], source + second])
    heads = np.concatenate([target, bridge[1:], target + second])
    return graph_from_ids(tails, heads, n_nodes=second + clique_size)


def grid(rows: int, columns: int, *, shuffled: int | None = None) -> Graph:
    """Return the rectangular grid, numbered row by row, or at random with the seed `shuffled`."""
    whole_number("rows", rows, 1)
    whole_number("columns", columns, 1)
    nodes = np.arange(rows * columns)
    if shuffled is not None:
        nodes = np.random.default_rng(shuffled).permutation(nodes)
    board: OffsetArray = nodes.reshape(rows, columns)
    source = np.concatenate([board[:, :-1].ravel(), board[:-1].ravel()])
    target = np.concatenate([board[:, 1:].ravel(), board[1:].ravel()])
    return graph_from_ids(source, target, n_nodes=nodes.size)


def barabasi_albert(n_nodes: int, attachments: int, seed: int) -> Graph:
    """Return a graph grown from a star: new nodes join `attachments` others, drawn in proportion to their degrees."""
    if not 1 <= attachments < n_nodes:
        raise ParameterError(f"attachments is {attachments}; it must be from 1 to n_nodes - 1 = {n_nodes - 1}")
    generator = np.random.default_rng(seed)
    n_first = min(n_nodes, max(_SEQUENTIAL_NODES, attachments + 1))
    ends: list[int] = [end for leaf in range(attachments) for end in (attachments, leaf)]
    for node in range(attachments + 1, n_first):
        chosen: dict[int, None] = {}
        while len(chosen) < attachments:
            for place in generator.integers(len(ends), size=attachments).tolist():
                if len(chosen) < attachments:
                    chosen[ends[place]] = None
        for end in chosen:
            ends += (node, end)
    first = np.array(ends, dtype=np.int64).reshape(-1, 2)
    source = np.repeat(np.arange(n_first, n_nodes), attachments)
    target = _attach(first, source, attachments, generator)
    return graph_from_ids(np.concatenate([first[:, 0], source]), np.concatenate([first[:, 1], target]), n_nodes=n_nodes)


def _attach(first: OffsetArray, source: OffsetArray, attachments: int, generator: np.random.Generator) -> OffsetArray:
    """Return the targets of all later nodes at once."""
    # An edge draws a place in the list of all ends before its node. An even place is the new node of an edge,
    # an odd one the target of an earlier edge, whose own draw is then followed.
    n_before = first.shape[0]
    limits = 2 * (n_before + np.arange(source.size) // attachments * attachments)
    draws = generator.integers(limits)
    while True:
        places = draws.copy()
        while (active := np.flatnonzero((places % 2 == 1) & (places >= 2 * n_before))).size:
            places[active] = draws[places[active] // 2 - n_before]
        target: OffsetArray = np.append(first[:, 0], source)[places // 2]
        early = places < 2 * n_before
        target[early] = first.ravel()[places[early]]
        table = target.reshape(-1, attachments)
        repeated = np.zeros(table.shape, dtype=bool)
        for place in range(1, attachments):
            repeated[:, place] = (table[:, :place] == table[:, place : place + 1]).any(axis=1)
        if not repeated.any():
            return target
        draws[repeated.ravel()] = generator.integers(limits[repeated.ravel()])


def lose_edges(graph: Graph, share: float, seed: int) -> Graph:
    """Return a graph without a random share of its edges; all nodes stay.

    Examples
    --------
    >>> lose_edges(star(1000), 0.1, seed=0).n_edges
    911
    """
    kept = np.random.default_rng(seed).random(graph.indices.size) >= share
    # An edge is kept or lost both ways, as the entry above the diagonal says.
    kept = np.where(graph.sources < graph.indices, kept, kept[reverse_entries(graph.indptr, graph.indices)])
    weights, flags = (None if part is None else part[kept] for part in (graph.weights, graph.directions))
    indptr = np.append(0, np.cumsum(kept))[graph.indptr]
    return Graph._trusted(indptr, graph.indices[kept], weights, graph._labels, flags, None, graph._sides)
