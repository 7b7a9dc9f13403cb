"""Sums over eigenvalues from sparse elimination, against all eigenvalues."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import sparse

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, graph_strategy, relabelled
from tests.kernels.calls import sum_by_elimination
from vnestruct import Graph, embed
from vnestruct.embedding import spectrum
from vnestruct.kernels import dense_balls

Matrix = np.ndarray


def found(matrix: Matrix, shift: float = 0.0, limit: int = 10**6, most: float = np.inf, cancel: bool = False) -> float:
    rows = sparse.csr_array(matrix - np.diag(np.diag(matrix)))
    ptr, columns = rows.indptr.astype(np.int64), rows.indices.astype(np.int32)
    flag = np.full(1, cancel, np.uint8)
    return float(sum_by_elimination(ptr, columns, rows.data, np.diag(matrix).copy(), shift, limit, most, flag))


def expected(matrix: Matrix, shift: float) -> float:
    values = np.linalg.eigvalsh(matrix + shift * np.eye(len(matrix)))
    positive = values[values > 1e-12 * values[-1]]
    return float((positive * np.log(positive)).sum())


def is_connected(graph: Graph) -> bool:
    return len(oracles.ball(graph, 0, graph.n_nodes)) == graph.n_nodes


def check(graph: Graph, what: str) -> None:
    plain = oracles.laplacian(oracles.adjacency(graph))
    weights = np.random.default_rng(graph.n_nodes).uniform(0.1, 1.0, plain.shape)
    weighted = oracles.laplacian(oracles.adjacency(graph) * (weights + weights.T))
    for matrix in (plain, weighted):
        for shift in (0.0, 1.0):
            scale = np.trace(matrix) + shift * len(matrix)
            assert found(matrix, shift) == pytest.approx(expected(matrix, shift), abs=5e-11 * scale), (what, shift)


GRAPHS = {name: graph for name, graph in ZOO.items() if graph.n_nodes > 1 and is_connected(graph)} | {
    "large scale-free": synthetic.barabasi_albert(300, 3, seed=1),
    "large grid": synthetic.grid(15, 20),
    "tree": synthetic.balanced_tree(3, 4),
}
DENSE = oracles.laplacian(oracles.adjacency(synthetic.erdos_renyi(100, 0.2, seed=1)))


@for_each("name", GRAPHS)
def test_sums(name: str) -> None:
    check(GRAPHS[name], name)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(graph_strategy(min_nodes=2, max_nodes=20))
def test_sums_of_any_graph(graph: Graph) -> None:
    if is_connected(graph):
        check(graph, repr(graph))


def test_eigenvalues_close_to_0_count() -> None:
    """One determinant stands for those of the smallest t only where no eigenvalue is as small."""
    graph = oracles.adjacency(synthetic.grid(8, 8))
    for weight in (1e-4, 1e-7, 1e-9, 1e-11):
        parts = np.kron(np.eye(3), graph)
        parts[0, 100] = parts[100, 0] = parts[3, 150] = parts[150, 3] = weight
        matrix = oracles.laplacian(parts)
        assert (np.linalg.eigvalsh(matrix)[1:3] > 1e-13).all()
        assert found(matrix) == pytest.approx(expected(matrix, 0.0), abs=5e-11 * np.trace(matrix))


@for_each("limits", [{"limit": 9}, {"limit": 30}, {"most": 1e3}, {"most": 1e5}, {"cancel": True}])
def test_what_is_too_large_or_takes_too_long_or_is_cancelled(limits: dict[str, float]) -> None:
    """Too many entries before the core is reached, too large a core, too many operations before it or inside."""
    assert not np.isnan(found(DENSE, limit=100, most=1e6))
    assert np.isnan(found(DENSE, **limits))  # type: ignore[arg-type]


@for_each("kind", ["exact", "normalized", "punctured"])
def test_balls(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Balls of more nodes than the limit, where elimination leaves fewer; any threads, any order of the nodes."""
    graph, nodes = synthetic.barabasi_albert(400, 2, seed=3), [0, 5, 77, 399]
    wanted = oracles.signature(graph, 4, kind, nodes=nodes)
    assert np.abs(embed(graph, 4, kind=kind, nodes=nodes) - wanted).max() <= 1e-9
    monkeypatch.setattr(spectrum, "EXACT_LIMIT", 90)
    assert dense_balls.SPARSE_FROM > 90
    first, *others = (embed(graph, 4, kind=kind, nodes=nodes, n_jobs=n_jobs) for n_jobs in (1, 2, 3))
    assert np.abs(first - wanted).max() <= 1e-9
    assert all(np.array_equal(first, other) for other in others)
    other, place = relabelled(graph, 1)
    assert np.abs(embed(other, 4, kind=kind, nodes=place[nodes]) - wanted).max() <= 1e-9
