"""What is said of roles is measured: numbers against networkx, words only where they are true."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import connected_caveman, double_star, erdos_renyi, power_law
from vnestruct import ParameterError, as_graph, embed, read_graph
from vnestruct.graph.synthetic import barbell, cycle, path, star
from vnestruct.roles import RoleClusterer, summarise_roles
from vnestruct.roles.summary import node_measures, triangle_counts


def test_surroundings_are_those_of_networkx() -> None:
    for seed in range(3):
        for make in [lambda s: power_law(200, 2.2, seed=s), lambda s: erdos_renyi(80, 0.2, s)]:
            graph = make(seed)
            reference = nx.Graph()
            reference.add_nodes_from(range(graph.n_nodes))
            rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
            reference.add_edges_from(zip(rows.tolist(), graph.indices.tolist(), strict=True))
            assert triangle_counts(graph).tolist() == list(nx.triangles(reference).values()), (seed, make)
            found = node_measures(graph)
            np.testing.assert_allclose(found["clustering"], list(nx.clustering(reference).values()), atol=1e-15)
            expected = nx.average_neighbor_degree(reference)
            np.testing.assert_allclose(found["neighbour_degree"], [expected[node] for node in range(graph.n_nodes)])


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


def test_names_and_sentences() -> None:
    leaves = "one link each, to a node of degree"
    for graph, roles, words in [
        (
            star(12),
            [1] + [0] * 12,
            [
                f"leaves: {leaves} 12",
                "hub: more links (12 against 1 elsewhere), neighbours with fewer links (1 against 12), "
                "holding parts together (100% are cut nodes against 0%), 100% of links to leaves (against 0%)",
            ],
        ),
        (cycle(9), [0] * 9, ["chain nodes: 2 links each, 0% of the pairs of neighbours linked to each other"]),
        (
            as_graph(np.array([[0, 1], [1, 2], [0, 2]])),
            [0] * 3,
            ["clique members: 2 links each, 100% of the pairs of neighbours linked to each other"],
        ),
        (path(2), [0, 0], [f"isolated pairs: {leaves} 1"]),
        (as_graph(nx.empty_graph(3)), [0, 0, 0], ["isolated nodes: no links"]),
    ]:
        assert [one.description for one in summarise_roles(graph, roles)] == words, (graph, roles, words)
    some = as_graph(nx.disjoint_union(nx.empty_graph(2), nx.star_graph(3)))
    nearly = summarise_roles(some, [0, 0, 1, 0, 0, 0])[0]
    assert nearly.description == "nearly isolated nodes: at most one link each"
    assert [one.brief for one in summarise_roles(double_star(6, 6), [1, 1] + [0] * 12)] == ["leaves", "hubs"]
    assert [one.name for one in summarise_roles(connected_caveman(6, 6), np.zeros(36, int))] == ["group members"]


def test_gateways_join_dense_groups() -> None:
    names = [one.name for one in summarise_roles(barbell(10, 2), [0] * 9 + [1, 2, 2, 1] + [0] * 9)]
    assert names == ["clique members", "gateways", "chain nodes"]
    graph = nx.disjoint_union(nx.complete_graph(8), nx.complete_graph(8))
    graph.add_edges_from([("gate", 0), ("gate", 8)])
    model = RoleClusterer(3, radius=1).fit(graph)
    gate = summarise_roles(graph, model)[model.labels_[-1]]
    assert gate.name == "less connected gateway"
    assert gate.sentence.startswith("fewer links (2 against 7 elsewhere), ")
    assert "neighbours less often linked to each other (0% of pairs against 100%)" in gate.sentence


def test_roles_that_nothing_distinguishes_are_numbered() -> None:
    assert [one.name for one in summarise_roles(nx.empty_graph(3), [0, 0, 1])] == [
        "isolated nodes kind 1", "isolated node kind 2",
    ]  # fmt: skip


def test_roles_of_one_noun_are_graded_by_what_separates_them() -> None:
    graph = as_graph([(hub, (hub, leaf)) for hub in range(4) for leaf in (range(50) if hub % 2 else range(20))])
    roles = [(2 + node % 2) if isinstance(node, int) else node[0] % 2 for node in graph.nodes.tolist()]
    names = [one.name for one in summarise_roles(graph, roles)]
    assert names == [
        "leaves with less connected neighbours", "leaves with more connected neighbours",
        "less connected hubs", "more connected hubs",
    ]  # fmt: skip
    hubs = [(hub, (hub, leaf)) for hub, size in enumerate([9, 30, 90, 300]) for leaf in range(size)]
    graph = as_graph(hubs)
    roles = [1 + node if isinstance(node, int) else 0 for node in graph.nodes.tolist()]
    assert [one.name for one in summarise_roles(graph, roles)][1:] == [
        "least connected hub", "less connected hub", "more connected hub", "most connected hub",
    ]  # fmt: skip


@given(st.integers(2, 40), st.floats(0.0, 0.4), st.integers(1, 12), st.integers(0, 10**6))
def test_no_two_roles_share_a_name(n_nodes: int, density: float, n_roles: int, seed: int) -> None:
    graph = as_graph(nx.gnp_random_graph(n_nodes, density, seed=seed))
    roles = np.random.default_rng(seed).integers(0, n_roles, n_nodes)
    summaries = summarise_roles(graph, roles)
    assert len({one.name for one in summaries}) == len(summaries)
    assert all(one.sentence and one.name == one.name.strip() for one in summaries)


def test_evidence_is_measured() -> None:
    graph = power_law(300, 2.2, seed=1)
    model = RoleClusterer(4).fit(graph)
    for one in summarise_roles(graph, model):
        members = model.labels_ == one.role
        degree = one.evidence["degree"]
        inside, outside = graph.degrees[members], graph.degrees[~members]
        assert (degree["role"], degree["others"]) == (np.median(inside), np.median(outside))
        # The probability of a larger value minus that of a smaller one, over all pairs.
        assert degree["effect"] == pytest.approx(np.sign(inside[:, None] - outside[None]).mean())
        effects = [abs(entry["effect"]) for entry in one.evidence.values()]
        assert effects == sorted(effects, reverse=True)
        assert set(one.evidence) == {*node_measures(graph), "entropy"}


SHARED = [
    "roles/*.edge*", "roles/enron/enron143_arcs.csv", "published/enron/*proj-graph.txt", "graphs/ca-GrQc.txt.gz",
    "graphs/email-E*[ne].txt.gz", "graphs/facebook_combined.txt.gz", "graphs/musae_github_edges.csv.gz",
]  # fmt: skip


@pytest.mark.full
def test_no_two_roles_of_a_real_graph_share_a_name(data_folder: Path) -> None:
    files = [file for pattern in SHARED for file in sorted(data_folder.glob(pattern))]
    assert len(files) > 12
    for file in files:
        graph = read_graph(file)
        signatures = embed(graph, 2)
        for n_roles in ("auto", 10):
            names = [one.name for one in summarise_roles(graph, RoleClusterer(n_roles).fit_signatures(signatures))]
            assert len(set(names)) == len(names), (file, names)
            assert not any("kind" in name for name in names), (file, names)


def test_errors() -> None:
    with pytest.raises(ParameterError, match="one whole number for each of the 4 nodes"):
        summarise_roles(star(3), [0, 1])
    with pytest.raises(ParameterError, match="float64"):
        summarise_roles(star(3), [0.0, 1.0, 1.0, 1.0])
    with pytest.raises(ParameterError, match="2 signatures for 4 nodes"):
        summarise_roles(star(3), [0, 1, 1, 1], [[1.0], [2.0]])


def test_satellites_of_hubs_say_how_many_links_their_neighbours_have() -> None:
    club = as_graph(nx.karate_club_graph())
    found = summarise_roles(club, RoleClusterer(4).fit(club))
    told = ["neighbours with" in role.sentence for role in found if "hub satellite" in role.name]
    assert told == [True, True]
