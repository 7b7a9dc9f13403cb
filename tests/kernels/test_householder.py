"""The tridiagonal form of symmetric matrices against numpy.linalg.eigvalsh."""

from __future__ import annotations

import numpy as np
import pytest

from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO
from tests.kernels.calls import tridiagonalise
from vnestruct.kernels.quotient import make_dense_scratch

Matrix = np.ndarray
GRID, BARBELL = (oracles.laplacian(oracles.adjacency(ZOO[name])) for name in ("grid", "barbell"))


def reduced(matrix: Matrix, room: int = 0, cancel: bool = False) -> tuple[bool, Matrix, Matrix]:
    """Diagonal and off-diagonals, from scratch that holds NaN where the reduction may not read."""
    k = len(matrix)
    dense = make_dense_scratch(1, k + room, 1, 1)
    for array in (dense.matrix, dense.diagonal, dense.off, dense.v, dense.w, dense.x, dense.p):
        array.fill(np.nan)
    stride = -(-k // 8) * 8
    padded = dense.matrix[: stride * stride].reshape(stride, stride)
    padded[:] = 0.0
    padded[:k, :k] = matrix
    done = tridiagonalise(k, dense, np.full(1, cancel, np.uint8))
    return bool(done), dense.diagonal[:k].copy(), dense.off[: max(k - 1, 0)].copy()


def check(matrix: Matrix) -> None:
    expected = np.linalg.eigvalsh(matrix)
    done, diagonal, off = reduced(matrix)
    assert done
    tridiagonal = np.diag(diagonal) + np.diag(off, 1) + np.diag(off, -1)
    scale = np.abs(expected).max(initial=0.0)
    assert np.abs(np.linalg.eigvalsh(tridiagonal) - expected).max() <= 1e-13 * max(len(matrix), 10) * scale
    # The trace and the sum of squares are invariants of the reduction.
    assert diagonal.sum() == pytest.approx(np.trace(matrix), abs=1e-12 * len(matrix) * scale)
    assert (tridiagonal**2).sum() == pytest.approx((matrix**2).sum(), rel=1e-12)
    for room in (3, 20):
        assert all(map(np.array_equal, reduced(matrix, room), (done, diagonal, off)))


@for_each("size", [1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 64, 120])
def test_matrices_of_any_rank(size: int) -> None:
    generator = np.random.default_rng(size)
    matrix, low = generator.normal(size=(size, size)), generator.normal(size=(size, max(1, size // 3)))
    for one in (matrix + matrix.T, low @ low.T, np.zeros((size, size)), np.eye(size), np.ones((size, size))):
        check(one)


@for_each("scale", [1e-150, 1e-20, 1.0, 1e20, 1e150])
def test_scales(scale: float) -> None:
    for found, plain in zip(reduced(scale * BARBELL)[1:], reduced(BARBELL)[1:], strict=True):
        assert np.abs(found / scale - plain).max() <= 1e-12


def test_a_set_flag_ends_the_reduction() -> None:
    assert not reduced(GRID, cancel=True)[0]
