"""The preset: its columns by definition from dense matrices, its symmetries, and what it gains on noisy graphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from sklearn.metrics import v_measure_score

from tests.generators import erdos_renyi, house_shape, perturb, power_law, rewire, ring_of_shapes
from tests.graphs import relabelled
from vnestruct import GraphSet, ParameterError, as_graph, profile
from vnestruct.embedding import profile_columns
from vnestruct.graph.synthetic import cycle, path, star
from vnestruct.roles import PRESETS, RoleClusterer, preset_signature
from vnestruct.roles.signature import path_values, preset_columns


def renyi_entropies(network: nx.Graph, node: int) -> dict[str, float]:
    """The quantities of one 1-ball, by all eigenvalues of its density matrix."""
    ball = nx.ego_graph(network, node)
    matrix = nx.laplacian_matrix(ball, weight=None).toarray().astype(float)
    if not matrix.any():
        return dict.fromkeys(("size", "arrivals", "h1", "quadratic", "collision", "least"), 0.0)
    values = np.clip(np.linalg.eigvalsh(matrix / np.trace(matrix)), 0, None)
    quadratic = 1 - (values**2).sum()
    return {
        "size": np.log(len(ball)),
        "arrivals": np.log(1 + sum(1 / network.degree(other) for other in network[node])),
        "h1": -quadratic * np.log(values.max()),
        "quadratic": quadratic,
        "collision": -np.log((values**2).sum()),
        "least": -np.log(values.max()),
    }


def stepped(network: nx.Graph, values: np.ndarray, step: str) -> np.ndarray:
    """A step over the neighbours, node by node; 0 without neighbours or where there is nothing to divide."""
    result = np.zeros(len(values))
    for node in network:
        near = [values[other] for other in network[node]]
        if step == "part":
            both = values[node] + max(near, default=0.0)
            result[node] = values[node] / both if both else 0.0
        elif near:
            result[node] = {"mean": np.mean, "std": np.std, "max": np.max, "min": np.min}[step](near)
    return result


def test_columns_are_what_their_names_say() -> None:
    for seed in range(3):
        graph = erdos_renyi(40, 0.12, seed)
        rows = np.repeat(np.arange(40), graph.degrees)
        network = nx.empty_graph(40)
        network.add_edges_from(zip(rows.tolist(), graph.indices.tolist(), strict=True))
        quantities = [renyi_entropies(network, node) for node in range(40)]
        found = preset_signature(graph, "noisy")
        for number, column in enumerate(PRESETS["noisy"]):
            values = np.array([one[column.quantity] for one in quantities])
            for step in column.steps:
                values = stepped(network, values, step)
            np.testing.assert_allclose(found[:, number], column.weight * values, atol=1e-9, err_msg=column.name)


def test_steps_are_what_their_names_say() -> None:
    for step in ["mean", "std", "max", "min", "part"]:
        network = nx.gnp_random_graph(30, 0.1, seed=4)  # some nodes have no neighbours
        found = path_values(as_graph(network), [("collision", step), ("collision", step, "min")])
        values = stepped(network, found["collision",], step)
        np.testing.assert_allclose(found["collision", step], values, atol=1e-12)
        np.testing.assert_allclose(found["collision", step, "min"], stepped(network, values, "min"), atol=1e-12)


def test_a_leaf_stays_a_leaf_where_a_wrong_edge_put_it() -> None:
    # Leaf, leaf of a leaf, leaf with an edge more: all nearer to a leaf of the star than a node of a long cycle is.
    network = nx.star_graph(10)
    network.add_edges_from([(1, 11), (2, 3)])
    parts = path_values(as_graph(network), [("size", "part")])["size", "part"]
    ring = path_values(cycle(9), [("size", "part")])["size", "part"]
    assert parts[[4, 11, 1, 2]].max() < 0.41
    np.testing.assert_allclose(ring, 0.5)


def test_equal_nodes_have_equal_signatures() -> None:
    assert np.ptp(preset_signature(cycle(9)), axis=0).max() < 1e-12
    graph = power_law(200, 2.4, seed=0)
    moved, place = relabelled(graph, seed=1)
    np.testing.assert_allclose(preset_signature(graph), preset_signature(moved)[place], atol=1e-12)


def test_small_and_empty_graphs() -> None:
    assert preset_signature(path(0)).shape == (0, 10)
    assert (preset_signature(as_graph(nx.empty_graph(3))) == 0).all()
    assert np.isfinite(preset_signature(path(2))).all()


def test_the_profile_is_a_preset_with_columns_that_are_what_their_names_say() -> None:
    graph = erdos_renyi(40, 0.12, 1)
    found = preset_signature(graph, "profile")
    np.testing.assert_array_equal(found, profile(graph))
    assert preset_columns("profile") == profile_columns()
    paths = [(column.quantity, *column.steps) for column in PRESETS["profile"]]
    values = path_values(graph, paths)
    np.testing.assert_array_equal(found, np.column_stack([values[one] for one in paths]))


def test_sets_of_graphs() -> None:
    together = preset_signature(GraphSet.from_graphs([star(4), cycle(5)]))
    np.testing.assert_array_equal(together, np.vstack([preset_signature(star(4)), preset_signature(cycle(5))]))


def test_names() -> None:
    assert len(set(preset_columns("noisy"))) == 10
    with pytest.raises(ParameterError, match="preset must be one of 'noisy', 'profile', not 'quiet'"):
        preset_signature(star(3), "quiet")
    with pytest.raises(ParameterError, match="'noisy'"):
        preset_columns("quiet")


def test_roles_by_preset() -> None:
    graph, roles = ring_of_shapes(30, [house_shape()] * 10)
    model = RoleClusterer(6, preset="noisy").fit(graph)
    assert v_measure_score(roles, model.labels_) == pytest.approx(1.0)
    assert model.columns_ == preset_columns("noisy")
    np.testing.assert_array_equal(model.predict(graph), model.labels_)


def test_it_finds_more_of_the_roles_when_edges_are_wrong() -> None:
    gains = []
    for seed in range(400, 408):
        graph, roles = ring_of_shapes(30, [house_shape()] * 10)
        for noisy in (perturb(graph, 5, seed), rewire(graph, 5, seed)):
            plain, preset = (RoleClusterer(6, **how).fit(noisy).labels_ for how in ({}, {"preset": "noisy"}))
            gains.append(v_measure_score(roles, preset) - v_measure_score(roles, plain))
    assert np.mean(gains) > 0.02
