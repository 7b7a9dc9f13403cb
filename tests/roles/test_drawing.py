"""The picture: it shows every role in both panels, says what it leaves out, and is the same every time."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from vnestruct.roles.excerpt import choose_excerpt, induced_subgraph
from vnestruct.roles.palette import COLOURS, colour_of, marker_of

from tests.generators import power_law
from tests.graphs import disjoint_union
from vnestruct import MissingExtraError, ParameterError, embed
from vnestruct.graph.synthetic import barbell, clique, cycle, grid, path, star
from vnestruct.roles import RoleClusterer, draw_roles, drawing, layout

pytest.importorskip("matplotlib")

BEGINNINGS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.fixture(params=["igraph", "built in"])
def layouts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Draw with igraph's layouts, and without."""
    if request.param == "igraph":
        pytest.importorskip("igraph")
    monkeypatch.setattr(layout, "has_igraph", lambda: request.param == "igraph")
    monkeypatch.setattr(drawing, "has_igraph", lambda: request.param == "igraph")
    return str(request.param)


@pytest.mark.parametrize("suffix", BEGINNINGS)
def test_pictures_of_every_format(suffix: str, tmp_path: Path, layouts: str) -> None:
    graph = barbell(10, 7)
    model = RoleClusterer(radius=3).fit(graph)
    first, second = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
    for file in (first, second):
        caption = draw_roles(file, graph, model.labels_, model.signatures_, title="barbell")
        assert caption == f"The graph: 27 nodes, {graph.n_edges} edges"
    assert first.read_bytes().startswith(BEGINNINGS[suffix])
    assert first.read_bytes() == second.read_bytes()


def test_both_panels_use_the_colours_of_the_legend(tmp_path: Path) -> None:
    graph = barbell(10, 7)
    model = RoleClusterer(radius=3).fit(graph)
    draw_roles(tmp_path / "roles.svg", graph, model.labels_, model.signatures_)
    text = (tmp_path / "roles.svg").read_text().lower()
    for role in range(5):
        # Marks in the graph, marks in the projection, and one in the legend.
        assert len(re.findall(f"fill: {colour_of(role).lower()}", text)) >= 3
    assert "members of cliques" in text


def test_a_large_graph_is_drawn_in_part_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = power_law(3000, 2.3, seed=1)
    model = RoleClusterer(4, radius=1).fit(graph)
    monkeypatch.setattr(drawing, "ALL_NODES", 700)
    caption = draw_roles(tmp_path / "part.png", graph, model.labels_, model.signatures_)
    assert caption == "700 of 3,000 nodes: the surroundings of the largest hubs of each role"


def test_an_excerpt_holds_the_largest_hub_and_every_role() -> None:
    graph = power_law(4000, 2.2, seed=3)
    roles = RoleClusterer(5, radius=1).fit(graph).labels_
    chosen = choose_excerpt(graph, roles, whole=500)
    assert chosen.size == 500
    assert np.array_equal(chosen, np.unique(chosen))
    assert int(np.argmax(graph.degrees)) in chosen
    assert set(roles[chosen]) == set(range(5))
    part = induced_subgraph(graph, chosen)
    assert np.median(part.degrees) >= 1
    assert np.array_equal(chosen, choose_excerpt(graph, roles, whole=500))
    assert choose_excerpt(graph, roles, whole=4000).size == 4000


def test_an_induced_subgraph_keeps_exactly_the_edges_inside() -> None:
    graph = grid(5, 5)
    chosen = np.array([0, 1, 5, 6, 24])
    part = induced_subgraph(graph, chosen)
    assert part.n_edges == 4
    assert part.degrees.tolist() == [2, 2, 2, 2, 0]


def test_places_keep_neighbours_near_and_components_apart(layouts: str) -> None:
    graph = disjoint_union(grid(6, 6), cycle(12), star(4), path(1), path(1))
    places = layout.node_positions(graph)
    assert np.isfinite(places).all()
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    along = np.linalg.norm(places[rows] - places[graph.indices], axis=1)[rows < 36]
    every = np.linalg.norm(places[:36, None] - places[None, :36], axis=2)
    assert along.mean() < 0.6 * every[every > 0].mean()
    # Boxes of components do not overlap.
    boxes = [places[:36], places[36:48], places[48:53], places[53:54], places[54:]]
    for i, one in enumerate(boxes):
        for other in boxes[i + 1 :]:
            assert (one.min(axis=0) > other.max(axis=0)).any() or (other.min(axis=0) > one.max(axis=0)).any()
    np.testing.assert_array_equal(places, layout.node_positions(graph))


def test_igraph_keeps_drawing_its_own_random_numbers() -> None:
    pytest.importorskip("igraph")
    import random

    random.seed(5)
    expected = random.random()
    random.seed(5)
    layout.node_positions(clique(5))
    assert random.random() == expected


def test_roles_have_different_marks() -> None:
    assert len({(colour_of(role), marker_of(role)) for role in range(60)}) == 60


# What a colour becomes, in linear RGB, to people without one kind of cone (Machado, Oliveira and Fernandes 2009).
VISIONS = {
    "full": np.eye(3),
    "no long": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no medium": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "no short": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def in_lab(colour: str, vision: str) -> np.ndarray:
    encoded = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.array(VISIONS[vision]) @ linear, 0, 1)
    to_xyz = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    ratio = np.array(to_xyz) @ seen / [0.95047, 1.0, 1.08883]
    cube = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * cube[1] - 16, 500 * (cube[0] - cube[1]), 200 * (cube[1] - cube[2])])


@pytest.mark.parametrize("vision", VISIONS)
def test_colours_can_be_told_apart_with_any_kind_of_vision(vision: str) -> None:
    seen = [in_lab(colour, vision) for colour in COLOURS]
    assert min(np.linalg.norm(one - other) for i, one in enumerate(seen) for other in seen[:i]) > 15


def test_one_column_and_one_role(tmp_path: Path) -> None:
    graph = cycle(8)
    draw_roles(tmp_path / "roles.png", graph, np.zeros(8, int), embed(graph, 1))
    assert (tmp_path / "roles.png").stat().st_size > 1000


def test_principal_components_are_those_of_scikit_learn() -> None:
    from sklearn.decomposition import PCA

    values = embed(power_law(200, 2.5, seed=1), 3)
    points, shares = drawing.principal_components(values)
    reference = PCA(2).fit(values)
    np.testing.assert_allclose(np.abs(points), np.abs(reference.transform(values)), atol=1e-9)
    np.testing.assert_allclose(shares, reference.explained_variance_ratio_, atol=1e-12)


def test_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, values = star(3), embed(star(3), 1)
    with pytest.raises(ParameterError, match=r"a \.png, \.svg or \.pdf file"):
        draw_roles(tmp_path / "roles.bmp", graph, [0, 1, 1, 1], values)
    with pytest.raises(ParameterError, match="one whole number for each"):
        draw_roles(tmp_path / "roles.png", graph, [0, 1], values)
    with pytest.raises(ParameterError, match="3 signatures for 4 nodes"):
        draw_roles(tmp_path / "roles.png", graph, [0, 1, 1, 1], values[:3])
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"vnestruct\[plot\]"):
        draw_roles(tmp_path / "roles.png", graph, [0, 1, 1, 1], values)
    assert list(tmp_path.iterdir()) == []
