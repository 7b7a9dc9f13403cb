"""What is said of roles is measured: numbers against networkx, words only where they are true."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from tests.generators import connected_caveman, double_star, erdos_renyi, power_law
from vnestruct import ParameterError, as_graph, embed
from vnestruct.graph.synthetic import barbell, cycle, path, star
from vnestruct.roles import RoleClusterer, summarise_roles
from vnestruct.roles.summary import clustering_coefficients, neighbour_degrees, triangle_counts


def test_surroundings_are_those_of_networkx() -> None:
    for seed in range(3):
        for make in [lambda s: power_law(200, 2.2, seed=s), lambda s: erdos_renyi(80, 0.2, s)]:
            graph = make(seed)
            reference = nx.Graph()
            reference.add_nodes_from(range(graph.n_nodes))
            rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
            reference.add_edges_from(zip(rows.tolist(), graph.indices.tolist(), strict=True))
            assert triangle_counts(graph).tolist() == list(nx.triangles(reference).values()), (seed, make)
            np.testing.assert_allclose(
                clustering_coefficients(graph), list(nx.clustering(reference).values()), atol=1e-15
            )
            expected = nx.average_neighbor_degree(reference)
            np.testing.assert_allclose(neighbour_degrees(graph), [expected[node] for node in range(graph.n_nodes)])


def test_directions_do_not_matter() -> None:
    arcs = as_graph([(0, 1), (1, 2), (2, 0), (0, 2)], directed=True)
    assert triangle_counts(arcs).tolist() == [1, 1, 1]


def test_numbers_of_a_role() -> None:
    graph = barbell(10, 7)
    model = RoleClusterer(radius=3).fit(graph)
    summaries = summarise_roles(graph, model)
    assert [one.size for one in summaries] == np.bincount(model.labels_).tolist()
    assert sum(one.share for one in summaries) == pytest.approx(1.0)
    members = summaries[0]
    assert (members.degree, members.degree_range, members.clustering) == (9.0, (9, 9), 1.0)
    assert members.examples == [0, 1, 2]
    np.testing.assert_allclose(members.mean_signature, model.centroids_[0], atol=1e-8)
    gates = summaries[4]
    assert (gates.degree, gates.clustering, gates.examples) == (10.0, 0.8, [9, 17])


def test_examples_are_the_most_typical_nodes() -> None:
    graph = power_law(300, 2.4, seed=5)
    values = embed(graph, 2)
    roles = RoleClusterer(3).fit_signatures(values).labels_
    for one in summarise_roles(graph, roles, values, n_examples=5):
        members = np.flatnonzero(roles == one.role)
        distances = np.linalg.norm(values[members] - values[members].mean(axis=0), axis=1)
        worst = max(np.linalg.norm(values[node] - values[members].mean(axis=0)) for node in one.examples)
        assert worst <= np.sort(distances)[min(5, members.size) - 1] + 1e-8
    without = summarise_roles(graph, roles)
    assert all(graph.degrees[one.examples[0]] == pytest.approx(one.degree, abs=0.5) for one in without)
    assert without[0].mean_signature == ()


def test_words() -> None:
    for graph, roles, words in [
        (
            star(12),
            [1] + [0] * 12,
            ["pendant nodes: one link each, to a node of degree 12", "hub: degree 12, no links among its neighbours"],
        ),
        (cycle(9), [0] * 9, ["links in chains: degree 2, no links among their neighbours"]),
        (
            as_graph(np.array([[0, 1], [1, 2], [0, 2]])),
            [0] * 3,
            ["members of cliques: degree 2, all neighbours linked to each other"],
        ),
        (path(2), [0, 0], ["pendant nodes: one link each, to a node of degree 1"]),
        (
            double_star(6, 6),
            [1, 1] + [0] * 12,
            ["pendant nodes: one link each, to a node of degree 7", "hubs: degree 7, no links among their neighbours"],
        ),
    ]:
        assert [one.description for one in summarise_roles(graph, roles)] == words, (graph, roles, words)


def test_isolated_nodes() -> None:
    graph = as_graph(nx.empty_graph(3))
    assert [one.description for one in summarise_roles(graph, [0, 0, 1])] == [
        "isolated nodes: no links", "isolated node: no links",
    ]  # fmt: skip


def test_tight_groups_and_medians() -> None:
    graph = connected_caveman(6, 6)
    [one] = summarise_roles(graph, np.zeros(36, int))
    assert one.description == "members of tight groups: degree 5 (median), most neighbours linked to each other"
    mixed = summarise_roles(power_law(300, 2.2, seed=1), np.zeros(300, int))
    assert "(median)" in mixed[0].description


def test_errors() -> None:
    with pytest.raises(ParameterError, match="one whole number for each of the 4 nodes"):
        summarise_roles(star(3), [0, 1])
    with pytest.raises(ParameterError, match="float64"):
        summarise_roles(star(3), [0.0, 1.0, 1.0, 1.0])
    with pytest.raises(ParameterError, match="2 signatures for 4 nodes"):
        summarise_roles(star(3), [0, 1, 1, 1], [[1.0], [2.0]])
