"""The quadrature for x ln x, and the entropy of a spectrum."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

from tests.kernels.calls import tridiagonal_sum
from vnestruct.graph_entropy import density_entropy
from vnestruct.kernels.spectral_sums import (
    LINEAR,
    SHIFTS,
    SHORT,
    SHORT_CONSTANT,
    SHORT_LINEAR,
    SHORT_SQUARE,
    SQUARE,
    WEIGHTS,
)


def test_the_quadrature_is_as_exact_as_stated() -> None:
    x = np.concatenate([np.geomspace(1e-18, 1.0, 20_000), np.linspace(1e-6, 1.0, 20_000)])
    logs = np.log1p(x[:, np.newaxis] / SHIFTS[:32]) @ WEIGHTS[:32]
    error = np.abs(x * LINEAR + x * x * SQUARE - logs - x * np.log(x))
    assert (error / (x + 1e-4)).max() <= 1.1e-11
    assert (np.diff(SHIFTS[:32]) > 0).all()
    assert (WEIGHTS[:32] > 0).all()


def test_the_short_quadrature_is_as_exact_as_stated() -> None:
    x = np.concatenate([np.geomspace(1.0 / SHORT, 1.0, 20_000), np.linspace(1.0 / SHORT, 1.0, 20_000)])
    polynomial = SHORT_CONSTANT + x * SHORT_LINEAR + x * x * SHORT_SQUARE
    error = np.abs(polynomial - np.log(x[:, np.newaxis] + SHIFTS[32:]) @ WEIGHTS[32:] - x * np.log(x))
    assert error.max() <= 1.2e-13
    assert (WEIGHTS[44:] == 0).all()


@pytest.mark.parametrize("shift", [0.0, 1.0])
@pytest.mark.parametrize("size", [2, 3, 40, 700])
@pytest.mark.parametrize("largest", [3.0, 900.0, 1022.9, 1023.1, 1e6])
def test_sum_over_a_tridiagonal_matrix(size: int, largest: float, shift: float) -> None:
    """On both sides of the border between the quadratures."""
    off = np.random.default_rng(size).uniform(0.1, 1.0, size - 1) * largest / 4
    diagonal = np.zeros(size)
    diagonal[:-1] += off
    diagonal[1:] += off
    eigenvalues = np.clip(linalg.eigvalsh_tridiagonal(diagonal, -off), 1e-300, None) + shift
    expected = (eigenvalues * np.log(eigenvalues)).sum()
    found = tridiagonal_sum(diagonal, np.append(-off, 0.0), size, shift)
    assert abs(found - expected) <= 3e-11 * eigenvalues.sum()


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], 0.0),
        ([0.0, 0.0], 0.0),
        ([5.0], 0.0),
        ([3.0, 0.0, 3.0], np.log(2)),
        ([3.0, -1e-16, 3.0, 1e-17], np.log(2)),
        ([1.0] * 7, np.log(7)),
        ([-1e-18, -1e-19], 0.0),
    ],
)
def test_entropy_of_a_spectrum(values: list[float], expected: float) -> None:
    found = density_entropy(np.diag(np.array(values, dtype=float)))
    assert found == pytest.approx(expected, abs=1e-15)
    assert not np.signbit(found)
