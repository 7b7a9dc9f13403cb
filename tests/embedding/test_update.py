"""`update` against embedding the changed graph from scratch."""

from __future__ import annotations

import numpy as np
import pytest

import vnestruct
from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import directed_copy, weighted_copy
from vnestruct import Graph, ParameterError, embed, update
from vnestruct.embedding.parameters import NAMED_KINDS
from vnestruct.graph import OUT, graph_from_ids
from vnestruct.graph.edit import edit

KINDS_OF_GRAPH = {
    "preferential": lambda seed: synthetic.barabasi_albert(50, 2, seed),
    "small world": lambda seed: synthetic.watts_strogatz(50, 4, 0.1, seed),
    "grid": lambda seed: synthetic.grid(7, 7, shuffled=seed),
    "sparse": lambda seed: synthetic.erdos_renyi(50, 0.05, seed),
    "tree": lambda seed: synthetic.balanced_tree(2, 5),
}


def arcs_of(graph):
    """List the edges (arcs of a directed graph) as pairs of labels."""
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    keep = (graph.directions & OUT) > 0 if graph.directed else rows < graph.indices
    labels = graph.nodes.tolist()
    return [(labels[u], labels[v]) for u, v in zip(rows[keep], graph.indices[keep], strict=True)]


def random_change(graph, generator):
    """Draw removals and additions: duplicates, self-loops, new nodes and whole neighbourhoods among them."""
    arcs = arcs_of(graph)
    removed = [arcs[i] for i in generator.choice(len(arcs), generator.integers(0, 4), replace=False)]
    if generator.random() < 0.2:
        lonely = generator.integers(graph.n_nodes)
        removed = [arc for arc in arcs if lonely in arc]
    ends = generator.integers(0, graph.n_nodes + 2, (generator.integers(0, 4), 2)).tolist()
    added = [tuple(pair) for pair in ends]
    if added and generator.random() < 0.3:
        added.append(added[0])
    if generator.random() < 0.2:
        added.append(arcs[int(generator.integers(len(arcs)))])
    if graph.weights is not None:
        added = [(*pair, float(generator.uniform(0.5, 2.0))) for pair in added]
    return added, removed


def rebuilt(graph, added, removed):
    """Build the changed graph from its edges, slowly."""
    weights = dict(zip(arcs_of(graph), arc_weights(graph), strict=True))

    def key(u, v):
        return (u, v) if graph.directed or (u, v) in weights or (v, u) not in weights else (v, u)

    for u, v in removed:
        del weights[key(u, v)]
    names = graph.nodes.tolist()
    for u, v, *weight in added:
        for name in (u, v):
            if name not in names:
                names.append(name)
        if u != v:
            before = weights.get(key(u, v), 0.0)
            weights[key(u, v)] = before + (weight[0] if weight else 1.0)
    source, target = zip(*weights, strict=True) if weights else ((), ())
    values = list(weights.values()) if graph.weights is not None else None
    return vnestruct.graph.graph_from_pairs(source, target, values, nodes=names, directed=graph.directed)


def arc_weights(graph):
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    if graph.weights is None:
        return [1.0] * len(arcs_of(graph))
    keep = (graph.directions & OUT) > 0 if graph.directed else rows < graph.indices
    return graph.weights[keep].tolist()


@for_each("name", KINDS_OF_GRAPH)
@for_each("radius", [1, 2, 3])
def test_equals_recomputation(name, radius):
    """500 change sets in all: five kinds of graph, three radii, plain, weighted and directed."""
    generator = np.random.default_rng(radius)
    for seed in range(34):
        graph, options = KINDS_OF_GRAPH[name](seed), {}
        if seed % 4 == 1:
            graph, options = weighted_copy(graph, seed), {"weighted": True}
        elif seed % 4 == 2:
            direction = ("all", "out", "in", "out+in")[seed % 16 // 4]
            graph, options = directed_copy(graph, seed), {"direction": direction}
        if seed % 5 == 0:
            options["aggregate"] = ("mean", "std")
        added, removed = random_change(graph, generator)
        result = update(graph, embed(graph, radius, n_jobs=1, **options), added=added, removed=removed, **options)
        expected = rebuilt(graph, added, removed)
        assert result.graph == expected
        np.testing.assert_allclose(result.H, embed(expected, radius, n_jobs=1, **options), rtol=0, atol=1e-9)
        assert not np.signbit(result.H).any()


@for_each("name", KINDS_OF_GRAPH)
@for_each("direction", ["all", "out", "in"])
def test_computes_no_more_rows_than_needed(name, direction):
    """A row is recomputed only if the ball of its node is another graph now (at most 10% more in total)."""
    generator = np.random.default_rng(5)
    n_exact = n_computed = 0
    for seed in range(10):
        graph = KINDS_OF_GRAPH[name](seed)
        if direction != "all":
            graph = directed_copy(graph, seed)
        added, removed = random_change(graph, generator)
        H = embed(graph, 2, direction=direction, n_jobs=1)
        result = update(graph, H, added=added, removed=removed, direction=direction)
        exact = {
            label
            for label in result.graph.nodes.tolist()
            if label not in graph.nodes or ball_of(graph, label, direction) != ball_of(result.graph, label, direction)
        }
        assert exact <= set(result.changed.tolist())
        n_exact += len(exact)
        n_computed += len(result.changed)
    assert n_computed <= 1.1 * n_exact


def ball_of(graph, label, direction):
    """Return the induced ball as sets of labels and of labelled pairs."""
    members = oracles.ball(graph, graph.position(label), 2, direction)
    labels = graph.nodes.tolist()
    pairs = {
        frozenset((labels[u], labels[int(v)]))
        for u in members
        for v in graph.indices[graph.indptr[u] : graph.indptr[u + 1]]
        if int(v) in members
    }
    return frozenset(labels[u] for u in members), frozenset(pairs)


def test_nothing_changes_without_a_change():
    graph = synthetic.barabasi_albert(40, 2, 0)
    H = embed(graph, 2)
    result = update(graph, H, added=[arcs_of(graph)[0]])
    assert result.graph is graph
    assert np.array_equal(result.H, H)
    assert result.changed.size == 0


def test_removing_and_adding_an_edge_restores_the_bits():
    graph = synthetic.watts_strogatz(60, 4, 0.1, 1)
    H = embed(graph, 2)
    edge = arcs_of(graph)[10]
    there = update(graph, H, removed=[edge])
    back = update(there.graph, there.H, added=[edge])
    assert back.graph == graph
    np.testing.assert_allclose(back.H, H, rtol=0, atol=1e-9)


def test_new_nodes_come_last_and_string_labels_stay():
    result = update([("a", "b"), ("b", "c")], embed([("a", "b"), ("b", "c")], 2), added=[("c", "d"), ("e", "e")])
    assert result.graph.nodes.tolist() == ["a", "b", "c", "d", "e"]
    assert np.array_equal(result.H[-1], [0.0, 0.0])
    np.testing.assert_allclose(result.H, embed(result.graph, 2), rtol=0, atol=1e-9)


@for_each(
    ("change", "message"),
    [
        ({"removed": [(0, 9)]}, r"\(0, 9\).*no such edge"),
        ({"removed": [(0, 1), (1, 0)]}, r"\(1, 0\).*no such edge"),
        ({"removed": [(0, 77)]}, r"77.*not in the graph"),
        ({"removed": [(0, 1, 2.0)]}, "edge 0 of removed"),
        ({"added": [(0,)]}, "edge 0 of added"),
        ({"added": [(1, 2), 7]}, "edge 1 of added"),
        ({"added": "ab"}, "list of edges"),
        ({"added": [(0, None)]}, "None"),
    ],
)
def test_bad_changes(change, message):
    graph = synthetic.path(10)
    with pytest.raises(ParameterError, match=message):
        update(graph, embed(graph, 1), **change)


@for_each("weight", [-1.0, float("nan"), float("inf"), "heavy"])
def test_bad_weights(weight):
    graph = weighted_copy(synthetic.path(5), 0)
    with pytest.raises(ParameterError, match="weight"):
        update(graph, embed(graph, 1, weighted=True), added=[(0, 3, weight)], weighted=True)


def test_embedding_must_fit_the_graph_and_the_parameters():
    graph = synthetic.path(10)
    with pytest.raises(ParameterError, match="10 nodes"):
        update(graph, np.zeros((9, 2)))
    with pytest.raises(ParameterError, match="H has 4 columns"):
        update(graph, np.zeros((10, 4)), aggregate=("mean", "std"))
    with pytest.raises(ParameterError, match="2 columns"):
        update(graph, np.zeros((10, 2)), radius=3)


def test_edit_says_what_changed():
    changed = edit(synthetic.path(3), added=[(2, 3)], removed=[(0, 1)])
    assert changed.graph == graph_from_ids([1, 2], [2, 3], n_nodes=4)
    assert changed.changes == {(0, 1): ((1.0, 1.0), (0.0, 0.0)), (2, 3): ((0.0, 0.0), (1.0, 1.0))}


def test_edit_leaves_the_old_graph_alone_and_makes_a_valid_one():
    graph = directed_copy(weighted_copy(synthetic.barabasi_albert(30, 2, 3), 1), 2)
    before = graph.hash
    changed = edit(graph, added=[(0, 29, 2.0), (31, 5, 1.0)], removed=[arcs_of(graph)[0]]).graph
    assert graph.hash == before
    checked = Graph(
        changed.indptr, changed.indices, changed.weights, changed.nodes, True, directions=changed.directions
    )
    assert checked == changed


@pytest.mark.parametrize("kind", ["approx", ["quadratic", "approx"]])
def test_a_stream_of_changes_keeps_the_bits_of_radius_one(kind):
    """Sums travel from graph to graph; they are whole numbers, so not a bit may differ, branches included."""
    generator = np.random.default_rng(3)
    graph = synthetic.barabasi_albert(60, 4, 2)
    H = embed(graph, 1, kind=kind)
    for step in range(120):
        arcs = arcs_of(graph)
        removed = [
            arcs[i] for i in generator.choice(len(arcs), step % 3 if step % 10 == 0 else step % 2, replace=False)
        ]
        added = [tuple(generator.integers(0, graph.n_nodes + (step % 17 == 0), 2).tolist())] if step % 2 == 0 else []
        aside = update(graph, H, removed=[arcs[0]], kind=kind)
        assert np.array_equal(aside.H, embed(aside.graph, 1, kind=kind))
        result = update(graph, H, added=added, removed=removed, kind=kind)
        assert np.array_equal(result.H, embed(result.graph, 1, kind=kind))
        graph, H = result.graph, result.H


@for_each("kind", NAMED_KINDS)
def test_kinds_without_a_radius_are_those_of_the_changed_graph(kind):
    generator = np.random.default_rng(4)
    for number, make in enumerate(KINDS_OF_GRAPH.values()):
        plain = make(number)
        cases = [(plain, {})]
        cases += [(weighted_copy(plain, 1), {"weighted": True})] if kind == "profile" else []
        cases += [(directed_copy(plain, 1), {"direction": "out+in"})] if kind != "noisy" else []
        for graph, options in cases:
            added, removed = random_change(graph, generator)
            H = embed(graph, kind=kind, **options)
            result = update(graph, H, added=added, removed=removed, kind=kind, **options)
            assert result.graph == rebuilt(graph, added, removed)
            expected = embed(result.graph, kind=kind, **options)
            assert result.H.tobytes() == expected.tobytes()
            old = dict(zip(graph.nodes.tolist(), H.tolist(), strict=True))
            rows = zip(result.graph.nodes.tolist(), expected.tolist(), strict=True)
            assert result.changed.tolist() == [node for node, row in rows if old.get(node) != row]


def test_sides_stay_through_an_update():
    edges = [("a", 1), ("a", 2), ("b", 1)]
    result = update(edges, embed(edges, kind="roles"), added=[("b", 2), ("c", 2)], kind="roles")
    assert result.H.tobytes() == embed([*edges, ("b", 2), ("c", 2)], kind="roles").tobytes()
    assert result.H[:, -1].max() > 0
    with pytest.raises(ParameterError, match="H has 5 columns, but these parameters make 6"):
        update(edges, embed(edges, kind="roles", bipartite=False), kind="roles")
