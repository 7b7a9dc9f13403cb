"""node2vec: skip-gram over second-order random walks.

Grover, Leskovec: node2vec: scalable feature learning for networks. KDD 2016.

From node v, reached from t, the walk moves to a neighbour x of v with probability proportional to 1/p if
x is t, 1 if x is a neighbour of t, and 1/q otherwise.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph

from .skipgram import train
from .walks import check_walks, start_nodes


def biased_walks(graph: Graph, *, p: float, q: float, n_walks: int, length: int, seed: int = 0) -> NDArray[np.int32]:
    """Return `n_walks` second-order walks from every node.

    Parameters
    ----------
    graph : Graph
        Any graph; directions and weights are ignored.
    p, q : float
        Return and in-out parameters.
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
    >>> path = graph_from_ids([0, 1], [1, 2], n_nodes=3)
    >>> walks = biased_walks(path, p=1e9, q=1.0, n_walks=1, length=3)  # never turns back if it can go on
    >>> sorted(walks[walks[:, 0] != 1].tolist())
    [[0, 1, 2], [2, 1, 0]]
    """
    check_walks(n_walks, length)
    if not (0 < p < np.inf and 0 < q < np.inf):
        raise ParameterError(f"p is {p} and q {q}; both must be positive and finite")
    rng = np.random.default_rng(seed)
    starts = start_nodes(graph.n_nodes, n_walks, rng)
    return _walk(graph.indptr, graph.indices, starts, length, float(p), float(q), rng)


@njit(nogil=True, cache=True)
def _adjacent(indptr: NDArray[np.int64], indices: NDArray[np.int32], u: int, v: int) -> bool:
    low, high = indptr[u], indptr[u + 1]
    while low < high:
        middle = (low + high) // 2
        if indices[middle] < v:
            low = middle + 1
        else:
            high = middle
    return low < indptr[u + 1] and indices[low] == v


@njit(nogil=True, cache=True)
def _walk(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    starts: NDArray[np.int32],
    length: int,
    p: float,
    q: float,
    rng: np.random.Generator,
) -> NDArray[np.int32]:
    # A uniform neighbour kept with probability weight / largest weight follows the biased distribution
    # exactly, without a table per arc. A walk at a leaf has one way to go, however small its weight.
    walks = np.full((starts.size, length), -1, dtype=np.int32)
    largest = max(1 / p, 1.0, 1 / q)
    for walk, start in enumerate(starts):
        node, previous = start, np.int32(-1)
        walks[walk, 0] = node
        for step in range(1, length):
            degree = indptr[node + 1] - indptr[node]
            if degree == 0:
                break
            while True:
                proposed = indices[indptr[node] + int(rng.random() * degree)]
                if previous < 0 or degree == 1:
                    break
                if proposed == previous:
                    weight = 1 / p
                elif _adjacent(indptr, indices, previous, proposed):
                    weight = 1.0
                else:
                    weight = 1 / q
                if rng.random() * largest < weight:
                    break
            previous, node = node, proposed
            walks[walk, step] = node
    return walks


def embed(
    graph: Graph,
    *,
    seed: int = 0,
    p: float = 1.0,
    q: float = 1.0,
    dimension: int = 128,
    n_walks: int = 10,
    length: int = 80,
    window: int = 10,
    epochs: int = 1,
    negative: int = 5,
) -> NDArray[np.float64]:
    """Return node2vec vectors: negative sampling over second-order walks.

    Parameters
    ----------
    graph : Graph
        Any graph; directions and weights are ignored.
    seed : int
        Seeds walks and training.
    p, q : float
        Return and in-out parameters; a small q explores, a small p stays near.
    dimension : int
        Length of the vectors.
    n_walks, length : int
        Walks per node and nodes per walk.
    window : int
        Largest distance of a context node in a walk.
    epochs : int
        Passes over the walks.
    negative : int
        Negative samples per pair.

    Returns
    -------
    ndarray of shape (n_nodes, dimension)

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> embed(graph_from_ids([0, 1], [1, 2], n_nodes=3), dimension=4).shape
    (3, 4)
    """
    walks = biased_walks(graph, p=p, q=q, n_walks=n_walks, length=length, seed=seed)
    return train(
        walks,
        graph.n_nodes,
        dimension=dimension,
        window=window,
        epochs=epochs,
        hierarchical=False,
        negative=negative,
        seed=seed,
    )
