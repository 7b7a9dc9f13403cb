"""The degree control: four plain numbers per node that any role method should beat."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vnestruct.graph import Graph

from .structure import degrees, neighbour_mean, triangle_counts


def embed(graph: Graph, *, seed: int = 0) -> NDArray[np.float64]:
    """Return ln(1 + degree), its mean and standard deviation over neighbours, and ln(1 + triangles).

    Parameters
    ----------
    graph : Graph
        Any graph; directions and weights are ignored.
    seed : int
        Accepted for uniformity; nothing here is random.

    Returns
    -------
    ndarray of shape (n_nodes, 4)
        A node without neighbours has mean and deviation 0. The deviation is the population's.

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> path = graph_from_ids([0, 1], [1, 2], n_nodes=3)
    >>> embed(path).round(3)
    array([[0.693, 1.099, 0.   , 0.   ],
           [1.099, 0.693, 0.   , 0.   ],
           [0.693, 1.099, 0.   , 0.   ]])
    """
    degree = degrees(graph)
    log_degree = np.log1p(degree)
    mean = neighbour_mean(graph, log_degree)

    # Two passes: the mean of squares minus the square of the mean loses digits where all neighbours agree.
    rows = np.repeat(np.arange(graph.n_nodes), degree)
    squares = (log_degree[graph.indices] - mean[rows]) ** 2
    variance = np.bincount(rows, weights=squares, minlength=graph.n_nodes) / np.maximum(degree, 1)
    return np.column_stack([log_degree, mean, np.sqrt(variance), np.log1p(triangle_counts(graph))])
