"""Sums over eigenvalues from sparse elimination, against all eigenvalues and against the order itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, graph_strategy, relabelled
from tests.kernels.calls import eliminate, sum_by_elimination
from vnestruct import Graph, embed
from vnestruct.embedding import spectrum
from vnestruct.kernels import dense_balls, elimination

Matrix = np.ndarray


def rows_of(matrix: Matrix) -> tuple[np.ndarray, np.ndarray, Matrix, Matrix]:
    """The CSR of a symmetric matrix without its diagonal, and the diagonal."""
    places = [np.flatnonzero((row != 0) & (np.arange(len(row)) != i)) for i, row in enumerate(matrix)]
    ptr = np.concatenate([[0], np.cumsum([place.size for place in places])]).astype(np.int64)
    columns = np.concatenate([*places, np.empty(0, np.int64)]).astype(np.int32)
    values = np.concatenate([*(row[place] for row, place in zip(matrix, places, strict=True)), np.empty(0)])
    return ptr, columns, values, np.diag(matrix).copy()


def ordered(matrix: Matrix, limit: int, most: float = np.inf) -> tuple[int, np.ndarray, np.ndarray]:
    ptr, columns, *_ = rows_of(matrix)
    size = len(matrix)
    words, order = np.zeros((size, -(-size // 64)), np.uint64), np.empty(size, np.int32)
    return eliminate(ptr, columns, size, words, order, limit, most, np.zeros(1, np.uint8)), words, order


def found(matrix: Matrix, shift: float = 0.0, cancel: bool = False) -> float:
    return float(sum_by_elimination(*rows_of(matrix), shift, len(matrix), np.inf, np.full(1, cancel, np.uint8)))


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
            wanted = expected(matrix, shift)
            scale = np.trace(matrix) + shift * len(matrix)
            assert found(matrix, shift) == pytest.approx(wanted, abs=5e-11 * scale), (what, shift)


GRAPHS = {name: graph for name, graph in ZOO.items() if graph.n_nodes > 1 and is_connected(graph)} | {
    "large scale-free": synthetic.barabasi_albert(300, 3, seed=1),
    "large grid": synthetic.grid(15, 20),
    "tree": synthetic.balanced_tree(3, 4),
}


@for_each("name", GRAPHS)
def test_sums(name: str) -> None:
    check(GRAPHS[name], name)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(graph_strategy(min_nodes=2, max_nodes=20))
def test_sums_of_any_graph(graph: Graph) -> None:
    if is_connected(graph):
        check(graph, repr(graph))


@for_each("seed", range(5))
def test_the_pattern_is_that_of_the_elimination(seed: int) -> None:
    """Each node is joined, when its turn comes, to what the elimination of the others before it joined it to."""
    graph = synthetic.erdos_renyi(70, 0.06, seed)
    matrix = oracles.adjacency(graph)
    matrix = matrix[np.ix_(keep := sorted(oracles.ball(graph, int(graph.degrees.argmax()), 70)), keep)]
    done, words, order = ordered(matrix, len(matrix) - 1)
    assert sorted(order.tolist()) == list(range(len(matrix)))
    left = matrix.astype(bool)
    for u in order[:done].tolist():
        joined = np.flatnonzero(left[u])
        bits = np.unpackbits(words[u].view(np.uint8), bitorder="little")
        assert np.flatnonzero(bits).tolist() == joined.tolist()
        assert joined.size == left.sum(axis=1)[left.any(axis=1)].min()
        left[np.ix_(joined, joined)] = True
        left[joined, joined] = False
        left[u] = left[:, u] = False
    core = order[done:]
    assert left[core].sum(axis=1).min() >= elimination.DENSE * (core.size - 1)


def test_a_tree_has_no_core() -> None:
    """Of the last three nodes of a tree, each has a half of the others as neighbours."""
    for tree in (synthetic.path(40), synthetic.balanced_tree(2, 5), synthetic.star(20)):
        done, _, _ = ordered(oracles.adjacency(tree), 20)
        assert done == tree.n_nodes - 3


def test_what_is_too_large_or_takes_too_long_is_not_eliminated() -> None:
    dense = oracles.adjacency(synthetic.erdos_renyi(100, 0.2, seed=1))
    done = ordered(dense, 100)[0]
    core = 100 - done
    assert 0 < done < 100
    assert ordered(dense, core)[0] == done
    assert ordered(dense, core - 1)[0] == -1
    assert ordered(dense, 100, core**3 / 3)[0] == -1
    assert ordered(dense, 100, core**3 / 3 + elimination.SCATTERED * done * core**2)[0] == done


def test_eigenvalues_close_to_0_count() -> None:
    """One determinant stands for those of the smallest t only where no eigenvalue is as small."""
    graph = oracles.adjacency(synthetic.grid(8, 8))
    for weight in (1e-4, 1e-7, 1e-9, 1e-11):
        parts = np.kron(np.eye(3), graph)
        parts[0, 100] = parts[100, 0] = parts[3, 150] = parts[150, 3] = weight
        matrix = oracles.laplacian(parts)
        values = np.linalg.eigvalsh(matrix)
        assert (values[1:3] > 1e-13).all()
        assert found(matrix) == pytest.approx(expected(matrix, 0.0), abs=5e-11 * np.trace(matrix))


def test_a_set_flag_ends_the_elimination() -> None:
    matrix = oracles.laplacian(oracles.adjacency(synthetic.barabasi_albert(100, 4, seed=1)))
    assert np.isnan(found(matrix, cancel=True))


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
