"""What is said of a node is measured: by networkx, by medians over its role, and by the nearest nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from tests.cases import for_each
from tests.generators import power_law
from vnestruct import UnknownNodeError, as_graph, explain
from vnestruct.graph.synthetic import barbell, cycle, path
from vnestruct.roles import RoleClusterer, similar_nodes


@for_each(
    "parameters",
    [{}, {"kind": "noisy"}, {"kind": ["exact", "approx"], "radius": 3}, {"kind": "approx", "weighted": True}],
)
def test_measurements_are_those_of_networkx_and_of_the_signature(parameters: dict[str, Any]) -> None:
    reference = nx.karate_club_graph()
    model = RoleClusterer(4, **parameters).fit(reference)
    found = explain(reference, 0, 33, model=model)
    plain = [
        reference.degree,
        nx.clustering(reference),
        nx.average_neighbor_degree(reference),
        nx.core_number(reference),
    ]
    columns = [*plain, *model.signatures_.T]
    assert len(found.rows) == 4 + len(model.columns_)
    members = np.flatnonzero(model.labels_ == model.labels_[0])
    for row, values in zip(found.rows, columns, strict=True):
        assert row["node"] == pytest.approx(values[0])
        assert row["other"] == pytest.approx(values[33])
        assert row["role"] == pytest.approx(np.median([values[node] for node in members]))
    assert [row["measure"] for row in found.rows[4:]] == model.columns_
    assert (found.role, found.name) == (model.labels_[0], model.names_[model.labels_[0]])


def test_sentences() -> None:
    graph = barbell(10, 7)
    model = RoleClusterer().fit(graph)
    roles = model.describe()
    members, gates = roles[model.labels_[3]], roles[model.labels_[9]]
    assert explain(graph, 3).sentence == f"3 is one of 18 {members.description}; it is typical of them"
    same = f"9 and 17 are both {gates.name}; no node is more similar to 9; they do not differ"
    assert explain(graph, 9, 17).sentence == same
    other = explain(graph, 3, 9, model=model).sentence
    assert other.startswith(
        f"3 is one of the {members.name}, 9 one of the {gates.name}; 17 nodes are more similar to 3;"
    )
    unusual = power_law(300, 2.2, seed=1)
    assert (
        "the largest difference: links of neighbours ("
        in explain(unusual, 0, model=RoleClusterer(1).fit(unusual)).sentence
    )
    alone = RoleClusterer().fit(path(3)).describe()[1]
    assert explain(path(3), 1).sentence == f"1 is alone in its role: {alone.description}"


def test_exceptional_nodes_are_said_to_be_so() -> None:
    novel = nx.les_miserables_graph()
    found = explain(novel, "Valjean")
    assert found.exceptional
    assert found.sentence.startswith("Valjean, 36 links: no other node is like it; its role: ")
    assert not explain(novel, "Cosette").exceptional


def test_the_nodes_more_similar_are_those_that_similar_nodes_lists() -> None:
    graph = power_law(200, 2.3, seed=3)
    model = RoleClusterer(3).fit(graph)
    label, distance = similar_nodes(model.signatures_, 5, 40, nodes=graph.nodes)[-1]
    nearest = similar_nodes(model.signatures_, 5, 200, nodes=graph.nodes)
    nearer = sum(other < distance for _, other in nearest)
    assert nearer > 1
    assert f"; {nearer} nodes are more similar to 5;" in explain(graph, 5, label, model=model).sentence


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
    assert "links of neighbours" in text
