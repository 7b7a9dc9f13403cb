"""`write_page`: a graph and its roles as one HTML file that opens in any browser.

Everything the page needs is inside, and only its own scripts can run. Its data is one compressed text: a JSON head,
then arrays of numbers in binary.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from importlib.util import find_spec
from os import PathLike
from pathlib import Path
from string import Template
from typing import Any

import numpy.typing as npt

from vnestruct.errors import MissingExtraError, ParameterError, TooLargeError
from vnestruct.files.atomic import atomic_path
from vnestruct.io import as_graph

MOST_NODES = 1_000_000
"""Most nodes of a page; with more, browsers struggle to open it."""

_TYPES = {"uint8": "Uint8Array", "uint16": "Uint16Array", "int32": "Int32Array", "float32": "Float32Array",
          "float64": "Float64Array"}  # fmt: skip
"""The element types of arrays in a page, and their names in the browser."""

_SCRIPTS = ("data.js", "similar.js", "scales.js", "pictures.js", "panels.js", "search.js", "start.js")


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


def page_text(title: str, data: str, items: Mapping[str, Any]) -> str:
    """Return the page, from its title as plain text, the packed data and Bokeh's JSON for each picture.

    A content security policy in the page lets the browser run only the scripts whose digests it lists, and lets it
    contact no host: even a mistake in escaping could not run or send anything.
    """
    from bokeh.resources import Resources

    # Bokeh would warn about empty pictures, which these are until their data is read.
    library = Resources("inline", components=["bokeh", "bokeh-gl"], log_level="error").js_raw
    # No text of a library may end its own element; within its strings both spellings mean the same.
    scripts = [text.replace("</script", "<\\/script").replace("<!--", "<\\!--") for text in library]
    own = "\n".join(_asset(name) for name in _SCRIPTS)
    scripts.append(f'"use strict";\n(() => {{\n{own}\n}})();\n')
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii") for text in scripts]
    digests = " ".join(f"'sha256-{value}'" for value in hashes)
    # Bokeh's WebGL compiles its drawing functions from text.
    policy = (
        f"default-src 'none'; script-src {digests} 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    elements = "\n".join(f"<script>{text}</script>" for text in scripts)
    # JSON without characters that are special in HTML.
    pictures = json.dumps(items, separators=(",", ":")).translate({ord(mark): f"\\u{ord(mark):04x}" for mark in "&<>"})
    return Template(_asset("page.html")).substitute(
        policy=policy, title=escape(title), style=_asset("page.css"), scripts=elements, items=pictures, data=data
    )


def _asset(name: str) -> str:
    return files("vnestruct.explore").joinpath("assets", name).read_text(encoding="utf-8")


def pack(head: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """Return data as base64 of gzip, the same for the same data.

    The bytes are the length of the head (8 bytes, little-endian), the head, and the arrays, each padded with zeros to
    a multiple of 8 bytes. The head has their names, types and lengths under ``arrays``.
    """
    listed = [[name, _TYPES[array.dtype.name], int(array.size)] for name, array in arrays.items()]
    # Half of a surrogate pair, which files may contain, is not text that a browser can show: it becomes "?".
    text = json.dumps({**head, "arrays": listed}, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    contents = [text, *(array.astype(array.dtype.newbyteorder("<")).tobytes() for array in arrays.values())]
    parts = [len(text).to_bytes(8, "little"), *(data + b"\0" * (-len(data) % 8) for data in contents)]
    # Level 6: most of a large page is signatures, which no higher level compresses further.
    return base64.b64encode(gzip.compress(b"".join(parts), 6, mtime=0)).decode("ascii")
