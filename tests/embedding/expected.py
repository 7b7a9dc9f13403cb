"""Comparisons with the oracle."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tests.oracles import signatures as signatures

Matrix = npt.NDArray[np.float64]

TOLERANCE = 1e-9


def assert_close(found: Matrix, wanted: Matrix, what: str, tolerance: float = TOLERANCE) -> None:
    """Fail with the place and size of the largest error."""
    assert found.shape == wanted.shape, what
    assert_clean(found, what)
    if found.size:
        error = np.abs(found - wanted)
        row, column = np.unravel_index(int(np.argmax(error)), error.shape)
        assert error[row, column] <= tolerance, (
            f"{what}: row {row}, column {column} is {found[row, column]!r}, not {wanted[row, column]!r}, "
            f"wrong by {error[row, column]:.2e}"
        )


def assert_clean(values: Matrix, what: str = "") -> None:
    """Neither NaN nor infinity, nothing below zero, and no zero with a minus sign."""
    assert values.dtype == np.float64, what
    assert np.isfinite(values).all(), f"{what}: not finite"
    assert not np.signbit(values).any(), f"{what}: negative or -0.0"
