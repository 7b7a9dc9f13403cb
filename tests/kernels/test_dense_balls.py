"""Dense Laplacians of local graphs and the entropy of a spectrum."""

from __future__ import annotations

import numpy as np
import pytest

from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, weighted_copy
from tests.kernels.local import union_of_balls
from vnestruct.kernels.dense_balls import laplacian, spectral_entropy


def normalized(matrix: np.ndarray) -> np.ndarray:
    strengths = matrix.sum(axis=1)
    scale = np.array([s**-0.5 if s > 0 else 0.0 for s in strengths])
    return np.diag((strengths > 0).astype(float)) - matrix * np.outer(scale, scale)


@for_each("name", [name for name in ZOO if name != "empty"])
@for_each("weighted", [False, True])
def test_laplacians(name: str, weighted: bool) -> None:
    graph = weighted_copy(ZOO[name], seed=1) if weighted else ZOO[name]
    for node in range(0, graph.n_nodes, 4):
        union = union_of_balls(graph, [node], 2, weighted=weighted)
        [matrix] = union.matrices
        space = union.space
        for without in (-1, 0, union.k - 1, union.k // 2):
            kept = np.delete(np.arange(union.k), without) if without >= 0 else np.arange(union.k)
            inside = matrix[np.ix_(kept, kept)]
            for wanted, expected in ((False, oracles.laplacian(inside)), (True, normalized(inside))):
                found = np.full((union.k + 2, union.k + 2), np.nan)
                size = laplacian(space.ptr, space.columns, space.values, union.k, without, wanted, found)
                assert size == kept.size
                assert np.allclose(found[:size, :size], expected, rtol=1e-14, atol=1e-14)


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
    found = spectral_entropy(np.array(values, dtype=float), len(values))
    assert found == pytest.approx(expected, abs=1e-15)
    assert not np.signbit(found)


def test_entropy_looks_at_the_leading_values_only() -> None:
    assert spectral_entropy(np.array([1.0, 1.0, 99.0]), 2) == pytest.approx(np.log(2))
