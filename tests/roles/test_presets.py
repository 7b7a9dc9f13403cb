"""The preset: its columns by definition from dense matrices, its symmetries, and what it gains on noisy graphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from sklearn.metrics import v_measure_score

from tests.graphs import relabelled
from vnestruct import GraphSet, ParameterError, as_graph
from vnestruct.graph.synthetic import (
    cycle,
    erdos_renyi,
    house_shape,
    path,
    perturb,
    power_law,
    rewire,
    ring_of_shapes,
    star,
)
from vnestruct.roles import PRESETS, RoleClusterer, preset_signature
from vnestruct.roles.presets import preset_columns


def renyi_entropies(network: nx.Graph, node: int) -> dict[str, float]:
    """The quantities of one 1-ball, by all eigenvalues of its density matrix."""
    ball = nx.ego_graph(network, node)
    matrix = nx.laplacian_matrix(ball, weight=None).toarray().astype(float)
    if not matrix.any():
        return {"size": np.log(len(ball)), "h1": 0.0, "quadratic": 0.0, "collision": 0.0, "least": 0.0}
    values = np.clip(np.linalg.eigvalsh(matrix / np.trace(matrix)), 0, None)
    quadratic = 1 - (values**2).sum()
    return {
        "size": np.log(len(ball)),
        "h1": -quadratic * np.log(values.max()),
        "quadratic": quadratic,
        "collision": -np.log((values**2).sum()),
        "least": -np.log(values.max()),
    }


@pytest.mark.parametrize("seed", range(3))
def test_columns_are_what_their_names_say(seed: int) -> None:
    graph = erdos_renyi(40, 0.12, seed)
    rows = np.repeat(np.arange(40), graph.degrees)
    network = nx.empty_graph(40)
    network.add_edges_from(zip(rows.tolist(), graph.indices.tolist(), strict=True))
    quantities = [renyi_entropies(network, node) for node in range(40)]
    statistics = {"mean": np.mean, "std": np.std, "max": np.max}
    found = preset_signature(graph, "noisy")
    for number, column in enumerate(PRESETS["noisy"]):
        values = np.array([one[column.quantity] for one in quantities])
        for step in column.steps:
            around = [[values[other] for other in network[node]] for node in range(40)]
            values = np.array([statistics[step](near) if near else 0.0 for near in around])
        np.testing.assert_allclose(found[:, number], column.weight * values, atol=1e-9, err_msg=column.name)


def test_alike_nodes_are_alike() -> None:
    assert np.ptp(preset_signature(cycle(9)), axis=0).max() < 1e-12
    graph = power_law(200, 2.4, seed=0)
    moved, place = relabelled(graph, seed=1)
    np.testing.assert_allclose(preset_signature(graph), preset_signature(moved)[place], atol=1e-12)


def test_small_and_empty_graphs() -> None:
    assert preset_signature(path(0)).shape == (0, 11)
    assert (preset_signature(as_graph(nx.empty_graph(3))) == 0).all()
    assert np.isfinite(preset_signature(path(2))).all()


def test_sets_of_graphs() -> None:
    together = preset_signature(GraphSet.from_graphs([star(4), cycle(5)]))
    np.testing.assert_array_equal(together, np.vstack([preset_signature(star(4)), preset_signature(cycle(5))]))


def test_names() -> None:
    assert len(set(preset_columns("noisy"))) == 11
    with pytest.raises(ParameterError, match="preset must be one of 'noisy', not 'quiet'"):
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
    for seed in range(200, 208):
        graph, roles = ring_of_shapes(30, [house_shape()] * 10)
        for noisy in (perturb(graph, 5, seed), rewire(graph, 5, seed)):
            plain, preset = (RoleClusterer(6, **how).fit(noisy).labels_ for how in ({}, {"preset": "noisy"}))
            gains.append(v_measure_score(roles, preset) - v_measure_score(roles, plain))
    assert np.mean(gains) > 0.02
