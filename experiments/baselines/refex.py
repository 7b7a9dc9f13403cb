"""ReFeX: recursive structural features.

Henderson, Gallagher, Li, Akoglu, Eliassi-Rad, Tong, Faloutsos: It's who you know: graph mining using recursive
structural features. KDD 2011.

Three base features of every node's egonet (degree, edges inside, edges leaving) are aggregated over neighbours, by sum
and by mean, again and again. A new feature stays only if no simpler one says nearly the same: features are compared as
small integers (vertical logarithmic bins), and two that never differ by more than a tolerance are linked; of each
connected group of features the simplest stays. The tolerance is 0 at first and grows by one per generation, so the
recursion ends by itself.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph, csr_array

from .structure import Matrix, inner_edges, neighbour_mean, neighbour_sum

TIE = 1e-9
"""Sums in another order differ in the last digits; the binning must treat them as equal."""

FRACTION = 0.5
"""The share of the remaining nodes that each bin takes."""

Bins = NDArray[np.int64]


class RecursiveFeatures(NamedTuple):
    """The retained features of all nodes: values before binning, bins, and how each feature arises."""

    values: Matrix
    bins: Bins
    names: list[str]


def egonet_features(graph):
    """Return degree, number of edges inside the egonet (a node and its neighbours), and number of edges leaving it.

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> egonet_features(graph_from_ids([0, 1, 2, 2], [1, 2, 0, 3], n_nodes=4))
    array([[2., 3., 1.],
           [2., 3., 1.],
           [3., 4., 0.],
           [1., 1., 2.]])
    """
    degree, inside = graph.degrees.astype(np.float64), inner_edges(graph)
    # Every inside edge has both its ends among the egonet's members, a leaving one has one.
    return np.column_stack([degree, inside, degree + neighbour_sum(graph, degree) - 2 * inside])


def logarithmic_bins(values):
    """Map values to vertical logarithmic bins.

    The lowest half of the nodes gets 0, the lowest half of the rest gets 1, and so on. Nodes that tie with the last of
    a bin belong to it too.

    Examples
    --------
    >>> logarithmic_bins(np.array([5.0, 1.0, 1.0, 2.0, 9.0, 1.0, 3.0, 7.0]))
    array([1, 0, 0, 0, 3, 0, 1, 2])
    """
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    tie_ends = np.flatnonzero(np.append(np.diff(ascending) > TIE * np.abs(ascending[1:]), True)) + 1
    bins, start, label = np.empty(values.size, np.int64), 0, 0
    while start < values.size:
        wanted = start + int(np.ceil(FRACTION * (values.size - start)))
        end = int(tie_ends[np.searchsorted(tie_ends, wanted)])
        bins[order[start:end]] = label
        start, label = end, label + 1
    return bins


def recursive_features(graph):
    """Generate recursive features until a generation adds nothing new.

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> recursive_features(graph_from_ids([0, 1, 2, 2], [1, 2, 0, 3], n_nodes=4)).names
    ['degree', 'leaving', 'sum(degree)']
    """
    found = RecursiveFeatures(np.empty((graph.n_nodes, 0)), np.empty((graph.n_nodes, 0), np.int64), [])
    candidates, names, tolerance = egonet_features(graph), ["degree", "inside", "leaving"], 0
    while names:
        bins = np.column_stack([logarithmic_bins(column) for column in candidates.T])
        kept = _novel(found.bins, bins, tolerance)
        tolerance += bool(found.names)  # the first recursion is as strict as the start
        parents, parent_names = candidates[:, kept], [names[i] for i in kept]
        values, every = np.hstack([found.values, parents]), np.hstack([found.bins, bins[:, kept]])
        found = RecursiveFeatures(values, every, found.names + parent_names)
        names = [f"{how}({name})" for how in ("sum", "mean") for name in parent_names]
        candidates = np.hstack([neighbour_sum(graph, parents), neighbour_mean(graph, parents)])
    return found


def _novel(retained, candidates, tolerance):
    """Return which candidates add information: no chain of links leads to a retained one, or to one before."""
    features = np.hstack([retained, candidates])
    apart = [np.abs(features - column[:, None]).max(axis=0, initial=0) for column in features.T]
    links = np.array(apart) <= tolerance
    # Retained features stay even if a later, larger tolerance would link them.
    links[: retained.shape[1], : retained.shape[1]] = False
    group = csgraph.connected_components(csr_array(links), directed=False)[1]
    first = np.sort(np.unique(group, return_index=True)[1])
    return first[first >= retained.shape[1]] - retained.shape[1]


def refex(graph, *, seed=0):
    """Return the values of the recursive features."""
    return recursive_features(graph).values
