"""GraphWave: how heat spreads from each node, as an empirical characteristic function.

Donnat, Zitnik, Hallac, Leskovec: Learning structural node embeddings via diffusion wavelets. KDD 2018.

The wavelet of node a at scale s is column a of exp(-s L). Its n entries are read as a sample of a distribution, whose
characteristic function phi(t) = mean over m of exp(i t psi_ma) is sampled at evenly spaced points t; real and imaginary
parts, over all scales, are the embedding.
"""

import numpy as np
from scipy import linalg, sparse, special
from scipy.sparse import csgraph
from scipy.sparse import linalg as sparse_linalg

from .structure import adjacency

DENSE_LIMIT = 1500
"""Components up to this size have their second eigenvalue from a dense solver."""

BLOCK_BYTES = 2**26
"""Memory for one block of wavelets."""

TOLERANCE = 1e-9
"""Largest error of an entry of a wavelet by a Chebyshev polynomial."""

N_POINTS, LAST_POINT = 50, 100.0


def laplacian(graph, kind="combinatorial"):
    """Return D - A, or "normalized" I - D^-1/2 A D^-1/2 with a zero row for every isolated node."""
    return sparse.csr_array(csgraph.laplacian(adjacency(graph), normed=kind == "normalized"))


def spectral_bounds(matrix, *, seed=0):
    """Return the smallest non-zero and the largest eigenvalue of a Laplacian; (0, 0) without edges.

    Each component has one zero eigenvalue, so the smallest other one is the least of the components' second.
    """
    component, rng = csgraph.connected_components(matrix, directed=False)[1], np.random.default_rng(seed)
    found = []
    for label in np.flatnonzero(np.bincount(component) > 1):
        members = np.flatnonzero(component == label)
        part = sparse.csr_array(matrix[members][:, members])
        if members.size <= DENSE_LIMIT:
            found.append(linalg.eigvalsh(part.toarray())[[1, -1]])
            continue
        options = {"v0": rng.standard_normal(members.size), "return_eigenvectors": False, "tol": 1e-6}
        last = sparse_linalg.eigsh(part, 1, which="LA", **options)[0]
        found.append([sparse_linalg.eigsh(part, 2, which="SA", ncv=64, **options).max(), last])
    if not found:
        return 0.0, 0.0
    lowest, highest = np.array(found).T
    return float(lowest.min()), float(highest.max())


def scale_range(lowest, highest):
    """Return the smallest and the largest useful scale of a Laplacian's spectrum.

    The published rule: -ln(0.95) and -ln(0.85), over the geometric mean of the smallest non-zero and the largest
    eigenvalue. Without edges every scale gives the same wavelets, and both are 1.

    Examples
    --------
    >>> [round(scale, 4) for scale in scale_range(0.5, 2.0)]
    [0.0513, 0.1625]
    """
    middle = np.sqrt(lowest * highest)
    return (float(-np.log(0.95) / middle), float(-np.log(0.85) / middle)) if lowest > 0 else (1.0, 1.0)


def exact_wavelets(matrix, scales):
    """Return exp(-s L) for every scale s from the eigenvectors of L, shape (n_scales, n, n)."""
    eigenvalues, eigenvectors = linalg.eigh(matrix.toarray())
    return np.stack([(eigenvectors * np.exp(-s * eigenvalues)) @ eigenvectors.T for s in scales])


def chebyshev_coefficients(scale, radius, order):
    """Return the Chebyshev coefficients of exp(-scale x) on [0, 2 radius], degrees 0 to `order`.

    In closed form: exp(-c (1 + y)) = sum over k of (2 - [k = 0]) (-1)^k e^-c I_k(c) T_k(y), with c = scale radius.
    """
    degree = np.arange(order + 1)
    coefficients = 2.0 * (-1.0) ** degree * special.ive(degree, scale * radius)
    coefficients[0] /= 2
    return coefficients


def chebyshev_wavelets(matrix, scales, columns, radius):
    """Return some columns of exp(-s L) for every scale, by a Chebyshev polynomial; the spectrum ends at 2 `radius`."""
    # Coefficients fall like a Gaussian of width sqrt(c), then faster: this many are always enough. Every |T_k| is at
    # most 1 on the spectrum, so those left out bound the error of every entry.
    most = int(np.ceil(10 * np.sqrt(scales.max() * radius + 1) + 30))
    coefficients = np.array([chebyshev_coefficients(s, radius, most) for s in scales])
    tails = np.cumsum(np.abs(coefficients)[:, ::-1], axis=1)[:, ::-1]
    order = max(1, int((tails >= TOLERANCE).sum(axis=1).max()) - 1)
    shifted = matrix / max(radius, 1e-300) - sparse.eye_array(matrix.shape[0], format="csr")
    previous = np.zeros((matrix.shape[0], columns.size))
    previous[columns, np.arange(columns.size)] = 1.0
    current = shifted @ previous
    wavelets = coefficients[:, 0, None, None] * previous + coefficients[:, 1, None, None] * current
    for degree in range(2, order + 1):
        previous, current = current, 2 * (shifted @ current) - previous
        for wavelet, coefficient in zip(wavelets, coefficients[:, degree], strict=True):
            wavelet += coefficient * current
    return wavelets


def characteristic_function(wavelets, n_points=N_POINTS):
    """Return mean exp(i t psi) over each column, at points t from 0 to 100: all real parts, then all imaginary."""
    turn = np.exp(1j * LAST_POINT / (n_points - 1) * wavelets)
    power, found = np.ones_like(turn), []
    for _ in range(n_points):
        found.append(power.mean(axis=0))
        power *= turn
    means = np.column_stack(found)
    return np.hstack([means.real, means.imag])


def graphwave(graph, *, seed=0, method="exact", kind="combinatorial"):
    """Return the sampled characteristic functions of every node's heat wavelets at two scales.

    Parameters
    ----------
    method : {"exact", "chebyshev"}
        All eigenvectors of the Laplacian, O(n^3), or a polynomial in it, whose memory stays bounded.
    kind : {"combinatorial", "normalized"}
        The Laplacian.
    """
    matrix = laplacian(graph, kind)
    scales = np.array(scale_range(*spectral_bounds(matrix, seed=seed)))
    parts = [exact_wavelets(matrix, scales)] if method == "exact" else _blocks(graph, matrix, scales)
    return np.vstack([np.hstack([characteristic_function(wavelets) for wavelets in part]) for part in parts])


def _blocks(graph, matrix, scales):
    # The largest sum of the degrees of two adjacent nodes bounds the spectrum of D - A.
    rows = graph.sources
    bound = float((graph.degrees[rows] + graph.degrees[graph.indices]).max(initial=0))
    block = max(1, BLOCK_BYTES // (8 * max(graph.n_nodes, 1) * (scales.size + 3)))
    for start in range(0, graph.n_nodes, block):
        columns = np.arange(start, min(start + block, graph.n_nodes))
        yield chebyshev_wavelets(matrix, scales, columns, bound / 2)
