"""The quadrature for x ln x, and the entropy of a spectrum."""

from __future__ import annotations

import numpy as np
import pytest

from vnestruct.graph_entropy import density_entropy
from vnestruct.kernels.spectral_sums import LINEAR, SHIFTS, SQUARE, WEIGHTS


def test_the_quadrature_is_as_exact_as_stated() -> None:
    x = np.concatenate([np.geomspace(1e-18, 1.0, 20_000), np.linspace(1e-6, 1.0, 20_000)])
    logs = np.log1p(x[:, np.newaxis] / SHIFTS) @ WEIGHTS
    error = np.abs(x * LINEAR + x * x * SQUARE - logs - x * np.log(x))
    assert (error / (x + 1e-4)).max() <= 1.1e-11
    assert (np.diff(SHIFTS) > 0).all()
    assert (WEIGHTS > 0).all()


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
