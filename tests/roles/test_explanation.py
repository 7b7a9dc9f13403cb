"""What is said of a node is measured: by networkx, by medians over its role, and by the nearest nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from tests.cases import for_each
from vnestruct import RoleClusterer, UnknownNodeError, as_graph, explain, similar_nodes
from vnestruct.graph.synthetic import barbell, cycle, path


@for_each("parameters", [{}, {"kind": ["exact", "approx"], "radius": 3}, {"kind": "approx", "weighted": True}])
def test_measurements_are_those_of_networkx_and_of_the_signature(parameters: dict[str, Any]) -> None:
    club = nx.karate_club_graph()
    model = RoleClusterer(4, **parameters).fit(club)
    found = explain(club, 0, 16, model=model)
    plain = [club.degree, nx.clustering(club), nx.average_neighbor_degree(club), nx.core_number(club)]
    members = np.flatnonzero(model.labels_ == model.labels_[0])
    for row, values in zip(found.rows, [*plain, *model.signatures_.T], strict=True):
        expected = values[0], np.median([values[node] for node in members]), values[16]
        assert [row["node"], row["role"], row["other"]] == pytest.approx(expected)
    assert [row["measure"] for row in found.rows[4:]] == model.columns_
    assert (found.role, found.name) == (model.labels_[0], model.names_[model.labels_[0]])
    # The nodes that are said to be more similar are those that `similar_nodes` lists first.
    nearest = similar_nodes(model.signatures_, 0, 33, nodes=range(34))
    distance = dict(nearest)[16]
    assert f"{sum(away < distance for _, away in nearest)} nodes are more similar to 0" in found.sentence


def test_sentences_name_roles() -> None:
    graph = barbell(10, 7)
    model = RoleClusterer().fit(graph)
    members, gates = (model.describe()[model.labels_[node]] for node in (3, 9))
    assert f"18 {members.description}" in explain(graph, 3).sentence
    assert all(word in explain(graph, 9, 17).sentence for word in ("both", gates.name, "no node"))
    assert all(word in explain(graph, 3, 9, model=model).sentence for word in (members.name, gates.name, "17 nodes"))
    alone = RoleClusterer().fit(path(3)).describe()[1]
    assert all(word in explain(path(3), 1).sentence for word in ("alone", alone.description))
    novel = nx.les_miserables_graph()
    assert explain(novel, "Valjean").exceptional
    assert not explain(novel, "Cosette").exceptional


@for_each("nodes", [(7,), (0, "x")])
def test_unknown_nodes(nodes: tuple[Any, ...]) -> None:
    with pytest.raises(UnknownNodeError, match=repr(nodes[-1])):
        explain(cycle(5), *nodes)


def test_pictures_show_labels_as_they_are(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = explain(as_graph([("$x^{$", "<b>"), ("<b>", "c"), ("c", "d")]), "$x^{$", "<b>")
    for name in ("first.svg", "second.svg"):
        found.draw(tmp_path / name)
    text = (tmp_path / "first.svg").read_text()
    assert text == (tmp_path / "second.svg").read_text()
    # No formulas and no markup.
    assert all(label in text for label in ("$x^{$", "&lt;b&gt;", "links of neighbours"))
