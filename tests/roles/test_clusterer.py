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
from tests.generators import erdos_renyi, house_shape, power_law, ring_of_shapes
from tests.generators.planted import phone_calls, planted_broadcasters, planted_brokers, ring_of_caves
from tests.graphs import ZOO, disjoint_union, from_edges, graph_strategy, relabelled
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
from vnestruct.graph.synthetic import barbell, cycle, path, star

LINKS = sorted({(int(a), 100 + int(b)) for a, b in np.random.default_rng(0).integers(0, 40, (150, 2)) ** 2 // 40})
"""Two sides of different degrees, with 4-cycles."""

GRAPHS: dict[str, tuple[Any, dict[str, Any]]] = {
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


def moved(graph: Graph) -> tuple[Graph, np.ndarray]:
    """The same graph from shuffled edges under other names, and the new position of each node."""
    if graph.sides is None and not graph.directed:
        return relabelled(graph, 3)
    arcs = [(f"n{u}", f"n{v}") for u, v in zip(*graph.edges()[:2], strict=True)]
    new = as_graph(np.random.default_rng(3).permutation(arcs), directed=graph.directed)
    return new, new.positions([f"n{node}" for node in range(graph.n_nodes)])


@for_each("name", GRAPHS)
def test_roles_are_kept_whatever_the_order_of_edges_and_threads(name: str) -> None:
    graph, options = GRAPHS[name]
    model = RoleClusterer(**options, n_jobs=1).fit(graph)
    assert np.array_equal(model.predict(graph), model.labels_)
    sizes = np.bincount(model.labels_).tolist()
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] > 0
    assert len(sizes) == len(model.centres_) == len(model.groups_) == len(set(model.names_)) == model.n_roles_
    assert np.array_equal(model.signatures_, embed(graph, **{"kind": "roles"} | options))
    other, place = moved(graph)
    again = RoleClusterer(**options, n_jobs=2).fit(other)
    for found in (again.labels_, model.predict(other)):
        assert np.array_equal(found[place], model.labels_)
    np.testing.assert_allclose(again.centres_, model.centres_, rtol=0, atol=1e-9)
    assert np.array_equal(again.exceptional_[place], model.exceptional_)
    assert clone(model).fit(graph).describe() == model.describe()
    distances = model.transform(graph)
    np.testing.assert_allclose(distances, cdist(model.signatures_, model.centres_) / model.scale_, atol=1e-7)


def assert_kept(graph: Graph, seed: int) -> None:
    model, (other, place) = RoleClusterer().fit(graph), relabelled(graph, seed)
    assert np.array_equal(model.predict(graph), model.labels_)
    for found in (model.predict(other), RoleClusterer().fit(other).labels_):
        assert np.array_equal(found[place], model.labels_)


def test_the_zoo_keeps_its_roles() -> None:
    for graph in ZOO.values():
        if graph.n_nodes:
            assert_kept(graph, 1)


@settings(max_examples=60)
@given(graph_strategy(max_nodes=20, min_nodes=1), st.integers(0, 10**6))
def test_small_graphs_keep_their_roles(graph: Graph, seed: int) -> None:
    assert_kept(graph, seed)


@settings(max_examples=15)
@given(st.integers(30, 300), st.floats(0.5, 6.0), st.integers(0, 10**6))
def test_random_graphs_keep_their_roles(n_nodes: int, degree: float, seed: int) -> None:
    assert_kept(erdos_renyi(n_nodes, degree / n_nodes, seed), seed)


@for_each("name", ["power law with isolated nodes", "sides", "profile"])
@for_each("number", [2, 3, 9])
def test_the_number_of_roles_counts_isolated_nodes_and_both_sides(name: str, number: int) -> None:
    graph, options = GRAPHS[name]
    model = RoleClusterer(number, **options).fit(graph)
    assert np.unique(model.labels_).size == model.n_roles_ == number
    groups = np.where(graph.degrees == 0, -1, 0 if graph.sides is None else graph.sides)
    assert name == "profile" or np.array_equal(model.groups_[model.labels_], groups)


def test_another_graph_gets_the_roles_of_its_like() -> None:
    graph, roles = ring_of_shapes(30, [house_shape()] * 10)
    larger, known = ring_of_shapes(60, [house_shape()] * 20)
    model = RoleClusterer().fit(graph)
    assert adjusted_rand_score(roles, model.labels_) == 1.0
    same = dict(zip(roles.tolist(), model.labels_.tolist(), strict=True))
    assert model.predict(larger).tolist() == [same[role] for role in known.tolist()]
    # Nodes without links are none of these, and get the nearest role all the same.
    assert RoleClusterer().fit(cycle(5)).predict(from_edges([], 2)).tolist() == [0, 0]


CAVES, KINDS_OF_CAVES = ring_of_caves()


@for_each(
    ("graph", "kinds", "names"),
    [
        (path(1), [0], {"isolated node"}),
        (from_edges([], 3), [0] * 3, {"isolated nodes"}),
        (path(2), [0, 0], {"isolated pairs"}),
        (cycle(12), [0] * 12, {"links in chains"}),
        (star(6), [1] + [0] * 6, {"pendant nodes", "hub"}),
        (ZOO["clique"], [0] * 8, {"clique members"}),
        # Members of the cliques, gates, and nodes of the chain next to a gate or not.
        (barbell(10, 7), [0] * 9 + [1, 2, 3, 3, 3, 3, 3, 2, 1] + [0] * 9, {"clique members", "gateways"}),
        (CAVES, KINDS_OF_CAVES, set()),
    ],
)
def test_graphs_of_few_kinds(graph: Graph, kinds: list[int], names: set[str]) -> None:
    model = RoleClusterer().fit(graph)
    assert adjusted_rand_score(kinds, model.labels_) == 1.0
    assert names <= set(model.names_)


def assert_exceptional_are_far_from_all_others(model: RoleClusterer) -> None:
    rows, groups = np.round(model.signatures_ / model.scale_, 8), model.groups_[model.labels_]
    away = np.where(groups[:, None] == groups, cdist(rows, rows), np.inf)
    np.fill_diagonal(away, np.inf)
    nearest = away.min(axis=1)
    assert np.array_equal(model.exceptional_, np.isfinite(nearest) & (nearest > 1.0))


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.tuples(*[st.integers(0, 12)] * n), min_size=1, max_size=30)))
def test_exceptional_nodes_are_far_from_all_others(rows: list[tuple[int, ...]]) -> None:
    # On a lattice many rows are equal, and many distances near 1.
    assert_exceptional_are_far_from_all_others(RoleClusterer().fit_signatures(np.array(rows) / 2.0))


def test_exceptional_nodes_are_compared_within_their_group() -> None:
    n_found = 0
    for graph in (*(graph for graph, options in GRAPHS.values() if not options), star(40), as_graph([("a", "x")])):
        model = RoleClusterer().fit(graph)
        assert_exceptional_are_far_from_all_others(model)
        named = [label for role in model.describe() for label in role.exceptional]
        assert set(named) == set(graph.nodes[model.exceptional_].tolist())
        n_found += len(named)
    assert n_found > 3


@for_each("factor", [2.0**-10, 1e-3, 7.0, 1e5])
def test_the_unit_of_a_matrix_does_not_matter(factor: float) -> None:
    matrix = np.random.default_rng(1).gamma(1.5, size=(400, 3))
    one, other = (RoleClusterer().fit_signatures(values) for values in (matrix, matrix * factor))
    assert np.array_equal(one.labels_, other.labels_)
    assert np.array_equal(other.predict_signatures(matrix * factor), other.labels_)
    np.testing.assert_allclose(other.centres_, one.centres_ * factor, rtol=1e-7)
    away = (matrix - matrix.mean(axis=0)) * factor / other.scale_
    assert np.sqrt((away**2).sum(axis=1).mean()) == pytest.approx(1.5)


def test_labels_of_any_kind_graph_sets_parameters_and_pipelines() -> None:
    model = RoleClusterer(2).fit([(("x", 1), "b"), ("b", "c"), ("c", 4)])
    assert model.nodes_.tolist() == [("x", 1), "b", "c", 4]
    assert model.labels_.tolist() == [0, 1, 1, 0]
    assert RoleClusterer().fit_predict(GraphSet.from_graphs([star(5), path(6)])).size == 12
    other = RoleClusterer(5, kind="approx", radius=3, aggregate=("mean",), bipartite=False)
    assert clone(other).get_params() == other.get_params()
    found = other.fit_predict(barbell(10, 7))
    assert other.columns_ == ["h1", "h2", "h3", "h1_mean", "h2_mean", "h3_mean"]
    pipeline = make_pipeline(VNEstruct(radius=3, aggregate="mean"), RoleClusterer(5))
    assert np.array_equal(pipeline.fit_predict(barbell(10, 7)), found)


SIDES = [("a", 1), ("b", 1), ("b", 2)]


def fitted(graph: Any = star(4), **parameters: Any) -> RoleClusterer:  # noqa: B008
    return RoleClusterer(**parameters).fit(graph)


@for_each(
    ("call", "words"),
    [
        *((lambda n=n: fitted(n_roles=n), f"`n_roles`.*{n!r}") for n in (0, "many", 2.5, True)),
        (lambda: fitted(n_roles=3), "at most 2 roles"),
        (lambda: fitted(SIDES, n_roles=1), "at least 2 roles"),
        (lambda: fitted(random_state=None), "random_state"),
        (lambda: fitted(radius=2), "leave out `radius`"),
        (lambda: fitted(path(0)), "no nodes"),
        (lambda: fitted([[0.5, 1.5], [0.1, np.inf]]), "row 1 .*inf"),
        (lambda: fitted(embedding_frame(SIDES, kind="roles")), "`graph=...`"),
        (lambda: RoleClusterer().fit_signatures([[1.0], [2.0]], ["a", "b", "c"]), "3 node labels for 2"),
        (lambda: RoleClusterer().fit_signatures([[1.0], [2.0]]).predict(star(4)), "5 columns|log_size"),
        (lambda: RoleClusterer().fit_signatures([[1.0], [2.0]]).describe(), "`graph=...`"),
        (lambda: fitted().describe(star(5)), "5 nodes, the graph has 6"),
        (lambda: fitted().predict([[0.5, 0.1]]), "2 columns"),
        (lambda: fitted().predict_signatures(np.ones((2, 5)), list("abcde")), "a, b, c, d, e, .* log_size, gap, "),
        (lambda: fitted().predict_signatures([[np.nan] * 5]), "row 0 .*nan"),
        (lambda: fitted(SIDES).predict(star(4)), "bipartite=True"),
        (lambda: fitted().transform(SIDES), "bipartite=False"),
        (lambda: fitted(SIDES).predict_signatures(embed(SIDES, kind="roles")), "`graph=...`"),
    ],
)
def test_errors_name_the_value_or_the_remedy(call: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        call()


@for_each("name", ["power law with isolated nodes", "directions", "sides", "other kind"])
def test_saved_roles_come_back_bit_for_bit(name: str, tmp_path: Path) -> None:
    graph, options = GRAPHS[name]
    model = RoleClusterer(random_state=3, **options).fit(graph)
    model.save(tmp_path / "model.roles")
    loaded = RoleClusterer.load(tmp_path / "model.roles")
    for attribute in ("labels_", "centres_", "groups_", "signatures_", "nodes_"):
        one, other = getattr(model, attribute), getattr(loaded, attribute)
        assert (one.dtype, one.tolist()) == (other.dtype, other.tolist())
    assert (loaded.columns_, loaded.scale_, loaded.graph_) == (model.columns_, model.scale_, None)
    assert loaded.get_params() == model.get_params()
    # Names and descriptions are there without the graph.
    assert loaded.describe() == model.describe()
    assert np.array_equal(loaded.exceptional_, model.exceptional_)
    assert np.array_equal(loaded.predict(graph), model.labels_)
    loaded.save(tmp_path / "again.roles")
    assert (tmp_path / "again.roles").read_bytes() == (tmp_path / "model.roles").read_bytes()


def test_labels_keep_their_types_and_those_that_no_file_can_hold_leave_none(tmp_path: Path) -> None:
    labels = ["a", "tail\0", 1, "1", 2.5, None, ("x", ("y", 2.0)), True, 10**30, float("inf")]
    RoleClusterer(1).fit_signatures([[0.0]] * len(labels), nodes=labels).save(tmp_path / "model")
    found = RoleClusterer.load(tmp_path / "model").nodes_.tolist()
    assert [(type(label), label) for label in found] == [(type(label), label) for label in labels]
    with pytest.raises(ParameterError, match="frozenset"):
        RoleClusterer(1).fit_signatures([[0.0]], nodes=[frozenset("a")]).save(tmp_path / "other")
    assert [file.name for file in tmp_path.iterdir()] == ["model"]


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "model"
    RoleClusterer().fit(barbell(10, 7)).save(file)
    notes, arrays = load_model(file, "roles", 1)
    damaged = [(notes | {name: None}, arrays) for name in ("parameters", "columns", "scale", "nodes", "roles")]
    damaged += [(notes, {other: arrays[other] for other in arrays if other != name}) for name in arrays]
    damaged += [(notes, arrays | {first: arrays[second]}) for first, second in combinations(arrays, 2)]
    for one in damaged:
        save_model(file, "roles", 1, *one)
        with pytest.raises(GraphFormatError, match="roles file"):
            RoleClusterer.load(file)
