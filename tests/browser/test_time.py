"""A page over time in a real browser: the slider, the player, the address, and what every view shows of a period."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.browser.conftest import Shown, page_of
from tests.cases import for_each
from tests.explore.pages import changing_graph

SCORES = [0.0, 0.5, 2.0, 0.25]


@contextmanager
def page_over_time(browser: Any, folder: Path, **options: Any) -> Iterator[Shown]:
    changing = changing_graph()
    content = {"periods": changing.periods, "scores": SCORES}
    with page_of(browser, folder, changing.graph, changing.model, content, **options) as page:
        yield page


@pytest.fixture
def timed(browser: Any, tmp_path: Path) -> Iterator[Shown]:
    with page_over_time(browser, tmp_path) as page:
        yield page


def colours(shown: Shown) -> list[str]:
    """The colour of each node in the drawing."""
    return [f"#{one:06x}" for one in shown.state("Array.from(page.plots.drawing.colours)")]


def expected_colours(shown: Shown, roles: list[int]) -> list[str]:
    palette = shown.state("page.data.palette[page.theme]")
    # Nodes without a link are grey, the last colour.
    return [palette[role if role < 3 else 7].lower() for role in roles]


def cards(shown: Shown) -> list[str]:
    return shown.tab.locator("#roles .role .facts").all_text_contents()


def test_the_slider_changes_the_roles(timed: Shown) -> None:
    tab, labels = timed.tab, timed.model.labels_.tolist()
    assert tab.text_content("#time-caption") == "All 4 periods: move the slider to see one"
    assert colours(timed) == expected_colours(timed, labels)
    before = cards(timed)
    tab.focus("#period")
    for period, row in enumerate(changing_graph().roles().tolist()):
        tab.keyboard.press("ArrowRight")
        assert timed.state("page.period") == period
        assert colours(timed) == expected_colours(timed, row)
        active = [node for node, role in enumerate(row) if role < 3]
        assert timed.selected("drawing") == active
        shapes = timed.state("Array.from(page.plots.drawing.shapes)")
        assert [shapes[node] for node in active] == [row[node] for node in active]
        counts = [row.count(role) for role in range(3)]
        assert [int(text.split()[0]) for text in cards(timed)] == counts
        assert timed.state("page.shares") == pytest.approx([count / len(active) for count in counts])
        # Links of all periods between nodes that are active.
        inside = np.isin([timed.graph.sources, timed.graph.indices], active).all(axis=0)
        assert timed.state("page.plots.drawing.links.length") == inside.sum()
    assert tab.text_content("#time-caption") == "30 · 7 nodes, 6 links · change score 0.25, number 3 of 4"
    tab.keyboard.press("Home")
    assert (timed.state("page.period"), timed.selected("drawing"), cards(timed)) == (-1, [], before)
    assert colours(timed) == expected_colours(timed, labels)


def test_a_selection_stays_and_a_role_means_the_nodes_that_have_it_then(timed: Shown) -> None:
    tab = timed.tab
    tab.evaluate("window.vnestruct.select([1])")
    assert tab.locator("#history rect[data-period]").count() == 4
    tab.click("#scores rect[data-period='3']")
    assert timed.state("page.focus") == 1
    terms, texts = (tab.locator(f"#chosen {part}").all_text_contents() for part in ("dt", "dd"))
    facts = dict(zip(terms, texts, strict=True))
    names = timed.state("page.data.roles.map((one) => one.name)")
    assert (facts["role"], facts["role then"]) == (names[2], names[0])
    tab.click("#history rect[data-period='0']")
    assert timed.state("page.period") == 0
    tab.evaluate("window.vnestruct.select([7])")
    assert "no link in this period" in tab.locator("#chosen dd").all_text_contents()
    assert tab.locator("#history rect[data-period]").count() == 1
    tab.click("#roles .role[data-role='0']")
    assert timed.state("page.nodes") == [0]
    tab.focus("#period")
    tab.keyboard.press("End")
    assert timed.state("page.nodes") == [1]
    tab.click("#show-roles")
    assert "in all periods" in tab.text_content("#stage-caption")


def test_the_player_steps_through_the_periods_and_stops(timed: Shown) -> None:
    tab = timed.tab
    tab.click("#play")
    assert tab.text_content("#play") == "Pause"
    assert timed.state("page.period") == 0
    timed.wait_until("page.period === 3 && page.playing === null")
    assert tab.text_content("#play") == "Play"
    tab.click("#play")
    assert timed.state("page.period") == 0
    tab.click("#all-periods")
    assert timed.state("page.period === -1 && page.playing === null")
    assert tab.get_attribute("#all-periods", "aria-pressed") == "true"


def test_the_address_restores_the_period(timed: Shown) -> None:
    tab = timed.tab
    address = tab.url
    tab.click("#scores rect[data-period='2']")
    timed.wait_until("location.hash.includes('period=20')")
    tab.goto("about:blank")
    tab.goto(f"{address.partition('#')[0]}#view=graph&period=20&theme=dark")
    tab.wait_for_selector("body[data-ready=yes]")
    assert timed.state("page.period") == 2
    assert tab.input_value("#period") == "3"
    assert colours(timed) == expected_colours(timed, [2] * 7 + [65535])


@for_each("size", [(1440, 900), (768, 1024), (390, 844)])
def test_time_fits_every_screen(browser: Any, tmp_path: Path, size: tuple[int, int]) -> None:
    with page_over_time(browser, tmp_path, size=size, color_scheme="dark") as page:
        page.check_fit()
        page.tab.locator("#period").click()
        assert page.state("page.period") in (0, 1, 2)
