"""The automatic number of roles: found where it is known, small, stable, and never a mere cut of outliers."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from tests.generators import connected_caveman, house_shape, ring_of_shapes
from vnestruct import as_graph, embed, read_graph
from vnestruct.graph import Graph
from vnestruct.graph.synthetic import barbell, cycle, star
from vnestruct.roles import RoleClusterer, agreement, read_labels
from vnestruct.roles.partition import best_number


def core_with_leaves(core: int, leaves: int) -> tuple[Graph, list[int]]:
    """A clique whose nodes have the same number of leaves each, and which nodes are in the clique."""
    graph = nx.complete_graph(core)
    graph.add_edges_from((node, (node, leaf)) for node in range(core) for leaf in range(leaves))
    return as_graph(graph), [int(isinstance(node, int)) for node in graph]


def core_and_periphery(core: int, periphery: int, seed: int) -> tuple[Graph, list[int]]:
    """A clique, and further nodes that are each joined to two random nodes of it."""
    generator = np.random.default_rng(seed)
    graph = nx.complete_graph(core)
    for node in range(core, core + periphery):
        graph.add_edges_from((node, int(other)) for other in generator.choice(core, 2, replace=False))
    return as_graph(graph), [int(node < core) for node in graph]


def test_known_roles_are_found_number_and_members() -> None:
    ring, ring_roles = ring_of_shapes(30, [house_shape()] * 10)
    for name, graph, roles in [
        ("cycle", cycle(20), [0] * 20),
        ("star", star(30), [1] + [0] * 30),
        ("ring of houses", ring, ring_roles.tolist()),
        ("barbell", barbell(10, 2), [0] * 9 + [1, 2, 2, 1] + [0] * 9),
        # In each cave: the two ends of links to other caves, the node that lost a link to one, and the others.
        ("caveman", connected_caveman(6, 6), [1, 2, 0, 0, 0, 3] * 6),
        ("complete bipartite", as_graph(nx.complete_bipartite_graph(12, 3)), [0] * 12 + [1] * 3),
        ("97 and 3 of two kinds", as_graph(nx.complete_bipartite_graph(97, 3)), [0] * 97 + [1] * 3),
        ("core with leaves", *core_with_leaves(5, 6)),
        ("core with leaves, 97%", *core_with_leaves(3, 33)),
        ("core and periphery, 94%", *core_and_periphery(6, 100, 0)),
        ("core and periphery", *core_and_periphery(10, 60, 1)),
        ("core and periphery, 97%", *core_and_periphery(8, 300, 2)),
    ]:
        found = RoleClusterer().fit(graph)
        assert found.n_roles_ == len(set(roles)), name
        assert adjusted_rand_score(roles, found.labels_) == 1.0, name


def test_outliers_of_a_wide_spread_are_not_a_role_of_their_own() -> None:
    generator = np.random.default_rng(0)
    # 970 nodes that differ little, and 30 that differ a lot, also from each other.
    values = np.concatenate([generator.normal(0.0, 0.05, (970, 2)), generator.uniform(0.7, 3.0, (30, 2))])
    sizes = np.bincount(RoleClusterer(2).fit_signatures(values).labels_)
    assert sizes.max() > 900
    assert RoleClusterer().fit_signatures(values).silhouettes_[2] > 0.9
    assert np.bincount(RoleClusterer().fit_signatures(values).labels_).max() <= 900
    # The same number of nodes, all near one place, are another kind.
    values[970:] = generator.normal(2.0, 0.05, (30, 2))
    assert np.bincount(RoleClusterer().fit_signatures(values).labels_).tolist() == [970, 30]


def test_the_smallest_number_within_the_margin_of_the_best() -> None:
    # 5% of 1 - 0.6 is 0.02.
    assert best_number({2: 0.5, 3: 0.579, 4: 0.58, 5: 0.6}) == 4
    assert best_number({2: 0.5, 3: 0.99, 4: 1.0}) == 4
    assert best_number({2: 0.69, 3: 0.5, 4: 0.6}) == 4
    assert best_number({2: 0.71, 3: 0.5, 4: 0.6}) == 2
    assert best_number({2: 0.61, 3: 0.5, 4: 0.6}, kinds={2}) == 2
    assert best_number({2: 0.9, 3: 0.9, 4: 0.6}, outliers={2, 3}) == 4
    assert best_number({2: 0.9, 3: 0.2}, outliers={2, 3}) == 2
    assert best_number({2: 0.3}) == 2


def test_of_numbers_within_the_margin_a_stable_one() -> None:
    asked: list[Sequence[int]] = []

    def stability(numbers: Sequence[int]) -> Mapping[int, float]:
        asked.append(numbers)
        return {number: {3: 0.5, 4: 0.86, 5: 0.9}[number] for number in numbers}

    assert best_number({2: 0.5, 3: 0.6, 4: 0.6, 5: 0.6}, stability=stability) == 4
    assert best_number({2: 0.5, 3: 0.6, 4: 0.4, 5: 0.4}, stability=stability) == 3
    # Measured only where it decides.
    assert asked == [[3, 4, 5]]


def test_the_largest_number_tried_is_not_taken_silently(caplog: pytest.LogCaptureFixture) -> None:
    ring, _ = ring_of_shapes(30, [house_shape()] * 10)
    with caplog.at_level(logging.WARNING):
        assert RoleClusterer(max_roles=4).fit(ring).n_roles_ == 4
        assert "4 roles, the largest number tried" in caplog.text
        caplog.clear()
        RoleClusterer(max_roles=6).fit(ring)
        RoleClusterer(4).fit(ring)
        assert caplog.text == ""


def test_a_given_number_does_not_depend_on_the_graph() -> None:
    graph, _ = core_and_periphery(10, 60, 1)
    with_graph = RoleClusterer(5).fit(graph)
    without = RoleClusterer(5).fit_signatures(embed(graph, 2))
    assert np.array_equal(with_graph.labels_, without.labels_)
    assert with_graph.centroids_.tobytes() == without.centroids_.tobytes()


def test_airports(data_folder: Path) -> None:
    # The known classes are quarters of the airports by activity: no structure has exactly these.
    for name, n_roles, rand, most_busy in [("brazil", 3, 0.4, 0.9), ("europe", 4, 0.2, 0.9)]:
        graph = read_graph(data_folder / f"roles/{name}-airports.edgelist")
        known = read_labels(data_folder / f"roles/labels-{name}-airports.txt")
        found = RoleClusterer().fit(graph)
        assert found.n_roles_ == n_roles, name
        assert agreement(known, found.labels_, nodes=graph.nodes).adjusted_rand > rand, name
        # The busiest quarter is in the role of largest degree.
        hubs = max(range(n_roles), key=lambda role: np.median(graph.degrees[found.labels_ == role]))
        quarter = np.array([known[node] == 0 for node in graph.nodes.tolist()])
        assert np.mean(found.labels_[quarter] == hubs) > most_busy, name
