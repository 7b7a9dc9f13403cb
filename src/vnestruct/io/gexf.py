"""GEXF: the XML of Gephi."""

from __future__ import annotations

from vnestruct.graph import Graph
from vnestruct.io.listing import Listing, integers_or_text, weight_name
from vnestruct.io.markup import parse_markup
from vnestruct.io.source import ReadOptions, Source, shown

_DIRECTED = {"directed": True, "undirected": False, "mutual": False}


def read_gexf(source: Source, options: ReadOptions) -> Graph:
    """Read a GEXF file."""
    reader = _GexfReader(source, options)
    parse_markup(source, reader.start, reader.end)
    return reader.graph()


class _GexfReader:
    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source, self._options = source, options
        self._listing = Listing(source, options)
        self._weight_name = weight_name(options)
        self._nodes: list[str] = []
        self._open: list[str] = []
        self._n_graphs = 0
        self._edge: tuple[str, str, bool, int] | None = None
        self._weight: float | None = None
        self._weight_keys: set[str] = set()
        self._attribute_class = ""

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        if not self._open and tag != "gexf":
            raise self._source.error(f"the outermost element is <{tag}>, not <gexf>; correct format=", line)
        if tag == "graph":
            self._n_graphs += 1
            if self._n_graphs > 1:
                raise self._source.error("a second <graph>; put each graph into a file of its own", line)
            default = attributes.get("defaultedgetype", "undirected")
            self._listing.declared_directed = self._is_directed(default, line)
        elif tag == "attributes":
            self._attribute_class = attributes.get("class", "")
        elif tag == "attribute" and self._attribute_class == "edge":
            if attributes.get("title") == self._weight_name:
                self._weight_keys.add(attributes.get("id", ""))
        elif tag == "node":
            self._nodes.append(self._required(attributes, "id", tag, line))
            self._listing.add_node(self._nodes[-1], line)
        elif tag == "edge":
            self._start_edge(attributes, line)
        elif tag == "attvalue" and self._edge is not None and attributes.get("for") in self._weight_keys:
            self._weight = self._listing.weight(attributes.get("value", ""), line)
        self._open.append(tag)

    def end(self, tag: str, text: str, line: int) -> None:
        self._open.pop()
        if tag == "edge" and self._edge is not None:
            tail, head, directed, first_line = self._edge
            self._listing.add_edge(tail, head, self._weight, directed, first_line)
            self._edge = None

    def graph(self) -> Graph:
        if self._n_graphs == 0:
            raise self._source.error("no <graph> element; check the program that wrote it")
        return self._listing.graph(integers_or_text(self._nodes, self._options.text_labels))

    def _start_edge(self, attributes: dict[str, str], line: int) -> None:
        tail, head = (self._required(attributes, end, "edge", line) for end in ("source", "target"))
        kind = attributes.get("type")
        directed = self._listing.declared_directed if kind is None else self._is_directed(kind, line)
        self._edge = (tail, head, directed, line)
        self._weight = None
        if self._weight_name == "weight" and "weight" in attributes:
            self._weight = self._listing.weight(attributes["weight"], line)

    def _is_directed(self, kind: str, line: int) -> bool:
        if kind not in _DIRECTED:
            raise self._source.error(f"edge type {shown(kind)}; it must be directed, undirected or mutual", line)
        return _DIRECTED[kind]

    def _required(self, attributes: dict[str, str], name: str, tag: str, line: int) -> str:
        if name not in attributes:
            raise self._source.error(f"<{tag}> without {name}=; check the program that wrote it", line)
        return attributes[name]
