"""`update` against embedding the changed graph from scratch."""

from __future__ import annotations

import numpy as np
import pytest

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import directed_copy, weighted_copy
from vnestruct import Graph, ParameterError, embed, update
from vnestruct.embedding.parameters import NAMED_KINDS
from vnestruct.graph import graph_from_pairs
from vnestruct.graph.edit import edit

GRAPHS = {
    "preferential": lambda seed: synthetic.barabasi_albert(50, 2, seed),
    "small world": lambda seed: synthetic.watts_strogatz(50, 4, 0.1, seed),
    "grid": lambda seed: synthetic.grid(7, 7, shuffled=seed),
    "sparse": lambda seed: synthetic.erdos_renyi(50, 0.05, seed),
    "tree": lambda seed: synthetic.balanced_tree(2, 5),
}


def arcs_of(graph):
    """The edges (arcs of a directed graph) as pairs of labels, and the weight of each."""
    *ends, weights = graph.edges()
    pairs = zip(*(graph.nodes[end].tolist() for end in ends), strict=True)
    return dict(zip(pairs, np.ones(ends[0].size) if weights is None else weights, strict=True))


def random_change(graph, generator):
    """Draw removals and additions: duplicates, self-loops, new nodes and whole neighbourhoods among them."""
    arcs = list(arcs_of(graph))
    removed = [arcs[i] for i in generator.choice(len(arcs), generator.integers(0, 4), replace=False)]
    if generator.random() < 0.2:
        lonely = generator.integers(graph.n_nodes)
        removed = [arc for arc in arcs if lonely in arc]
    added = generator.integers(0, graph.n_nodes + 2, (generator.integers(0, 4), 2)).tolist()
    if generator.random() < 0.3:
        added += [*added[:1], arcs[int(generator.integers(len(arcs)))]]
    if graph.weights is not None:
        added = [(*pair, float(generator.uniform(0.5, 2.0))) for pair in added]
    return {"added": added, "removed": removed}


def rebuilt(graph, added, removed):
    """Build the changed graph from its edges, slowly."""
    weights, nodes = arcs_of(graph), graph.nodes.tolist()

    def key(u, v):
        return (u, v) if graph.directed or (v, u) not in weights else (v, u)

    for u, v in removed:
        del weights[key(u, v)]
    for u, v, *weight in added:
        nodes += [u, v]
        if u != v:
            weights[key(u, v)] = weights.get(key(u, v), 0.0) + (weight[0] if weight else 1.0)
    values = list(weights.values()) if graph.weights is not None else None
    nodes = list(dict.fromkeys(nodes))
    return graph_from_pairs(*np.reshape(list(weights), (-1, 2)).T, values, nodes=nodes, directed=graph.directed)


@for_each("name", GRAPHS)
@for_each("radius", [1, 2, 3])
def test_equals_recomputation(name, radius):
    """500 change sets in all: five kinds of graph, three radii, plain, weighted and directed."""
    generator = np.random.default_rng(radius)
    for seed in range(34):
        graph, options = GRAPHS[name](seed), {}
        if seed % 4 == 1:
            graph, options = weighted_copy(graph, seed), {"weighted": True}
        elif seed % 4 == 2:
            graph, options = directed_copy(graph, seed), {"direction": ("all", "out", "in", "out+in")[seed % 16 // 4]}
        if seed % 5 == 0:
            options["aggregate"] = ("mean", "std")
        change = random_change(graph, generator)
        result = update(graph, embed(graph, radius, n_jobs=1, **options), **change, **options)
        expected = rebuilt(graph, **change)
        assert result.graph == expected
        values = embed(expected, radius, n_jobs=1, **options)
        np.testing.assert_allclose(result.H, values, rtol=0, atol=0 if radius == 1 and not options else 1e-9)
        assert not np.signbit(result.H).any()


@for_each("name", GRAPHS)
@for_each("direction", ["all", "out", "in"])
def test_computes_no_more_rows_than_needed(name, direction):
    """A row is recomputed only if the ball of its node is another graph now (at most 10% more in total)."""
    generator = np.random.default_rng(5)
    n_exact = n_computed = 0
    for seed in range(10):
        graph = GRAPHS[name](seed) if direction == "all" else directed_copy(GRAPHS[name](seed), seed)
        H = embed(graph, 2, direction=direction, n_jobs=1)
        result = update(graph, H, **random_change(graph, generator), direction=direction)
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
    near = {u: graph.indices[graph.indptr[u] : graph.indptr[u + 1]].tolist() for u in members}
    pairs = {frozenset((labels[u], labels[v])) for u, others in near.items() for v in others if v in members}
    return frozenset(labels[u] for u in members), frozenset(pairs)


def test_nothing_changes_without_a_change():
    graph = synthetic.barabasi_albert(40, 2, 0)
    H = embed(graph, 2)
    result = update(graph, H, added=list(arcs_of(graph))[:1])
    assert result.graph is graph
    assert np.array_equal(result.H, H)
    assert result.changed.size == 0


def test_new_nodes_come_last_and_string_labels_stay():
    result = update([("a", "b"), ("b", "c")], embed([("a", "b"), ("b", "c")], 2), added=[("c", "d"), ("e", "e")])
    assert result.graph.nodes.tolist() == ["a", "b", "c", "d", "e"]
    np.testing.assert_allclose(result.H, embed(result.graph, 2), rtol=0, atol=1e-9)


@for_each(
    ("change", "value"),
    [
        ({"removed": [(0, 9)]}, r"\(0, 9\)"),
        ({"removed": [(0, 1), (1, 0)]}, r"\(1, 0\)"),
        ({"removed": [(0, 77)]}, "77"),
        ({"removed": [(0, 1, 2.0)]}, "removed"),
        ({"added": [(0,)]}, r"edge 0 is \(0,\)"),
        ({"added": [(1, 2), 7]}, "edge 1 is 7"),
        ({"added": "ab"}, "'ab'"),
        ({"added": [(0, None)]}, "None"),
        *(({"added": [(0, 3, weight)]}, "weight") for weight in (-1.0, float("nan"), float("inf"), "heavy")),
        ({"radius": 4}, "make 4"),
        ({"aggregate": ("mean", "std")}, "1 columns"),
        ({"H": np.zeros((9, 2))}, r"\(9, 2\)"),
    ],
)
def test_bad_changes_and_other_parameters(change, value):
    graph = weighted_copy(synthetic.path(10), 0)
    with pytest.raises(ParameterError, match=value):
        update(graph, **{"H": embed(graph, 1, weighted=True), "weighted": True} | change)


def test_edit_says_what_changed_and_leaves_the_old_graph_alone():
    graph = directed_copy(weighted_copy(synthetic.barabasi_albert(30, 2, 3), 1), 2)
    before, arcs = graph.hash, arcs_of(graph)
    (tail, head), weight = next(iter(arcs.items()))
    edited = edit(graph, added=[(31, 5, 1.0)], removed=[(tail, head)])
    back = arcs.get((head, tail), 0.0)
    old, new = ((weight, back), (0.0, back)) if tail < head else ((back, weight), (back, 0.0))
    assert edited.changes == {(min(tail, head), max(tail, head)): (old, new), (5, 30): ((0.0, 0.0), (0.0, 1.0))}
    assert graph.hash == before
    after = edited.graph
    assert Graph(after.indptr, after.indices, after.weights, after.nodes, True, directions=after.directions) == after


@for_each("kind", NAMED_KINDS)
def test_kinds_without_a_radius_are_those_of_the_changed_graph(kind):
    generator = np.random.default_rng(4)
    plain = GRAPHS["small world"](1)
    cases = [(plain, {})]
    cases += [(weighted_copy(plain, 1), {"weighted": True})] if kind == "profile" else []
    cases += [(directed_copy(plain, 1), {"direction": "out+in"})] if kind != "noisy" else []
    for graph, options in cases:
        change, H = random_change(graph, generator), embed(graph, kind=kind, **options)
        result = update(graph, H, **change, kind=kind, **options)
        expected = embed(rebuilt(graph, **change), kind=kind, **options)
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
