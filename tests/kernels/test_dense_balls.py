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
from vnestruct.kernels.quotient import make_dense_scratch


def found(
    graph: Graph, without: int = -1, is_cone: bool = False, normalized: bool = False, weighted: bool = False,
    size: int = 4_000, limits: tuple[int, int] = (4_000, 4_000),
) -> tuple[float, int]:  # fmt: skip
    """The entropy, and the room that is missing."""
    dense = make_dense_scratch(max(graph.n_nodes, 1), min(size, max(graph.n_nodes, 1)), *limits)
    weights = pair_weights(graph)[0].copy() if weighted else None
    rows = (graph.indptr.copy(), graph.indices.copy(), weights)
    return graph_entropy(*rows, without, is_cone, normalized, dense, np.zeros(1, np.uint8))


def check(graph: Graph, what: str, *, weighted: bool = False) -> None:
    matrix = oracles.adjacency(graph, weighted)
    for without in (-1, 0, graph.n_nodes - 1, graph.n_nodes // 2):
        inside = np.delete(np.delete(matrix, without, 0), without, 1) if without >= 0 else matrix
        for normalized, expected in ((False, oracles.exact(inside)), (True, oracles.measures(inside)["normalized"])):
            value, missing = found(graph, without, False, normalized, weighted)
            assert abs(value - expected) <= 1e-9, (what, without, normalized)
            assert missing == 0
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


@for_each(
    ("graph", "rows"),
    [
        (synthetic.clique(12), 1), (synthetic.star(9), 2), (synthetic.complete_bipartite(3, 5), 2),
        (synthetic.complete_multipartite([2, 3, 4]), 3), (synthetic.path(5), 5), (synthetic.cycle(4), 2),
    ],
)  # fmt: skip
def test_twins_take_no_room(graph: Graph, rows: int) -> None:
    value, missing = found(graph, size=rows, limits=(rows, rows))
    assert missing == 0
    assert abs(value - oracles.entropy(graph, "exact")) <= 1e-9
    assert found(graph, limits=(rows - 1, rows - 1)) == (0.0, rows)


@for_each("limits", [(100, 100), (10, 40)])
def test_missing_room_is_stated(limits: tuple[int, int]) -> None:
    assert found(synthetic.cycle(50), size=20, limits=limits) == (0.0, 50)
