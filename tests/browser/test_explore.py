"""A page in a real browser with the network cut: views are linked, and labels are text and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.browser.conftest import Shown, show
from tests.explore.pages import NASTY
from tests.generators import power_law
from vnestruct import Graph
from vnestruct.roles import RoleClusterer, similar_nodes


def found_similar(shown: Shown) -> list[tuple[str, float]]:
    lines = shown.tab.query_selector_all("#similar li")
    return [
        (line.query_selector("button").text_content(), float(line.get_attribute("data-distance"))) for line in lines
    ]


def place_of(shown: Shown, picture: str, node: int) -> tuple[float, float]:
    """Where a node is on the screen."""
    nodes = {"drawing": "placeInDrawing", "projection": "placeInProjection"}[picture]
    inside = shown.state(
        f"""(() => {{
            const view = page.pictures.views["{picture}"];
            const data = page.pictures.model("{picture}-nodes").data;
            const place = page.data.{nodes}[{node}];
            const box = view.el.getBoundingClientRect();
            const {{ x_scale, y_scale }} = view.frame;
            return [box.x + x_scale.compute(data.x[place]), box.y + y_scale.compute(data.y[place])];
        }})()"""
    )
    return float(inside[0]), float(inside[1])


def test_the_page_opens_with_the_network_cut(shown: Shown) -> None:
    tab = shown.tab
    assert tab.text_content("h1") == "<i>nasty</i>"
    assert tab.title() == "<i>nasty</i>"
    assert tab.text_content("#facts") == (
        f"{shown.graph.n_nodes} nodes, {shown.graph.n_edges} links, 3 structural roles"
    )
    assert len(tab.query_selector_all("#roles tbody tr")) == 3
    assert len(tab.query_selector_all("#legend .entry")) == 3
    for picture in ("drawing", "projection", "profile"):
        box = tab.locator(f"#{picture}").bounding_box()
        assert box["width"] > 200
        assert box["height"] > 150
    assert not tab.is_visible("#problem")


@pytest.mark.parametrize("role", [0, 1, 2])
def test_a_click_on_a_role_selects_its_nodes_in_both_views(shown: Shown, role: int) -> None:
    shown.tab.click(f"#roles tbody tr[data-role='{role}'] td:nth-child(5)")
    expected = np.flatnonzero(shown.model.labels_ == role).tolist()
    assert shown.selected("drawing") == expected
    assert shown.selected("projection") == expected
    assert shown.tab.get_attribute(f"#roles tbody tr[data-role='{role}']", "aria-selected") == "true"
    assert shown.tab.text_content("#status") == f"{len(expected)} nodes of role {role}"
    assert len(shown.state("page.pictures.model('profile-chosen').data.xs")) == len(expected)
    # What the role is, and typical nodes of it, one of which a click chooses.
    assert shown.tab.text_content("#chosen .words") == shown.state(f"page.data.roles[{role}].brief")
    typical = shown.state(f"page.data.roles[{role}].examples")
    shown.tab.click("#chosen .examples button >> nth=0")
    assert shown.state("page.focus") == typical[0]
    shown.tab.keyboard.press("Escape")
    assert shown.selected("drawing") == shown.selected("projection") == []


@pytest.mark.parametrize("label", NASTY, ids=range(len(NASTY)))
def test_search_finds_a_node_and_shows_its_label_as_text(shown: Shown, label: str) -> None:
    tab = shown.tab
    # A line of input holds no line breaks; what remains is part of the label.
    tab.fill("#search", max(re.split(r"[\n\u2028\t]", label), key=len))
    assert label in [entry.text_content() for entry in tab.query_selector_all("#matches li")]
    tab.evaluate(
        "label => [...document.querySelectorAll('#matches li')].find((one) => one.textContent === label).click()", label
    )
    assert tab.text_content("#chosen .name") == label
    node = shown.graph.nodes.tolist().index(label)
    assert shown.state("page.focus") == node
    # The node and those similar to it stand out.
    assert node in shown.selected("drawing")
    assert node in shown.selected("projection")


def test_similar_nodes_are_those_of_the_library(shown: Shown) -> None:
    for node in (0, 3, 9, 15):
        label = shown.graph.nodes[node]
        shown.tab.evaluate("node => window.vnestruct.select([node])", node)
        assert found_similar(shown) == similar_nodes(shown.model.signatures_, shown.graph.nodes, label, 10)
    first = found_similar(shown)[0][0]
    shown.tab.click("#similar li:first-child button")
    assert shown.tab.text_content("#chosen .name") == first


@pytest.mark.parametrize("picture", ["drawing", "projection"])
def test_a_click_on_a_node_selects_it_everywhere(shown: Shown, picture: str) -> None:
    node = lonely(shown)
    shown.tab.mouse.click(*place_of(shown, picture, node))
    shown.tab.wait_for_function(f"window.vnestruct.focus === {node}", timeout=5000)
    assert shown.tab.text_content("#chosen .name") == shown.graph.nodes[node]
    for name in ("drawing", "projection"):
        assert node in shown.selected(name)
        assert shown.state(f"page.pictures.model('{name}-chosen').data.x.length") == 1


def lonely(shown: Shown) -> int:
    """A node whose signature no other has."""
    rows = np.round(shown.model.signatures_, 8)
    alone = [(rows == row).all(axis=1).sum() == 1 for row in rows]
    return int(np.argmax(alone))


def test_hovering_shows_the_label_as_text(shown: Shown) -> None:
    node = lonely(shown)
    x, y = place_of(shown, "drawing", node)
    shown.tab.mouse.move(x - 30, y - 30)
    shown.tab.mouse.move(x, y, steps=4)
    shown.tab.wait_for_selector(".bk-tooltip-content >> nth=0", timeout=5000)
    text = " ".join(one.text_content() for one in shown.tab.query_selector_all(".bk-tooltip-content"))
    assert shown.graph.nodes[node] in text
    assert str(int(shown.graph.degrees[node])) in text


def test_colours_by_everything(shown: Shown) -> None:
    tab = shown.tab
    keys = [option.get_attribute("value") for option in tab.query_selector_all("#colour option")]
    assert keys == ["role", "class", "column-0", "column-1", "degree"]
    seen = []
    for key in keys:
        tab.select_option("#colour", key)
        colours = shown.state("Array.from(page.pictures.model('drawing-nodes').data.colour)")
        assert len(colours) == shown.graph.n_nodes
        seen.append(tuple(colours))
        assert tab.text_content("#legend").strip()
    assert len(set(seen)) == len(keys)
    tab.select_option("#colour", "class")
    assert {one.text_content() for one in tab.query_selector_all("#legend bdi")} == set(NASTY[:3])


def test_everything_is_within_reach_of_the_keyboard(shown: Shown) -> None:
    tab = shown.tab
    reached = set()
    for _ in range(60):
        tab.keyboard.press("Tab")
        name = tab.evaluate("document.activeElement.id || document.activeElement.className")
        reached.add(name)
        if name == "profile":
            break
    assert {"search", "colour", "clear", "theme", "drawing", "projection", "role-button", "profile"} <= reached
    tab.focus("#roles .role-button >> nth=1")
    tab.keyboard.press("Enter")
    assert shown.selected("drawing") == np.flatnonzero(shown.model.labels_ == 1).tolist()
    tab.focus("#drawing")
    before = shown.state("page.pictures.figures.drawing.x_range.end - page.pictures.figures.drawing.x_range.start")
    tab.keyboard.press("+")
    after = shown.state("page.pictures.figures.drawing.x_range.end - page.pictures.figures.drawing.x_range.start")
    assert after == pytest.approx(0.8 * before)
    tab.keyboard.press("0")
    tab.wait_for_timeout(200)
    again = shown.state("page.pictures.figures.drawing.x_range.end - page.pictures.figures.drawing.x_range.start")
    assert again == pytest.approx(before)


def test_dark_and_light(browser: Any, nasty_page: tuple[Path, Graph, RoleClusterer]) -> None:
    page = show(browser, *nasty_page, color_scheme="dark")
    grounds = [page.tab.evaluate("getComputedStyle(document.body).backgroundColor")]
    assert page.state("page.theme") == "dark"
    page.tab.click("#theme")
    assert page.state("page.theme") == "light"
    grounds.append(page.tab.evaluate("getComputedStyle(document.body).backgroundColor"))
    sums = [sum(map(int, re.findall(r"[0-9]+", ground))) for ground in grounds]
    assert sums[0] < 100
    assert sums[1] > 600
    assert page.complaints == []
    page.tab.context.close()


def test_similar_nodes_of_a_sampled_graph(browser: Any, tmp_path: Path) -> None:
    """Nodes that are not drawn are found and compared, too."""
    pytest.importorskip("bokeh")
    from vnestruct.explore import write_page

    graph = power_law(25_000, 2.5, seed=3)
    model = RoleClusterer(4, radius=1, scaling="standard").fit(graph)
    write_page(tmp_path / "page.html", graph, model, title="large")
    page = show(browser, tmp_path / "page.html", graph, model)
    assert "2,500 of 25,000 nodes" in page.tab.text_content("#drawing-caption")
    drawn = set(page.state("Array.from(page.data.drawn)"))
    node = next(i for i in range(graph.n_nodes - 1, 0, -1) if i not in drawn)
    page.tab.fill("#search", str(graph.nodes[node]))
    page.tab.press("#search", "Enter")
    assert page.tab.text_content("#status") == "1 node, not in the drawn sample"
    expected = similar_nodes(model.signatures_, graph.nodes, graph.nodes[node], 10, scaling="standard")
    assert found_similar(page) == [(str(other), distance) for other, distance in expected]
    assert page.complaints == []
    page.tab.context.close()


def test_links_come_back_after_a_movement(browser: Any, tmp_path: Path) -> None:
    """Where drawing takes long, as without a graphics card, links wait until the picture rests."""
    pytest.importorskip("bokeh")
    from vnestruct.explore import write_page

    graph = power_law(3_000, 2.5, seed=3)
    model = RoleClusterer(3, radius=1).fit(graph)
    write_page(tmp_path / "page.html", graph, model, title="moving")
    page = show(browser, tmp_path / "page.html", graph, model)
    page.tab.focus("#drawing")
    for key in ("+", "ArrowLeft", "+", "ArrowUp", "-"):
        page.tab.keyboard.press(key)
        page.tab.wait_for_timeout(60)
    page.tab.wait_for_function("window.vnestruct.pictures.model('drawing-links-marks').visible", timeout=20_000)
    page.tab.wait_for_timeout(500)
    assert page.state("page.pictures.model('drawing-links-marks').visible") is True
    links = page.state("page.pictures.model('drawing-links').data.x.length")
    assert links == 3 * page.state("page.data.drawnEdges")
    assert page.complaints == []
    page.tab.context.close()
