"""What tests of pages share: labels that try to break out, and a reader of the parts of a page."""

from __future__ import annotations

import base64
import functools
import gzip
import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np

from tests.graphs import edges_of
from vnestruct import Graph, as_graph, embed_stream
from vnestruct.explore import write_page
from vnestruct.graph.synthetic import barbell
from vnestruct.live import Period
from vnestruct.roles import RoleClusterer

NASTY = [
    "<script>window.broken = 1</script>",
    "</script><script>window.broken = 2</script>",
    "<img src=x onerror='window.broken = 3'>",
    "\"quoted\" & 'single' \\ back",
    "😀 emoji 👩‍👩‍👧",
    "שלום עולם",
    "مرحبا",
    "\u202eright to left override",
    "$$\\href{javascript:window.broken=4}{x}$$",
    "a\u2028b\nc\td",
    "-->]]>",
    "${window.broken = 5}",
    "$title $data",
    "@label{safe} {{x}}",
    "control \x01 characters \x7f",
]
"""Labels that markup, scripts, templates or the direction of text could make something else of."""


def write_nasty_page(folder: Path, title: str) -> tuple[Path, Graph, RoleClusterer]:
    """The page of two cliques joined by a path, in which labels that try to break out are spread over all roles."""
    names = [*NASTY, *(f"node {i}" for i in range(len(NASTY), 21))]
    graph = as_graph([(names[a], names[b]) for a, b in edges_of(barbell(8, 5))])
    model = RoleClusterer(3).fit(graph)
    classes = {node: NASTY[i % 3] for i, node in enumerate(graph.nodes.tolist())}
    write_page(folder / "nasty.html", graph, model, labels=classes, title=title)
    return folder / "nasty.html", graph, model


@dataclass
class Changing:
    """A graph over time: the graph of all edges, its roles, and periods of ten seconds."""

    graph: Graph
    model: RoleClusterer
    periods: list[Period]

    def roles(self) -> np.ndarray:
        """Role of each node in each period, 65535 for a node without a link."""
        roles = np.full((len(self.periods), self.graph.n_nodes), 65535)
        for row, period in zip(roles, self.periods, strict=True):
            row[self.graph.positions(period.nodes)] = self.model.predict_signatures(period.signatures)
        return roles


@functools.cache
def changing_graph() -> Changing:
    """A star, the same star, a clique of its nodes, and the star with another hub and a new leaf."""
    star = [(0, leaf) for leaf in range(1, 7)]
    clique = [(u, v) for u in range(7) for v in range(u)]
    other = [(1, leaf) for leaf in (0, 2, 3, 4, 5, 7)]
    edges = [(start, *edge) for start, part in ((0, star), (10, star), (20, clique), (30, other)) for edge in part]
    periods = list(embed_stream(edges, window=10, every=10))
    # Centres of roles: leaves have entropy 0, a hub about a third, members of the clique more than 1.
    signatures = [[0.0], [1.0], [0.5], [0.5], [0.5], [0.5], [0.5], [0.0]]
    graph = as_graph([edge[1:] for edge in edges])
    return Changing(graph, RoleClusterer(3).fit_signatures(signatures, graph.nodes, ["h1"]), periods)


@dataclass
class Parts(HTMLParser):
    """The elements of a page: attributes of all, the text of those that hold no elements."""

    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)
    packed: dict[str, str] = field(default_factory=lambda: {"head": "", "data": ""})
    _open: str = ""
    _id: str | None = None

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self._open, self._id = tag, dict(attrs).get("id")
        self.texts.setdefault(tag, [])

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._id in self.packed and self._open:
            self.packed[self._id] += data
        elif self._open in ("script", "style", "title"):
            self.texts[self._open].append(data)


def parts_of(path: Path) -> Parts:
    """Take a page apart as a browser would."""
    parts = Parts()
    parts.feed(path.read_text(encoding="utf-8"))
    parts.close()
    return parts


def content_of(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The data of a page: texts and arrays, these as the browser has them after it has decoded them."""
    parts = parts_of(path)
    head, _ = unpacked(parts.packed["head"])
    texts, arrays = unpacked(parts.packed["data"])
    n_nodes = head["nodes"]
    labels = [str(label) for label in texts.get("labels", arrays.get("labels"))]
    assert len(labels) == len(arrays["degree"]) == len(arrays["linkCounts"]) == n_nodes
    return {**head, **texts, "labels": labels}, arrays


def unpacked(text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The texts and the arrays of one packed part."""
    data = gzip.decompress(base64.b64decode(text))
    length = int.from_bytes(data[:8], "little")
    head, place, arrays = json.loads(data[8 : 8 + length]), 8 + length, {}
    for name, kind, size in head["arrays"]:
        dtype = np.dtype(kind).newbyteorder("<")
        arrays[name] = np.frombuffer(data, dtype, size, place)
        place += size * dtype.itemsize
    assert place == len(data)
    return head, arrays


def links_of(arrays: dict[str, Any]) -> set[tuple[int, int]]:
    """The links that a page holds."""
    source = np.repeat(np.arange(arrays["linkCounts"].size), arrays["linkCounts"])
    return set(zip(source.tolist(), (source + arrays["linkSteps"]).tolist(), strict=True))
