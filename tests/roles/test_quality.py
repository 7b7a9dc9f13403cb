"""How far roles can be trusted: scores of scikit-learn, and structures that survive a loss of edges or do not."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, silhouette_score

from tests.cases import for_each
from tests.generators import erdos_renyi, power_law
from tests.graphs import disjoint_union, from_edges
from vnestruct import ParameterError, RoleClusterer, as_graph, embed
from vnestruct.graph.synthetic import barbell, lose_edges, star
from vnestruct.roles.quality import degree_split

GRAPH = power_law(300, 2.4, seed=2)


def test_separated_kinds_survive_and_random_groups_do_not() -> None:
    hubs = as_graph([(hub, (hub, leaf)) for hub in range(6) for leaf in range(40)], bipartite=False)
    stable = RoleClusterer(2).fit(hubs).quality()
    assert stable.stability == stable.degree_stability == stable.degree_agreement == 1.0
    assert stable.role_stability == (1.0, 1.0)
    vague = RoleClusterer(8).fit(erdos_renyi(300, 0.05, 0)).quality()
    assert vague.stability is not None
    assert vague.stability < 0.6
    assert min(vague.role_stability) < 0.5  # type: ignore[type-var]


def test_roles_of_signatures_know_as_much_as_the_graph_tells() -> None:
    parameters: dict[str, Any] = {"n_roles": 4, "kind": "approx"}
    model = RoleClusterer(**parameters).fit(GRAPH)
    scores, scaled, by_degree = model.quality(), model.signatures_ / model.scale_, degree_split(GRAPH.degrees, 4)
    assert scores.separation == pytest.approx(silhouette_score(scaled, model.labels_))
    assert scores.degree_separation == pytest.approx(silhouette_score(scaled, by_degree))
    assert scores.degree_agreement == pytest.approx(adjusted_rand_score(model.labels_, by_degree))
    stored = RoleClusterer(**parameters).fit_signatures(embed(GRAPH))
    alone = stored.quality()
    assert (alone.stability, alone.role_stability, alone.degree_separation) == (None, (None,) * 4, None)
    assert alone.separation == scores.separation
    assert stored.quality(GRAPH) == scores
    # Signatures that the parameters do not give cannot be recomputed.
    for values in (embed(GRAPH, 3), embed(GRAPH, kind="exact")):
        other = RoleClusterer(**parameters).fit_signatures(values).quality(GRAPH)
        assert other.stability is None
        assert other.degree_separation is not None
    with pytest.raises(ParameterError, match="roles of 300 nodes, the graph has 10"):
        stored.quality(star(9))


def test_no_more_groups_than_there_are_degrees() -> None:
    assert np.unique(degree_split(barbell(5, 3).degrees, 6)).size == 3
    assert degree_split(np.array([2, 2, 2]), 3).tolist() == [0, 0, 0]


def test_the_same_scores_twice_and_of_saved_roles(tmp_path: Path) -> None:
    model = RoleClusterer(4).fit(GRAPH)
    scores = model.quality()
    assert pickle.loads(pickle.dumps(model)).quality() == scores
    assert model.set_params(random_state=1).quality() != scores
    model.set_params(random_state=0).save(tmp_path / "model.roles")
    assert RoleClusterer.load(tmp_path / "model.roles").quality(GRAPH) == scores


@for_each(
    "parameters",
    [
        {"direction": "out+in"},
        {"kind": "approx", "weighted": True, "direction": "out+in"},
        {"kind": "noisy"},
        {"kind": "exact", "aggregate": "mean"},
    ],
)
def test_directions_weights_and_other_kinds(parameters: dict[str, Any]) -> None:
    arcs = [(int(u), int(v), float(w)) for u, v, w in np.random.default_rng(0).integers(1, 60, (400, 3)) if u != v]
    found = RoleClusterer(3, **parameters).fit(as_graph(arcs, directed=True)).quality()
    assert found.stability is not None
    assert -0.5 <= found.stability <= 1.0


def test_isolated_nodes_and_single_roles() -> None:
    assert RoleClusterer().fit([(0, 1)]).quality().role_stability == (1.0, 1.0)
    found = RoleClusterer().fit(disjoint_union(star(40), from_edges([], 3))).quality()
    assert found.stability is not None
    assert found.role_stability[1:] == (1.0, 1.0)
    assert RoleClusterer(1).fit(from_edges([], 3)).quality().degree_agreement == 1.0


def test_lost_edges_leave_the_sides() -> None:
    orders = as_graph([(f"user {u}", f"item {v % 9}") for u in range(30) for v in range(u % 5, 12)])
    assert RoleClusterer(4).fit(orders).quality().stability is not None
    assert np.array_equal(lose_edges(orders, 0.05, 0).sides, orders.sides)
