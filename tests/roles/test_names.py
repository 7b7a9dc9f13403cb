"""Names: all differ and none is a comparative; known hubs, brokers, broadcasters and collectors are called so."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import for_each
from tests.generators import (
    balanced_tree,
    barbell,
    complete_bipartite,
    erdos_renyi,
    grid,
    hypercube,
    phone_calls,
    planted_accounts,
    planted_broadcasters,
    planted_brokers,
    power_law,
    ring_of_caves,
    talk_pages,
    watts_strogatz,
)
from tests.graphs import graph_strategy
from vnestruct import Graph, RoleClusterer, as_graph, read_graph

NOUNS = (
    "isolated node", "isolated pair", "pendant node", "broadcaster", "collector", "gateway", "clique member",
    "member of", "hub", "core member", "link in a chain", "broker", "group member", "well-connected node", "bridge",
    "fringe node", "loosely tied node", "members of", "links in chains",
)  # fmt: skip
"""The nouns of names, in the singular, and those that do not end with it in the plural."""

MADE: dict[str, Callable[[], Any]] = {
    "karate": nx.karate_club_graph,
    "Les Misérables": nx.les_miserables_graph,
    "Florentine families": nx.florentine_families_graph,
    "barbell": lambda: barbell(10, 7),
    "caves": lambda: ring_of_caves()[0],
    "calls": phone_calls,
    "talk": talk_pages,
    "power law": lambda: power_law(2000, 2.3, seed=1),
    "Erdős-Rényi": lambda: erdos_renyi(1000, 0.01, 1),
    "Watts-Strogatz": lambda: watts_strogatz(500, 6, 0.1, 1),
    "grid": lambda: grid(20, 30),
    "tree": lambda: nx.random_labeled_tree(1000, seed=1),
    "brokers": lambda: planted_brokers(3, density=0.6)[0],
    "accounts": lambda: planted_accounts(1, n=5000, m=2000, groups=5)[0],
}

SHARED = [
    "roles/*.edge*", "graphs/ca-GrQc.txt.gz", "graphs/email-E*[ne].txt.gz", "graphs/facebook_combined.txt.gz",
    "graphs/musae_github_edges.csv.gz",
]  # fmt: skip


def assert_readable(model: RoleClusterer) -> None:
    """Names differ without counting numbers, have a noun of the list, and compare with nothing that is not named."""
    names = model.names_
    assert len(set(names)) == len(names), names
    for name, role in zip(names, model.describe(), strict=True):
        # The side comes first; what follows may be a typical node, where nothing else distinguishes roles.
        words = re.sub(r"^(first|second) side: |( such as |: ).*", "", name)
        assert any(noun in words.replace("members of", "member of") for noun in NOUNS), name
        assert not re.search(r"\b(more|most|less|least|kind)\b|[0-9]", words), name
        compared = set(re.findall(r"\b\w+(?:er|est)\b", words))
        assert compared <= {"broker", "member", "broadcaster"}, name
        # The description starts with the name, and adds the numbers that decide it.
        assert role.description.startswith(f"{name} ("), role.description
        assert re.search(r"[0-9]|no links", role.description), role.description


def roles_of(model: RoleClusterer, nodes: Any) -> list[str]:
    assert model.graph_ is not None
    return [model.names_[role] for role in model.labels_[model.graph_.positions(list(nodes))]]


def is_hub_or_broker(name: str) -> bool:
    return re.search(r"\b(hub|broker)s?\b", name) is not None


@for_each("name", MADE)
def test_names_differ_and_none_is_a_comparative(name: str) -> None:
    model = RoleClusterer().fit(MADE[name]())
    assert_readable(model)
    assert_readable(RoleClusterer(min(10, len(np.unique(model.signatures_, axis=0)))).fit(model.graph_))


@settings(max_examples=60)
@given(graph_strategy(max_nodes=25, min_nodes=1))
def test_names_of_small_graphs_differ(graph: Graph) -> None:
    assert_readable(RoleClusterer().fit(graph))


@settings(max_examples=20)
@given(st.integers(20, 200), st.floats(0.5, 8.0), st.integers(0, 10**6))
def test_names_of_random_graphs_differ(n_nodes: int, degree: float, seed: int) -> None:
    assert_readable(RoleClusterer().fit(erdos_renyi(n_nodes, degree / n_nodes, seed)))


@pytest.mark.full
def test_names_of_real_graphs_differ(data_folder: Path) -> None:
    files = [file for pattern in SHARED for file in sorted(data_folder.glob(pattern))]
    assert len(files) > 10
    for file in files:
        assert_readable(RoleClusterer().fit(read_graph(file)))


def test_known_hubs_are_called_so() -> None:
    club = RoleClusterer().fit(nx.karate_club_graph())
    leaders = roles_of(club, [0, 33])
    assert all(map(is_hub_or_broker, leaders)), leaders
    novel = RoleClusterer().fit(nx.les_miserables_graph())
    assert all(map(is_hub_or_broker, roles_of(novel, ["Valjean"]))), novel.names_
    valjean = novel.describe()[novel.labels_[novel.graph_.position("Valjean")]]
    assert "Valjean" in valjean.exceptional


def test_most_centres_of_facebook_are_hubs_or_brokers(real_graph: Callable[[str], Graph]) -> None:
    model = RoleClusterer().fit(real_graph("facebook_combined"))
    # The ten people whose friends the graph was made of.
    names = roles_of(model, [0, 107, 348, 414, 686, 698, 1684, 1912, 3437, 3980])
    assert sum(map(is_hub_or_broker, names)) >= 8, names
    assert_readable(model)


@for_each(
    ("seed", "options"),
    [
        (0, {}),
        (1, {"groups": 5, "links": 2}),
        (2, {"size": 100, "n_groups": 20, "n_brokers": 15, "groups": 4, "links": 5}),
        (3, {"density": 0.6}),
    ],
)
def test_planted_brokers_are_called_brokers(seed: int, options: dict[str, Any]) -> None:
    graph, are_brokers = planted_brokers(seed, **options)
    model = RoleClusterer().fit(graph)
    is_broker = np.array(["broker" in name for name in model.names_])[model.labels_]
    assert is_broker[are_brokers].mean() >= 0.7
    # Few others are.
    assert is_broker[~are_brokers].mean() <= 0.1


@for_each(
    "edges",
    [
        grid(20, 30),
        nx.grid_2d_graph(4, 5, periodic=True),
        balanced_tree(3, 5),
        nx.random_labeled_tree(500, seed=2),
        hypercube(6),
        complete_bipartite(5, 9),
        planted_accounts(0, n=3000, m=1200, groups=5)[0],
        as_graph(nx.bipartite.random_graph(150, 100, 0.03, seed=1)),
    ],
)
def test_graphs_without_triangles_have_no_brokers(edges: Any) -> None:
    names = RoleClusterer().fit(edges).names_
    assert not any("broker" in name for name in names), names


def test_broadcasters_and_collectors_are_called_so() -> None:
    for seed in range(2):
        graph, senders, receivers = planted_broadcasters(seed)
        model = RoleClusterer(direction="out+in").fit(graph)
        for planted, noun in ((senders, "broadcasters"), (receivers, "collectors")):
            is_called_so = np.array([noun in name for name in model.names_])[model.labels_]
            assert np.array_equal(is_called_so, planted), noun
        assert_readable(model)
        without = RoleClusterer().fit(graph).names_
        assert not any("broadcaster" in name or "collector" in name for name in without), without


def test_sides_say_their_words_and_dense_groups() -> None:
    graph, planted = planted_accounts(0)
    model = RoleClusterer().fit(graph)
    [role] = [role for role, name in enumerate(model.names_) if "in dense groups" in name]
    found = model.labels_ == role
    assert 2 * (found & planted).sum() / (found.sum() + planted.sum()) >= 0.8
    assert_readable(model)
    # The columns' words where there are some.
    edges = [(f"u{u}", f"d{v}") for u, v in [(0, 0), (0, 1), (1, 1), (2, 1), (3, 1)]]
    orders = as_graph(pd.DataFrame(edges, columns=["user", "item"]), source="user", target="item")
    for graph, sides in ((as_graph(edges), ("first side", "second side")), (orders, ("user", "item"))):
        model = RoleClusterer().fit(graph)
        assert [name.partition(":")[0] for name in model.names_] == [sides[group] for group in model.groups_]


def test_numbers_are_medians_and_examples_are_typical() -> None:
    graph = power_law(400, 2.3, seed=4)
    network = nx.Graph()
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    network.add_nodes_from(range(graph.n_nodes))
    network.add_edges_from(zip(rows.tolist(), graph.indices.tolist(), strict=True))
    expected = {
        "degree": dict(network.degree), "clustering": nx.clustering(network), "core": nx.core_number(network),
        "neighbour_degree": nx.average_neighbor_degree(network),
    }  # fmt: skip
    for options in ({}, {"kind": "approx", "radius": 2}):
        model = RoleClusterer(6, **options).fit(graph)
        frame = model.summary()
        for place, role in enumerate(model.describe()):
            members = np.flatnonzero(model.labels_ == role.role)
            for name, values in expected.items():
                assert getattr(role, name) == pytest.approx(np.median([values[node] for node in members])), name
            assert (role.nodes, role.share) == (members.size, members.size / graph.n_nodes)
            assert role.degree_range == (graph.degrees[members].min(), graph.degrees[members].max())
            away = np.linalg.norm(model.signatures_[members] - model.centres_[role.role], axis=1)
            nearest = np.linalg.norm(model.signatures_[role.examples] - model.centres_[role.role], axis=1)
            np.testing.assert_allclose(nearest, np.sort(away)[: len(role.examples)], atol=1e-7)
            assert frame["description"][place] == role.description
            assert frame["exceptional"][place] == role.exceptional
