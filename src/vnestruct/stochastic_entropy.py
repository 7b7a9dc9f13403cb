"""Entropies of density matrices that are too large for all their eigenvalues: estimates with confidence intervals."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg, sparse, stats
from scipy.sparse.csgraph import connected_components

from vnestruct.execute import resolve_n_jobs
from vnestruct.types import ValueArray

_BATCH = 4  # random vectors that one thread iterates together
_FIRST, _MAX_VECTORS = 8, 64  # random vectors of the first round, and of all rounds together
_STEPS, _MAX_STEPS = 20, 200  # steps after which an iteration is judged, and at which it ends

WIDTH = 0.01
"""Width of an interval, as a share of its value, that ends the rounds; a tenth may come from unfinished iterations."""


@dataclass(frozen=True)
class Interval:
    """An estimate and its 95% confidence interval.

    Attributes
    ----------
    value : float
        The estimate.
    low, high : float
        The ends of the interval; both are `value` where it was computed, not estimated.

    Examples
    --------
    >>> from vnestruct import entropy
    >>> entropy([(0, 1), (1, 2), (2, 0)], "quadratic", interval=True)
    Interval(value=0.5, low=0.5, high=0.5)
    """

    value: float
    low: float
    high: float


class Density(NamedTuple):
    """A density matrix, sparse, of a graph that has edges."""

    matrix: sparse.csr_array | None
    """None for a graph without edges, which has no density matrix."""
    null: ValueArray
    """A vector whose part on any component is mapped to 0."""

    def toarray(self) -> ValueArray:
        """Return it dense.

        For a graph without edges that is the projector on the constant vector: its entropy is also 0, and it is
        orthogonal to the density matrix of every graph with edges.
        """
        n_nodes = self.null.size
        return np.full((n_nodes, n_nodes), 1.0 / n_nodes) if self.matrix is None else self.matrix.toarray()


def estimate(terms: list[tuple[float, Density]], random_state: int, precision: float = 0.1 * WIDTH) -> Interval:
    """Estimate a linear combination of the entropies of density matrices.

    Stochastic Lanczos quadrature (Ubaru, Chen and Saad 2017; for entropies SLaQ, Tsitsulin et al. 2020). For a random
    vector v of signs, v' f(M) v has the mean Tr f(M). Lanczos iterations bracket it: as x ln x has positive even
    derivatives and negative odd ones from the third on, Gauss quadrature is a lower bound of v' M ln(M) v, and
    Gauss-Radau quadrature with the node 0 an upper bound. The interval covers the brackets and, by Student's t, the
    spread between vectors. The part of v in the null space, where x ln x has infinite slope, is removed: it
    contributes 0. All matrices see the same vectors, so that differences vary less. An iteration ends when its bracket
    is narrower than the share `precision` of the entropy.
    """
    operators = [(factor, density.matrix, _null_space(density)) for factor, density in terms]
    batches: list[list[ValueArray]] = []

    def run(batch: int) -> list[ValueArray]:
        signs = np.random.default_rng([random_state, batch]).integers(0, 2, (terms[0][1].null.size, _BATCH)) * 2.0 - 1.0
        ends = [np.zeros(_BATCH), np.zeros(_BATCH)]
        for factor, matrix, null in operators:
            brackets = _brackets(matrix, signs - null @ (null.T @ signs), precision)
            for end, bound in zip(ends, brackets if factor < 0 else brackets[::-1], strict=True):
                end -= factor * bound
        return ends

    with ThreadPoolExecutor(resolve_n_jobs()) as pool:
        while True:
            first = len(batches)
            batches += pool.map(run, range(first, max(2 * first, _FIRST // _BATCH)))
            low, high = np.concatenate(batches, axis=1)
            spread = stats.t.ppf(0.975, low.size - 1) / np.sqrt(low.size)
            ends = float(low.mean() - spread * low.std(ddof=1)), float(high.mean() + spread * high.std(ddof=1))
            value = 0.5 * float(low.mean() + high.mean())
            if ends[1] - ends[0] <= WIDTH * abs(value) or low.size >= _MAX_VECTORS:
                return Interval(value, *ends)


def _null_space(density: Density) -> sparse.csr_array:
    """Return an orthonormal basis: the null vector, cut to each component."""
    n_components, labels = connected_components(density.matrix, directed=False)
    lengths = np.sqrt(np.bincount(labels, density.null**2))
    entries = (density.null / lengths[labels], labels, np.arange(labels.size + 1))
    return sparse.csr_array(entries, shape=(labels.size, n_components))


def _brackets(matrix: Any, vectors: ValueArray, precision: float) -> tuple[ValueArray, ValueArray]:
    """Return a lower and an upper bound of v' M ln(M) v for each column v."""
    norms = np.linalg.norm(vectors, axis=0)
    current, before = vectors / np.where(norms > 0.0, norms, 1.0), np.zeros_like(vectors)
    alphas, betas = np.zeros((2, _MAX_STEPS, norms.size))
    beta = np.zeros(norms.size)
    for step in range(_MAX_STEPS):
        following = matrix @ current
        following -= beta * before
        alphas[step] = np.einsum("ij,ij->j", following, current)
        following -= alphas[step] * current
        beta = np.linalg.norm(following, axis=0)
        # What is left of an invariant subspace is rounding: the iteration is finished there.
        beta[beta <= 1e-14 * np.abs(alphas[: step + 1]).max(axis=0)] = 0.0
        betas[step] = beta
        before, current = current, following / np.where(beta > 0.0, beta, np.inf)
        if (step + 1) % _STEPS == 0 or not beta.any():
            pairs = [_quadratures(alphas[: step + 1, j], betas[: step + 1, j]) for j in range(norms.size)]
            low, high = np.array(pairs).T * norms**2
            if (high - low).mean() <= precision * abs(low.mean()) or not beta.any():
                break
    return low, high


def _quadratures(alpha: ValueArray, beta: ValueArray) -> tuple[float, float]:
    """Return the Gauss quadrature of x ln x, and that of Gauss-Radau with the node 0."""
    n_steps = int(np.argmax(beta == 0.0)) + 1 if (beta == 0.0).any() else alpha.size
    alpha, beta = alpha[:n_steps], beta[:n_steps]
    ratio = 0.0
    for i in range(n_steps):
        pivot = alpha[i] - ratio
        ratio = beta[i] ** 2 / pivot if pivot > 0.0 else 0.0
    sums = []
    for last in ([], [ratio]):
        diagonal = np.append(alpha, last)
        nodes, basis = linalg.eigh_tridiagonal(diagonal, beta[: diagonal.size - 1])
        inside = nodes > 0.0
        sums.append(float((basis[0, inside] ** 2 * nodes[inside] * np.log(nodes[inside])).sum()))
    return sums[0], max(sums)
