"""A page holds what roles and similar nodes say, nothing from elsewhere, and no label as anything but text."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import numpy as np
import pytest

from tests.explore.pages import NASTY, content_of, links_of, parts_of, write_nasty_page
from tests.generators import power_law
from tests.graphs import edges_of
from vnestruct import MissingExtraError, ParameterError, TooLargeError, as_graph, embed
from vnestruct.drawing import pictures
from vnestruct.drawing.layout import principal_axes
from vnestruct.explore import content, write_page
from vnestruct.explore import page as page_module
from vnestruct.graph.synthetic import barbell
from vnestruct.roles import RoleClusterer
from vnestruct.store.signatures import rounded

pytest.importorskip("igraph")


@pytest.fixture(scope="module")
def nasty_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_nasty_page(tmp_path_factory.mktemp("pages"), "<b>nasty</b> </title>")[0]


def test_labels_are_nowhere_in_the_markup(nasty_page: Path) -> None:
    text, (head, _), parts = nasty_page.read_text(encoding="utf-8"), content_of(nasty_page), parts_of(nasty_page)
    assert not [label for label in NASTY if ("<" in label or "window" in label) and label in text]
    assert set(NASTY) <= set(head["labels"])
    assert head["classes"] == sorted(NASTY[:3])
    assert (parts.texts["title"], "b" in parts.texts) == (["<b>nasty</b> </title>"], False)


def test_classes_are_in_their_own_order_or_frequent_ones_first(tmp_path: Path) -> None:
    graph, page = barbell(12, 3), tmp_path / "page.html"
    model = RoleClusterer(2).fit(graph)
    write_page(page, graph, model, labels={node: 10 - node % 3 for node in range(27) if node != 5})
    head, arrays = content_of(page)
    assert (head["classes"], arrays["class"][3:7].tolist()) == (["8", "9", "10"], [2, 1, -1, 2])
    write_page(page, graph, model, labels={node: max(node, 12) for node in range(27)})
    assert content_of(page)[0]["classes"] == [str(node) for node in range(12, 27)]


def test_nothing_comes_from_elsewhere_and_only_its_own_script_runs(nasty_page: Path) -> None:
    parts = parts_of(nasty_page)
    for tag, name, value in parts.attributes:
        assert not name.startswith("on"), f"{tag} runs {value}"
        if name in ("src", "href", "action", "data", "srcset", "poster", "formaction"):
            assert (tag, name, value) == ("a", "href", "#roles")
        assert "//" not in value or name == "content"
    assert "link" not in parts.texts
    assert not re.search(r"@import|url\(", "".join(parts.texts["style"]))
    [own] = [text for text in parts.texts["script"] if text.strip()]
    without_comments = re.sub(r"^\s*//.*$", "", own, flags=re.MULTILINE)
    assert set(re.findall(r"//[\w.]*", without_comments)) == {"//www.w3.org"}, "the name of SVG alone"
    assert not re.findall(r"XMLHttpRequest|WebSocket|innerHTML|document\.write|\b(?:fetch|import|eval|Function)\(", own)
    [policy] = [value for tag, name, value in parts.attributes if (tag, name) == ("meta", "content") and "src" in value]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert (rules.pop("default-src"), rules.pop("img-src"), rules.pop("style-src")) == (
        "'none'", "data: blob:", "'unsafe-inline'",
    )  # fmt: skip
    digest = base64.b64encode(hashlib.sha256(own.encode()).digest()).decode()
    assert rules == {"script-src": f"'sha256-{digest}'", "base-uri": "'none'", "form-action": "'none'"}


def test_the_page_says_what_roles_say(tmp_path: Path) -> None:
    graph = power_law(400, 2.4, seed=5)
    model = RoleClusterer(kind="approx", radius=3).fit(graph)
    write_page(tmp_path / "page.html", graph, model, title="power law")
    head, arrays = content_of(tmp_path / "page.html")
    assert (head["nodes"], head["edges"], head["radii"]) == (400, graph.n_edges, ["1", "2", "3"])
    assert head["labels"] == [str(node) for node in graph.nodes]
    assert np.array_equal(arrays["role"], model.labels_)
    assert np.array_equal(arrays["degree"], graph.degrees)
    for shown, one in zip(head["roles"], model.describe(), strict=True):
        for name in ("nodes", "degree", "clustering", "name", "description"):
            assert shown[name] == getattr(one, name)
        for name in ("examples", "exceptional"):
            assert [graph.nodes[place] for place in shown[name]] == getattr(one, name)
        members = model.signatures_[model.labels_ == one.role]
        assert np.allclose(shown["middle"], np.median(members, axis=0), atol=1e-8)
        assert np.all(np.asarray(shown["low"]) <= np.asarray(shown["high"]))
    assert links_of(arrays) == set(edges_of(graph))
    meetings = np.zeros((model.n_roles_, model.n_roles_))
    for first, second in model.labels_[edges_of(graph)]:
        meetings[first, second] += 1
        meetings[second, first] += first != second
    assert head["meetings"] == meetings.tolist()


def test_axes_are_the_entropies_of_two_radii_and_principal_components_beyond(tmp_path: Path) -> None:
    graph = power_law(300, 2.4, seed=4)
    for radius, first in ((2, "entropy near (radius 1)"), (3, "first principal component")):
        model = RoleClusterer(3, kind="approx", radius=radius).fit(graph)
        write_page(tmp_path / "page.html", graph, model)
        head, _ = content_of(tmp_path / "page.html")
        assert head["axes"][0].startswith(first)
        points = (rounded(model.signatures_) - head["plane"]["centre"]) @ np.array(head["plane"]["weights"]).T
        centred = model.signatures_ - model.signatures_.mean(axis=0)
        expected = model.signatures_ if radius == 2 else centred @ principal_axes(model.signatures_)[0].T
        np.testing.assert_allclose(points, expected, atol=1e-7)


def test_signatures_arrive_to_the_last_bit(tmp_path: Path) -> None:
    """So the browser finds the same similar nodes, in the same order; large values are not packed."""
    graph = barbell(4, 2)
    for values, dtype in ((embed(graph), np.int32), (np.arange(20.0).reshape(10, 2) * 7.0, np.float64)):
        write_page(tmp_path / "page.html", graph, RoleClusterer(2).fit_signatures(values, graph.nodes))
        head, arrays = content_of(tmp_path / "page.html")
        assert (arrays["signature"].dtype, head["radii"]) == (dtype, None)
        unit = 10.0 ** head["decimals"] if dtype == np.int32 else 1.0
        assert np.array_equal(arrays["signature"].reshape(2, -1).T / unit, rounded(values))


def test_the_smallest_graphs(tmp_path: Path) -> None:
    for edges in [[(0, 1)], [("a", "b"), ("c", "d")]]:
        graph = as_graph(edges)
        page = write_page(tmp_path / "page.html", graph, RoleClusterer(kind="approx", radius=1).fit(graph))
        assert page.n_bytes == (tmp_path / "page.html").stat().st_size, edges
        assert content_of(tmp_path / "page.html")[0]["axes"][0] == "the signature, a single number", edges


def test_a_large_graph_is_sampled_and_the_page_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "DRAWN_NODES", 20_000)
    monkeypatch.setattr(content, "EXCERPT_NODES", 2_500)
    graph = power_law(30_000, 2.5, seed=1)
    model = RoleClusterer(5).fit_signatures(embed(graph, 1), graph.nodes)
    page = write_page(tmp_path / "page.html", graph, model)
    head, arrays = content_of(tmp_path / "page.html")
    assert "2,500 of 30,000 nodes" in page.drawing == head["drawing"]
    assert (page.links, len(links_of(arrays))) == ("All links of the graph", graph.n_edges)
    assert arrays["drawn"].size == arrays["x"].size == 2_500
    assert set(model.labels_[arrays["drawn"]]) == set(range(5))
    assert page.n_bytes < 1e6


def test_refusals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = barbell(4, 2)
    model = RoleClusterer(2).fit(graph)
    monkeypatch.setattr(page_module, "MOST_NODES", 11)
    for name, given, error, problem in (
        ("page.pdf", graph, ParameterError, r"\.html"),
        ("page.html", barbell(4, 3), ParameterError, "10 nodes, but the graph has 11"),
        ("page.html", barbell(4, 4), TooLargeError, "12 nodes and a page holds at most 11"),
        ("page.html", graph, MissingExtraError, r"igraph.*vnestruct\[explore\]"),
    ):
        if error is MissingExtraError:
            monkeypatch.setattr(pictures, "find_spec", lambda name: None)
        with pytest.raises(error, match=problem):
            write_page(tmp_path / name, given, model)
    assert not list(tmp_path.iterdir())
