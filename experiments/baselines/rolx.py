"""RolX: soft roles from recursive features.

Henderson, Gallagher, Eliassi-Rad, Tong, Basu, Akoglu, Koutra, Faloutsos, Li: RolX: structural role extraction and
mining in large graphs. KDD 2012.

The node-feature matrix V of ReFeX is factorised, non-negatively, into memberships G (node x role) and role definitions
F (role x feature). The number of roles minimises the bits needed to write down G and F, quantised and Huffman-coded,
plus the divergence of V from their product.
"""

import heapq
import warnings

import numpy as np
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning

from .refex import recursive_features

PATIENCE = 5
"""The search for the number of roles ends after this many models without a shorter description."""


def factorise(matrix, n_roles, *, seed=0):
    """Factorise a non-negative matrix into memberships and role definitions of length 1, by least squares.

    The start is the non-negative part of the SVD, so rows that are equal stay equal.

    Examples
    --------
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
    length = np.linalg.norm(model.components_, axis=1)
    length[length == 0] = 1.0
    return memberships * length, model.components_ / length[:, None]


def quantise(values, n_levels):
    """Quantise values by the Lloyd-Max rule: levels are means of their cells, borders lie half-way.

    Returns the level of every value, and its index.

    Examples
    --------
    >>> quantise(np.array([0.0, 0.2, 5.0, 5.4]), 2)[0]
    array([0.1, 0.1, 5.2, 5.2])
    """
    flat = values.ravel()
    levels, cell = np.linspace(flat.min(), flat.max(), 2 * n_levels + 1)[1::2], np.full(flat.size, -1)
    for _ in range(101):
        new_cell = np.searchsorted((levels[1:] + levels[:-1]) / 2, flat)
        if np.array_equal(new_cell, cell):
            break
        cell = new_cell
        size = np.bincount(cell, minlength=n_levels)
        mean = np.bincount(cell, weights=flat, minlength=n_levels) / np.maximum(size, 1)
        levels = np.sort(np.where(size > 0, mean, levels))
    return levels[cell].reshape(values.shape), cell


def huffman_bits(symbols):
    """Return the length in bits of a sequence under its own Huffman code.

    Examples
    --------
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


def description_length(matrix, memberships, definitions):
    """Return the bits of the factors, quantised to about log2(n) levels, and of the divergence that is left."""
    n_levels = max(2, int(np.ceil(np.log2(matrix.shape[0]))))
    (coarse, codes), (coarse_definitions, more) = (quantise(one, n_levels) for one in (memberships, definitions))
    model = coarse @ coarse_definitions
    # Quantisation may model a positive entry by 0, which is not impossible, only badly described.
    positive, floor = matrix > 0, 1e-9 * max(float(matrix.max(initial=0.0)), 1.0)
    logarithms = np.log(matrix[positive] / np.maximum(model[positive], floor))
    nats = float((matrix[positive] * logarithms).sum() - matrix.sum() + model.sum())
    return huffman_bits(codes) + huffman_bits(more) + nats / np.log(2)


def choose_roles(matrix, *, seed=0):
    """Return the memberships with the number of roles of shortest description, at least 2.

    Examples
    --------
    >>> role_a, role_b = [9.0, 1.0, 0.0, 5.0], [0.0, 7.0, 8.0, 1.0]
    >>> choose_roles(np.array([role_a] * 50 + [role_b] * 50)).shape
    (100, 2)
    """
    limit, best, n_worse = min(matrix.shape), (np.inf, matrix), 0
    for n_roles in range(min(2, limit), limit + 1):
        factors = factorise(matrix, n_roles, seed=seed)
        length = description_length(matrix, *factors)
        n_worse = 0 if length < best[0] else n_worse + 1
        best = (length, factors[0]) if n_worse == 0 else best
        if n_worse == PATIENCE:
            break
    return best[1]


def scaled(values):
    """Return features over their largest value, so that large sums do not drown the rest."""
    largest = values.max(axis=0, initial=0.0)
    return values / np.where(largest > 0, largest, 1.0)


def rolx(graph, *, seed=0, n_roles=None):
    """Return the role memberships of every node.

    With a number of roles (at most that of the features), of features over their largest value; otherwise with the
    number of shortest description, which is in units of the features themselves.
    """
    values = recursive_features(graph).values
    if n_roles is None:
        return choose_roles(values, seed=seed)
    return factorise(scaled(values), min(n_roles, *values.shape), seed=seed)[0]
