"""How far roles can be trusted: scores against scikit-learn, and structures that survive a loss of edges or do not."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.metrics import adjusted_rand_score, silhouette_score

from tests.generators import erdos_renyi, power_law
from vnestruct import as_graph, embed
from vnestruct.graph import Graph
from vnestruct.graph.synthetic import barbell, star
from vnestruct.roles import RoleClusterer, quality, summarise_roles
from vnestruct.roles.quality import EdgeLoss, adjusted_rand, degree_split

PARTITIONS = st.integers(2, 30).flatmap(
    lambda n: st.tuples(*(st.lists(st.integers(0, 4), min_size=n, max_size=n) for _ in range(3)))
)


@given(PARTITIONS)
def test_a_node_of_weight_w_counts_as_w_nodes(lists: tuple[list[int], ...]) -> None:
    first, second, weights = (np.array(values) for values in lists)
    weights += 1
    whole = adjusted_rand_score(np.repeat(first, weights), np.repeat(second, weights))
    assert adjusted_rand(weights.astype(float), first, second) == pytest.approx(whole)


def test_separated_kinds_survive_and_random_groups_do_not() -> None:
    hubs = as_graph([(hub, (hub, leaf)) for hub in range(6) for leaf in range(40)])
    stable = RoleClusterer(2).fit(hubs).quality()
    assert stable.stability == 1.0
    assert stable.role_stability == (1.0, 1.0)
    assert stable.degree_stability == stable.degree_agreement == 1.0
    vague = RoleClusterer(8).fit(erdos_renyi(300, 0.05, 0)).quality()
    assert vague.stability is not None
    assert vague.stability < 0.5
    assert np.mean(vague.role_stability) < 0.6


def test_separation_is_the_silhouette_and_degree_has_its_own() -> None:
    graph = power_law(300, 2.4, seed=2)
    model = RoleClusterer(4, scaling="standard").fit(graph)
    scores = model.quality()
    scaled = np.round(model.signatures_ / model.scales_, 8)
    assert scores.separation == pytest.approx(silhouette_score(scaled, model.labels_))
    by_degree = degree_split(graph.degrees, None, 4, "ward", 0)
    assert scores.degree_separation == pytest.approx(silhouette_score(scaled, by_degree))
    assert scores.degree_agreement == pytest.approx(adjusted_rand_score(model.labels_, by_degree))
    automatic = RoleClusterer().fit(graph)
    assert automatic.quality().separation == pytest.approx(automatic.silhouettes_[automatic.n_roles_])


def test_the_split_by_degree_has_no_more_groups_than_there_are_degrees() -> None:
    assert np.unique(degree_split(barbell(5, 3).degrees, None, 6, "ward", 0)).size == 3
    assert set(degree_split(np.array([2, 2, 2]), None, 3, "kmeans", 0).tolist()) == {0}


def test_the_same_scores_twice_and_after_a_copy() -> None:
    graph = power_law(300, 2.4, seed=2)
    model = RoleClusterer(4).fit(graph)
    scores = model.quality()
    assert model.quality() is scores
    assert RoleClusterer(4).fit(graph).quality() == scores
    assert pickle.loads(pickle.dumps(model)).quality() == scores
    assert clone(model).fit(graph).quality() == scores
    assert RoleClusterer(4, random_state=1).fit(graph).quality() != scores


def test_roles_of_signatures_know_as_much_as_the_graph_tells(tmp_path: Path) -> None:
    graph = power_law(300, 2.4, seed=2)
    expected = RoleClusterer(4).fit(graph).quality()
    model = RoleClusterer(4).fit_signatures(embed(graph, 2))
    alone = model.quality()
    assert (alone.stability, alone.role_stability, alone.degree_separation) == (None, (None,) * 4, None)
    assert alone.separation == expected.separation
    assert model.quality(graph) == expected
    model.save(tmp_path / "model.roles")
    assert RoleClusterer.load(tmp_path / "model.roles").quality(graph) == expected
    # Signatures that the parameters do not give cannot be recomputed.
    other = RoleClusterer(4).fit_signatures(embed(graph, 3)).quality(graph)
    assert other.stability is None
    assert other.degree_separation is not None
    exact = RoleClusterer(4).fit_signatures(embed(graph, 2, kind="exact")).quality(graph)
    assert exact.stability is None


def test_a_sample_says_about_the_same_as_all_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = power_law(900, 2.4, seed=0)
    expected = RoleClusterer(4).fit(graph).quality().stability
    monkeypatch.setattr(quality, "_WHOLE", 300)
    sampled = RoleClusterer(4).fit(graph)
    assert sampled.quality().stability == pytest.approx(expected, abs=0.15)
    draw = sampled._loss._draws[0]
    assert draw.nodes.size <= 300
    # Each node stands for its share: the weights of a role sum to its size, but for nodes that lost their only edge.
    assert draw.weights.sum() == pytest.approx(graph.n_nodes, rel=0.1)


def test_what_a_draw_removes() -> None:
    seen: list[Graph] = []

    def recompute(left: Graph, nodes: np.ndarray) -> np.ndarray:
        seen.append(left)
        return left.degrees[nodes].astype(float)[:, None]

    graph = erdos_renyi(200, 0.1, 3)
    loss = EdgeLoss(graph, recompute, 1, "ward", 0)
    loss.stability(lambda n_roles: np.arange(200) % n_roles, [2])
    whole = set(zip(*edges(graph), strict=True))
    for left in seen:
        assert set(zip(*edges(left), strict=True)) < whole
        assert left == as_graph(Graph(left.indptr, left.indices))
    assert np.mean([left.n_edges for left in seen]) == pytest.approx(0.95 * graph.n_edges, rel=0.01)


def edges(graph: Graph) -> tuple[list[int], list[int]]:
    return np.repeat(np.arange(graph.n_nodes), graph.degrees).tolist(), graph.indices.tolist()


def test_directed_weighted_and_presets() -> None:
    generator = np.random.default_rng(0)
    arcs = [(int(u), int(v), float(w)) for u, v, w in generator.integers(1, 60, (400, 3)) if u != v]
    graph = as_graph(arcs, directed=True)
    for parameters in [
        {"weighted": True, "direction": "out+in"},
        {"preset": "noisy"},
        {"preset": "profile", "direction": "in"},
        {"kind": "exact", "aggregate": "mean"},
    ]:
        found = RoleClusterer(3, **parameters).fit(graph).quality()
        assert found.stability is not None, parameters
        assert -0.5 <= found.stability <= 1.0, parameters


def test_isolated_nodes_and_single_roles() -> None:
    graph = as_graph([(0, 1)])
    assert RoleClusterer().fit(graph).quality().role_stability == (1.0,)
    lonely = Graph([0, 0, 0, 1, 2], [3, 2])
    assert RoleClusterer(1).fit(lonely).quality().stability == 1.0
    assert [role.stability for role in summarise_roles(star(9), RoleClusterer().fit(star(9)))] == [1.0, 1.0]
