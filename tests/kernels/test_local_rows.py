"""The local graph of a union of balls against dense induced subgraphs."""

from __future__ import annotations

import numpy as np

from tests.cases import for_each
from tests.graphs import ZOO, directed_copy, weighted_copy
from tests.kernels.local import Union, groups, union_of_balls


def check(union: Union) -> None:
    # An edge stays if some ball holds both of its ends.
    expected = np.max(union.matrices, axis=0)
    assert np.array_equal(union.dense(), expected)
    for i in range(union.k):
        row = union.rows.columns[union.rows.ptr[i] : union.rows.ptr[i + 1]]
        assert (np.diff(row) > 0).all()
    assert union.rows.ptr[0] == 0
    assert union.rows.ptr[union.k] == np.count_nonzero(expected)


every_graph = for_each("name", [name for name in ZOO if name != "empty"])


@every_graph
@for_each("radius", [1, 2, 3])
def test_rows(name: str, radius: int) -> None:
    for size in (1, 8):
        for nodes in groups(ZOO[name], size, seed=radius)[:6]:
            check(union_of_balls(ZOO[name], nodes, radius))


@every_graph
def test_rows_with_weights(name: str) -> None:
    graph = weighted_copy(ZOO[name], seed=5)
    for nodes in groups(graph, 8, seed=2)[:4]:
        check(union_of_balls(graph, nodes, 2, weighted=True))


@every_graph
@for_each("weighted", [False, True])
def test_rows_of_balls_along_arcs(name: str, weighted: bool) -> None:
    """The ball follows arcs one way; the graph on it has all pairs, the weights of both ways added."""
    graph = directed_copy(ZOO[name], seed=5, weighted=True)
    for nodes in groups(graph, 8, seed=2)[:4]:
        check(union_of_balls(graph, nodes, 2, weighted=weighted, direction="out"))
