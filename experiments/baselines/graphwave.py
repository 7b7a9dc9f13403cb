"""GraphWave: how heat spreads from each node, as an empirical characteristic function.

Donnat, Zitnik, Hallac, Leskovec: Learning structural node embeddings via diffusion wavelets. KDD 2018.

The wavelet of node a at scale s is column a of exp(-s L). Its n entries are read as a sample of a
distribution, whose characteristic function phi(t) = mean over m of exp(i t psi_ma) is sampled at evenly
spaced points t; real and imaginary parts, over all scales, are the embedding.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import linalg, sparse, special
from scipy.sparse import csgraph
from scipy.sparse import linalg as sparse_linalg

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph

from .structure import adjacency, degrees

_DENSE_LIMIT = 1500
"""Components up to this size have their second eigenvalue from a dense solver."""

_BLOCK_BYTES = 2**26
"""Memory for one block of wavelets."""


def laplacian(graph: Graph, kind: Literal["combinatorial", "normalized"] = "combinatorial") -> sparse.csr_array:
    """Return D - A, or I - D^-1/2 A D^-1/2 with a zero row for every isolated node."""
    if kind not in ("combinatorial", "normalized"):
        raise ParameterError(f"laplacian is {kind!r}; choose 'combinatorial' or 'normalized'")
    return sparse.csr_array(csgraph.laplacian(adjacency(graph), normed=kind == "normalized"))


def spectral_bounds(matrix: sparse.csr_array, *, seed: int = 0) -> tuple[float, float]:
    """Return the smallest non-zero and the largest eigenvalue of a Laplacian; (0, 0) without edges.

    Each component has one zero eigenvalue, so the smallest other one is the least of the components' second.
    """
    _, component = csgraph.connected_components(matrix, directed=False)
    rng = np.random.default_rng(seed)
    lowest, highest = np.inf, 0.0
    for label in np.flatnonzero(np.bincount(component) > 1):
        members = np.flatnonzero(component == label)
        part = sparse.csr_array(matrix[members][:, members])
        if members.size <= _DENSE_LIMIT:
            spectrum = linalg.eigvalsh(part.toarray())
            second, last = float(spectrum[1]), float(spectrum[-1])
        else:
            second, last = _extreme_eigenvalues(part, rng)
        lowest, highest = min(lowest, second), max(highest, last)
    return (lowest, highest) if highest else (0.0, 0.0)


def _extreme_eigenvalues(matrix: sparse.csr_array, rng: np.random.Generator) -> tuple[float, float]:
    """Return the second and the last eigenvalue of a connected graph's Laplacian by Lanczos."""
    n_nodes = matrix.shape[0]
    start = rng.standard_normal(n_nodes)
    last = float(sparse_linalg.eigsh(matrix, 1, which="LA", v0=start, return_eigenvectors=False, tol=1e-6)[0])
    smallest = sparse_linalg.eigsh(matrix, 2, which="SA", v0=start, return_eigenvectors=False, tol=1e-6, ncv=64)
    return float(smallest.max()), last


def scale_range(lowest: float, highest: float) -> tuple[float, float]:
    """Return the smallest and the largest useful scale of a Laplacian's spectrum.

    The published rule: -ln(0.95) and -ln(0.85), over the geometric mean of the smallest non-zero and the
    largest eigenvalue. Without edges every scale gives the same wavelets, and both are 1.

    Examples
    --------
    >>> [round(scale, 4) for scale in scale_range(0.5, 2.0)]
    [0.0513, 0.1625]
    """
    if lowest <= 0:
        return 1.0, 1.0
    middle = np.sqrt(lowest * highest)
    return float(-np.log(0.95) / middle), float(-np.log(0.85) / middle)


def exact_wavelets(matrix: sparse.csr_array, scales: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return exp(-s L) for every scale s from the eigenvectors of L, shape (n_scales, n, n)."""
    eigenvalues, eigenvectors = linalg.eigh(matrix.toarray())
    return np.stack([(eigenvectors * np.exp(-s * eigenvalues)) @ eigenvectors.T for s in scales])


def chebyshev_coefficients(scale: float, radius: float, order: int) -> NDArray[np.float64]:
    """Return the Chebyshev coefficients of exp(-scale x) on [0, 2 radius], degrees 0 to `order`.

    In closed form: exp(-c (1 + y)) = sum over k of (2 - [k = 0]) (-1)^k e^-c I_k(c) T_k(y), with c =
    scale radius.
    """
    degree = np.arange(order + 1)
    coefficients = 2.0 * (-1.0) ** degree * special.ive(degree, scale * radius)
    coefficients[0] /= 2
    return coefficients


def chebyshev_order(scale: float, radius: float, tolerance: float) -> int:
    """Return the least order whose neglected coefficients sum to less than `tolerance`.

    Every |T_k| is at most 1 on the spectrum, so this bounds the error of every wavelet entry.
    """
    # Coefficients fall like a Gaussian of width sqrt(c), then faster: this many are always enough.
    most = int(np.ceil(10 * np.sqrt(scale * radius + 1) + 30))
    tails = np.cumsum(np.abs(chebyshev_coefficients(scale, radius, most))[::-1])[::-1]
    return max(1, int(np.count_nonzero(tails >= tolerance)) - 1)


def chebyshev_wavelets(
    matrix: sparse.csr_array,
    scales: NDArray[np.float64],
    columns: NDArray[np.int64],
    *,
    bound: float,
    order: int | None = None,
    tolerance: float = 1e-9,
) -> NDArray[np.float64]:
    """Return the given columns of exp(-s L) for every scale, by a Chebyshev polynomial in L.

    Parameters
    ----------
    matrix : csr_array
        The Laplacian.
    scales : ndarray
        Scales s.
    columns : ndarray of int
        Nodes whose wavelets to compute.
    bound : float
        At least the largest eigenvalue.
    order : int, optional
        Degree of the polynomial; if absent, what `tolerance` needs.
    tolerance : float
        Largest error of an entry when `order` is absent.

    Returns
    -------
    ndarray of shape (n_scales, n_nodes, n_columns)
    """
    n_nodes, radius = matrix.shape[0], bound / 2
    if radius == 0:
        order = 1
    elif order is None:
        order = max(chebyshev_order(float(s), radius, tolerance) for s in scales)
    shifted = (matrix / radius if radius else matrix) - sparse.eye_array(n_nodes, format="csr")
    coefficients = np.array([chebyshev_coefficients(float(s), radius, order) for s in scales])

    previous = np.zeros((n_nodes, columns.size))
    previous[columns, np.arange(columns.size)] = 1.0
    current = shifted @ previous
    wavelets = coefficients[:, 0, None, None] * previous + coefficients[:, 1, None, None] * current
    for degree in range(2, order + 1):
        previous, current = current, 2 * (shifted @ current) - previous
        for wavelet, coefficient in zip(wavelets, coefficients[:, degree], strict=True):
            wavelet += coefficient * current
    return wavelets


@njit(nogil=True, cache=True)
def characteristic_function(wavelets: NDArray[np.float64], step: float, n_points: int) -> NDArray[np.float64]:
    """Return mean exp(i t psi) over each column of wavelets, at t = 0, step, 2 step, ...

    Shape (n_columns, 2, n_points): real parts, then imaginary. Evenly spaced points are powers of one complex
    number per entry, so each entry costs two trigonometric functions in all.
    """
    n_rows, n_columns = wavelets.shape
    sums = np.zeros((n_columns, 2, n_points))
    n_still = np.zeros(n_columns)
    for row in range(n_rows):
        for column in range(n_columns):
            angle = step * wavelets[row, column]
            if abs(angle) * n_points < 1e-13:  # exp(i t psi) is 1 to the last digit
                n_still[column] += 1
                continue
            turn_real, turn_imaginary = np.cos(angle), np.sin(angle)
            real, imaginary = 1.0, 0.0
            for point in range(n_points):
                sums[column, 0, point] += real
                sums[column, 1, point] += imaginary
                real, imaginary = (
                    real * turn_real - imaginary * turn_imaginary,
                    real * turn_imaginary + imaginary * turn_real,
                )
    for column in range(n_columns):
        sums[column, 0] += n_still[column]
    return sums / n_rows


def embed(
    graph: Graph,
    *,
    seed: int = 0,
    scales: tuple[float, ...] | None = None,
    n_scales: int = 2,
    n_points: int = 50,
    last_point: float = 100.0,
    method: Literal["exact", "chebyshev"] = "exact",
    order: int | None = None,
    laplacian_kind: Literal["combinatorial", "normalized"] = "combinatorial",
) -> NDArray[np.float64]:
    """Return the sampled characteristic functions of every node's heat wavelets.

    Parameters
    ----------
    graph : Graph
        Any graph; directions and weights are ignored.
    seed : int
        Seeds the start vector of the eigenvalue solver on large graphs; nothing else is random.
    scales : tuple of float, optional
        Scales of the heat kernel; if absent, `n_scales` evenly spaced ones over :func:`scale_range`.
    n_scales : int
        Number of scales when they are chosen from the spectrum.
    n_points, last_point
        The characteristic function is sampled at `n_points` evenly spaced points from 0 to `last_point`.
    method : {"exact", "chebyshev"}
        All eigenvectors of the Laplacian, O(n^3), or a polynomial in it, whose memory stays bounded.
    order : int, optional
        Degree of the polynomial; chosen for an error of 1e-9 per wavelet entry if absent.
    laplacian_kind : {"combinatorial", "normalized"}
        D - A, or the symmetric normalised Laplacian.

    Returns
    -------
    ndarray of shape (n_nodes, n_scales * 2 * n_points)
        By scale: real parts, then imaginary parts.

    Examples
    --------
    >>> from vnestruct.graph import graph_from_ids
    >>> path = graph_from_ids([0, 1], [1, 2], n_nodes=3)
    >>> embedding = embed(path)
    >>> embedding.shape, bool(abs(embedding[0] - embedding[2]).max() < 1e-12)
    ((3, 200), True)
    """
    if method not in ("exact", "chebyshev"):
        raise ParameterError(f"method is {method!r}; choose 'exact' or 'chebyshev'")
    if n_points < 2 or n_scales < 1:
        raise ParameterError(f"n_points is {n_points} and n_scales {n_scales}; they must be at least 2 and 1")
    matrix = laplacian(graph, laplacian_kind)
    if scales is None:
        chosen = np.linspace(*scale_range(*spectral_bounds(matrix, seed=seed)), n_scales)
    else:
        chosen = np.array(scales, dtype=np.float64)
    if not (chosen > 0).all():
        raise ParameterError(f"scales are {tuple(chosen)}; each must be positive")

    step = last_point / (n_points - 1)
    n_nodes = graph.n_nodes
    embedding = np.empty((n_nodes, chosen.size, 2, n_points))
    if method == "exact":
        for index, wavelets in enumerate(exact_wavelets(matrix, chosen)):
            embedding[:, index] = characteristic_function(wavelets, step, n_points)
    else:
        bound = 2.0 if laplacian_kind == "normalized" else _largest_eigenvalue_bound(graph)
        block = max(1, _BLOCK_BYTES // (8 * max(n_nodes, 1) * (chosen.size + 3)))
        for start in range(0, n_nodes, block):
            columns = np.arange(start, min(start + block, n_nodes))
            for index, wavelets in enumerate(chebyshev_wavelets(matrix, chosen, columns, bound=bound, order=order)):
                embedding[columns, index] = characteristic_function(wavelets, step, n_points)
    return embedding.reshape(n_nodes, -1)


def _largest_eigenvalue_bound(graph: Graph) -> float:
    """Return the largest sum of the degrees of two adjacent nodes, a bound on the spectrum of D - A."""
    degree = degrees(graph)
    rows = np.repeat(np.arange(graph.n_nodes), degree)
    return float((degree[rows] + degree[graph.indices]).max(initial=0))
