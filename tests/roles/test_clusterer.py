"""`RoleClusterer`: the same roles whatever the order of nodes, kept by predict and files; errors name remedies."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline

from tests.cases import for_each
from tests.generators import (
    erdos_renyi,
    house_shape,
    phone_calls,
    planted_broadcasters,
    planted_brokers,
    power_law,
    ring_of_caves,
    ring_of_shapes,
)
from tests.graphs import ZOO, disjoint_union, edges_of, from_edges, graph_strategy, relabelled
from vnestruct import (
    Graph,
    GraphFormatError,
    GraphSet,
    ParameterError,
    RoleClusterer,
    VNEstruct,
    as_graph,
    embed,
    embedding_frame,
)
from vnestruct.files.container import load_model, save_model
from vnestruct.graph import graph_from_ids
from vnestruct.graph.synthetic import barbell, cycle, path, star
from vnestruct.store.signatures import given_signatures

LINKS = sorted({(int(a), 100 + int(b)) for a, b in np.random.default_rng(0).integers(0, 40, (150, 2)) ** 2 // 40})
"""Two sides of different degrees, with 4-cycles."""

GRAPHS: dict[str, tuple[Any, dict[str, Any]]] = {
    "power law": (power_law(500, 2.3, seed=4), {}),
    "power law with isolated nodes": (disjoint_union(power_law(200, 2.3, seed=1), from_edges([], 7)), {}),
    "more different rows than small clusters": (erdos_renyi(3_000, 0.004, seed=1), {}),
    "brokers": (planted_brokers(0)[0], {}),
    "calls": (phone_calls(), {}),
    "directions": (planted_broadcasters(0, n=400, k=5, links=40)[0], {"direction": "out+in"}),
    "sides": (as_graph(LINKS), {}),
    "other kind": (power_law(300, 2.5, seed=3), {"kind": ["approx", "quadratic"], "radius": 2, "aggregate": "mean"}),
    "profile": (power_law(300, 2.5, seed=3), {"kind": "profile"}),
    "noisy": (ring_of_shapes(30, [house_shape()] * 10)[0], {"kind": "noisy"}),
}


def moved(graph: Graph, seed: int) -> tuple[Graph, np.ndarray]:
    """The same graph from shuffled edges under other numbers, and the new position of each node."""
    generator = np.random.default_rng(seed)
    if graph.directed or graph.sides is not None:
        rows, flags = np.repeat(np.arange(graph.n_nodes), graph.degrees), graph.directions
        is_kept = graph.sides[rows] == 0 if flags is None else flags & 1 > 0
        edges = generator.permutation(np.column_stack([rows, graph.indices])[is_kept])
        new = as_graph([(f"n{u}", f"n{v}") for u, v in edges.tolist()], directed=graph.directed)
        return new, new.positions([f"n{node}" for node in range(graph.n_nodes)])
    place = generator.permutation(graph.n_nodes)
    edges = place[generator.permutation(np.array(edges_of(graph)))]
    return graph_from_ids(edges[:, 1], edges[:, 0], n_nodes=graph.n_nodes), place


@for_each("name", GRAPHS)
def test_the_fitted_graph_keeps_its_roles(name: str) -> None:
    graph, options = GRAPHS[name]
    model = RoleClusterer(**options).fit(graph)
    assert model.predict(graph).tobytes() == model.labels_.tobytes()
    assert np.array_equal(np.unique(model.labels_), np.arange(model.n_roles_))
    sizes = np.bincount(model.labels_)
    assert sizes.tolist() == sorted(sizes.tolist(), reverse=True)
    assert len(model.centres_) == len(model.groups_) == len(model.names_) == model.n_roles_
    assert np.array_equal(model.signatures_, embed(graph, **{"kind": "roles"} | options))


def test_the_zoo_keeps_its_roles() -> None:
    for name, graph in ZOO.items():
        if graph.n_nodes:
            model = RoleClusterer().fit(graph)
            assert np.array_equal(model.predict(graph), model.labels_), name
            assert len(set(model.names_)) == model.n_roles_, name


@settings(max_examples=60)
@given(graph_strategy(max_nodes=20, min_nodes=1), st.integers(0, 10**6))
def test_small_graphs_keep_their_roles_under_other_numbers(graph: Graph, seed: int) -> None:
    model = RoleClusterer().fit(graph)
    other, place = relabelled(graph, seed)
    assert np.array_equal(model.predict(graph), model.labels_)
    assert np.array_equal(model.predict(other)[place], model.labels_)
    assert np.array_equal(RoleClusterer().fit(other).labels_[place], model.labels_)


@settings(max_examples=15)
@given(st.integers(30, 300), st.floats(0.5, 6.0), st.integers(0, 10**6))
def test_random_graphs_keep_their_roles(n_nodes: int, degree: float, seed: int) -> None:
    graph = erdos_renyi(n_nodes, degree / n_nodes, seed)
    model = RoleClusterer().fit(graph)
    assert np.array_equal(model.predict(graph), model.labels_)


@for_each("name", GRAPHS)
def test_neither_the_order_of_edges_nor_threads_matter(name: str) -> None:
    graph, options = GRAPHS[name]
    model = RoleClusterer(**options, n_jobs=1).fit(graph)
    other, place = moved(graph, seed=3)
    for again, places in (
        (RoleClusterer(**options, n_jobs=2).fit(graph), slice(None)),
        (clone(model).fit(other), place),
    ):
        assert np.array_equal(again.labels_[places], model.labels_)
        assert np.array_equal(model.predict(again.graph_)[places], model.labels_)
        np.testing.assert_allclose(again.centres_, model.centres_, rtol=0, atol=1e-9)
        assert again.exceptional_[places].tolist() == model.exceptional_.tolist()
    twice = clone(model).fit(graph)
    assert twice.centres_.tobytes() == model.centres_.tobytes()
    assert twice.describe() == model.describe()


def test_the_number_of_roles_counts_isolated_nodes_and_both_sides() -> None:
    for name in ("power law", "power law with isolated nodes", "sides", "profile"):
        graph, options = GRAPHS[name]
        for number in (2, 3, 5, 9):
            model = RoleClusterer(number, **options).fit(graph)
            assert np.unique(model.labels_).size == model.n_roles_ == number, name
            isolated, sides = graph.degrees == 0, graph.sides
            for group in [isolated, *([sides == 0, sides == 1] if sides is not None else [])]:
                assert not np.intersect1d(model.labels_[group], model.labels_[~group]).size, name
    lonely = GRAPHS["power law with isolated nodes"][0]
    model = RoleClusterer(2).fit(lonely)
    assert model.groups_.tolist() == [0, -1]
    assert np.array_equal(model.labels_, lonely.degrees == 0)


def test_another_graph_gets_the_roles_of_its_like() -> None:
    graph, roles = ring_of_shapes(30, [house_shape()] * 10)
    larger, known = ring_of_shapes(60, [house_shape()] * 20)
    model = RoleClusterer().fit(graph)
    assert adjusted_rand_score(roles, model.labels_) == 1.0
    same = dict(zip(roles.tolist(), model.labels_.tolist(), strict=True))
    assert model.predict(larger).tolist() == [same[role] for role in known.tolist()]
    # Nodes without links are none of these, and get the nearest role all the same.
    assert RoleClusterer().fit(cycle(5)).predict(from_edges([], 2)).tolist() == [0, 0]
    caves, kinds = ring_of_caves()
    assert adjusted_rand_score(kinds, RoleClusterer().fit_predict(caves)) == 1.0


@for_each(
    ("edges", "labels", "names"),
    [
        (path(1), [0], ["isolated node"]),
        (from_edges([], 3), [0, 0, 0], ["isolated nodes"]),
        (path(2), [0, 0], ["isolated pairs"]),
        (cycle(12), [0] * 12, ["links in chains"]),
        (star(6), [1, 0, 0, 0, 0, 0, 0], ["pendant nodes", "hub"]),
        (ZOO["clique"], [0] * 8, ["clique members"]),
    ],
)
def test_graphs_of_few_kinds(edges: Graph, labels: list[int], names: list[str]) -> None:
    model = RoleClusterer().fit(edges)
    assert model.labels_.tolist() == labels
    assert model.names_ == names


def test_the_barbell_has_clique_members_gateways_and_a_chain() -> None:
    model = RoleClusterer().fit(barbell(10, 7))
    # Members of the cliques, gates, and nodes of the chain next to a gate or not.
    kinds = [0] * 9 + [1, 2, 3, 3, 3, 3, 3, 2, 1] + [0] * 9
    assert adjusted_rand_score(kinds, model.labels_) == 1.0
    assert model.names_[0] == "clique members"
    assert model.names_[model.labels_[9]] == "gateways"
    assert all(model.names_[role].startswith("links in chains") for role in model.labels_[[10, 13]])


@st.composite
def matrices(draw: st.DrawFn) -> np.ndarray:
    """Rows on a coarse lattice, so that many are equal and many distances are near 1."""
    n_rows, n_columns = draw(st.integers(1, 30)), draw(st.integers(1, 4))
    values = draw(st.lists(st.integers(0, 12), min_size=n_rows * n_columns, max_size=n_rows * n_columns))
    return np.array(values, float).reshape(n_rows, n_columns) * draw(st.sampled_from([0.1, 0.5, 1.0]))


def brute_force_exceptional(rows: np.ndarray, groups: np.ndarray) -> list[bool]:
    found = []
    for node, row in enumerate(rows):
        others = np.delete(rows, node, axis=0)[np.delete(groups, node) == groups[node]]
        found.append(bool(len(others)) and bool(np.sqrt(((others - row) ** 2).sum(axis=1)).min() > 1.0))
    return found


@given(matrices())
def test_exceptional_nodes_are_far_from_all_others(matrix: np.ndarray) -> None:
    model = RoleClusterer().fit_signatures(matrix)
    rows = np.round(matrix / model.scale_, 8)
    assert model.exceptional_.tolist() == brute_force_exceptional(rows, np.zeros(len(matrix)))


def test_exceptional_nodes_are_compared_within_their_group() -> None:
    graphs = [graph for graph, options in GRAPHS.values() if not options] + [
        star(40),
        as_graph([("a", "x"), ("b", "x")]),
    ]
    n_found = 0
    for graph in graphs:
        model = RoleClusterer().fit(graph)
        expected = brute_force_exceptional(np.round(model.signatures_, 8), model.groups_[model.labels_])
        assert model.exceptional_.tolist() == expected
        named = [label for role in model.describe() for label in role.exceptional]
        assert sorted(named, key=str) == sorted(graph.nodes[expected].tolist(), key=str)
        n_found += sum(expected)
    assert n_found > 3


def test_matrices_of_node_ids_and_square_ones_are_graphs() -> None:
    found = given_signatures(np.array([[0.0, 0.108], [0.108, 0.313]]))
    assert found is not None
    assert found.values.tolist() == [[0.0, 0.108], [0.108, 0.313]]
    for graph in (np.array([[0.0, 1.0], [1.0, 2.0]]), np.array([[0, 1], [1, 2]]), np.full((4, 4), 0.5)):
        assert given_signatures(graph) is None


@for_each("factor", [2.0**-10, 1e-3, 0.3, 7.0, 1e5, 2.0**20])
def test_the_unit_of_a_matrix_does_not_matter(factor: float) -> None:
    matrix = np.random.default_rng(1).gamma(1.5, size=(400, 3))
    one, other = (RoleClusterer().fit_signatures(values) for values in (matrix, matrix * factor))
    assert np.array_equal(one.labels_, other.labels_)
    assert np.array_equal(other.predict_signatures(matrix * factor), other.labels_)
    np.testing.assert_allclose(other.centres_, one.centres_ * factor, rtol=1e-7)
    assert other.scale_ == pytest.approx(one.scale_ * factor)
    away = (matrix - matrix.mean(axis=0)) / one.scale_
    assert np.sqrt((away**2).sum(axis=1).mean()) == pytest.approx(1.5)


def test_columns_of_kind_roles_are_in_nats_whoever_computed_them() -> None:
    graph = GRAPHS["power law with isolated nodes"][0]
    direct = RoleClusterer().fit(graph)
    stored = RoleClusterer().fit_signatures(direct.signatures_, graph.nodes, direct.columns_)
    assert direct.scale_ == stored.scale_ == 1.0
    assert np.array_equal(stored.labels_, direct.labels_)
    assert stored.groups_.tolist() == direct.groups_.tolist()
    assert stored.describe(graph) == direct.describe()


def test_distances_from_the_roles() -> None:
    for name in ("power law", "profile", "directions"):
        graph, options = GRAPHS[name]
        model = RoleClusterer(**options).fit(graph)
        distances = model.transform(graph)
        assert distances.shape == (graph.n_nodes, model.n_roles_)
        np.testing.assert_allclose(distances, cdist(model.signatures_, model.centres_) / model.scale_, atol=1e-7)
        assert np.array_equal(distances.argmin(axis=1), model.labels_)


def test_labels_of_any_kind_graph_sets_and_pipelines() -> None:
    model = RoleClusterer(2).fit([(("x", 1), "b"), ("b", "c"), ("c", 4)])
    assert model.nodes_.tolist() == [("x", 1), "b", "c", 4]
    assert model.labels_.tolist() == [0, 1, 1, 0]
    assert RoleClusterer().fit_predict(GraphSet.from_graphs([star(5), path(6)])).size == 12
    pipeline = make_pipeline(VNEstruct(radius=3), RoleClusterer(5))
    found = pipeline.fit_predict(barbell(10, 7))
    assert np.array_equal(found, RoleClusterer(5, kind="approx", radius=3).fit_predict(barbell(10, 7)))


def test_parameters_are_those_of_scikit_learn() -> None:
    model = RoleClusterer(4, kind="approx", radius=3, aggregate=("mean",), bipartite=False)
    assert clone(model).get_params() == model.get_params()
    assert model.fit(power_law(100, 2.5, seed=0)) is model
    assert model.aggregate == ("mean",)
    assert model.columns_ == ["h1", "h2", "h3", "h1_mean", "h2_mean", "h3_mean"]


@for_each(
    ("parameters", "words"),
    [
        ({"n_roles": 0}, "`n_roles` must be a whole number of at least 1 or 'auto', not 0"),
        ({"n_roles": "many"}, "'many'"),
        ({"n_roles": 2.5}, "2.5"),
        ({"n_roles": True}, "True"),
        ({"n_roles": 3}, "ask for at most 2 roles"),
        ({"random_state": None}, "random_state"),
        ({"radius": 2}, "leave out `radius`"),
        ({"kind": "approx", "radius": 0}, "radius"),
        ({"kind": "fast"}, "must be one of"),
        ({"kind": ["roles", "approx"]}, "cannot be combined"),
        ({"weighted": True}, "weights have units; leave out `weighted`"),
        ({"direction": "out"}, "use `direction='out+in'`"),
        ({"aggregate": "mean"}, "leave out `aggregate`"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError) as caught:
        RoleClusterer(**parameters).fit(star(4))
    assert words in str(caught.value)


SIDES = [("a", 1), ("b", 1), ("b", 2)]


@for_each(
    ("call", "words"),
    [
        (lambda: RoleClusterer().fit(path(0)), "the graph has no nodes"),
        (lambda: RoleClusterer().fit_signatures([1.0, 2.0, 3.0]), r"shape is \(3,\)"),
        (lambda: RoleClusterer().fit_signatures([[1.0], [np.nan]]), "row 1 .* must be finite"),
        (lambda: RoleClusterer().fit([[0.5, 1.5], [0.1, np.inf]]), "row 1 .* must be finite"),
        (lambda: RoleClusterer().fit_signatures([[1.0], [2.0]], ["a", "b", "c"]), "3 node labels for 2 signatures"),
        (lambda: RoleClusterer().fit_signatures([[1.0], [2.0]]).predict(star(4)), "with the same parameters"),
        (lambda: RoleClusterer().fit(star(4)).predict([[0.5, 0.1]]), "2 columns.* with the same parameters"),
        (
            lambda: RoleClusterer().fit(star(4)).predict_signatures(np.ones((2, 5)), list("abcde")),
            "a, b, c, d, e, and .* log_size, gap, .* with the same parameters",
        ),
        (lambda: RoleClusterer().fit(star(4)).predict_signatures([[np.nan] * 5]), "row 0 .* must be finite"),
        (lambda: RoleClusterer().fit(SIDES).predict(star(4)), "bipartite, and this graph is not; .*bipartite=True"),
        (lambda: RoleClusterer().fit(star(4)).transform(SIDES), "not bipartite, .*bipartite=False"),
        (lambda: RoleClusterer(1).fit(SIDES), "ask for at least 2 roles"),
        (lambda: RoleClusterer(direction="out+in").fit(SIDES), "bipartite=False"),
        (lambda: RoleClusterer().fit(SIDES).predict_signatures(embed(SIDES, kind="roles")), "pass the graph"),
        (lambda: RoleClusterer().fit(embedding_frame(SIDES, kind="roles")), "pass the graph"),
        (lambda: RoleClusterer().fit_signatures([[1.0], [2.0]]).describe(), r"pass the graph: .*describe\(graph\)"),
    ],
)
def test_bad_input(call: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        call()


def assert_same(first: RoleClusterer, second: RoleClusterer) -> None:
    for name in ("labels_", "centres_", "groups_", "signatures_", "nodes_", "n_roles_", "columns_", "scale_"):
        one, other = getattr(first, name), getattr(second, name)
        if isinstance(one, np.ndarray):
            assert one.dtype == other.dtype
            assert one.tolist() == other.tolist() if one.dtype == object else one.tobytes() == other.tobytes()
        else:
            assert one == other


@for_each("name", ["power law with isolated nodes", "calls", "directions", "sides", "profile", "other kind"])
def test_saved_roles_come_back_bit_for_bit(name: str, tmp_path: Path) -> None:
    graph, options = GRAPHS[name]
    model = RoleClusterer(random_state=3, **options).fit(graph)
    model.save(tmp_path / "model.roles")
    loaded = RoleClusterer.load(tmp_path / "model.roles")
    assert_same(model, loaded)
    assert loaded.get_params() == model.get_params()
    assert loaded.graph_ is None
    # Names and descriptions are there without the graph.
    assert loaded.describe() == model.describe()
    assert loaded.names_ == model.names_
    assert loaded.exceptional_.tolist() == model.exceptional_.tolist()
    assert np.array_equal(loaded.predict(graph), model.labels_)
    loaded.save(tmp_path / "again.roles")
    assert (tmp_path / "again.roles").read_bytes() == (tmp_path / "model.roles").read_bytes()


@for_each(
    "labels",
    [
        ["a", "é", "a,b", "tail\0"],
        [1, "1", 2.5, None],
        [("x", 1), ("x", ("y", 2.0)), True, 0],
        [10**30, -5, "z", float("inf")],
    ],
)
def test_labels_keep_their_types(labels: list[Any], tmp_path: Path) -> None:
    model = RoleClusterer(2).fit_signatures([[0.0], [0.0], [1.0], [1.0]], nodes=labels)
    model.save(tmp_path / "model")
    found = RoleClusterer.load(tmp_path / "model").nodes_.tolist()
    assert found == labels
    assert list(map(type, found)) == list(map(type, labels))


def test_a_label_that_no_file_can_hold(tmp_path: Path) -> None:
    model = RoleClusterer(2).fit_signatures([[0.0], [1.0]], nodes=[frozenset("a"), "b"])
    with pytest.raises(ParameterError, match="frozenset"):
        model.save(tmp_path / "model")
    assert list(tmp_path.iterdir()) == []


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    good = tmp_path / "good"
    RoleClusterer().fit(barbell(10, 7)).save(good)
    notes, arrays = load_model(good, "roles", 1)
    save_model(tmp_path / "later", "roles", 99, notes, arrays)
    save_model(tmp_path / "other", "stream", 1, notes, arrays)
    for name in ("parameters", "columns", "scale"):
        save_model(tmp_path / f"without {name}", "roles", 1, notes | {name: None}, arrays)
    for name in arrays:
        rest = {other: values for other, values in arrays.items() if other != name}
        save_model(tmp_path / f"without {name}", "roles", 1, notes, rest)
    (tmp_path / "text").write_text("node,role\n")
    (tmp_path / "cut").write_bytes(good.read_bytes()[:-40])
    words = {"later": "format 99 is newer than 1.*upgrade", "other": "not a roles file", "missing": "no such file"}
    for file in [*tmp_path.iterdir(), tmp_path / "missing"]:
        if file != good:
            with pytest.raises(GraphFormatError, match=words.get(file.name, "not a readable roles file")):
                RoleClusterer.load(file)
    for first, second in combinations(("labels", "centres", "groups", "signatures"), 2):
        save_model(tmp_path / "swapped", "roles", 1, notes, arrays | {first: arrays[second]})
        with pytest.raises(GraphFormatError, match="not a readable roles file"):
            RoleClusterer.load(tmp_path / "swapped")
