"""struc2vec: skip-gram over walks between structurally similar nodes.

Ribeiro, Saverese, Figueiredo: struc2vec: learning node representations from structural identity. KDD 2017.

Ring k of a node holds the nodes at distance exactly k; its sorted degrees are runs: a degree and how often it occurs.
Two rings cost the best alignment of their runs by dynamic time warping, where aligning degrees a and b with counts m
and n costs (max(a, b) / min(a, b) - 1) max(m, n). The distance of two nodes at layer k is the sum over rings 0 to k.
Layer k of a multilayer graph joins them by an edge of weight exp(-distance). From a node's copy in layer k, the arc up
weighs ln(e + g) and the arc down weighs 1, where g counts the node's edges in the layer that are heavier than its
average edge.
"""

import numpy as np
from numba import njit
from scipy.sparse.csgraph import shortest_path

from .skipgram import starts, train
from .structure import adjacency

STAY = 0.3
"""Probability of a step within the layer, against a change of layer."""


def rings_of(graph):
    """Return the runs (degree, count) of the rings of every node, as arrays of two columns."""
    hops, rings = shortest_path(adjacency(graph), unweighted=True), []
    for row in hops:
        last = int(row[np.isfinite(row)].max())
        degrees = [np.unique(graph.degrees[row == k], return_counts=True) for k in range(last + 1)]
        rings.append([np.column_stack(runs).astype(np.int64) for runs in degrees])
    return rings


@njit(nogil=True, cache=True)
def warping_cost(first, second):
    """Return the cost of the best alignment of two sequences of runs.

    Examples
    --------
    >>> warping_cost(np.array([[1, 2], [3, 1]]), np.array([[1, 1], [2, 3]]))
    1.5
    """
    # row[j] is the least cost of aligning all runs so far with the first j runs of the second sequence.
    row = np.full(len(second) + 1, np.inf)
    row[0] = 0.0
    for degree, count in first:
        diagonal = row[0]
        row[0] = np.inf
        for j, (other, other_count) in enumerate(second):
            smaller, larger = min(degree, other), max(degree, other)
            cost = np.inf
            if smaller == larger:
                cost = 0.0
            elif smaller > 0:  # an isolated node is infinitely far from every other that is not
                cost = (larger / smaller - 1.0) * max(count, other_count)
            cheapest = min(diagonal, row[j], row[j + 1])
            diagonal = row[j + 1]
            row[j + 1] = cheapest + cost
    return row[-1]


def structural_distances(graph):
    """Return the distance of all pairs of nodes at every layer; NaN where one of the two has no such ring."""
    rings = rings_of(graph)
    distances = np.full((max(map(len, rings)), graph.n_nodes, graph.n_nodes), np.nan)
    for u in range(graph.n_nodes):
        for v in range(u):
            costs = [warping_cost(*pair) for pair in zip(rings[u], rings[v], strict=False)]
            distances[: len(costs), u, v] = distances[: len(costs), v, u] = np.cumsum(costs)
    return distances


def multilayer(distances):
    """Return the multilayer graph.

    The cumulative probability of a step to each node, in each layer and from each node; the probability that a change
    of layer goes up; and the last layer in which a node has an edge, -1 if none.
    """
    weights = np.nan_to_num(np.exp(-distances))
    present = ~np.isnan(distances)
    average = weights.sum(axis=(1, 2)) / np.maximum(present.sum(axis=(1, 2)), 1)
    upward = np.log(np.e + (weights > average[:, None, None]).sum(axis=2))
    # Relative to the nearest node: the same probabilities, and large distances do not all vanish.
    nearest = np.where(present, distances, np.inf).min(axis=2)
    has_edge = np.isfinite(nearest)
    relative = np.where(present, np.where(has_edge, nearest, 0.0)[..., None] - distances, -np.inf)
    totals = np.cumsum(np.exp(relative), axis=2)
    cumulative = totals / np.maximum(totals[..., -1:], 1e-300)
    top = np.where(has_edge.any(axis=0), len(distances) - 1 - has_edge[::-1].argmax(axis=0), -1)
    return cumulative, upward / (upward + 1), top


@njit(nogil=True, cache=True)
def multilayer_walks(cumulative, ascent, top, starts, length, rng):
    """Walk over the multilayer graph from layer 0; a change of layer is not written down."""
    walks = np.full((starts.size, length), -1, dtype=np.int32)
    for walk, start in enumerate(starts):
        node, layer, step = start, 0, 1
        walks[walk, 0] = node
        while step < length and top[node] >= 0:
            if rng.random() < STAY:
                node = min(np.searchsorted(cumulative[layer, node], rng.random(), side="right"), top.size - 1)
                walks[walk, step] = node
                step += 1
            elif rng.random() < ascent[layer, node]:
                layer = min(layer + 1, top[node])
            else:
                layer = max(layer - 1, 0)
    return walks


def struc2vec(graph, *, seed=0, n_walks=10, length=80, epochs=5):
    """Return struc2vec vectors."""
    layers, rng = multilayer(structural_distances(graph)), np.random.default_rng(seed)
    walks = multilayer_walks(*layers, starts(graph.n_nodes, n_walks, rng), length, rng)
    return train(walks, graph.n_nodes, seed=seed, epochs=epochs)
