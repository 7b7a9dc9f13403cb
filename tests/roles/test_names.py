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

from tests.cases import for_each
from tests.generators import (
    balanced_tree,
    barbell,
    complete_bipartite,
    erdos_renyi,
    grid,
    hypercube,
    power_law,
    watts_strogatz,
)
from tests.generators.planted import (
    phone_calls,
    planted_accounts,
    planted_broadcasters,
    planted_brokers,
    ring_of_caves,
    talk_pages,
)
from tests.golden.values import ROLE_FILES
from tests.graphs import edges_of, graph_strategy
from vnestruct import Graph, RoleClusterer, as_graph, read_graph
from vnestruct.roles.names import NOUNS

NOUN = "|".join({noun.removesuffix("s") for noun, _ in NOUNS} | {"links? in a? ?chain", "members? of an? .*clique"})
WITHOUT_TRIANGLES = [
    grid(20, 30),
    nx.grid_2d_graph(4, 5, periodic=True),
    balanced_tree(3, 5),
    nx.random_labeled_tree(500, seed=2),
    hypercube(6),
    complete_bipartite(5, 9),
    planted_accounts(0, n=3000, m=1200, groups=5)[0],
    as_graph(nx.bipartite.random_graph(150, 100, 0.03, seed=1)),
]


def assert_readable(model: RoleClusterer) -> None:
    """Names differ without counting numbers, have a noun of the list, and compare with nothing that is not named."""
    names = model.names_
    assert len(set(names)) == len(names), names
    for name, role in zip(names, model.describe(), strict=True):
        # The side comes first; what follows may be a typical node, where nothing else distinguishes roles.
        words = re.sub(r"^(first|second) side: |( such as |: ).*", "", name)
        assert re.search(f"{NOUN}|members of", words), name
        assert not re.search(r"\b(more|most|less|least|kind)\b|[0-9]", words), name
        assert set(re.findall(r"\b\w+(?:er|est)\b", words)) <= {"broker", "member", "broadcaster"}, name
        # The description starts with the name, and adds the numbers that decide it.
        assert role.description.startswith(f"{name} ("), role.description
        assert re.search(r"[0-9]|no links", role.description), role.description


def are_called(model: RoleClusterer, word: str) -> np.ndarray:
    """Whether each node has a role whose name has a word."""
    return np.array([re.search(word, name) is not None for name in model.names_])[model.labels_]


@for_each(
    "graph",
    [
        nx.karate_club_graph(),
        nx.les_miserables_graph(),
        nx.florentine_families_graph(),
        barbell(10, 7),
        ring_of_caves()[0],
        phone_calls(),
        talk_pages(),
        power_law(2000, 2.3, seed=1),
        erdos_renyi(1000, 0.01, 1),
        erdos_renyi(150, 0.01, 2),
        watts_strogatz(500, 6, 0.1, 1),
        *WITHOUT_TRIANGLES,
        planted_brokers(3, density=0.6)[0],
    ],
)
def test_names_differ_and_none_is_a_comparative(graph: Any) -> None:
    model = RoleClusterer().fit(graph)
    assert_readable(model)
    assert_readable(RoleClusterer(min(10, len(np.unique(model.signatures_, axis=0)))).fit(model.graph_))


@settings(max_examples=60)
@given(graph_strategy(max_nodes=25, min_nodes=1))
def test_names_of_small_graphs_differ(graph: Graph) -> None:
    assert_readable(RoleClusterer().fit(graph))


@pytest.mark.full
@for_each("name", [name for name in ROLE_FILES.values() if not name.startswith("temporal")])
def test_names_of_real_graphs_differ(name: str, data_folder: Path) -> None:
    if not (data_folder / name).is_file():
        pytest.skip(f"{data_folder / name} is missing")
    assert_readable(RoleClusterer().fit(read_graph(data_folder / name)))


def test_known_hubs_are_called_so(real_graph: Callable[[str], Graph]) -> None:
    # The leaders of the club, and of the ten people whose friends the graph of facebook was made of, most.
    friends = [0, 107, 348, 414, 686, 698, 1684, 1912, 3437, 3980]
    for edges, hubs, least in (
        (nx.karate_club_graph(), [0, 33], 2),
        (nx.les_miserables_graph(), ["Valjean"], 1),
        (real_graph("facebook_combined"), friends, 8),
    ):
        model = RoleClusterer().fit(edges)
        assert model.graph_ is not None
        assert are_called(model, r"\b(hub|broker)s?\b")[model.graph_.positions(hubs)].sum() >= least


@for_each(
    ("seed", "options"),
    [
        (0, {}),
        (2, {"size": 100, "n_groups": 20, "n_brokers": 15, "groups": 4, "links": 5}),
        (3, {"density": 0.6}),
    ],
)
def test_planted_brokers_and_few_others_are_called_brokers(seed: int, options: dict[str, Any]) -> None:
    graph, are_brokers = planted_brokers(seed, **options)
    found = are_called(RoleClusterer().fit(graph), "broker")
    assert found[are_brokers].mean() >= 0.7
    assert found[~are_brokers].mean() <= 0.1


@for_each("graph", WITHOUT_TRIANGLES)
def test_graphs_without_triangles_have_no_brokers(graph: Any) -> None:
    assert not are_called(RoleClusterer().fit(graph), "broker").any()


def test_broadcasters_and_collectors_are_called_so() -> None:
    graph, senders, receivers = planted_broadcasters(0)
    model, without = RoleClusterer(direction="out+in").fit(graph), RoleClusterer().fit(graph)
    for planted, noun in ((senders, "broadcaster"), (receivers, "collector")):
        assert np.array_equal(are_called(model, noun), planted)
        assert not are_called(without, noun).any()
    assert_readable(model)


def test_sides_say_their_words_and_dense_groups() -> None:
    graph, planted = planted_accounts(0)
    model = RoleClusterer().fit(graph)
    found = are_called(model, "in dense groups")
    assert 2 * (found & planted).sum() / (found.sum() + planted.sum()) >= 0.8
    assert_readable(model)
    # The columns' words where there are some.
    edges = [("u0", "d0"), ("u0", "d1"), ("u1", "d1"), ("u2", "d1"), ("u3", "d1")]
    orders = as_graph(pd.DataFrame(edges, columns=["user", "item"]), source="user", target="item")
    for graph, sides in ((as_graph(edges), ("first side", "second side")), (orders, ("user", "item"))):
        model = RoleClusterer().fit(graph)
        assert [name.partition(":")[0] for name in model.names_] == [sides[group] for group in model.groups_]


@for_each("options", [{}, {"kind": "approx", "radius": 2}])
def test_numbers_are_medians_and_examples_are_typical(options: dict[str, Any]) -> None:
    graph = power_law(400, 2.3, seed=4)
    network = nx.empty_graph(graph.n_nodes)
    network.add_edges_from(edges_of(graph))
    expected = {
        "degree": dict(network.degree), "clustering": nx.clustering(network), "core": nx.core_number(network),
        "neighbour_degree": nx.average_neighbor_degree(network),
    }  # fmt: skip
    model = RoleClusterer(6, **options).fit(graph)
    for role in model.describe():
        members = np.flatnonzero(model.labels_ == role.role)
        for name, values in expected.items():
            assert getattr(role, name) == pytest.approx(np.median([values[node] for node in members])), name
        assert (role.nodes, role.share) == (members.size, members.size / graph.n_nodes)
        assert role.degree_range == (graph.degrees[members].min(), graph.degrees[members].max())
        away = np.linalg.norm(model.signatures_ - model.centres_[role.role], axis=1)
        np.testing.assert_allclose(away[role.examples], np.sort(away[members])[: len(role.examples)], atol=1e-7)
