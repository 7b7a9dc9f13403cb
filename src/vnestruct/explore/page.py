"""`write_page`: a graph and its roles as one HTML file, with everything it needs, that opens in any browser."""

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

from vnestruct.drawing.pictures import check_igraph
from vnestruct.errors import ParameterError, TooLargeError
from vnestruct.explore.content import page_content
from vnestruct.explore.node_table import NodeTable
from vnestruct.files.atomic import atomic_path
from vnestruct.io import as_graph
from vnestruct.types import Array, ArrayLike, FilePath

MOST_NODES = 1_000_000  # most nodes of a page; with more, browsers struggle to open it

_SCRIPTS = (
    "data.js", "elements.js", "scales.js", "canvas.js", "plot.js", "pointer.js", "views.js", "panel.js", "state.js",
    "start.js",
)  # fmt: skip


@dataclass(frozen=True)
class PageSummary:
    """The size of a page, and which part of the graph it draws and holds, in one sentence each."""

    n_bytes: int
    drawing: str
    links: str


def write_page(
    path: FilePath, graph: Any, model: Any, *, labels: Mapping[Any, Any] | None = None, table: NodeTable | None = None,
    periods: Sequence[Any] = (), scores: ArrayLike = 0.0, title: str = "", seed: int = 0,
) -> PageSummary:  # fmt: skip
    """Write a page to explore the roles of a graph, without a server or a network.

    It shows the roles as cards and as a graph, a drawing of the nodes, their signatures, the profile of each role, and
    for a selected node its ego network and the nodes most similar to it; a selection in one view is highlighted in all.
    The drawing shows all nodes up to 100,000, otherwise a sample; the page says what it leaves out. Search, ego
    networks and similar nodes always cover all nodes. The same input gives the same file.

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
    table : NodeTable, optional
        Names and attributes of nodes, which the page shows and searches; see `read_node_table`.
    periods, scores : sequence of Period, array of float, optional
        What `vnestruct.embed_stream` yields, and its `change_scores`: the page gets a time slider, with the roles that
        the model predicts. If periods times nodes are more than 10 million, the last periods that fit are kept.
    title : str
        Title of the page.
    seed : int, default 0
        Seed of layout and samples.

    Raises
    ------
    MissingExtraError
        If igraph is not installed.
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
    text, head = _page(graph, model, title, labels=labels, table=table, periods=periods, scores=scores, seed=seed)
    with atomic_path(path) as temporary:
        temporary.write_bytes(text)
    return PageSummary(len(text), head["drawing"], head["links"])


@dataclass(frozen=True)
class InlinePage:
    """A page that notebooks show inline; `html` is the whole of it."""

    html: str

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" width="100%" height="900" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return f"InlinePage({len(self.html):,} characters)"


def inline_page(graph: Any, model: Any, *, labels: Mapping[Any, Any] | None = None, title: str = "") -> InlinePage:
    """Return the page that `write_page` would write, for a notebook to show."""
    check_igraph("a page needs", "explore")
    return InlinePage(_page(graph, model, title, labels=labels)[0].decode())


def _page(graph: Any, model: Any, title: str, **content: Any) -> tuple[bytes, Any]:
    """Return a page and the head of its data."""
    network = as_graph(graph)
    check_size(network.n_nodes)
    if len(model.labels_) != network.n_nodes:
        numbers = f"those of {len(model.labels_)} nodes, but the graph has {network.n_nodes}"
        raise ParameterError(f"the roles are {numbers}; fit the clusterer on this graph")
    head, texts, arrays = page_content(network, model, title, **content)
    return page_text(title, pack(head, {}), pack(texts, arrays)).encode("utf-8", "replace"), head


def check_page(path: FilePath) -> None:
    """Check that a page can be written to `path`: its suffix, and igraph for the layout."""
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise ParameterError(f"{path}: pages are .html files; choose that suffix")
    check_igraph("a page needs", "explore")


def check_size(n_nodes: int) -> None:
    """Raise `TooLargeError` for a graph that is too large for a page."""
    if n_nodes > MOST_NODES:
        problem = f"the graph has {n_nodes:,} nodes and a page holds at most {MOST_NODES:,}"
        raise TooLargeError(f"{problem}; vnestruct roles writes tables and pictures of graphs of any size")


def page_text(title: str, head: str, data: str) -> str:
    """Return the page, from its title as plain text and the packed data.

    The head comes first: the browser shows the roles before it has read everything else. A content security policy in
    the page lets the browser run only the script whose digest it lists, and lets it contact no host: even a mistake in
    escaping could not run or send anything.
    """
    own = "\n".join(_asset(name) for name in _SCRIPTS)
    script = f'"use strict";\n(() => {{\n{own}\n}})();\n'
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {"policy": policy, "title": escape(title), "style": _asset("page.css"), "script": script}
    return Template(_asset("page.html")).substitute(parts, head=head, data=data)


def _asset(name: str) -> str:
    return files("vnestruct.explore").joinpath("assets", name).read_text(encoding="utf-8")


def pack(head: Mapping[str, Any], arrays: Mapping[str, Array]) -> str:
    """Return data as base64 of gzip, the same for the same data.

    The bytes are the length of the head (8 bytes, little-endian), the head, and the arrays, one after the other. The
    head has their names, types and lengths under ``arrays``.
    """
    listed = [[name, array.dtype.name, int(array.size)] for name, array in arrays.items()]
    # Half of a surrogate pair, which files may contain, is not text that a browser can show: it becomes "?".
    text = json.dumps({**head, "arrays": listed}, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    little = (array.astype(array.dtype.newbyteorder("<")).tobytes() for array in arrays.values())
    parts = [len(text).to_bytes(8, "little"), text, *little]
    # Level 6: no higher level makes a page much smaller.
    return base64.b64encode(gzip.compress(b"".join(parts), 6, mtime=0)).decode("ascii")
