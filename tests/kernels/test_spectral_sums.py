"""The quadratures for x ln x, and the sum over a tridiagonal matrix."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from tests.cases import for_each
from tests.kernels.calls import tridiagonal_sum
from vnestruct.kernels import spectral_sums
from vnestruct.kernels.spectral_sums import LINEAR, SHIFTS, SHORT, SQUARE, WEIGHTS


def test_the_quadrature_is_as_exact_as_stated() -> None:
    x = np.concatenate([np.geomspace(1e-18, 1.0, 20_000), np.linspace(1e-6, 1.0, 20_000)])
    logs = np.log1p(x[:, np.newaxis] / SHIFTS[:32]) @ WEIGHTS[:32]
    error = np.abs(x * LINEAR + x * x * SQUARE - logs - x * np.log(x))
    assert (error / (x + 1e-4)).max() <= 1.1e-11


def test_the_short_quadrature_is_as_exact_as_stated() -> None:
    x = np.concatenate([np.geomspace(1.0 / SHORT, 1.0, 20_000), np.linspace(1.0 / SHORT, 1.0, 20_000)])
    polynomial = spectral_sums.SHORT_CONSTANT + x * spectral_sums.SHORT_LINEAR + x * x * spectral_sums.SHORT_SQUARE
    error = np.abs(polynomial - np.log(x[:, np.newaxis] + SHIFTS[32:]) @ WEIGHTS[32:] - x * np.log(x))
    assert error.max() <= 1.2e-13


@for_each("shift", [0.0, 1.0])
@for_each("size", [2, 3, 16, 17, 40, 700])
@for_each("largest", [3.0, 900.0, 1022.9, 1023.1, 1e6])
def test_sum_over_a_tridiagonal_matrix(size: int, largest: float, shift: float) -> None:
    """On both sides of the border between the quadratures."""
    off = np.random.default_rng(size).uniform(0.1, 1.0, size - 1) * largest / 4
    diagonal = np.append(off, 0.0) + np.append(0.0, off)
    eigenvalues = np.clip(linalg.eigvalsh_tridiagonal(diagonal, -off), 1e-300, None) + shift
    expected = (eigenvalues * np.log(eigenvalues)).sum()
    found = tridiagonal_sum(diagonal, np.append(-off, 0.0), size, shift)
    assert abs(found - expected) <= 3e-11 * eigenvalues.sum()
