"""Distances between graphs, from their entropies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from vnestruct.checks import one_of
from vnestruct.embedding import embed
from vnestruct.embedding.tasks import EXACT_LIMIT
from vnestruct.graph import Graph, GraphSet
from vnestruct.graph_entropy import density_entropy, shared_densities
from vnestruct.io import as_graph
from vnestruct.kernels import wasserstein
from vnestruct.types import ValueArray

METHODS = ("auto", "jensen-shannon", "signatures")


def graph_distance(
    g1: Any, g2: Any, *, method: str = "auto", radius: int = 2, weighted: bool = False, **options: Any
) -> float:
    """Return the distance between two graphs.

    Parameters
    ----------
    g1, g2 : graph
        Anything `as_graph` takes.
    method : {"auto", "jensen-shannon", "signatures"}, default "auto"
        "jensen-shannon" compares graphs on the same nodes, matched by label: the square root of the Jensen-Shannon
        divergence of their density matrices, from exact entropies, at most sqrt(ln 2) = 0.833; up to 4,000 nodes.
        "signatures" compares any two graphs: the Wasserstein distance between the distributions of each entropy column,
        combined by the Euclidean norm over columns; isomorphic graphs have distance 0. "auto" uses the first if both
        graphs have the same nodes and are small enough, else the second.
    weighted : bool, default False
        Use edge weights.
    radius, **options
        Parameters of `embed`, for "signatures".

    Examples
    --------
    >>> from vnestruct import graph_distance
    >>> ring = [(i, (i + 1) % 20) for i in range(20)]
    >>> round(graph_distance(ring, ring), 6)
    0.0
    >>> graph_distance(ring, ring[1:]) < graph_distance(ring, ring[10:] + [(0, 9)])
    True
    """
    one_of("method", method, METHODS)
    first, second = as_graph(g1), as_graph(g2)
    if method == "auto":
        method = "jensen-shannon" if _comparable(first, second) else "signatures"
    if method == "jensen-shannon":
        return _jensen_shannon(first, second, weighted)
    return float(graph_distances([first, second], radius=radius, weighted=weighted, **options)[0, 1])


def graph_distances(graphs: GraphSet | Iterable[Any], *, radius: int = 2, **options: Any) -> ValueArray:
    """Return the square matrix of distances between graphs, from the distributions of their signatures.

    All graphs are embedded in one call. The entry (i, j) is ``graph_distance(g_i, g_j, method="signatures")``.

    Parameters
    ----------
    graphs : GraphSet or iterable of graphs
        The graphs.
    radius, **options
        Parameters of `embed`.

    Examples
    --------
    >>> from vnestruct import graph_distances
    >>> ring = [(i, (i + 1) % 6) for i in range(6)]
    >>> graph_distances([ring, ring, ring + [(0, 3)]]).round(3)
    array([[0.   , 0.   , 0.107],
           [0.   , 0.   , 0.107],
           [0.107, 0.107, 0.   ]])
    """
    collection = graphs if isinstance(graphs, GraphSet) else GraphSet.from_graphs([as_graph(g) for g in graphs])
    columns = np.ascontiguousarray(embed(collection, radius, **options).T)
    for i in range(len(collection)):
        columns[:, collection.slice(i)].sort(axis=1)
    distances = np.zeros((len(collection), len(collection)))
    wasserstein.pairwise_wasserstein(columns, collection.offsets, distances)
    return distances


def _comparable(first: Graph, second: Graph) -> bool:
    fits = first.n_nodes == second.n_nodes <= EXACT_LIMIT
    return fits and bool(set(first.nodes.tolist()) == set(second.nodes.tolist()))


def _jensen_shannon(first: Graph, second: Graph, weighted: bool) -> float:
    one, other = shared_densities(first, second, weighted)
    divergence = density_entropy(0.5 * (one + other)) - 0.5 * (density_entropy(one) + density_entropy(other))
    return float(np.sqrt(max(divergence, 0.0)))
