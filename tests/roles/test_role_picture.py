"""The picture: it shows every role in both panels, says what it leaves out, and is the same every time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cases import for_each
from tests.generators import power_law
from vnestruct import MissingExtraError, ParameterError, embed
from vnestruct.drawing import pictures
from vnestruct.drawing.palette import colour_of
from vnestruct.files import atomic
from vnestruct.graph.synthetic import barbell, cycle, star
from vnestruct.roles import RoleClusterer, draw_roles

pytest.importorskip("matplotlib")
pytest.importorskip("igraph")


@for_each(("suffix", "beginning"), [(".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")])
def test_pictures_are_equal_and_use_the_colours_of_the_legend(suffix: str, beginning: bytes, tmp_path: Path) -> None:
    graph = barbell(10, 7)
    model = RoleClusterer().fit(graph)
    files = [tmp_path / f"{name}{suffix}" for name in ("first", "second")]
    for file in files:
        assert draw_roles(file, model, title="barbell") == f"The graph: 27 nodes, {graph.n_edges} edges"
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


def test_one_column_and_one_role(tmp_path: Path) -> None:
    graph = cycle(8)
    draw_roles(tmp_path / "roles.png", RoleClusterer().fit_signatures(embed(graph, 1)), graph)
    assert (tmp_path / "roles.png").stat().st_size > 1000


def test_errors_leave_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = RoleClusterer().fit(star(3))
    with pytest.raises(ParameterError, match=r"\.png, \.svg, \.pdf"):
        draw_roles(tmp_path / "roles.bmp", model)
    with pytest.raises(ParameterError, match="4 nodes, the graph has 5"):
        draw_roles(tmp_path / "roles.png", model, star(4))
    with pytest.raises(ParameterError, match=r"draw_roles\(graph\)"):
        draw_roles(tmp_path / "roles.png", RoleClusterer().fit(model.signatures_))
    for module, library in ((pictures, "igraph"), (atomic, "Matplotlib")):
        monkeypatch.setattr(module, "find_spec", lambda name: None)
        with pytest.raises(MissingExtraError, match=rf"{library}: .*vnestruct\[plot\]"):
            draw_roles(tmp_path / "roles.png", model)
    assert list(tmp_path.iterdir()) == []
