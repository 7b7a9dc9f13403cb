"""ReFeX: recursive structural features.

Henderson, Gallagher, Li, Akoglu, Eliassi-Rad, Tong, Faloutsos: It's who you know: graph mining using
recursive structural features. KDD 2011.

Three base features of every node's egonet (degree, edges inside, edges leaving) are aggregated over
neighbours, by sum and by mean, again and again. A new feature stays only if no simpler one says nearly
the same: features are compared as small integers (vertical logarithmic bins), and two that never differ
by more than a tolerance are linked; of each connected group of features the simplest stays. The tolerance
grows by one per generation, so the recursion ends by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph, csr_array

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph

from .structure import degrees, neighbour_mean, neighbour_sum, triangle_counts

# Sums in another order differ in the last digits; the binning must treat them as equal.
_TIE = 1e-9


@dataclass(frozen=True)
class RecursiveFeatures:
    """The retained features of a graph.

    Attributes
    ----------
    values : ndarray of shape (n_nodes, n_features)
        Feature values before binning.
    bins : ndarray of shape (n_nodes, n_features)
        The same, as vertical logarithmic bins.
    names : tuple of str
        How each feature arises, e.g. ``"mean(sum(degree))"``.
    generations : tuple of int
        Number of aggregations behind each feature.
    """

    values: NDArray[np.float64]
    bins: NDArray[np.int64]
    names: tuple[str, ...]
    generations: tuple[int, ...]


def egonet_features(graph: Graph) -> NDArray[np.float64]:
    """Return degree, number of edges inside the egonet, and number of edges leaving it.

    The egonet of a node is the subgraph induced by the node and its neighbours.

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> triangle_with_tail = graph_from_ids([0, 1, 2, 2], [1, 2, 0, 3], n_nodes=4)
    >>> egonet_features(triangle_with_tail)
    array([[2., 3., 1.],
           [2., 3., 1.],
           [3., 4., 0.],
           [1., 1., 2.]])
    """
    degree = degrees(graph).astype(np.float64)
    inside = degree + triangle_counts(graph)
    # Every inside edge has both its ends among the egonet's members, a leaving one has one.
    leaving = degree + neighbour_sum(graph, degree) - 2 * inside
    return np.column_stack([degree, inside, leaving])


def logarithmic_bins(values: NDArray[np.float64], fraction: float = 0.5) -> NDArray[np.int64]:
    """Map values to vertical logarithmic bins.

    The lowest `fraction` of the nodes gets 0, the lowest `fraction` of the rest gets 1, and so on. Nodes that
    tie with the last of a bin belong to it too.

    Examples
    --------
    >>> import numpy as np
    >>> logarithmic_bins(np.array([5.0, 1.0, 1.0, 2.0, 9.0, 1.0, 3.0, 7.0]))
    array([1, 0, 0, 0, 3, 0, 1, 2])
    """
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    is_last_of_tie = np.append(np.diff(ascending) > _TIE * np.abs(ascending[1:]), True)
    tie_ends = np.flatnonzero(is_last_of_tie) + 1

    bins = np.empty(values.size, dtype=np.int64)
    start, label = 0, 0
    while start < values.size:
        wanted = start + int(np.ceil(fraction * (values.size - start)))
        end = int(tie_ends[np.searchsorted(tie_ends, wanted)])
        bins[order[start:end]] = label
        start, label = end, label + 1
    return bins


def recursive_features(
    graph: Graph, *, bin_fraction: float = 0.5, tolerance: int = 0, max_generations: int | None = None
) -> RecursiveFeatures:
    """Generate recursive features until a generation adds nothing new.

    Parameters
    ----------
    graph : Graph
        Any graph; directions and weights are ignored.
    bin_fraction : float
        Fraction of the remaining nodes that each bin takes.
    tolerance : int
        Disagreement in bins that still counts as the same feature, in the first recursion; one more in each
        further one.
    max_generations : int, optional
        Stop after so many recursions even if features are still appearing.

    Returns
    -------
    RecursiveFeatures

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> triangle_with_tail = graph_from_ids([0, 1, 2, 2], [1, 2, 0, 3], n_nodes=4)
    >>> recursive_features(triangle_with_tail).names
    ('degree', 'leaving', 'sum(degree)')
    """
    if not 0 < bin_fraction < 1:
        raise ParameterError(f"bin_fraction is {bin_fraction}; it must lie strictly between 0 and 1")
    if tolerance < 0:
        raise ParameterError(f"tolerance is {tolerance}; it must be 0 or more")

    def binned(columns: NDArray[np.float64]) -> NDArray[np.int64]:
        return np.column_stack([logarithmic_bins(column, bin_fraction) for column in columns.T])

    names = ["degree", "inside", "leaving"]
    values = egonet_features(graph)
    bins = binned(values)
    kept = _novel(np.empty((graph.n_nodes, 0), dtype=np.int64), bins, tolerance)
    values, bins, names = values[:, kept], bins[:, kept], [names[i] for i in kept]
    generations = [0] * len(names)

    parents, parent_names, generation = values, names, 0
    while len(parent_names) and (max_generations is None or generation < max_generations):
        candidates = np.hstack([neighbour_sum(graph, parents), neighbour_mean(graph, parents)])
        candidate_names = [f"{how}({name})" for how in ("sum", "mean") for name in parent_names]
        candidate_bins = binned(candidates)
        kept = _novel(bins, candidate_bins, tolerance + generation)
        generation += 1

        parents, parent_names = candidates[:, kept], [candidate_names[i] for i in kept]
        values, bins = np.hstack([values, parents]), np.hstack([bins, candidate_bins[:, kept]])
        names = names + parent_names
        generations += [generation] * len(parent_names)
    return RecursiveFeatures(values, bins, tuple(names), tuple(generations))


def _novel(retained: NDArray[np.int64], candidates: NDArray[np.int64], tolerance: int) -> NDArray[np.int64]:
    """Return which candidate features add information to the retained ones.

    Candidates linked, through whatever chain, to a retained feature are dropped; of every other linked
    group the first stays.
    """
    n_retained = retained.shape[1]
    features = np.hstack([retained, candidates])
    n_features = features.shape[1]
    links = np.zeros((n_features, n_features), dtype=bool)
    for i in range(n_retained, n_features):
        difference = np.abs(features - features[:, i : i + 1]).max(axis=0, initial=0)
        links[i] = difference <= tolerance
    _, group = csgraph.connected_components(csr_array(links), directed=False)
    _, first = np.unique(group, return_index=True)
    first.sort()
    return first[first >= n_retained] - n_retained


def embed(
    graph: Graph,
    *,
    seed: int = 0,
    bin_fraction: float = 0.5,
    tolerance: int = 0,
    max_generations: int | None = None,
    binned: bool = False,
) -> NDArray[np.float64]:
    """Return the recursive features themselves, without the factorisation into roles.

    Parameters
    ----------
    graph : Graph
        Any graph; directions and weights are ignored.
    seed : int
        Accepted for uniformity; nothing here is random.
    bin_fraction, tolerance, max_generations
        See :func:`recursive_features`.
    binned : bool
        Return the bins in place of the values.

    Returns
    -------
    ndarray of shape (n_nodes, n_features)

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> embed(graph_from_ids([0, 1, 2, 2], [1, 2, 0, 3], n_nodes=4))
    array([[2., 1., 5.],
           [2., 1., 5.],
           [3., 0., 5.],
           [1., 2., 3.]])
    """
    features = recursive_features(
        graph, bin_fraction=bin_fraction, tolerance=tolerance, max_generations=max_generations
    )
    return features.bins.astype(np.float64) if binned else features.values
