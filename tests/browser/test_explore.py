"""A page in a real browser with the network cut: views are linked, and labels are text and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from tests.browser.conftest import Shown, opened, page_of
from tests.cases import for_each
from tests.explore.pages import NASTY
from vnestruct import Graph, as_graph
from vnestruct.roles import RoleClusterer, similar_nodes


def found_similar(shown: Shown) -> list[tuple[str, float]]:
    names = shown.tab.locator("#similar button").all_text_contents()
    distances = [float(line.get_attribute("data-distance")) for line in shown.tab.query_selector_all("#similar li")]
    return list(zip(names, distances, strict=True))


def lonely(shown: Shown) -> int:
    """A node whose signature no other has."""
    rows = shown.model.signatures_.round(8)
    alone = [(rows == row).all(axis=1).sum() == 1 for row in rows]
    return int(np.argmax(alone))


def test_the_page_opens_with_the_network_cut(shown: Shown) -> None:
    tab = shown.tab
    assert tab.text_content("h1") == tab.title() == "<i>nasty</i>"
    assert tab.text_content("#facts") == f"21 nodes, {shown.graph.n_edges} links, 3 structural roles"
    assert tab.locator("#roles .role").count() == tab.locator("#roles .mini svg").count() == 3
    for picture in ("drawing", "plane", "profile"):
        box = tab.locator(f"#{picture}").bounding_box()
        assert min(box["width"], box["height"]) > 150
    assert not tab.is_visible("#problem")


def test_a_card_selects_the_nodes_of_its_role_in_both_views(shown: Shown) -> None:
    for role in range(3):
        shown.tab.click(f"#roles .role[data-role='{role}']")
        expected = np.flatnonzero(shown.model.labels_ == role).tolist()
        assert shown.selected("drawing") == expected
        assert shown.selected("plane") == expected
        assert shown.tab.get_attribute(f"#roles .role[data-role='{role}']", "aria-pressed") == "true"
        assert shown.tab.text_content("#status").startswith(f"{len(expected)} node")
        assert int(shown.tab.get_attribute(".chosen-profiles", "data-lines")) == len(expected)
        # What the role is, and typical nodes of it, one of which a click chooses.
        assert shown.tab.text_content("#chosen .words") == shown.state(f"page.data.roles[{role}].description")
        typical = shown.state(f"page.data.roles[{role}].examples")
        shown.tab.click("#chosen .examples button >> nth=0")
        assert shown.state("page.focus") == typical[0]
        shown.tab.keyboard.press("Escape")
        assert shown.selected("drawing") == shown.selected("plane") == []


def test_exceptional_nodes_are_marked(browser: Any, tmp_path: Path) -> None:
    graph = as_graph(nx.les_miserables_graph())
    model = RoleClusterer().fit(graph)
    assert "Valjean" in graph.nodes[model.exceptional_]
    with page_of(browser, tmp_path, graph, model) as page:
        for node in np.flatnonzero(model.exceptional_).tolist():
            page.tab.click(f"#roles .role[data-role='{model.labels_[node]}']")
            page.tab.click(f"#chosen .exceptional button[data-node='{node}']")
            assert page.state("page.focus") == node
            assert page.tab.text_content("#chosen .words") == "no other node is like it"


def test_search_finds_a_node_and_shows_its_label_as_text(shown: Shown) -> None:
    tab = shown.tab
    for label in NASTY:
        # A line of input holds no line breaks; what remains is part of the label.
        tab.fill("#search", max(re.split(r"[\n\u2028\t]", label), key=len))
        assert label in [entry.text_content() for entry in tab.query_selector_all("#matches li")]
        tab.evaluate(
            "label => [...document.querySelectorAll('#matches li')].find((one) => one.textContent === label).click()",
            label,
        )
        assert tab.text_content("#chosen .called") == label
        node = shown.graph.nodes.tolist().index(label)
        assert shown.state("page.focus") == node
        # The node, its neighbours in the drawing, and those similar to it stand out.
        alike = {node, *shown.state("page.similar.map((one) => one.node)")}
        assert shown.selected("drawing") == sorted(alike | shown.neighbours(node))
        assert shown.selected("plane") == sorted(alike)


def test_similar_nodes_are_those_of_the_library(shown: Shown) -> None:
    for node in (0, 3, 9, 15):
        label = shown.graph.nodes[node]
        shown.choose(node)
        assert found_similar(shown) == similar_nodes(shown.model.signatures_, label, 10, nodes=shown.graph.nodes)
    first = found_similar(shown)[0][0]
    shown.tab.click("#similar li:first-child button")
    assert shown.tab.text_content("#chosen .called") == first


def test_a_click_near_a_node_selects_it_alone(shown: Shown) -> None:
    node = lonely(shown)
    for picture in ("drawing", "plane"):
        x, y = shown.place_of(picture, node)
        shown.tab.mouse.click(x + 2, y - 2)
        assert shown.state("page.nodes") == [node]
        assert shown.tab.text_content("#chosen .called") == shown.graph.nodes[node]
        assert shown.state(f"page.plots.{picture}.chosen") >= 0
    box = shown.tab.locator("#drawing").bounding_box()
    shown.tab.mouse.click(box["x"] + 3, box["y"] + 3)
    assert shown.state("page.nodes") == []


def test_a_lasso_lists_its_nodes(shown: Shown) -> None:
    tab = shown.tab
    box = tab.locator("#drawing").bounding_box()
    left, top = box["x"] + 4, box["y"] + 4
    right, bottom = box["x"] + box["width"] / 2, box["y"] + box["height"] - 4
    places = [shown.place_of("drawing", node) for node in range(shown.graph.n_nodes)]
    expected = [node for node, (x, y) in enumerate(places) if left < x < right and top < y < bottom]
    assert 1 < len(expected) < shown.graph.n_nodes
    tab.click("#lasso-drawing")
    tab.mouse.move(left, top)
    tab.mouse.down()
    for x, y in ((right, top), (right, bottom), (left, bottom)):
        tab.mouse.move(x, y, steps=5)
    tab.mouse.up()
    assert sorted(shown.state("page.nodes")) == expected
    assert shown.nodes_in("#listed button") == set(expected)
    assert tab.text_content("#status") == f"{len(expected)} nodes"


def test_hovering_shows_the_label_as_text(shown: Shown) -> None:
    node = lonely(shown)
    x, y = shown.place_of("drawing", node)
    shown.tab.mouse.move(x - 30, y - 30)
    shown.tab.mouse.move(x, y, steps=4)
    text = shown.tab.text_content("#drawing .tip")
    assert text.startswith(shown.graph.nodes[node])
    assert f"degree {shown.graph.degrees[node]}" in text


def test_the_ego_network_is_the_true_one(shown: Shown) -> None:
    for node in (0, 4, 10):
        shown.choose(node)
        near = shown.neighbours(node)
        for step, nodes in enumerate(({node} | near, near.union(*map(shown.neighbours, near)))):
            shown.tab.click(f"#ego .row button >> nth={step}")
            assert shown.nodes_in("#ego path[data-node]") == nodes, (node, step)
        assert shown.nodes_in("#neighbours button") == near


def test_colours_by_everything(shown: Shown) -> None:
    tab = shown.tab
    keys = [option.get_attribute("value") for option in tab.query_selector_all("#colour option")]
    assert keys == ["role", "class", *(f"column-{column}" for column in range(5)), "degree"]
    seen = []
    for key in keys:
        tab.select_option("#colour", key)
        colours = shown.state("Array.from(page.plots.drawing.colours)")
        assert len(colours) == shown.graph.n_nodes
        seen.append(tuple(colours))
        assert tab.is_visible("#legend") == (key != "role")
    # The first column grows with the degree, and colours are by rank.
    assert len(set(seen)) == len(keys) - 1
    assert seen[2] == seen[-1]
    tab.select_option("#colour", "class")
    assert {one.text_content() for one in tab.query_selector_all("#legend bdi")} == set(NASTY[:3])


def test_everything_is_within_reach_of_the_keyboard(shown: Shown) -> None:
    tab = shown.tab
    reached = set()
    for _ in range(60):
        tab.keyboard.press("Tab")
        reached.add(tab.evaluate("document.activeElement.id || document.activeElement.dataset.role"))
    wanted = {"search", "colour", "clear", "theme", "help-button", "show-roles", "show-graph", "drawing", "plane"}
    assert wanted | {"0", "1", "2", "lasso-drawing", "all-plane"} <= reached
    tab.focus("#roles .role >> nth=1")
    tab.keyboard.press("Enter")
    assert shown.selected("drawing") == np.flatnonzero(shown.model.labels_ == 1).tolist()
    tab.click("#show-roles")
    tab.focus("#rolegraph [data-role='2']")
    tab.keyboard.press("Enter")
    assert shown.selected("plane") == np.flatnonzero(shown.model.labels_ == 2).tolist()
    tab.click("#show-graph")
    tab.focus("#drawing")
    tab.keyboard.press("0")
    before = shown.state("page.plots.drawing.view.sx")
    tab.keyboard.press("+")
    assert shown.state("page.plots.drawing.view.sx") == pytest.approx(1.25 * before)
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    [node] = shown.state("page.nodes")
    middle = shown.state("page.plots.drawing.view.middle")
    places = [shown.state(f"page.plots.drawing.at({i})") for i in range(shown.graph.n_nodes)]
    gaps = [np.hypot(x - middle[0], y - middle[1]) for x, y in places]
    assert gaps[node] == min(gaps)
    tab.keyboard.press("0")
    assert shown.state("page.plots.drawing.view.sx") == pytest.approx(before)
    tab.keyboard.press("Shift+Enter")
    assert len(shown.state("page.nodes")) == shown.graph.n_nodes
    tab.click("#help-button")
    assert tab.is_visible("#help")
    tab.keyboard.press("Escape")
    assert not tab.is_visible("#help")


def test_dark_and_light(browser: Any, nasty_page: tuple[Path, Graph, RoleClusterer]) -> None:
    with opened(browser, *nasty_page, color_scheme="dark") as page:
        brightness = []
        for theme in ("dark", "light"):
            assert page.state("page.theme") == theme
            ground = page.tab.evaluate("getComputedStyle(document.body).backgroundColor")
            brightness.append(sum(map(int, re.findall(r"[0-9]+", ground))))
            page.tab.click("#theme")
        assert brightness[0] < 100
        assert brightness[1] > 600


@for_each("size", [(1440, 900), (1024, 768), (768, 1024), (390, 844)])
def test_nothing_is_clipped_and_every_card_is_within_reach(
    browser: Any, nasty_page: tuple[Path, Graph, RoleClusterer], size: tuple[int, int]
) -> None:
    with opened(browser, *nasty_page, size=size, has_touch=True) as page:
        page.choose(0)
        page.check_fit()
        for role in range(3):
            card = f"#roles .role[data-role='{role}']"
            page.tab.tap(card)
            assert page.state("page.role") == role
            assert page.tab.locator(card).bounding_box()["height"] >= 40
