"""DeepWalk: skip-gram over uniform random walks.

Perozzi, Al-Rfou, Skiena: DeepWalk: online learning of social representations. KDD 2014.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from vnestruct.graph import Graph

from .skipgram import train
from .walks import check_walks, start_nodes


def random_walks(graph: Graph, *, n_walks: int, length: int, seed: int = 0) -> NDArray[np.int32]:
    """Return `n_walks` uniform random walks from every node.

    Parameters
    ----------
    graph : Graph
        Any graph; directions and weights are ignored.
    n_walks : int
        Walks per node.
    length : int
        Nodes per walk.
    seed : int
        Seeds starts and steps.

    Returns
    -------
    ndarray of shape (n_nodes * n_walks, length)
        Node ids; -1 after the end of a walk that has nowhere to go.

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> sorted(random_walks(graph_from_ids([0], [1], n_nodes=2), n_walks=1, length=4).tolist())
    [[0, 1, 0, 1], [1, 0, 1, 0]]
    """
    check_walks(n_walks, length)
    rng = np.random.default_rng(seed)
    starts = start_nodes(graph.n_nodes, n_walks, rng)
    return _walk(graph.indptr, graph.indices, starts, length, rng)


@njit(nogil=True, cache=True)
def _walk(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    starts: NDArray[np.int32],
    length: int,
    rng: np.random.Generator,
) -> NDArray[np.int32]:
    walks = np.full((starts.size, length), -1, dtype=np.int32)
    for walk, start in enumerate(starts):
        node = start
        walks[walk, 0] = node
        for step in range(1, length):
            degree = indptr[node + 1] - indptr[node]
            if degree == 0:
                break
            node = indices[indptr[node] + int(rng.random() * degree)]
            walks[walk, step] = node
    return walks


def embed(
    graph: Graph,
    *,
    seed: int = 0,
    dimension: int = 128,
    n_walks: int = 80,
    length: int = 40,
    window: int = 10,
    epochs: int = 1,
) -> NDArray[np.float64]:
    """Return DeepWalk vectors: hierarchical softmax over uniform walks.

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

    Returns
    -------
    ndarray of shape (n_nodes, dimension)

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> embed(graph_from_ids([0, 1], [1, 2], n_nodes=3), dimension=4).shape
    (3, 4)
    """
    walks = random_walks(graph, n_walks=n_walks, length=length, seed=seed)
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
