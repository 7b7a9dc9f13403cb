"""Roles found where they are known, the same whatever the order of nodes, and kept by predict."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.metrics import adjusted_rand_score
from sklearn.pipeline import make_pipeline

from tests.generators import erdos_renyi, fan_shape, house_shape, perturb, power_law, ring_of_shapes, star_shape
from tests.graphs import relabelled
from vnestruct import GraphSet, ParameterError, VNEstruct, embed
from vnestruct.graph.synthetic import barbell, cycle, path, star
from vnestruct.roles import RoleClusterer
from vnestruct.roles.distinct import given_signatures
from vnestruct.roles.partition import METHODS

HIERARCHICAL = ("ward", "single", "average")


def test_matrices_of_node_ids_and_square_ones_are_graphs() -> None:
    found = given_signatures(np.array([[0.0, 0.108], [0.108, 0.313]]))
    assert found is not None
    assert found.values.tolist() == [[0.0, 0.108], [0.108, 0.313]]
    for graph in (np.array([[0.0, 1.0], [1.0, 2.0]]), np.array([[0, 1], [1, 2]]), np.full((4, 4), 0.5)):
        assert given_signatures(graph) is None


def test_the_roles_of_the_barbell_are_found_without_their_number() -> None:
    for method in METHODS:
        roles = RoleClusterer(method=method, radius=3).fit_predict(barbell(10, 7))
        # Clique members 0-8 and 18-26, gates, path ends, next to path ends, middle.
        expected = [0] * 9 + [4, 3, 2, 1, 1, 1, 2, 3, 4] + [0] * 9
        assert roles.tolist() == expected, method


def test_the_roles_of_rings_are_found_with_and_without_their_number() -> None:
    for method in METHODS:
        for radius in [1, 2, 3]:
            for shape in [house_shape(), fan_shape(6), star_shape(10)]:
                graph, roles = ring_of_shapes(30, [shape] * 10)
                for n_roles in ("auto", int(roles.max()) + 1):
                    assert (
                        adjusted_rand_score(roles, RoleClusterer(n_roles, method, radius=radius).fit_predict(graph))
                        == 1.0
                    ), (method, radius, shape)


def test_the_thirteen_roles_of_the_varied_ring_are_found() -> None:
    for method in METHODS:
        shapes = [fan_shape(6)] * 10 + [star_shape(10)] * 10 + [house_shape()] * 10
        graph, roles = ring_of_shapes(30, shapes, "random", seed=0)
        assert adjusted_rand_score(roles, RoleClusterer(13, method).fit_predict(graph)) == 1.0, method


def test_the_same_partition_as_clustering_every_node() -> None:
    for method in HIERARCHICAL:
        for seed in range(3):
            graph = perturb(ring_of_shapes(30, [house_shape()] * 10)[0], 8, seed)
            for values in (embed(graph, 2), embed(erdos_renyi(150, 0.05, seed), 2)):
                for n_roles in (2, 3, 7):
                    found = RoleClusterer(n_roles, method).fit_signatures(values).labels_
                    expected = AgglomerativeClustering(n_roles, linkage=method).fit_predict(np.round(values, 8))
                    assert adjusted_rand_score(expected, found) == 1.0, (method, seed)


def test_k_means_on_weighted_points_is_as_good_as_on_all_nodes() -> None:
    values = embed(power_law(400, 2.5, seed=1), 2)
    model = RoleClusterer(4, "kmeans").fit_signatures(values)
    inertia = ((values - model.centroids_[model.labels_]) ** 2).sum()
    assert inertia <= KMeans(4, n_init=10, random_state=0).fit(values).inertia_ * 1.02


def test_the_order_of_nodes_does_not_matter() -> None:
    for method in METHODS:
        graph = perturb(ring_of_shapes(30, [house_shape()] * 10)[0], 5, seed=2)
        moved, place = relabelled(graph, seed=9)
        first, second = RoleClusterer(method=method).fit(graph), RoleClusterer(method=method).fit(moved)
        assert np.array_equal(first.labels_, second.labels_[place]), method
        assert first.n_roles_ == second.n_roles_, method


def test_the_same_roles_twice() -> None:
    for method in METHODS:
        graph = power_law(500, 2.3, seed=4)
        first, second = (RoleClusterer(method=method).fit(graph) for _ in range(2))
        assert first.labels_.tobytes() == second.labels_.tobytes(), method
        assert first.centroids_.tobytes() == second.centroids_.tobytes(), method
        assert first.silhouettes_ == second.silhouettes_, method


def test_roles_are_numbered_by_size_then_by_centroid() -> None:
    model = RoleClusterer(4).fit_signatures([[5.0], [9.0], [9.0], [9.0], [1.0], [2.0], [2.0]])
    assert model.labels_.tolist() == [3, 0, 0, 0, 2, 1, 1]
    assert model.centroids_.ravel().tolist() == [9.0, 2.0, 1.0, 5.0]


def test_the_fitted_graph_keeps_its_roles() -> None:
    for method in METHODS:
        for scaling in ["none", "standard"]:
            graph = power_law(300, 2.5, seed=3)
            model = RoleClusterer(5, method, scaling=scaling, aggregate="mean").fit(graph)
            np.testing.assert_array_equal(model.predict(graph), model.labels_)


def test_another_graph_gets_the_roles_of_its_like() -> None:
    graph, roles = ring_of_shapes(30, [house_shape()] * 10)
    larger, known = ring_of_shapes(60, [house_shape()] * 20)
    model = RoleClusterer(6).fit(graph)
    same = dict(zip(roles.tolist(), model.labels_.tolist(), strict=True))
    assert model.predict(larger).tolist() == [same[role] for role in known.tolist()]


def test_a_new_signature_goes_to_the_nearest_centroid_in_scaled_columns() -> None:
    values = np.array([[0.0, 0.0], [0.0, 2.0], [10.0, 100.0], [10.0, 102.0]])
    plain = RoleClusterer(2).fit_signatures(values)
    assert plain.predict_signatures([[9.0, 40.0], [1.0, 60.0]]).tolist() == [plain.labels_[0], plain.labels_[2]]
    scaled = RoleClusterer(2, scaling="standard").fit_signatures(values)
    # Scaled, the first column counts as much as the second.
    assert scaled.predict_signatures([[9.0, 40.0], [1.0, 60.0]]).tolist() == [scaled.labels_[2], scaled.labels_[0]]


def test_scaling_makes_columns_count_equally() -> None:
    values = embed(power_law(200, 2.5, seed=1), 2)
    stretched = values * [1.0, 1000.0]
    one = RoleClusterer(4, scaling="standard").fit_signatures(values)
    other = RoleClusterer(4, scaling="standard").fit_signatures(stretched)
    assert adjusted_rand_score(one.labels_, other.labels_) == 1.0
    constant = RoleClusterer(2, scaling="standard").fit_signatures([[0.0, 0.3], [1.0, 0.3]])
    assert constant.scales_[1] == 1.0


def test_equal_nodes_have_one_role() -> None:
    model = RoleClusterer().fit(cycle(12))
    assert model.n_roles_ == 1
    assert model.labels_.tolist() == [0] * 12
    assert model.silhouettes_ == {}
    assert RoleClusterer().fit([("a", "b")]).labels_.tolist() == [0, 0]


def test_two_distinct_signatures_are_two_roles() -> None:
    assert RoleClusterer().fit(star(6)).labels_.tolist() == [1, 0, 0, 0, 0, 0, 0]


def test_the_number_of_roles_is_the_best_of_those_tried() -> None:
    graph, _ = ring_of_shapes(30, [house_shape()] * 10)
    model = RoleClusterer().fit(graph)
    assert model.n_roles_ == 6
    assert model.silhouettes_[6] == pytest.approx(1.0)
    assert list(model.silhouettes_) == [2, 3, 4, 5, 6]
    few = RoleClusterer(max_roles=4).fit(graph)
    assert few.n_roles_ <= 4


def test_labels_of_any_kind_are_kept() -> None:
    model = RoleClusterer(2, radius=1).fit([(("x", 1), "b"), ("b", "c"), ("c", 4)])
    assert model.nodes_.tolist() == [("x", 1), "b", "c", 4]
    assert model.labels_.tolist() == [0, 1, 1, 0]


def test_graph_sets_and_pipelines() -> None:
    graphs = GraphSet.from_graphs([star(5), path(6)])
    assert RoleClusterer(3).fit_predict(graphs).size == 12
    pipeline = make_pipeline(VNEstruct(radius=3), RoleClusterer(5, kind="precomputed"))
    found = pipeline.fit_predict(barbell(10, 7))
    assert np.array_equal(found, RoleClusterer(5, radius=3).fit_predict(barbell(10, 7)))


def test_parameters_are_those_of_scikit_learn() -> None:
    model = RoleClusterer(4, "single", radius=3, preset=None, aggregate=("mean",))
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    fitted = model.fit(power_law(100, 2.5, seed=0))
    assert fitted is model
    assert model.aggregate == ("mean",)
    assert model.columns_ == ["h1", "h2", "h3", "h1_mean", "h2_mean", "h3_mean"]


def test_bad_parameters() -> None:
    for parameters, words in [
        ({"n_roles": 0}, "n_roles must be a whole number of at least 1 or 'auto', not 0"),
        ({"n_roles": "many"}, "'many'"),
        ({"n_roles": 2.5}, "2.5"),
        ({"n_roles": True}, "True"),
        ({"method": "centroid"}, "method must be one of 'ward', 'single', 'average', 'kmeans', not 'centroid'"),
        ({"scaling": True}, "scaling must be one of"),
        ({"max_roles": 1}, "max_roles must be a whole number of at least 2, not 1"),
        ({"random_state": None}, "random_state"),
        ({"radius": 0}, "radius"),
        ({"kind": "fast"}, "kind"),
        ({"preset": "loud"}, "preset must be one of 'noisy', 'profile', not 'loud'"),
        ({"preset": "noisy", "radius": 3}, "leave out radius, kind, weighted"),
        ({"n_roles": 3}, "only 2 distinct signatures exist; ask for at most 2 roles"),
    ]:
        with pytest.raises(ParameterError, match=None) as caught:
            RoleClusterer(**parameters).fit(star(4))
        assert words in str(caught.value), (parameters, words)


def test_bad_input() -> None:
    model = RoleClusterer(2)
    with pytest.raises(ParameterError, match="no nodes"):
        model.fit(path(0))
    with pytest.raises(ParameterError, match=r"shape is \(3,\)"):
        model.fit_signatures([1.0, 2.0, 3.0])
    with pytest.raises(ParameterError, match=r"row 1 .* finite"):
        model.fit_signatures([[1.0], [np.nan]])
    with pytest.raises(ParameterError, match="3 node labels for 2 signatures"):
        model.fit_signatures([[1.0], [2.0]], nodes=["a", "b", "c"])
    model.fit_signatures([[1.0], [2.0]])
    with pytest.raises(ParameterError, match="2 columns and the roles were found from 1"):
        model.predict(star(4))
