"""A fitted clusterer shows itself: its summary is a data frame, its pictures show every role, its page is inline."""

from __future__ import annotations

import re
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from tests.cases import for_each
from tests.generators import power_law
from vnestruct import MissingExtraError, ParameterError, RoleClusterer, embed
from vnestruct.drawing import pictures
from vnestruct.drawing.palette import colour_of
from vnestruct.files import atomic
from vnestruct.graph.synthetic import barbell, cycle, star
from vnestruct.roles import draw_roles

pytest.importorskip("matplotlib")
pytest.importorskip("igraph")

CLUB = nx.karate_club_graph()


def test_summary_is_a_data_frame() -> None:
    roles = RoleClusterer().fit(CLUB)
    frame = roles.summary()
    assert isinstance(frame, pd.DataFrame)
    for name in frame.columns:
        assert frame[name].tolist() == [getattr(role, name) for role in roles.describe()]
    alone = RoleClusterer(3).fit(roles.signatures_)
    columns = ["x1", "x2", "x3", "x4", "x5"]
    assert alone.summary().columns.tolist() == ["role", "nodes", "share", "examples", *columns]
    np.testing.assert_array_equal(alone.summary()[columns].to_numpy(), alone.centres_)
    assert alone.summary(CLUB)["description"].tolist() == [role.description for role in alone.describe(CLUB)]


def test_figures_and_pages() -> None:
    figure = RoleClusterer(3).fit(CLUB).plot(title="A club")
    assert (figure.get_suptitle(), len(figure.axes)) == ("A club", 2)
    # One role of one column, found without the graph.
    alone = RoleClusterer().fit_signatures(embed(cycle(8), 1))
    assert alone.plot(cycle(8))._repr_png_().startswith(b"\x89PNG")
    assert "Eight" in alone.show(cycle(8), title="Eight").html
    for view in (alone.plot, alone.show):
        with pytest.raises(ParameterError, match=r"`graph=...`"):
            view()


@for_each(("suffix", "beginning"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_pictures_are_equal_and_use_the_colours_of_the_legend(suffix: str, beginning: bytes, tmp_path: Path) -> None:
    model = RoleClusterer().fit(barbell(10, 7))
    files = [tmp_path / f"{name}{suffix}" for name in ("first", "second")]
    for file in files:
        assert draw_roles(file, model, title="barbell") == "The graph: 27 nodes, 98 edges"
    content = files[0].read_bytes()
    assert content.startswith(beginning)
    assert content == files[1].read_bytes()
    for role in range(model.n_roles_ if suffix == ".svg" else 0):
        # Marks in the graph, marks in the projection, and one in the legend.
        assert len(re.findall(f"fill: {colour_of(role).lower()}", content.decode().lower())) >= 3
        assert model.names_[role] in content.decode()


def test_a_large_graph_is_drawn_in_part_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "ALL_NODES", 700)
    caption = draw_roles(tmp_path / "part.png", RoleClusterer(4).fit(power_law(3000, 2.3, seed=1)))
    assert caption.startswith("700 of 3,000 nodes")


def test_errors_leave_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = RoleClusterer().fit(star(3))
    with pytest.raises(ParameterError, match=r"\.png, \.svg, \.pdf"):
        draw_roles(tmp_path / "roles.bmp", model)
    for module, library in ((pictures, "igraph"), (atomic, "Matplotlib")):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
        with pytest.raises(MissingExtraError, match=rf"{library}: .*vnestruct\[plot\]"):
            draw_roles(tmp_path / "roles.png", model)
    assert list(tmp_path.iterdir()) == []
