"""`write_page`: a graph and its roles as one HTML file that opens in any browser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from typing import Any

from vnestruct.errors import MissingExtraError, ParameterError, TooLargeError
from vnestruct.files.atomic import atomic_path
from vnestruct.io import as_graph

MOST_NODES = 1_000_000
"""Most nodes of a page; with more, browsers struggle to open it."""


@dataclass(frozen=True)
class PageSummary:
    """The size of a page, and which part of the graph and of the projection it draws, in one sentence each."""

    n_bytes: int
    drawing: str
    projection: str


def write_page(
    path: str | PathLike[str],
    graph: Any,
    model: Any,
    *,
    labels: Mapping[Any, Any] | None = None,
    title: str = "",
    seed: int = 0,
) -> PageSummary:
    """Write a page to explore the roles of a graph, without a server or a network.

    It shows the graph, a projection of the signatures, the profile of selected nodes against each role, a table of
    roles, and the nodes most similar to a selected one; a selection in one view is highlighted in all. All nodes are
    drawn up to 10,000 nodes and 120,000 edges, otherwise a sample of the nodes; at most 20,000 of the edges are drawn
    at a time. The page says what it leaves out, and search and similar nodes always cover all nodes. The same input
    gives the same file.

    Parameters
    ----------
    path : path-like
        An ``.html`` file; it appears whole or not at all.
    graph : graph
        Anything `vnestruct.as_graph` takes.
    model : RoleClusterer
        The fitted roles.
    labels : mapping, optional
        Known label of each node, to colour by; nodes without one are grey.
    title : str
        Title of the page.
    seed : int, default 0
        Seed of layout and samples.

    Raises
    ------
    MissingExtraError
        If Bokeh or igraph is not installed.
    TooLargeError
        If the graph has more than a million nodes.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from vnestruct.explore import write_page
    >>> from vnestruct.graph.synthetic import barbell
    >>> from vnestruct.roles import RoleClusterer
    >>> graph = barbell(10, 7)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_page(pathlib.Path(folder, "barbell.html"), graph, RoleClusterer().fit(graph)).drawing
    'All 27 nodes and all 98 links'
    """
    check_page(path)
    text, head = _page(graph, model, labels, title, seed)
    with atomic_path(path) as temporary:
        temporary.write_bytes(text)
    return PageSummary(len(text), head["drawing"], head["projection"])


@dataclass(frozen=True)
class InlinePage:
    """A page that notebooks show inline; `html` is the whole of it."""

    html: str
    height: int = 900

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" width="100%" height="{self.height}" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return f"InlinePage({len(self.html):,} characters)"


def inline_page(graph: Any, model: Any, *, labels: Mapping[Any, Any] | None = None, title: str = "") -> InlinePage:
    """Return the page that `write_page` would write, for a notebook to show."""
    _check_libraries()
    return InlinePage(_page(graph, model, labels, title, 0)[0].decode())


def _page(graph: Any, model: Any, labels: Mapping[Any, Any] | None, title: str, seed: int) -> tuple[bytes, Any]:
    """Return a page and the head of its data."""
    network = as_graph(graph)
    check_size(network.n_nodes)
    if len(model.labels_) != network.n_nodes:
        numbers = f"those of {len(model.labels_)} nodes, but the graph has {network.n_nodes}"
        raise ParameterError(f"the roles are {numbers}; fit the clusterer on this graph")
    from vnestruct.explore.content import page_content
    from vnestruct.explore.figures import figure_items
    from vnestruct.explore.html import pack, page_text

    head, arrays = page_content(network, model, labels, title, seed)
    items = figure_items(model.n_roles_, head["axes"], model.columns_, head["radii"])
    return page_text(title, pack(head, arrays), items).encode("utf-8", "replace"), head


def check_page(path: str | PathLike[str]) -> None:
    """Check that a page can be written to `path`: its suffix, Bokeh, and igraph for the layout."""
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise ParameterError(f"{path}: pages are .html files; choose that suffix")
    _check_libraries()


def _check_libraries() -> None:
    missing = [name for name in ("bokeh", "igraph") if find_spec(name) is None]
    if missing:
        names = f"{' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} not installed"
        raise MissingExtraError(f'a page needs {names}: pip install "vnestruct[explore]"')


def check_size(n_nodes: int) -> None:
    """Raise `TooLargeError` for a graph that is too large for a page."""
    if n_nodes > MOST_NODES:
        problem = f"the graph has {n_nodes:,} nodes and a page holds at most {MOST_NODES:,}"
        raise TooLargeError(f"{problem}; vnestruct roles writes tables and pictures of graphs of any size")
