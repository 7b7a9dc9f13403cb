"""The weighted multilayer graph of struc2vec, and the walks on it.

Layer k joins nodes u, v by an edge of weight exp(-distance_k(u, v)). From a node's copy in layer k, the
arc up to layer k + 1 weighs ln(e + g) and the arc down weighs 1, where g counts the node's edges in layer
k that are heavier than that layer's average edge.

The candidate pairs are the same in all layers, so one CSR of them serves every layer; pairs that a layer
lacks have probability 0 there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray


@dataclass(frozen=True)
class Multilayer:
    """Transition probabilities of the multilayer graph.

    Attributes
    ----------
    offsets, neighbours : ndarray
        CSR of the candidate pairs, both directions.
    cumulative : ndarray of shape (n_layers, n_arcs)
        Cumulative probability, along each node's arcs, of a step within the layer; 0 throughout where the
        node has no edge in the layer.
    ascent : ndarray of shape (n_layers, n_nodes)
        Probability that a change of layer goes up.
    top : ndarray of shape (n_nodes,)
        Last layer in which the node has an edge; -1 if none.
    """

    offsets: NDArray[np.int64]
    neighbours: NDArray[np.int32]
    cumulative: NDArray[np.float64]
    ascent: NDArray[np.float64]
    top: NDArray[np.int64]


def heavy_edges(
    distances: NDArray[np.float64], left: NDArray[np.int32], right: NDArray[np.int32], n_nodes: int
) -> NDArray[np.int64]:
    """Count each node's edges, in one layer, that are heavier than the layer's average.

    The average is over the pairs that the layer has.

    Examples
    --------
    >>> import numpy as np
    >>> pairs = np.array([0, 0, 1], dtype=np.int32), np.array([1, 2, 2], dtype=np.int32)
    >>> heavy_edges(np.array([0.1, 2.0, 3.0]), *pairs, 3)
    array([1, 1, 0])
    """
    present = ~np.isnan(distances)
    weights = np.where(present, np.exp(-np.where(present, distances, np.inf)), 0.0)
    average = weights.sum() / max(int(present.sum()), 1)
    heavy = weights > average
    both_ends = np.concatenate([left[heavy], right[heavy]])
    return np.bincount(both_ends, minlength=n_nodes)


def multilayer(
    distances: NDArray[np.float64], left: NDArray[np.int32], right: NDArray[np.int32], n_nodes: int
) -> Multilayer:
    """Build the multilayer graph from the distances of candidate pairs.

    Parameters
    ----------
    distances : ndarray of shape (n_layers, n_pairs)
        Structural distances; NaN where a layer lacks the pair.
    left, right : ndarray of int32
        The pairs, each once, no node with itself.
    n_nodes : int
        Number of nodes.

    Returns
    -------
    Multilayer
    """
    sources = np.concatenate([left, right])
    order = np.lexsort((np.concatenate([right, left]), sources))
    neighbours = np.concatenate([right, left])[order]
    offsets = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=n_nodes))])
    pair_of_arc = np.concatenate([np.arange(left.size)] * 2)[order]

    cumulative = np.empty((distances.shape[0], neighbours.size))
    ascent = np.empty((distances.shape[0], n_nodes))
    top = np.full(n_nodes, -1, dtype=np.int64)
    for layer, layer_distances in enumerate(distances):
        has_edge = _cumulate(layer_distances[pair_of_arc], offsets, cumulative[layer])
        top[has_edge] = layer
        upward = np.log(np.e + heavy_edges(layer_distances, left, right, n_nodes))
        ascent[layer] = upward / (upward + 1)
    return Multilayer(offsets, neighbours, cumulative, ascent, top)


@njit(nogil=True, cache=True)
def _cumulate(
    distances: NDArray[np.float64], offsets: NDArray[np.int64], cumulative: NDArray[np.float64]
) -> NDArray[np.bool_]:
    # exp(-distance) is taken relative to the node's nearest neighbour: the same probabilities, and large
    # distances do not all vanish.
    n_nodes = offsets.size - 1
    has_edge = np.zeros(n_nodes, dtype=np.bool_)
    for u in range(n_nodes):
        nearest = np.inf
        for arc in range(offsets[u], offsets[u + 1]):
            if distances[arc] < nearest:  # never true of NaN
                nearest = distances[arc]
        total = 0.0
        for arc in range(offsets[u], offsets[u + 1]):
            if nearest < np.inf and not np.isnan(distances[arc]):
                total += np.exp(nearest - distances[arc])
            cumulative[arc] = total
        if nearest < np.inf:
            has_edge[u] = True
            cumulative[offsets[u] : offsets[u + 1]] /= total
    return has_edge


@njit(nogil=True, cache=True)
def multilayer_walks(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    cumulative: NDArray[np.float64],
    ascent: NDArray[np.float64],
    top: NDArray[np.int64],
    starts: NDArray[np.int32],
    length: int,
    stay: float,
    rng: np.random.Generator,
) -> NDArray[np.int32]:
    """Walk over the multilayer graph from layer 0 and record the nodes.

    With probability `stay` the walk steps to a neighbour in its layer, otherwise it goes up or down a layer,
    which is not written down. A change to a layer that the node is not in is not made.
    """
    walks = np.full((starts.size, length), -1, dtype=np.int32)
    for walk, start in enumerate(starts):
        node, layer, step = start, 0, 1
        walks[walk, 0] = node
        while step < length and top[node] >= 0:
            if rng.random() < stay:
                first, last = offsets[node], offsets[node + 1]
                arc = first + np.searchsorted(cumulative[layer, first:last], rng.random(), side="right")
                node = neighbours[min(arc, last - 1)]
                walks[walk, step] = node
                step += 1
            elif rng.random() < ascent[layer, node]:
                layer = min(layer + 1, top[node])
            else:
                layer = max(layer - 1, 0)
    return walks
