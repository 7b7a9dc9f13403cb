"""The largest eigenvalue of a growing tridiagonal matrix, and the last component of its eigenvector."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numba import njit
from scipy.linalg import eigh_tridiagonal

from tests.cases import for_each
from vnestruct.kernels.lanczos import RESIDUAL
from vnestruct.kernels.tridiagonal import is_checked, largest_ritz
from vnestruct.kernels.vector import WIDTH, load, store

Pair = tuple[np.ndarray, np.ndarray]


@njit
def largest_ritz_lanes(alpha, beta2, last, state):  # type: ignore[no-untyped-def]
    value, component2 = largest_ritz(alpha, beta2, last, 1, load(state, 0), load(state, 1))
    store(state, 2, value)
    store(state, 3, component2)


def lanczos_matrix(values: np.ndarray, size: int, start: np.ndarray) -> Pair:
    """What Lanczos makes of a diagonal matrix, with full reorthogonalisation."""
    vectors = [start / np.linalg.norm(start)]
    alpha, beta = [], [0.0]
    for _ in range(size):
        w = values * vectors[-1]
        alpha.append(float(w @ vectors[-1]))
        for _ in range(2):
            for v in vectors:
                w = w - (v @ w) * v
        beta.append(float(np.linalg.norm(w)))
        if beta[-1] < 1e-12 * values.max():
            break
        vectors.append(w / beta[-1])
    return np.array(alpha), np.array(beta[: len(alpha)])


def grown(alpha: np.ndarray, beta: np.ndarray) -> Iterator[tuple[int, float, float]]:
    """Step, Ritz value and squared last component after every step checked, each from the one before."""
    diagonal, beta2 = np.repeat(alpha, WIDTH), np.repeat(np.append(beta**2, 0.0), WIDTH)
    lanes = np.zeros((4, WIDTH))
    for step in range(alpha.size):
        if is_checked(step):
            largest_ritz_lanes(diagonal, beta2, step, lanes.ravel())
            theta, component2 = lanes[2:, 0].tolist()
            # What Lanczos would call the residual after this step.
            lanes[:2, 0] = theta, beta2[(step + 1) * WIDTH] * component2
            yield step, theta, component2


def check(alpha: np.ndarray, beta: np.ndarray) -> int:
    """Compare all steps until an iteration with the true residual would have ended; return their number."""
    scale = np.abs(alpha).max() + 2 * beta.max()
    step, before = 0, 0.0
    for step, theta, component2 in grown(alpha, beta):
        values, vectors = eigh_tridiagonal(alpha[: step + 1], beta[1 : step + 1])
        assert abs(theta - values[-1]) <= 1e-11 * scale, step
        assert theta >= before - 1e-14 * scale, step
        # The residual decides when to stop: it must not be taken for much smaller or larger than it is.
        coupling = beta[step + 1] if step + 1 < beta.size else 0.0
        found, true = coupling * np.sqrt(component2), coupling * abs(vectors[-1, -1])
        assert true / 2 - 1e-8 * scale <= found <= 2 * true + 1e-8 * scale, (step, found, true)
        if true <= RESIDUAL * theta:
            break
        before = theta
    return step + 1


def spectra(seed: int) -> Iterator[tuple[np.ndarray, int, np.ndarray]]:
    """Eigenvalues, steps of Lanczos, and a start."""
    generator = np.random.default_rng(seed)
    for size in (2, 3, 10, 41, 120, 300):
        yield generator.uniform(0.0, 10.0, size), min(size, 150), generator.normal(size=size)
    # Lanczos first sees one value between two close ones and then tells them apart: the new one appears at the old.
    for gap in (1e-1, 1e-3, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-11, 0.0):
        values = np.append([10.0, 10.0 * (1 - gap)], generator.uniform(0.0, 5.0, 28))
        yield values, 30, generator.normal(size=30)
    # Of a path: values crowd at the end. From uneven starts the top value may show late, far right of the one before.
    yield 2 - 2 * np.cos(np.pi * np.arange(300) / 300), 250, generator.normal(size=300)
    for size in generator.integers(20, 80, 6):
        values = 2 - 2 * np.cos(np.pi * np.arange(size) / size)
        yield values, 39, generator.normal(size=size) * 10.0 ** generator.uniform(-9.0, 0.0, size)


@for_each("seed", range(8))
def test_matrices_of_known_spectra(seed: int) -> None:
    steps = [check(*lanczos_matrix(*spectrum)) for spectrum in spectra(seed)]
    assert max(steps) > 100


@for_each("seed", range(10))
@for_each("size", [1, 2, 5, 20, 39, 40, 41, 57, 120, 400])
def test_random_matrices_that_decide_at_the_start(size: int, seed: int) -> None:
    """The eigenvector of the largest value leans on the first row, as that of a Lanczos matrix does."""
    generator = np.random.default_rng(seed)
    alpha, beta = generator.uniform(0.0, 10.0, size), np.append(0.0, generator.uniform(0.01, 5.0, size - 1))
    alpha[0] += 12.0
    check(alpha, beta)
