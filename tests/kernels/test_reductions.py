"""Components, twins and the order of work, against brute force."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse

from tests import generators as synthetic
from tests.cases import for_each
from tests.graphs import ZOO, directed_copy, disjoint_union, random_graphs
from vnestruct import Graph
from vnestruct.embedding import plan as planning
from vnestruct.embedding.plan import Plan, plan_ranked, rank_graph, read_only
from vnestruct.graph import graph_from_ids
from vnestruct.kernels import reductions
from vnestruct.kernels.ranking import SERIAL, Parallel

GRAPHS = {
    **ZOO,
    **dict(random_graphs(25, seed=9)),
    "many components": disjoint_union(*(ZOO[name] for name in ("twins", "star", "clique", "path", "friendship"))),
    "many classes of twins": synthetic.complete_multipartite([3] * 40),
    "sparse": synthetic.erdos_renyi(200, 0.004, seed=2),
}
every_graph = for_each("graph", GRAPHS.values(), ids=list(GRAPHS))
alone_or_shared = for_each("parallel", [SERIAL, Parallel(3), Parallel(40)], ids=["alone", "3", "40"])


def rows_of(indptr: np.ndarray, indices: np.ndarray) -> list[np.ndarray]:
    return [indices[begin:end] for begin, end in pairwise(indptr)]


def some_copies(graph: Graph) -> np.ndarray:
    """Nodes that others stand for, others joined to their twins or not."""
    return read_only(np.random.default_rng(2).integers(-1, 2, graph.n_nodes).astype(np.int32))


@every_graph
def test_components(graph: Graph) -> None:
    of, sizes = reductions.label_components(graph.indptr, graph.indices)
    matrix = sparse.csr_array((np.ones(graph.indices.size), graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)
    count, labels = sparse.csgraph.connected_components(matrix) if graph.n_nodes else (0, np.array([], int))
    assert np.array_equal(sizes, np.bincount(of, minlength=count))
    # The same partition: each label of one is one label of the other; by their smallest nodes.
    assert len(set(zip(of.tolist(), labels.tolist(), strict=True))) == count
    assert list(dict.fromkeys(of.tolist())) == list(range(count))


def entries(found: Plan, u: int) -> dict[int, tuple[float, int]]:
    """All that a node's row says: weight and direction of each neighbour."""
    row = range(found.graph.indptr[u], found.graph.indptr[u + 1])
    weights, flags = found.graph.weights, found.flags
    return {
        int(found.graph.indices[a]): (1.0 if weights is None else weights[a], 3 if flags is None else flags[a])
        for a in row
    }


def are_twins(found: Plan, u: int, v: int) -> bool:
    """Whether u and v can trade places."""
    one, other = entries(found, u), entries(found, v)
    between, _ = one.pop(v, (1.0, 3)), other.pop(u, None)
    return one == other and between[1] == 3


def expected_leaders(found: Plan, leaf_of: np.ndarray) -> list[int]:
    left_out = (leaf_of >= 0) | (np.diff(found.graph.indptr) == 0)
    return [
        u if left_out[u] else next(v for v in range(u + 1) if v == u or (not left_out[v] and are_twins(found, v, u)))
        for u in range(leaf_of.size)
    ]


def ranked_as(graph: Graph, kind: str, parallel: Parallel = SERIAL) -> Plan:
    """The graph in ranks: plain, with directions, or with weights 1 and 2, so that some twins stay twins."""
    if kind == "weights":
        up = graph.sources < graph.indices
        weights = np.random.default_rng(3).choice([1.0, 2.0], int(up.sum()), p=[0.8, 0.2])
        graph = graph_from_ids(graph.sources[up], graph.indices[up], weights, n_nodes=graph.n_nodes)
    elif kind != "plain":
        graph = directed_copy(graph, seed=3)
    direction = kind if kind in ("out", "in") else "all"
    return rank_graph(graph, weighted=kind == "weights", direction=direction, parallel=parallel)


@every_graph
@for_each("kind", ["plain", "weights", "out", "in"])
@for_each("reduce_leaves", [True, False])
@for_each("parallel", [SERIAL, Parallel(3)])
def test_twins(graph: Graph, kind: str, reduce_leaves: bool, parallel: Parallel) -> None:
    found = ranked_as(graph, kind, parallel)
    plan = plan_ranked(found, reduce_leaves=reduce_leaves)
    assert plan.leader.tolist() == expected_leaders(found, plan.leaf_of)
    # Balls that follow directions have no leaves.
    degrees = np.diff(plan.graph.indptr)
    assert ((plan.leaf_of >= 0) == ((degrees == 1) & reduce_leaves & (kind in ("plain", "weights")))).all()
    if kind == "plain":
        leads = plan.leader == np.arange(graph.n_nodes)
        assert np.array_equal(plan.required(np.ones(graph.n_nodes, bool)), (degrees > reduce_leaves) & leads)


@every_graph
def test_nodes_that_stand_for_their_twins(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves are twins like any others here, and the rows of those that another stands for are empty."""
    monkeypatch.setattr(planning, "_FEW_TWINS", 0.0)
    monkeypatch.setattr(planning, "_FEW_NODES", 0)
    found = rank_graph(graph)
    plan = plan_ranked(found, reduce_leaves=True, collapse=True)
    copies = plan.graph.copies
    assert copies is not None
    leaders = np.array(expected_leaders(found, np.full(graph.n_nodes, -1)), dtype=np.int64)
    assert np.array_equal(plan.leader, leaders)
    assert np.array_equal(np.abs(copies), np.bincount(leaders, minlength=graph.n_nodes))
    for u, v in enumerate(leaders.tolist()):
        assert u == v or (u in entries(found, v)) == (copies[v] < 0)
    whole = reductions.rows_of_leaders(*found.graph[:2], copies)
    assert all(map(np.array_equal, plan.graph[:3], whole))


@every_graph
@alone_or_shared
def test_rows_of_leaders(graph: Graph, parallel: Parallel) -> None:
    """The graph without the nodes that another stands for; memory for one copy of it, not two."""
    (indptr, indices), copies = rank_graph(graph).graph[:2], some_copies(graph)
    ptr, columns, split = reductions.rows_of_leaders(indptr, indices, copies, parallel)
    assert (ptr[0], ptr[-1]) == (0, columns.size)
    for u, (row, whole) in enumerate(zip(rows_of(ptr, columns), rows_of(indptr, indices), strict=True)):
        kept = whole[copies[whole] != 0] if copies[u] else whole[:0]
        assert row.tolist() == kept.tolist()
        assert split[u] == (kept < u).sum()
    assert columns.base is not None
    assert columns.base.nbytes == indices.nbytes


@every_graph
@alone_or_shared
@for_each("collapsed", [False, True])
def test_order_and_costs(graph: Graph, parallel: Parallel, collapsed: bool) -> None:
    """Sorted by the first neighbours, missing ones last, stable; walks of some steps, but no more than all arcs.

    With twins collapsed, both are those of the graph without the nodes that another stands for.
    """
    (indptr, indices), copies = rank_graph(graph).graph[:2], some_copies(graph) if collapsed else None
    counts = np.ones(graph.n_nodes, bool) if copies is None else copies != 0
    rows = [row[counts[row]] for row in rows_of(indptr, indices)]
    nodes = np.random.default_rng(1).permutation(graph.n_nodes).astype(np.int32)
    for some in (nodes[: (graph.n_nodes + 1) // 2], nodes[:0]):
        order = reductions.order_by_neighbours(indptr, indices, copies, some, parallel)
        assert order.tolist() == sorted(some.tolist(), key=lambda u: [*rows[u].tolist(), *[graph.n_nodes] * 3][:3])
    expected = counts * np.array([row.size for row in rows], float)
    limit = expected.sum()
    for radius in (1, 2, 3):
        assert np.array_equal(reductions.ball_costs(indptr, indices, copies, radius, parallel), expected)
        expected = counts * np.minimum([expected[row].sum() for row in rows], limit)
