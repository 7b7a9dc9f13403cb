"""Quantities that several methods share, and the degree control: four plain numbers that any method should beat."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from vnestruct import embed

Matrix = NDArray[np.float64]


def adjacency(graph):
    """Return the 0/1 adjacency matrix."""
    return sparse.csr_array((np.ones(graph.indices.size), graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)


def neighbour_sum(graph, values):
    """Sum each column of `values` over the neighbours of every node."""
    return adjacency(graph) @ values


def neighbour_mean(graph, values):
    """Average each column of `values` over the neighbours of every node; 0 without neighbours."""
    return (neighbour_sum(graph, values).T / np.maximum(graph.degrees, 1)).T


def neighbour_std(graph, values):
    """Return the population deviation of each column over the neighbours of every node."""
    owner, mean = graph.sources, neighbour_mean(graph, values)
    # Two passes: the mean of squares minus the square of the mean loses digits where all neighbours agree.
    square = np.column_stack([
        np.bincount(owner, (column[graph.indices] - centre[owner]) ** 2, minlength=graph.n_nodes)
        for column, centre in zip(values.T, mean.T, strict=True)
    ])  # fmt: skip
    return np.sqrt((square.T / np.maximum(graph.degrees, 1)).T)


def inner_edges(graph):
    """Return the number of edges between a node and its neighbours and among these: degree and triangles."""
    return embed(graph, 1, kind="sizes", n_jobs=1)[:, 1]


def control(graph, *, seed=0):
    """Return ln(1 + degree), its mean and standard deviation over neighbours, and ln(1 + triangles).

    Examples
    --------
    >>> from vnestruct.graph.synthetic import path
    >>> control(path(3)).round(3)
    array([[0.693, 1.099, 0.   , 0.   ],
           [1.099, 0.693, 0.   , 0.   ],
           [0.693, 1.099, 0.   , 0.   ]])
    """
    degree = np.log1p(graph.degrees)[:, None]
    triangles = np.log1p(inner_edges(graph) - graph.degrees)
    return np.column_stack([degree, neighbour_mean(graph, degree), neighbour_std(graph, degree), triangles])
