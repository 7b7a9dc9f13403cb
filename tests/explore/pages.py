"""What tests of pages share: labels that try to break out, and a reader of the parts of a page."""

from __future__ import annotations

import base64
import gzip
import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np

from vnestruct import Graph, as_graph
from vnestruct.graph.synthetic import barbell

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
]
"""Labels that markup, scripts, templates or the direction of text could make something else of."""


def nasty_graph() -> Graph:
    """Two cliques joined by a path, in which labels that try to break out are spread over all roles."""
    plain = barbell(8, 5)
    names = [f"node {i}" for i in range(plain.n_nodes)]
    for place, label in zip(range(0, plain.n_nodes, 1), NASTY, strict=False):
        names[place] = label
    source = np.repeat(np.arange(plain.n_nodes), plain.degrees)
    once = source < plain.indices
    return as_graph([(names[a], names[b]) for a, b in zip(source[once], plain.indices[once], strict=True)])


@dataclass
class Parts(HTMLParser):
    """The elements of a page: attributes of all, the text of those that hold no elements."""

    attributes: list[tuple[str, str, str]] = field(default_factory=list)
    texts: dict[str, list[str]] = field(default_factory=dict)
    data: str = ""
    items: str = ""
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
        if self._open in ("script", "style", "title") and self._id not in ("data", "items"):
            self.texts[self._open].append(data)
        elif self._id == "data" and self._open:
            self.data += data
        elif self._id == "items" and self._open:
            self.items += data


def parts_of(path: Path) -> Parts:
    """Take a page apart as a browser would."""
    parts = Parts()
    parts.feed(path.read_text(encoding="utf-8"))
    parts.close()
    return parts


def content_of(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The data of a page."""
    data = gzip.decompress(base64.b64decode(parts_of(path).data))
    length = int.from_bytes(data[:8], "little")
    head = json.loads(data[8 : 8 + length])
    place = 8 + padded_length(length)
    arrays = {}
    for name, browser_type, size in head["arrays"]:
        dtype = np.dtype(browser_type.removesuffix("Array").lower()).newbyteorder("<")
        arrays[name] = np.frombuffer(data, dtype, size, place)
        place += padded_length(arrays[name].nbytes)
    return head, arrays


def padded_length(length: int) -> int:
    return -(-length // 8) * 8
