"""Distances between graphs, from their entropies."""

from collections.abc import Iterable
from typing import Any, Literal, overload

import numpy as np

from vnestruct.embedding import embed
from vnestruct.embedding.spectrum import EXACT_LIMIT
from vnestruct.errors import ParameterError, one_of, whole_number
from vnestruct.graph import Graph, GraphSet
from vnestruct.graph_entropy import INTERVAL, check_size, density_entropy, shared_densities
from vnestruct.io import as_graph
from vnestruct.kernels import wasserstein
from vnestruct.stochastic_entropy import Density, Interval, estimate
from vnestruct.types import ValueArray

METHODS = ("auto", "jensen-shannon", "signatures")

_PRECISION = 1e-5  # of the entropies of large graphs: their differences are small


@overload
def graph_distance(
    g1: Any, g2: Any, *, method: str = ..., radius: int = ..., weighted: bool = ..., interval: Literal[False] = ...,
    random_state: int = ..., **options: Any,
) -> float: ...  # fmt: skip
@overload
def graph_distance(
    g1: Any, g2: Any, *, method: str = ..., radius: int = ..., weighted: bool = ..., interval: Literal[True],
    random_state: int = ..., **options: Any,
) -> Interval: ...  # fmt: skip
def graph_distance(
    g1: Any, g2: Any, *, method: str = "auto", radius: int = 2, weighted: bool = False, interval: bool = False,
    random_state: int = 0, **options: Any,
) -> float | Interval:  # fmt: skip
    """Return the distance between two graphs.

    Parameters
    ----------
    g1, g2 : graph
        Anything `as_graph` takes.
    method : {"auto", "jensen-shannon", "signatures"}, default "auto"
        "jensen-shannon" compares graphs on the same nodes, matched by label: the square root of the Jensen-Shannon
        divergence of their density matrices, from exact entropies, at most sqrt(ln 2) = 0.833; more than 4,000 nodes
        need `interval`.
        "signatures" compares any two graphs: the Wasserstein distance between the distributions of each entropy column,
        combined by the Euclidean norm over columns; isomorphic graphs have distance 0. "auto" uses the first if both
        graphs have the same nodes and are small enough, else the second.
    weighted : bool, default False
        Use edge weights.
    interval : bool, default False
        Return an `Interval`, by "jensen-shannon" whatever the number of nodes: above 4,000, entropies are estimated as
        in `entropy`.
    random_state : int, default 0
        Seed of the estimate.
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
    whole_number("random_state", random_state, 0)
    if interval and method == "signatures":
        raise ParameterError(f"`method={method!r}` has no `interval`")
    if method == "auto":
        fits = first.n_nodes == second.n_nodes <= EXACT_LIMIT
        is_comparable = interval or (fits and set(first.nodes.tolist()) == set(second.nodes.tolist()))
        method = "jensen-shannon" if is_comparable else "signatures"
    if method == "jensen-shannon":
        distance = _jensen_shannon(first, second, weighted, interval, random_state)
        return distance if interval else distance.value
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


def _jensen_shannon(first: Graph, second: Graph, weighted: bool, interval: bool, random_state: int) -> Interval:
    one, other = shared_densities(first, second, weighted)
    n_nodes = one.null.size
    if one.matrix is None or other.matrix is None:
        # Without edges on one side the two are orthogonal; without edges on both they are the same.
        divergence = float(np.log(2.0)) if one.matrix is not other.matrix else 0.0
    elif n_nodes <= EXACT_LIMIT or not interval:
        check_size(n_nodes, INTERVAL)
        dense = np.array([one.toarray(), other.toarray()])
        divergence = density_entropy(dense.mean(axis=0)) - 0.5 * sum(map(density_entropy, dense))
    else:
        middle = Density(0.5 * (one.matrix + other.matrix), one.null)
        found = estimate([(1.0, middle), (-0.5, one), (-0.5, other)], random_state, _PRECISION)
        return Interval(*(float(np.sqrt(max(x, 0.0))) for x in (found.value, found.low, found.high)))
    distance = float(np.sqrt(max(divergence, 0.0)))
    return Interval(distance, distance, distance)
