"""Entropies of local graphs from twins, cones and quotients, against all eigenvalues of the whole matrix."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, blown_up, graph_strategy, weighted_copy
from vnestruct import Graph
from vnestruct.embedding.plan import pair_weights
from vnestruct.kernels.dense_balls import graph_entropy
from vnestruct.kernels.quotient import DenseScratch, make_dense_scratch


def found(
    graph: Graph, without: int = -1, is_cone: bool = False, normalized: bool = False, weighted: bool = False
) -> tuple[float, DenseScratch]:
    dense = make_dense_scratch(max(graph.n_nodes, 1), max(graph.n_nodes, 1), 4_000, 4_000)
    weights = pair_weights(graph)[0].copy() if weighted else None
    rows = (graph.indptr.copy(), graph.indices.copy(), weights)
    value, missing = graph_entropy(*rows, without, is_cone, normalized, dense, np.zeros(1, np.uint8))
    assert missing == 0
    return value, dense


def check(graph: Graph, what: str, *, weighted: bool = False) -> None:
    matrix = oracles.adjacency(graph, weighted)
    for without in (-1, 0, graph.n_nodes - 1, graph.n_nodes // 2):
        inside = np.delete(np.delete(matrix, without, 0), without, 1) if without >= 0 else matrix
        for normalized, expected in ((False, oracles.exact(inside)), (True, oracles.measures(inside)["normalized"])):
            value, _ = found(graph, without, False, normalized, weighted)
            assert abs(value - expected) <= 1e-9, (what, without, normalized)
        is_cone = without >= 0 and not weighted and matrix[without].sum() == graph.n_nodes - 1
        if is_cone:
            assert abs(found(graph, without, True)[0] - oracles.exact(matrix)) <= 1e-9, (what, without)


@for_each("name", [name for name in ZOO if name != "empty"])
def test_zoo(name: str) -> None:
    check(ZOO[name], name)
    check(weighted_copy(ZOO[name], seed=1), name, weighted=True)
    if ZOO[name].n_nodes <= 40:
        check(blown_up(ZOO[name], seed=3), f"{name}, with twins")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(graph_strategy(min_nodes=1, max_nodes=14))
def test_any_graph(graph: Graph) -> None:
    check(graph, repr(graph))
    check(blown_up(graph, seed=graph.n_nodes), f"{graph!r}, with twins")


def test_what_is_left_of_graphs_full_of_twins() -> None:
    """Classes by their size, below 0 where twins are joined."""
    for graph, expected in (
        (synthetic.clique(12), [-12]),
        (synthetic.star(9), [1, 9]),
        (synthetic.complete_bipartite(3, 5), [3, 5]),
        (synthetic.complete_multipartite([2, 3, 4]), [2, 3, 4]),
        (synthetic.path(3), [1, 2]),
        (synthetic.path(5), [1] * 5),
        (synthetic.cycle(4), [2, 2]),
    ):
        _, dense = found(graph)
        kept = dense.leader[: graph.n_nodes] == np.arange(graph.n_nodes)
        assert sorted(dense.copies[: graph.n_nodes][kept].tolist()) == sorted(expected), graph


def test_a_cone_over_a_matching_has_pairs() -> None:
    """Without its centre a friendship graph is a set of edges, each of two joined twins."""
    graph = synthetic.cycle(3)
    value, dense = found(graph, 0, is_cone=True)
    assert abs(value - np.log(2)) <= 1e-9
    assert dense.copies[1] == -2


def test_missing_room_is_stated() -> None:
    graph = synthetic.cycle(50)
    rows = (graph.indptr.copy(), graph.indices.copy(), None)
    for limits in ((100, 100), (10, 40)):
        dense = make_dense_scratch(50, 20, *limits)
        assert graph_entropy(*rows, -1, False, False, dense, np.zeros(1, np.uint8)) == (0.0, 50)
