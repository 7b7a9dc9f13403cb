"""What is said of balls is true of them: counted by networkx, medians over the role, the nearest node first."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from tests.generators import power_law
from vnestruct import UnknownNodeError, as_graph, embed, explain
from vnestruct.graph.synthetic import barbell, cycle, star
from vnestruct.roles import RoleClusterer, similar_nodes


def test_balls_are_those_of_networkx() -> None:
    reference = nx.karate_club_graph()
    model = RoleClusterer(4, radius=3).fit(reference)
    found = explain(reference, 0, 33, model=model)
    entropies = embed(reference, 3)
    members = np.flatnonzero(model.labels_ == model.labels_[0])
    for row in found.rows:
        expected = {}
        for node in reference:
            ball = nx.ego_graph(reference, node, row["radius"])
            values = {"nodes": len(ball), "density": nx.density(ball), "entropy": entropies[node, row["radius"] - 1]}
            expected[node] = values[row["measure"]]
        assert row["node"] == pytest.approx(expected[0])
        assert row["other"] == pytest.approx(expected[33])
        assert row["role"] == pytest.approx(np.median([expected[node] for node in members]))
    assert found.role == model.labels_[0]
    assert [row["radius"] for row in found.rows] == [1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_sentences() -> None:
    graph = barbell(10, 7)
    model = RoleClusterer(radius=3).fit(graph)
    assert explain(graph, 3, model=model).sentence == "3 is one of 18 clique members; its balls are typical of the role"
    assert explain(graph, 9, 17, model=model).sentence == (
        "9 and 17 are both gateways; of 25 further nodes, 0 are more similar to 9; their balls do not differ"
    )
    assert explain(graph, 3, 9, model=model).sentence == (
        "3 is one of the clique members, 9 is one of the gateways; of 25 further nodes, 17 are more similar to 3; "
        "they differ most in the density within 1 hop (1 against 0.8364)"
    )
    assert explain(star(6), 1, 0).sentence == (
        "1 is one of the leaves, 0 is the hub; of 5 further nodes, 5 are more similar to 1; "
        f"they differ most in the entropy within 1 hop (0 against {embed(star(6), 1)[0, 0]:.4g})"
    )
    unusual = explain(power_law(300, 2.2, seed=1), 0, model=RoleClusterer(1).fit(power_law(300, 2.2, seed=1)))
    assert "it differs most from their median in" in unusual.sentence


def test_the_nodes_more_similar_are_those_that_similar_nodes_lists() -> None:
    graph = power_law(200, 2.3, seed=3)
    model = RoleClusterer(3).fit(graph)
    nearest = similar_nodes(model.signatures_, graph.nodes, 5, 40)
    label, distance = nearest[-1]
    nearer = sum(other < distance - 1e-9 for _, other in nearest)
    assert f"of 198 further nodes, {nearer} are more similar to 5;" in explain(graph, 5, label, model=model).sentence


def test_labels_directions_weights_and_presets() -> None:
    arcs = as_graph([("a", "b", 2.0), ("b", "c", 1.0), ("c", "d", 5.0), ("d", "b", 1.0)], directed=True)
    out = explain(arcs, "a", "c", model=RoleClusterer(2, direction="out+in", weighted=True).fit(arcs))
    assert [row["node"] for row in out.rows if row["measure"] == "nodes"] == [2.0, 3.0]
    assert out.rows[2]["node"] == pytest.approx(embed(arcs, 1, direction="out", weighted=True)[0, 0])
    club = nx.karate_club_graph()
    for parameters in [{"preset": "noisy"}, {"kind": ["exact", "approx"]}, {"kind": "sizes"}]:
        found = explain(club, 0, model=RoleClusterer(3, **parameters).fit(club))
        kind = "exact" if "exact" in parameters.get("kind", ()) else "approx"
        assert found.rows[2]["node"] == pytest.approx(embed(club, 1, kind=kind)[0, 0]), parameters


def test_unknown_nodes() -> None:
    with pytest.raises(UnknownNodeError, match="7"):
        explain(cycle(5), 7)
    with pytest.raises(UnknownNodeError, match="'x'"):
        explain(cycle(5), 0, "x")


def test_pictures(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    graph = as_graph([("$x^{$", "<b>"), ("<b>", "c"), ("c", "d")])
    found = explain(graph, "$x^{$", "<b>")
    found.draw(tmp_path / "first.svg")
    found.draw(tmp_path / "second.svg")
    text = (tmp_path / "first.svg").read_text()
    assert text == (tmp_path / "second.svg").read_text()
    # Labels are shown as they are, not as formulas or markup.
    assert "$x^{$" in text
    assert "&lt;b&gt;" in text
    assert "density" in text
