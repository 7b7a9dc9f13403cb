"""The tridiagonal form of symmetric matrices against numpy.linalg.eigvalsh."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, weighted_copy
from tests.kernels.calls import tridiagonal_sum, tridiagonalise
from vnestruct.kernels.quotient import make_dense_scratch

Matrix = np.ndarray


def reduced(matrix: Matrix, room: int = 0, cancel: bool = False) -> tuple[bool, Matrix, Matrix]:
    """Diagonal and off-diagonal; scratch that the reduction does not own holds NaN."""
    k = len(matrix)
    dense = make_dense_scratch(1, k + room, 1, 1)
    for array in dense[2:]:
        array.fill(
            -1 if array.dtype.kind in "iu" and array.dtype.kind == "i" else np.nan if array.dtype == float else 0
        )
    stride = -(-k // 8) * 8
    dense.matrix[: stride * stride] = 0.0
    dense.matrix[: stride * stride].reshape(stride, stride)[:k, :k] = matrix
    done = tridiagonalise(k, dense, np.full(1, cancel, np.uint8))
    return bool(done), dense.diagonal[:k].copy(), dense.off[: max(k - 1, 0)].copy()


def check(matrix: Matrix) -> None:
    expected = np.linalg.eigvalsh(matrix)
    for room in (0, 3, 20):
        done, diagonal, off = reduced(matrix, room)
        assert done
        tridiagonal = np.diag(diagonal) + np.diag(off, 1) + np.diag(off, -1)
        scale = np.abs(expected).max(initial=0.0)
        assert np.abs(np.linalg.eigvalsh(tridiagonal) - expected).max() <= 1e-13 * max(len(matrix), 10) * scale
        # The trace and the sum of squares are invariants of the reduction.
        assert diagonal.sum() == pytest.approx(np.trace(matrix), abs=1e-12 * len(matrix) * scale)
        assert (tridiagonal**2).sum() == pytest.approx((matrix**2).sum(), rel=1e-12)


@for_each("size", [1, 2, 3, 7, 8, 9, 15, 16, 17, 33, 64, 120])
def test_matrices_of_any_rank(size: int) -> None:
    generator = np.random.default_rng(size)
    matrix, low = generator.normal(size=(size, size)), generator.normal(size=(size, max(1, size // 3)))
    for one in (matrix + matrix.T, low @ low.T, np.zeros((size, size)), np.eye(size), np.ones((size, size))):
        check(one)


@for_each("scale", [1e-150, 1e-20, 1e20, 1e150])
def test_scales(scale: float) -> None:
    matrix = oracles.laplacian(oracles.adjacency(ZOO["barbell"]))
    for found, plain in zip(reduced(scale * matrix)[1:], reduced(matrix)[1:], strict=True):
        assert np.abs(found / scale - plain).max() <= 1e-12


def test_the_same_bits_in_any_scratch() -> None:
    matrix = oracles.laplacian(oracles.adjacency(ZOO["barabasi albert"]))
    _, *first = reduced(matrix)
    for room in (1, 5, 8, 100):
        _, *again = reduced(matrix, room)
        assert all(map(np.array_equal, first, again))


def test_a_set_flag_ends_the_reduction() -> None:
    done, _, _ = reduced(oracles.laplacian(oracles.adjacency(ZOO["grid"])), cancel=True)
    assert not done


def entropy_sum(values: Matrix) -> float:
    positive = values[values > 1e-13 * max(values[-1], 0.0)]
    return float((positive * np.log(positive)).sum())


@for_each("name", [name for name in ZOO if name != "empty"])
def test_laplacians_and_sums_over_their_eigenvalues(name: str) -> None:
    """The sum of x ln x over the eigenvalues, relative to their sum."""
    plain = oracles.laplacian(oracles.adjacency(ZOO[name]))
    weighted = oracles.laplacian(oracles.adjacency(weighted_copy(ZOO[name], seed=2), weighted=True))
    for matrix, shift in product((plain, weighted, 1e-3 * plain, 1e6 * plain), (0.0, 1.0)):
        check(matrix)
        _, diagonal, off = reduced(matrix)
        shifted = matrix + shift * np.eye(len(matrix))
        found = tridiagonal_sum(diagonal, np.append(off, np.nan), len(matrix), shift)
        expected = entropy_sum(np.linalg.eigvalsh(shifted))
        assert found == pytest.approx(expected, abs=5e-11 * max(np.trace(shifted), 1e-300))


def test_the_sum_over_a_path() -> None:
    """A path has the eigenvalues 2 - 2 cos(pi i / n)."""
    for n in (2, 3, 16, 17, 400, 3_000):
        diagonal, off = np.full(n, 2.0), np.full(n, -1.0)
        diagonal[[0, -1]] = 1.0
        values = 2.0 - 2.0 * np.cos(np.pi * np.arange(1, n) / n)
        assert tridiagonal_sum(diagonal, off, n, 0.0) == pytest.approx(entropy_sum(values), abs=2e-11 * values.sum())
