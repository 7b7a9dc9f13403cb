"""All eigenvalues of symmetric matrices against numpy.linalg.eigvalsh."""

from __future__ import annotations

import numpy as np
import pytest

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, random_graphs, weighted_copy
from vnestruct.kernels.symmetric_eigenvalues import symmetric_eigenvalues

Matrix = np.ndarray


def eigenvalues(matrix: Matrix, room: int = 0, cancel: bool = False) -> tuple[bool, Matrix]:
    """Eigenvalues in ascending order; the matrix stands in the corner of a larger one of NaN."""
    k = len(matrix)
    space = np.full((k + room, k + room), np.nan)
    space[:k, :k] = matrix
    values, off, work = (np.full(k + room, np.nan) for _ in range(3))
    done = symmetric_eigenvalues(space, k, values, off, work, np.full(1, cancel, np.uint8))
    return bool(done), np.sort(values[:k])


def check(matrix: Matrix) -> None:
    expected = np.linalg.eigvalsh(matrix) if len(matrix) else np.array([])
    for room in (0, 3):
        done, found = eigenvalues(matrix, room)
        assert done
        scale = np.abs(expected).max(initial=0.0)
        assert np.abs(found - expected).max(initial=0.0) <= 1e-13 * max(len(matrix), 10) * scale
        # The trace and the sum of squares are invariants of the reduction.
        assert found.sum() == pytest.approx(np.trace(matrix), abs=1e-12 * max(len(matrix), 1) * scale)
        assert (found**2).sum() == pytest.approx((matrix**2).sum(), rel=1e-12)


@for_each("size", [1, 2, 3, 5, 16, 33, 64, 120])
@for_each("seed", range(4))
def test_random(size: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    matrix = generator.normal(size=(size, size))
    check(matrix + matrix.T)
    low = generator.normal(size=(size, max(1, size // 3)))
    check(low @ low.T)


@for_each("size", [1, 2, 7, 40])
def test_zero_diagonal_and_rank_one(size: int) -> None:
    generator = np.random.default_rng(size)
    check(np.zeros((size, size)))
    check(np.eye(size))
    check(np.diag(generator.normal(size=size)))
    check(np.diag(np.repeat([1.0, -2.0, 1.0], size)[:size]))
    vector = generator.normal(size=size)
    check(np.outer(vector, vector))
    check(np.ones((size, size)))


@for_each("name", [name for name in ZOO if name != "empty"])
def test_laplacians(name: str) -> None:
    matrix = oracles.adjacency(ZOO[name])
    check(oracles.laplacian(matrix))
    check(oracles.laplacian(oracles.adjacency(weighted_copy(ZOO[name], seed=2), weighted=True)))


def test_laplacians_of_random_graphs() -> None:
    for _, graph in random_graphs(40, seed=12):
        check(oracles.laplacian(oracles.adjacency(graph)))


@pytest.mark.parametrize(
    ("graph", "spectrum"),
    [
        (synthetic.clique(12), [0] + [12] * 11),
        (synthetic.star(9), [0] + [1] * 8 + [10]),
        (synthetic.hypercube(5), [2 * i for i in range(6) for _ in range([1, 5, 10, 10, 5, 1][i])]),
        (synthetic.complete_bipartite(3, 5), [0] + [3] * 4 + [5] * 2 + [8]),
    ],
    ids=["clique", "star", "hypercube", "complete bipartite"],
)
def test_multiplicities(graph: object, spectrum: list[int]) -> None:
    _, found = eigenvalues(oracles.laplacian(oracles.adjacency(graph)))  # type: ignore[arg-type]
    assert np.abs(found - np.array(spectrum)).max() <= 1e-12


@for_each("scale", [1e-150, 1e-20, 1e20, 1e150])
def test_scales(scale: float) -> None:
    matrix = oracles.laplacian(oracles.adjacency(ZOO["barbell"]))
    _, found = eigenvalues(scale * matrix)
    _, plain = eigenvalues(matrix)
    assert np.abs(found / scale - plain).max() <= 1e-12


def test_graded_matrix() -> None:
    """Entries over twelve orders of magnitude."""
    grade = 10.0 ** -np.arange(13)
    check(np.minimum.outer(grade, grade) + np.diag(grade))


def test_the_same_bits_each_time() -> None:
    matrix = oracles.laplacian(oracles.adjacency(ZOO["barabasi albert"]))
    first = eigenvalues(matrix)[1]
    assert all(np.array_equal(first, eigenvalues(matrix, room)[1]) for room in (0, 1, 5, 8))


def test_a_set_flag_ends_the_reduction() -> None:
    done, _ = eigenvalues(oracles.laplacian(oracles.adjacency(ZOO["grid"])), cancel=True)
    assert not done
