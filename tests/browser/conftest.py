"""Pages to open in Chromium, cut off from every network."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.explore.pages import write_nasty_page
from vnestruct import Graph
from vnestruct.explore import write_page
from vnestruct.roles import RoleClusterer

OUTSIDE = """[...document.querySelectorAll("button, h1, h2, h3, p, input, select, .card, svg, canvas, dd, dt")]
    .filter((one) => !one.closest("dialog, .skip, .hidden"))
    .filter((one) => {
        const box = one.getBoundingClientRect();
        return box.width > 1 && (box.left < -0.5 || box.right > innerWidth + 0.5);
    }).map((one) => one.outerHTML.slice(0, 80))"""

CUT = """[...document.querySelectorAll(".role, .role .name, .role .facts, .card > .caption, .bar-of-tools")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
    .map((one) => one.outerHTML.slice(0, 80))"""


@dataclass
class Shown:
    """A page in the browser, and the graph it is about."""

    tab: Any
    graph: Graph
    model: RoleClusterer

    def state(self, expression: str) -> Any:
        """Evaluate an expression about the page's own state."""
        return self.tab.evaluate(f"(() => {{ const page = window.vnestruct; return {expression}; }})()")

    def wait_until(self, expression: str) -> None:
        """Wait for a condition; the page's policy does not let Playwright's own waiting compile it."""
        for _ in range(100):
            if self.state(expression):
                return
            self.tab.wait_for_timeout(50)
        pytest.fail(f"not within five seconds: {expression}")

    def choose(self, node: int) -> None:
        """Select a node."""
        self.tab.evaluate("node => window.vnestruct.select([node])", node)

    def neighbours(self, node: int) -> set[int]:
        """The neighbours of a node, by their positions."""
        return set(self.graph.indices[self.graph.indptr[node] : self.graph.indptr[node + 1]].tolist())

    def nodes_in(self, selector: str) -> set[int]:
        """The nodes that elements of the page stand for."""
        return {int(one.get_attribute("data-node")) for one in self.tab.query_selector_all(selector)}

    def selected(self, picture: str) -> list[int]:
        """The positions of the nodes that a picture highlights."""
        plot = f"page.plots.{picture}"
        nodes = f"Array.from({plot}.points.node).filter((_, place) => {plot}.bright[place])"
        return sorted(self.state(nodes))

    def check_fit(self) -> None:
        """Check that nothing is clipped and nothing reaches beyond the sides of the screen."""
        assert self.tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert self.tab.evaluate(OUTSIDE) == []
        assert self.tab.evaluate(CUT) == []

    def place_of(self, picture: str, node: int) -> tuple[float, float]:
        """Where a node is on the screen."""
        plot = f"page.plots.{picture}"
        inside = self.state(f"{plot}.at({plot}.placeOf({node}))")
        box = self.tab.locator(f"#{picture}").bounding_box()
        return float(inside[0]) + box["x"], float(inside[1]) + box["y"]


@contextmanager
def opened(
    browser: Any, path: Path, graph: Graph, model: RoleClusterer, size: tuple[int, int] = (1440, 900), **options: Any
) -> Iterator[Shown]:
    """Open a page with the network cut; at the end the browser has not complained, and nothing was asked for."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, offline=True, **options)
    tab, complaints, requests = context.new_page(), [], []
    tab.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.on("dialog", lambda dialog: complaints.append(dialog.message))
    tab.on("request", lambda request: requests.append(request.url))
    tab.goto(path.as_uri())
    tab.wait_for_selector("body[data-ready=yes]", timeout=180_000)
    yield Shown(tab, graph, model)
    tab.wait_for_timeout(100)
    assert complaints == []
    asked = {url.partition("#")[0] for url in requests if not url.startswith(("data:", "blob:", "about:"))}
    assert asked == {path.as_uri()}
    context.close()


@contextmanager
def page_of(
    browser: Any, folder: Path, graph: Graph, model: RoleClusterer, content: Any = (), **options: Any
) -> Iterator[Shown]:
    """Write a page, and open it."""
    pytest.importorskip("igraph")
    write_page(folder / "page.html", graph, model, **dict(content))
    with opened(browser, folder / "page.html", graph, model, **options) as page:
        yield page


@pytest.fixture(scope="session")
def nasty_page(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Graph, RoleClusterer]:
    pytest.importorskip("igraph")
    return write_nasty_page(tmp_path_factory.mktemp("pages"), "<i>nasty</i>")


@pytest.fixture
def shown(browser: Any, nasty_page: tuple[Path, Graph, RoleClusterer]) -> Iterator[Shown]:
    """The page of labels that try to break out; at the end nothing has."""
    with opened(browser, *nasty_page) as page:
        yield page
        assert page.tab.evaluate("window.broken === undefined")
