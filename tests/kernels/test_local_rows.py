"""The search of eight balls at once, and the local graph of their union, against sets and dense induced subgraphs."""

from __future__ import annotations

import numpy as np

from tests.cases import for_each
from tests.graphs import ZOO, directed_copy, weighted_copy
from tests.kernels.calls import clear_search, list_members, start_search
from tests.kernels.local import Union, groups, union_of_balls
from vnestruct.kernels.workspace import make_workspace


def check(union: Union) -> None:
    rows, search, n_balls = union.space.rows, union.space.search, len(union.matrices)
    # An edge stays if some ball holds both of its ends.
    expected = np.max(union.matrices, axis=0)
    assert np.array_equal(union.dense(), expected)
    assert rows.ptr[union.k] == np.count_nonzero(expected)
    for begin, end in zip(rows.ptr[: union.k], rows.ptr[1 : union.k + 1], strict=True):
        assert (np.diff(rows.columns[begin:end]) > 0).all()
    bits = np.unpackbits(rows.masks[: union.k, np.newaxis], axis=1, bitorder="little")[:, :n_balls]
    assert np.array_equal(bits.T, union.inside)
    # What a group leaves behind would spoil the next.
    clear_search(search, union.k)
    assert not any(array.any() for array in (search.seen, search.new, search.members, search.summary))


@for_each("name", [name for name in ZOO if name != "empty"])
@for_each("weighted", [False, True])
def test_rows(name: str, weighted: bool) -> None:
    """Where balls follow arcs one way, the graph on them has all pairs, the weights of both ways added."""
    plain, arcs = weighted_copy(ZOO[name], seed=5), directed_copy(ZOO[name], seed=5, weighted=True)
    for radius, size in ((1, 8), (2, 1), (2, 8), (3, 8)):
        for nodes in groups(plain, size, seed=radius)[:4]:
            check(union_of_balls(plain, nodes, radius, weighted=weighted))
            for direction in ("out", "in"):
                check(union_of_balls(arcs, nodes, radius, weighted=weighted, direction=direction))


def test_members_of_a_large_graph_come_out_in_order() -> None:
    """More than 64 * 64 nodes: the summary has several words."""
    space = make_workspace(300_000, False).search
    wanted = np.unique(np.random.default_rng(1).integers(0, 300_000, 500)).astype(np.int32)
    for first in range(0, wanted.size, 8):
        start_search(space, wanted[first : first + 8])
    k = list_members(space)
    assert np.array_equal(space.ball[:k], wanted)
