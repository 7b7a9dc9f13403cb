"""What a page gives away, and pages of larger graphs: files, addresses, nodes outside the sample, named nodes."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.browser.conftest import Shown, opened, page_of
from tests.browser.test_explore import found_similar
from tests.explore.pages import NASTY
from tests.generators import power_law
from vnestruct import Graph
from vnestruct.explore import content, read_node_table
from vnestruct.roles import RoleClusterer, similar_nodes


def saved(shown: Shown, selector: str) -> bytes:
    with shown.tab.expect_download() as download:
        shown.tab.click(selector)
    return Path(download.value.path()).read_bytes()


def test_the_selection_as_csv(shown: Shown) -> None:
    shown.tab.click("#roles .role[data-role='0']")
    rows = list(csv.DictReader(io.StringIO(saved(shown, "#csv").decode(), newline="")))
    members = np.flatnonzero(shown.model.labels_ == 0)
    assert [row["node"] for row in rows] == shown.graph.nodes[members].tolist()
    assert [int(row["degree"]) for row in rows] == shown.graph.degrees[members].tolist()
    for name, column in zip(shown.model.columns_, shown.model.signatures_[members].T, strict=True):
        np.testing.assert_allclose([float(row[name]) for row in rows], column, atol=1e-8)


def test_views_as_pictures(shown: Shown) -> None:
    odd = shown.graph.nodes.tolist().index(NASTY[-1])
    shown.choose(odd)
    shown.tab.wait_for_timeout(100)
    for view, marks in (("stage", shown.graph.n_nodes), ("plane", shown.graph.n_nodes), ("profile", 6), ("ego", 2)):
        tree = ElementTree.fromstring(saved(shown, f"[data-save='{view}.svg']"))
        found = [one for one in tree.iter() if one.tag.endswith("path") and one.get("fill") not in (None, "none")]
        assert len(found) >= marks, view
        png = saved(shown, f"[data-save='{view}.png']")
        assert png[:8] == b"\x89PNG\r\n\x1a\n", view
        assert min(int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")) > 200, view
    shown.tab.click("#show-roles")
    tree = ElementTree.fromstring(saved(shown, "[data-save='stage.svg']"))
    texts = " ".join(text for one in tree.iter() for text in one.itertext())
    assert all(shown.state(f"page.data.roles[{role}].description") in texts for role in range(3))


def test_the_address_restores_the_view(
    shown: Shown, browser: Any, nasty_page: tuple[Path, Graph, RoleClusterer]
) -> None:
    tab, view = shown.tab, "['x', 'y', 'zoom'].map((name) => page.plots.drawing.view[name])"
    tab.select_option("#colour", "degree")
    shown.choose(3)
    tab.focus("#drawing")
    for key in ("+", "+", "ArrowLeft"):
        tab.keyboard.press(key)
    # The page writes its address 150 ms after each change, and would overwrite an address given to it before.
    written = "new Promise((done) => setTimeout(done, 200))"
    tab.evaluate(written)
    address = tab.evaluate("location.hash")
    assert "drawing=" in address
    with opened(browser, *nasty_page) as other:
        for given, nodes, colour in ((address, "3", "degree"), ("#view=roles&nodes=1.5", "1,5", "role")):
            other.tab.evaluate("address => { location.hash = address; }", given)
            other.wait_until(f"page.nodes.join() === '{nodes}'")
            assert other.state("page.choice.key") == colour
        assert other.state("page.view") == "roles"
        other.tab.evaluate(written)
        other.tab.goto(f"{nasty_page[0].as_uri()}{address}")
        other.wait_until("page.nodes.join() === '3' && location.hash.includes('drawing=')")
        other.tab.evaluate(written)
        other.tab.reload()
        other.tab.wait_for_selector("body[data-ready=yes]")
        assert other.state(view) == pytest.approx(shown.state(view), rel=1e-4)
        assert other.state("page.nodes") == [3]


def test_an_address_with_markup_is_harmless(shown: Shown) -> None:
    address = "#node=<img src=x onerror=window.broken=1>&role=99&view=<b>&nodes=-1.x&colour=no"
    shown.tab.evaluate("address => { location.hash = address; }", address)
    shown.tab.wait_for_timeout(200)
    assert shown.state("page.nodes") == []
    # A link inside the page keeps the selection.
    shown.tab.evaluate("window.vnestruct.select([4]); document.querySelector('.skip').click()")
    shown.tab.wait_for_timeout(200)
    assert shown.state("page.nodes") == [4]


def test_a_node_outside_the_sample(browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes that are not drawn are found, drawn with their true neighbours, and compared, too."""
    monkeypatch.setattr(content, "DRAWN_NODES", 1_000)
    monkeypatch.setattr(content, "EXCERPT_NODES", 300)
    graph = power_law(5_000, 2.5, seed=3)
    model = RoleClusterer(9, kind="approx").fit(graph)
    with page_of(browser, tmp_path, graph, model) as page:
        tab = page.tab
        assert page.state("page.view") == "roles", "the default of a graph that is not small"
        assert tab.locator("#rolegraph [data-role]").count() == 9
        tab.click("#show-graph")
        assert "300 of 5,000 nodes" in tab.text_content("#stage-caption")
        drawn = set(page.state("Array.from(page.data.drawn)"))
        node = next(i for i in range(graph.n_nodes - 1, 0, -1) if i not in drawn and 2 <= graph.degrees[i] <= 20)
        tab.fill("#search", str(graph.nodes[node]))
        tab.press("#search", "Enter")
        assert tab.text_content("#status") == "1 node, not in the drawn sample"
        expected = similar_nodes(model.signatures_, graph.nodes[node], 10, nodes=graph.nodes)
        assert found_similar(page) == [(str(other), distance) for other, distance in expected]
        tab.click("#ego .row button >> nth=0")
        assert page.nodes_in("#ego path[data-node]") == {node} | page.neighbours(node)
        # The eighth and ninth role are muted until a pointer is on their cards.
        fill = "document.querySelector(`#roles [data-swatch='8'] path`).getAttribute('fill')"
        assert page.state(fill) == page.state("page.data.palette[page.theme][7]")
        tab.hover("#roles .role[data-role='8']")
        assert page.state(fill) == "#17191d"


def test_names_and_attributes_can_be_searched(browser: Any, tmp_path: Path) -> None:
    graph = power_law(60, 2.5, seed=3)
    model = RoleClusterer(2, kind="approx", radius=1).fit(graph)
    table = tmp_path / "table.csv"
    names = ["https://example.org/x.png", "$$\\alpha$$", "<img src=//example.org/y.png>"]
    lines = [f"{node},{names[i] if i < 3 else f'Town {i}'},country {i % 4}" for i, node in enumerate(graph.nodes)]
    table.write_text("\n".join(["id,town,country", *lines]))
    named = {"table": read_node_table(table, graph.nodes.tolist(), name="town")}
    with page_of(browser, tmp_path, graph, model, named) as page:
        for text, node in ((names[1], 1), ("town 17", 17), (names[2], 2), (names[0], 0)):
            page.tab.fill("#search", text)
            page.tab.press("#search", "Enter")
            assert page.state("page.focus") == node
            facts = page.tab.text_content("#chosen dl")
            assert facts.startswith(f"node{graph.nodes[node]}")
            assert f"country {node % 4}" in facts
        page.tab.fill("#search", "country 3")
        assert page.tab.locator("#matches li").count() == 12


PAINTED = """(name) => {
  const plot = window.vnestruct.plots[name];
  const brush = plot.canvas.getContext("2d");
  const painted = ([x, y]) => brush.getImageData(x * plot.ratio, y * plot.ratio, 1, 1).data[3] > 0;
  const middle = ([x, y], [a, b]) => [(x + a) / 2, (y + b) / 2];
  const ends = Array.from(plot.links.keys()).filter((i) => i % 2 === 0).map((i) => [plot.at(plot.links[i]), plot.at(plot.links[i + 1])]);
  return [plot.points.node, [...plot.points.node.keys()].map((i) => plot.at(i)).filter(painted), ends, ends.filter(([a, b]) => painted(middle(a, b)))].map((one) => one.length);
}"""  # noqa: E501
"""The number of marks of a plot, of those that are painted, of links, and of those that are painted."""


def test_marks_and_links_are_drawn(shown: Shown) -> None:
    n_nodes, n_links = shown.graph.n_nodes, shown.graph.n_edges
    shown.tab.wait_for_timeout(200)
    marks, seen, links, drawn = shown.tab.evaluate(PAINTED, "drawing")
    assert (marks, seen, links) == (n_nodes, n_nodes, n_links)
    # The middle of a thin line may be beside the pixel that is looked at.
    assert drawn > 0.8 * n_links
    assert shown.tab.evaluate(PAINTED, "plane") == [n_nodes, n_nodes, 0, 0]


def test_nearer_means_more_labels_and_stronger_links(browser: Any, tmp_path: Path) -> None:
    graph = power_law(1_500, 2.2, seed=3)
    model = RoleClusterer(3, kind="approx", radius=1).fit(graph)
    plot = "page.plots.drawing"
    with page_of(browser, tmp_path, graph, model) as page:
        page.state(f"{plot}.select(null, -1, [])")
        seen, inside = [], page.state(f"[{plot}.view.width, {plot}.view.height]")
        for zoom in (1, 4, 16):
            page.state(f"{plot}.view.zoomAt({zoom} / {plot}.view.zoom, ...{plot}.at({plot}.rank[0]))")
            labels = page.state(f"{plot}.labelWords()")
            seen.append((page.state(f"{plot}.style().alpha"), labels[0]["size"]))
            assert all(0 <= one["x"] <= inside[0] and 0 <= one["y"] <= inside[1] + 8 for one in labels)
            assert len({one["text"] for one in labels}) == len(labels) > 0
        assert seen[0] < seen[1] < seen[2]
        # Hubs come first.
        assert page.state(f"page.data.labels[{plot}.points.node[{plot}.rank[0]]]") in [one["text"] for one in labels]
