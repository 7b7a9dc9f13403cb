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


@for_each("name", [name for name in ZOO if name != "empty"])
@for_each("weighted", [False, True])
def test_rows(name: str, weighted: bool) -> None:
    """Where balls follow arcs one way, the graph on them has all pairs, the weights of both ways added."""
    plain, arcs = weighted_copy(ZOO[name], seed=5), directed_copy(ZOO[name], seed=5, weighted=True)
    for radius, size in ((1, 8), (2, 1), (2, 8), (3, 8)):
        for nodes in groups(plain, size, seed=radius)[:4]:
            check(union_of_balls(plain, nodes, radius, weighted=weighted))
            check(union_of_balls(arcs, nodes, radius, weighted=weighted, direction="out"))
