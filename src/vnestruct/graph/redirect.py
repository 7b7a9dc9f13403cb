"""The same graph with or without directions."""

from __future__ import annotations

import numpy as np

from vnestruct.graph.graph import IN, OUT, Graph
from vnestruct.graph.validate import reverse_entries


def with_directions(graph: Graph) -> Graph:
    """Return the graph with every edge as two arcs; a directed graph comes back as it is.

    Parameters
    ----------
    graph : Graph
        Any graph.

    Returns
    -------
    Graph
        A directed graph; each arc has its edge's weight.

    Examples
    --------
    >>> from vnestruct.graph import graph_from_pairs
    >>> with_directions(graph_from_pairs(["a"], ["b"]))
    Graph(2 nodes, 1 edge, directed with 2 arcs)
    """
    if graph.directed:
        return graph
    directions = np.full(graph.indices.size, OUT | IN, dtype=np.uint8)
    return Graph._trusted(
        graph.indptr,
        graph.indices,
        graph.weights,
        graph.nodes,
        True,
        directions=directions,
        report=graph.report,
    )


def without_directions(graph: Graph) -> Graph:
    """Return the graph with its directions dropped; an undirected graph comes back as it is.

    Parameters
    ----------
    graph : Graph
        Any graph.

    Returns
    -------
    Graph
        An undirected graph; the weights of a mutual pair of arcs add.

    Examples
    --------
    >>> from vnestruct.graph import graph_from_pairs
    >>> graph = graph_from_pairs(["a", "b"], ["b", "a"], [2, 3], directed=True)
    >>> without_directions(graph).weights
    array([5., 5.])
    """
    if not graph.directed:
        return graph
    weights = graph.weights
    if weights is not None:
        weights = weights + weights[reverse_entries(graph.indptr, graph.indices)]
    return Graph._trusted(graph.indptr, graph.indices, weights, graph.nodes, report=graph.report)
