"""struc2vec: skip-gram over walks between structurally similar nodes.

Ribeiro, Saverese, Figueiredo: struc2vec: learning node representations from structural identity. KDD 2017.

Structural distances of node pairs, ring by ring, become a multilayer graph whose layers join similar
nodes; walks on it, wherever the nodes lie in the original graph, are the sentences of a skip-gram model.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph

from .multilayer import Multilayer, multilayer, multilayer_walks
from .rings import degree_rings, structural_distances
from .skipgram import train
from .structure import degrees
from .walks import check_walks, start_nodes


def all_pairs(n_nodes: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return every unordered pair of nodes once.

    Examples
    --------
    >>> all_pairs(3)
    (array([0, 0, 1], dtype=int32), array([1, 2, 2], dtype=int32))
    """
    left, right = np.triu_indices(n_nodes, 1)
    return left.astype(np.int32), right.astype(np.int32)


def degree_pairs(degree: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return, once each, the pairs in which one node is among the nearest of the other by degree.

    The nearest of a node are 2 ceil(log2 n) nodes, found from its place in the order of degrees outwards.

    Examples
    --------
    >>> import numpy as np
    >>> left, right = degree_pairs(np.array([1, 50, 2, 60]))
    >>> list(zip(left.tolist(), right.tolist()))
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    """
    n_nodes = degree.size
    order = np.argsort(degree, kind="stable")
    n_nearest = min(2 * int(np.ceil(np.log2(max(n_nodes, 2)))), n_nodes - 1)
    nearest = _nearest_in_order(degree[order], n_nearest)
    own, other = np.repeat(order, n_nearest), order[nearest.ravel()]
    left, right = np.minimum(own, other), np.maximum(own, other)
    pairs = np.unique(left.astype(np.int64) * n_nodes + right)
    return (pairs // n_nodes).astype(np.int32), (pairs % n_nodes).astype(np.int32)


@njit(nogil=True, cache=True)
def _nearest_in_order(ascending: NDArray[np.int64], n_nearest: int) -> NDArray[np.int64]:
    nearest = np.empty((ascending.size, n_nearest), dtype=np.int64)
    for place in range(ascending.size):
        below, above = place - 1, place + 1
        for i in range(n_nearest):
            if above == ascending.size or (
                below >= 0 and ascending[place] - ascending[below] <= ascending[above] - ascending[place]
            ):
                nearest[place, i] = below
                below -= 1
            else:
                nearest[place, i] = above
                above += 1
    return nearest


def similarity_graph(
    graph: Graph,
    *,
    max_layer: int | None = None,
    compress: bool = True,
    by_degree: bool = False,
    offset: float = 0.0,
) -> Multilayer:
    """Return the multilayer graph of structural similarity; parameters as for :func:`embed`."""
    if max_layer is not None and max_layer < 0:
        raise ParameterError(f"max_layer is {max_layer}; it must be 0 or more, or None for all layers")
    left, right = degree_pairs(degrees(graph)) if by_degree else all_pairs(graph.n_nodes)
    rings = degree_rings(graph, max_layer=max_layer, compress=compress)
    distances = structural_distances(rings, left, right, offset=offset)
    return multilayer(distances, left, right, graph.n_nodes)


def embed(
    graph: Graph,
    *,
    seed: int = 0,
    dimension: int = 128,
    n_walks: int = 10,
    length: int = 80,
    window: int = 10,
    epochs: int = 5,
    stay: float = 0.3,
    max_layer: int | None = None,
    compress: bool = True,
    by_degree: bool = False,
    offset: float = 0.0,
) -> NDArray[np.float64]:
    """Return struc2vec vectors: hierarchical softmax over walks on the multilayer graph.

    Parameters
    ----------
    graph : Graph
        Any graph; directions and weights are ignored.
    seed : int
        Seeds walks and training.
    dimension : int
        Length of the vectors.
    n_walks, length : int
        Walks per node and nodes per walk.
    window : int
        Largest distance of a context node in a walk.
    epochs : int
        Passes over the walks.
    stay : float
        Probability of a step within the layer, against a change of layer.
    max_layer : int, optional
        Last layer, the third optimisation of the paper; all layers if absent.
    compress : bool
        Compare rings run by run, the first optimisation; otherwise degree by degree.
    by_degree : bool
        Join each node only to those nearest in degree, the second optimisation; otherwise to all, which takes
        memory for n^2 pairs per layer.
    offset : float
        Added to every degree before ratios are taken.

    Returns
    -------
    ndarray of shape (n_nodes, dimension)

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> embed(graph_from_ids([0, 1], [1, 2], n_nodes=3), dimension=4).shape
    (3, 4)
    """
    check_walks(n_walks, length)
    if not 0 < stay <= 1:
        raise ParameterError(f"stay is {stay}; it must be above 0, or walks never move, and at most 1")
    layers = similarity_graph(graph, max_layer=max_layer, compress=compress, by_degree=by_degree, offset=offset)
    rng = np.random.default_rng(seed)
    starts = start_nodes(graph.n_nodes, n_walks, rng)
    walks = multilayer_walks(
        layers.offsets,
        layers.neighbours,
        layers.cumulative,
        layers.ascent,
        layers.top,
        starts,
        length,
        stay,
        rng,
    )
    return train(
        walks,
        graph.n_nodes,
        dimension=dimension,
        window=window,
        epochs=epochs,
        hierarchical=True,
        negative=0,
        seed=seed,
    )
