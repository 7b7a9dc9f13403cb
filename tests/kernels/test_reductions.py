"""Components, twins and the order of work, against brute force."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, product

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
from vnestruct.kernels import ranking, reductions
from vnestruct.kernels.ranking import SERIAL, Parallel

GRAPHS = {
    **ZOO,
    **dict(random_graphs(25, seed=9)),
    "many components": disjoint_union(*(ZOO[name] for name in ("twins", "star", "clique", "path", "friendship"))),
    "sparse": synthetic.erdos_renyi(200, 0.004, seed=2),
}
every_graph = for_each("graph", GRAPHS.values(), ids=list(GRAPHS))


def ranked(graph: Graph, *, weighted: bool = False, direction: str = "all") -> Plan:
    return rank_graph(graph, weighted=weighted, direction=direction)


@every_graph
def test_components(graph: Graph) -> None:
    of, sizes = reductions.label_components(graph.indptr, graph.indices)
    matrix = sparse.csr_array((np.ones(graph.indices.size), graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)
    count, labels = sparse.csgraph.connected_components(matrix) if graph.n_nodes else (0, np.array([], int))
    assert sizes.size == count
    assert np.array_equal(sizes, np.bincount(of, minlength=count))
    # The same partition: each label of one is one label of the other.
    assert len(set(zip(of.tolist(), labels.tolist(), strict=True))) == count
    # By their smallest nodes.
    assert list(dict.fromkeys(of.tolist())) == list(range(count))


def signature(found: Plan, u: int, without: int) -> set[tuple[float, ...]]:
    """All that a node's row says: neighbours, weights and directions, one neighbour left out."""
    row = range(found.graph.indptr[u], found.graph.indptr[u + 1])
    return {
        (
            int(found.graph.indices[a]),
            0.0 if found.graph.weights is None else float(found.graph.weights[a]),
            0 if found.flags is None else int(found.flags[a]),
        )
        for a in row
        if found.graph.indices[a] != without
    }


def are_twins(found: Plan, u: int, v: int) -> bool:
    """Whether u and v can trade places."""
    if signature(found, u, v) != signature(found, v, u):
        return False
    row = range(found.graph.indptr[u], found.graph.indptr[u + 1])
    between = [a for a in row if found.graph.indices[a] == v]
    return not between or found.flags is None or found.flags[between[0]] == 3


def expected_leaders(found: Plan, leaf_of: np.ndarray) -> list[int]:
    left_out = (leaf_of >= 0) | (np.diff(found.graph.indptr) == 0)
    return [
        u if left_out[u] else next(v for v in range(u + 1) if v == u or (not left_out[v] and are_twins(found, v, u)))
        for u in range(leaf_of.size)
    ]


def two_weights(graph: Graph, seed: int) -> Graph:
    """A copy with weights 1 and 2, so that some twins stay twins."""
    tails = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    pairs = np.column_stack([tails, graph.indices])[tails < graph.indices]
    weights = np.random.default_rng(seed).choice([1.0, 2.0], len(pairs), p=[0.8, 0.2])
    return graph_from_ids(pairs[:, 0], pairs[:, 1], weights, n_nodes=graph.n_nodes)


def ranked_as(graph: Graph, kind: str, parallel: Parallel = SERIAL) -> Plan:
    """The graph in ranks, with weights, directions or neither."""
    changed = {"weights": two_weights, "out": directed_copy, "in": directed_copy}.get(kind)
    direction = kind if kind in ("out", "in") else "all"
    graph = graph if changed is None else changed(graph, seed=3)
    return rank_graph(graph, weighted=kind == "weights", direction=direction, parallel=parallel)


@every_graph
@for_each("kind", ["plain", "weights", "out", "in"])
@for_each("reduce_leaves", [True, False])
def test_twins(graph: Graph, kind: str, reduce_leaves: bool) -> None:
    found = ranked_as(graph, kind)
    plan = plan_ranked(found, reduce_leaves=reduce_leaves)
    assert plan.leader.tolist() == expected_leaders(found, plan.leaf_of)
    # Balls that follow directions have no leaves.
    degrees = np.diff(plan.graph.indptr)
    assert ((plan.leaf_of >= 0) == ((degrees == 1) & reduce_leaves & (kind in ("plain", "weights")))).all()
    if kind == "plain":
        leads = plan.leader == np.arange(graph.n_nodes)
        assert np.array_equal(plan.required(np.ones(graph.n_nodes, bool)), (degrees > reduce_leaves) & leads)


def test_what_tells_twins_apart() -> None:
    """One weight of four; one arc of a triangle that goes one way, so that its ends see different things."""
    ends = np.array([0, 0, 1, 1]), np.array([2, 3, 2, 3])
    graph = graph_from_ids(*ends, np.array([1.0, 1.0, 1.0, 2.0]), n_nodes=4)
    assert plan_ranked(ranked(graph, weighted=True), reduce_leaves=True).leader.tolist() == [0, 1, 2, 3]
    assert len(set(plan_ranked(ranked(graph), reduce_leaves=True).leader.tolist())) == 2
    arcs = np.array([(0, 1), (0, 2), (2, 0), (1, 2), (2, 1)])
    graph = graph_from_ids(*arcs.T, n_nodes=3, directed=True)
    assert plan_ranked(ranked(graph, direction="out"), reduce_leaves=True).leader.tolist() == [0, 1, 2]


@every_graph
def test_order_of_work(graph: Graph) -> None:
    """Sorted by the first neighbours, missing ones last, stable."""
    rows = ranked(graph).graph
    nodes = np.random.default_rng(1).permutation(graph.n_nodes).astype(np.int32)[: max(1, graph.n_nodes // 2)]
    nodes = nodes[: graph.n_nodes]

    def key(u: int) -> list[int]:
        row = rows.indices[rows.indptr[u] : rows.indptr[u + 1]].tolist()
        return (row + [graph.n_nodes] * 3)[:3]

    for parallel, some in product((SERIAL, Parallel(3)), (nodes, nodes[:0])):
        order = reductions.order_by_neighbours(rows.indptr, rows.indices, None, some, parallel)
        assert order.tolist() == sorted(some.tolist(), key=key)


@every_graph
@for_each("parallel", [SERIAL, Parallel(3), Parallel(40)], ids=["alone", "3", "40"])
def test_rows_of_leaders(graph: Graph, parallel: Parallel) -> None:
    """The graph without the nodes that another stands for; memory for one copy of it, not two."""
    indptr, indices = ranked(graph).graph[:2]
    copies = np.random.default_rng(2).integers(-1, 2, graph.n_nodes).astype(np.int32)
    ptr, columns, split = reductions.rows_of_leaders(indptr, indices, read_only(copies), parallel)
    rows = np.split(columns, ptr[1:-1]) if graph.n_nodes else []
    assert ptr[0] == 0
    assert ptr[-1] == columns.size
    for u, row in enumerate(rows):
        whole = indices[indptr[u] : indptr[u + 1]]
        kept = whole[copies[whole] != 0] if copies[u] else whole[:0]
        assert row.tolist() == kept.tolist()
        assert split[u] == (kept < u).sum()
    assert columns.base is not None
    assert columns.base.nbytes == indices.nbytes


@every_graph
@for_each("radius", [1, 2, 3])
def test_costs_count_walks_and_stop_at_all_arcs(graph: Graph, radius: int) -> None:
    rows = ranked(graph).graph
    costs = reductions.ball_costs(rows.indptr, rows.indices, None, radius)
    expected = np.diff(rows.indptr).astype(float)
    for _ in range(radius - 1):
        sums = [expected[rows.indices[a:b]].sum() for a, b in zip(rows.indptr[:-1], rows.indptr[1:], strict=True)]
        expected = np.minimum(np.array(sums), rows.indices.size)
    assert np.array_equal(costs, expected)


@every_graph
@for_each("kind", ["plain", "weights", "out"])
@pytest.mark.usefixtures("few_twins_will_do")
def test_threads_that_share_the_planning_change_nothing(graph: Graph, kind: str) -> None:
    found = []
    with ThreadPoolExecutor(3) as pool:
        for parallel in (SERIAL, Parallel(3, pool.map)):
            plan = plan_ranked(ranked_as(graph, kind, parallel), reduce_leaves=True, collapse=kind == "plain")
            work = plan.in_order(plan.required(np.ones(graph.n_nodes, bool)))
            arrays = [plan.leader, plan.leaf_of, *plan.graph, *plan.search, *plan.components[:2], work]
            found.append([*arrays, *(plan.costs(work, radius) for radius in (1, 2, 3))])
    for alone, shared in zip(*found, strict=True):
        assert (alone is None and shared is None) or np.array_equal(alone, shared)


@pytest.fixture
def few_twins_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "_FEW_TWINS", 0.0)
    monkeypatch.setattr(planning, "_FEW_NODES", 0)
    monkeypatch.setattr(ranking, "_MIN_ITEMS", 1)


@every_graph
@pytest.mark.usefixtures("few_twins_will_do")
def test_nodes_that_stand_for_their_twins(graph: Graph) -> None:
    found = ranked(graph)
    plan = plan_ranked(found, reduce_leaves=True, collapse=True)
    copies = plan.graph.copies
    assert copies is not None
    # Leaves are twins like any others here.
    leaders = np.array(expected_leaders(found, np.full(graph.n_nodes, -1, np.int32)), dtype=np.int64)
    assert np.array_equal(plan.leader, leaders)
    assert np.array_equal(np.abs(copies), np.bincount(leaders, minlength=graph.n_nodes))
    rows = [found.graph.indices[a:b].tolist() for a, b in pairwise(found.graph.indptr)]
    for u in range(graph.n_nodes):
        twins = np.flatnonzero(leaders == u).tolist()
        if len(twins) > 1:
            joined = {v in rows[w] for v in twins for w in twins if v != w}
            assert joined == {bool(copies[u] < 0)}
        kept = [w for w in rows[u] if copies[w]] if copies[u] else []
        assert plan.graph.indices[plan.graph.indptr[u] : plan.graph.indptr[u + 1]].tolist() == kept
        assert plan.graph.split[u] == sum(w < u for w in kept)


@every_graph
@pytest.mark.usefixtures("few_twins_will_do")
def test_order_and_costs_are_those_of_the_graph_without_twins(graph: Graph) -> None:
    """Whether the rows of twins are there or not: a graph that stays in its file keeps them."""
    found = ranked(graph)
    plan = plan_ranked(found, reduce_leaves=True, collapse=True)
    stored = plan_ranked(found._replace(file="somewhere"), reduce_leaves=True, collapse=True)
    assert stored.graph.indices is found.graph.indices
    everyone = np.ones(graph.n_nodes, bool)
    assert np.array_equal(plan.required(everyone), stored.required(everyone))
    work = plan.in_order(plan.required(everyone))
    assert np.array_equal(work, stored.in_order(stored.required(everyone)))
    for radius in (1, 2, 3):
        assert np.array_equal(plan.costs(work, radius), stored.costs(work, radius))


def test_few_twins_are_not_worth_it() -> None:
    graph = disjoint_union(synthetic.cycle(100), synthetic.star(4))
    assert plan_ranked(ranked(graph), reduce_leaves=True, collapse=True).graph.copies is None
    graph = disjoint_union(synthetic.cycle(10), synthetic.star(4))
    assert plan_ranked(ranked(graph), reduce_leaves=True, collapse=True).graph.copies is not None


def test_hash_collisions_are_no_twins() -> None:
    """The hint is a sum of hashes; rows that differ must stay apart even where many rows share a table slot."""
    graph = synthetic.complete_multipartite([3] * 40)
    plan = plan_ranked(ranked(graph), reduce_leaves=True)
    assert len(set(plan.leader.tolist())) == 40
    assert np.array_equal(plan.leader, expected_leaders(ranked(graph), read_only(np.full(120, -1, np.int32))))
