"""RolX: soft roles from recursive features.

Henderson, Gallagher, Eliassi-Rad, Tong, Basu, Akoglu, Koutra, Faloutsos, Li: RolX: structural role extraction
and mining in large graphs. KDD 2012.

The node-feature matrix V of ReFeX is factorised, non-negatively, into memberships G (node x role) and role
definitions F (role x feature). The number of roles minimises the bits needed to write down G and F, quantised
and Huffman-coded, plus the divergence of V from their product.
"""

from __future__ import annotations

import heapq
import warnings
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph

from .refex import RecursiveFeatures, recursive_features

Transform = Literal["values", "scaled", "logarithm", "bins"]

_PATIENCE = 5
"""The search for the number of roles ends after this many models without a shorter description."""


def factorise(
    matrix: NDArray[np.float64], n_roles: int, *, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Factorise a non-negative matrix into memberships and role definitions, least squares.

    The start is the non-negative part of the SVD, so rows that are equal stay equal. A factorisation is
    unique only up to the scale of each role: here every role's definition has length 1.

    Examples
    --------
    >>> import numpy as np
    >>> memberships, definitions = factorise(np.array([[2.0, 0.0], [4.0, 0.0], [0.0, 3.0]]), 2)
    >>> (memberships @ definitions).round(6)
    array([[2., 0.],
           [4., 0.],
           [0., 3.]])
    """
    model = NMF(n_roles, init="nndsvd", solver="cd", tol=1e-5, max_iter=1000, random_state=seed)
    with warnings.catch_warnings():
        # The last iterate is still a factorisation, and the description length judges it like any other.
        warnings.simplefilter("ignore", ConvergenceWarning)
        memberships = model.fit_transform(matrix)
    definitions = model.components_
    length = np.linalg.norm(definitions, axis=1)
    length[length == 0] = 1.0
    return memberships * length, definitions / length[:, None]


def quantise(
    values: NDArray[np.float64], n_levels: int, *, max_iterations: int = 100
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Quantise values by the Lloyd-Max rule: levels are means of their cells, borders lie half-way.

    Returns the level of every value, and its index.

    Examples
    --------
    >>> import numpy as np
    >>> quantise(np.array([0.0, 0.2, 5.0, 5.4]), 2)[0]
    array([0.1, 0.1, 5.2, 5.2])
    """
    flat = values.ravel()
    levels = np.linspace(flat.min(), flat.max(), 2 * n_levels + 1)[1::2]
    cell = np.searchsorted((levels[1:] + levels[:-1]) / 2, flat)
    for _ in range(max_iterations):
        size = np.bincount(cell, minlength=n_levels)
        mean = np.bincount(cell, weights=flat, minlength=n_levels) / np.maximum(size, 1)
        levels = np.sort(np.where(size > 0, mean, levels))
        new_cell = np.searchsorted((levels[1:] + levels[:-1]) / 2, flat)
        if np.array_equal(new_cell, cell):
            break
        cell = new_cell
    return levels[cell].reshape(values.shape), cell


def huffman_bits(symbols: NDArray[np.int64]) -> int:
    """Return the length in bits of a sequence under its own Huffman code.

    Examples
    --------
    >>> import numpy as np
    >>> huffman_bits(np.array([0, 0, 0, 0, 1, 1, 2, 3]))
    14
    """
    heap = [int(count) for count in np.unique(symbols, return_counts=True)[1]]
    heapq.heapify(heap)
    bits = 0
    while len(heap) > 1:
        merged = heapq.heappop(heap) + heapq.heappop(heap)
        bits += merged
        heapq.heappush(heap, merged)
    return bits


def divergence(matrix: NDArray[np.float64], model: NDArray[np.float64]) -> float:
    """Return the generalised Kullback-Leibler divergence of a matrix from its model, in nats.

    Examples
    --------
    >>> import numpy as np
    >>> divergence(np.array([[1.0, 0.0]]), np.array([[1.0, 2.0]]))
    2.0
    """
    # Quantisation may model a positive entry by 0, which is not impossible, only badly described.
    floor = 1e-9 * max(float(matrix.max(initial=0.0)), 1.0)
    positive = matrix > 0
    entries = matrix[positive]
    logarithms = np.log(entries / np.maximum(model[positive], floor))
    return float((entries * logarithms).sum() - matrix.sum() + model.sum())


def description_length(
    matrix: NDArray[np.float64], memberships: NDArray[np.float64], definitions: NDArray[np.float64]
) -> float:
    """Return the bits that the quantised factors take plus the error they leave, also in bits.

    Each factor is quantised to about log2(n_nodes) levels.
    """
    n_levels = max(2, int(np.ceil(np.log2(matrix.shape[0]))))
    coarse_memberships, membership_codes = quantise(memberships, n_levels)
    coarse_definitions, definition_codes = quantise(definitions, n_levels)
    model_bits = huffman_bits(membership_codes) + huffman_bits(definition_codes)
    return model_bits + divergence(matrix, coarse_memberships @ coarse_definitions) / np.log(2)


def choose_roles(
    matrix: NDArray[np.float64], *, min_roles: int = 2, max_roles: int | None = None, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Factorise with the number of roles of shortest description.

    Examples
    --------
    >>> import numpy as np
    >>> role_a, role_b = [9.0, 1.0, 0.0, 5.0], [0.0, 7.0, 8.0, 1.0]
    >>> choose_roles(np.array([role_a] * 50 + [role_b] * 50))[0].shape
    (100, 2)
    """
    limit = min(matrix.shape) if max_roles is None else min(max_roles, *matrix.shape)
    best_length, best, n_worse = np.inf, None, 0
    for n_roles in range(min(min_roles, limit), limit + 1):
        factors = factorise(matrix, n_roles, seed=seed)
        length = description_length(matrix, *factors)
        if length < best_length:
            best_length, best, n_worse = length, factors, 0
        else:
            n_worse += 1
        if n_worse == _PATIENCE:
            break
    assert best is not None
    return best


def transformed(features: RecursiveFeatures, transform: Transform) -> NDArray[np.float64]:
    """Return the node-feature matrix to factorise."""
    if transform == "values":
        return features.values
    if transform == "scaled":
        largest = features.values.max(axis=0, initial=0.0)
        return features.values / np.where(largest > 0, largest, 1.0)
    if transform == "logarithm":
        return np.log1p(features.values)
    if transform == "bins":
        return features.bins.astype(np.float64)
    raise ParameterError(f"transform is {transform!r}; choose 'values', 'scaled', 'logarithm' or 'bins'")


def embed(
    graph: Graph,
    *,
    seed: int = 0,
    n_roles: int | None = None,
    min_roles: int = 2,
    max_roles: int | None = None,
    transform: Transform = "values",
    bin_fraction: float = 0.5,
    tolerance: int = 0,
) -> NDArray[np.float64]:
    """Return the role memberships of every node.

    Parameters
    ----------
    graph : Graph
        Any graph; directions and weights are ignored.
    seed : int
        Seeds the randomised SVD behind the start of the factorisation.
    n_roles : int, optional
        Number of roles, at most the number of features; chosen by description length if absent.
    min_roles, max_roles : int
        Ends of that choice; by default 2 and as many as there are features.
    transform : {"values", "scaled", "logarithm", "bins"}
        What to factorise: the features' values, the values over their largest, ln(1 + values), or their
        vertical logarithmic bins. The description length knows only the first in its own units, so give
        `n_roles` with the others.
    bin_fraction, tolerance
        See :func:`experiments.baselines.refex.recursive_features`, which also gives the features themselves.

    Returns
    -------
    ndarray of shape (n_nodes, n_roles)

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> star = graph_from_ids([0, 0, 0], [1, 2, 3], n_nodes=4)
    >>> roles = embed(star, n_roles=2)
    >>> bool(abs(roles[1] - roles[2]).max() < 1e-12)
    True
    """
    features = recursive_features(graph, bin_fraction=bin_fraction, tolerance=tolerance)
    matrix = transformed(features, transform)
    if n_roles is None:
        return choose_roles(matrix, min_roles=min_roles, max_roles=max_roles, seed=seed)[0]
    if not 1 <= n_roles <= min(matrix.shape):
        raise ParameterError(
            f"n_roles is {n_roles}; the graph has {matrix.shape[0]} nodes and {matrix.shape[1]} features, "
            f"so it must lie between 1 and {min(matrix.shape)}"
        )
    return factorise(matrix, n_roles, seed=seed)[0]
