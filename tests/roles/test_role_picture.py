"""The picture: it shows every role in both panels, says what it leaves out, and is the same every time."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.generators import power_law
from vnestruct import MissingExtraError, ParameterError, embed
from vnestruct.drawing import pictures
from vnestruct.drawing.palette import colour_of
from vnestruct.files import output_checks
from vnestruct.graph.synthetic import barbell, cycle, star
from vnestruct.roles import RoleClusterer, draw_roles, views

pytest.importorskip("matplotlib")
pytest.importorskip("igraph")

BEGINNINGS = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def test_pictures_of_every_format(tmp_path: Path) -> None:
    graph = barbell(10, 7)
    model = RoleClusterer(radius=3).fit(graph)
    for suffix, beginning in BEGINNINGS.items():
        first, second = tmp_path / f"first{suffix}", tmp_path / f"second{suffix}"
        for file in (first, second):
            caption = draw_roles(file, graph, model.labels_, model.signatures_, title="barbell")
            assert caption == f"The graph: 27 nodes, {graph.n_edges} edges"
        assert first.read_bytes().startswith(beginning), suffix
        assert first.read_bytes() == second.read_bytes(), suffix


def test_both_panels_use_the_colours_of_the_legend(tmp_path: Path) -> None:
    graph = barbell(10, 7)
    model = RoleClusterer(radius=3).fit(graph)
    draw_roles(tmp_path / "roles.svg", graph, model.labels_, model.signatures_)
    text = (tmp_path / "roles.svg").read_text().lower()
    for role in range(5):
        # Marks in the graph, marks in the projection, and one in the legend.
        assert len(re.findall(f"fill: {colour_of(role).lower()}", text)) >= 3
    assert "clique members" in text


def test_a_large_graph_is_drawn_in_part_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = power_law(3000, 2.3, seed=1)
    model = RoleClusterer(4, radius=1).fit(graph)
    monkeypatch.setattr(views, "ALL_NODES", 700)
    caption = draw_roles(tmp_path / "part.png", graph, model.labels_, model.signatures_)
    assert caption == "700 of 3,000 nodes: the surroundings of the largest hubs of each role"


def test_one_column_and_one_role(tmp_path: Path) -> None:
    graph = cycle(8)
    draw_roles(tmp_path / "roles.png", graph, np.zeros(8, int), embed(graph, 1))
    assert (tmp_path / "roles.png").stat().st_size > 1000


def test_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, values = star(3), embed(star(3), 1)
    with pytest.raises(ParameterError, match=r"pictures are \.png, \.svg, \.pdf files"):
        draw_roles(tmp_path / "roles.bmp", graph, [0, 1, 1, 1], values)
    with pytest.raises(ParameterError, match="one whole number for each"):
        draw_roles(tmp_path / "roles.png", graph, [0, 1], values)
    with pytest.raises(ParameterError, match="3 signatures for 4 nodes"):
        draw_roles(tmp_path / "roles.png", graph, [0, 1, 1, 1], values[:3])
    for module, library in ((pictures, "igraph"), (output_checks, "Matplotlib")):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
        with pytest.raises(MissingExtraError, match=rf"need {library}: .*vnestruct\[plot\]"):
            draw_roles(tmp_path / "roles.png", graph, [0, 1, 1, 1], values)
    assert list(tmp_path.iterdir()) == []
