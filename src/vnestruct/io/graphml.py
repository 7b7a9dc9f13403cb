"""GraphML: XML with typed attributes, as networkx, igraph, Gephi and yEd write it."""

from __future__ import annotations

from vnestruct.graph import Graph
from vnestruct.io.listing import Listing, integers_or_text, weight_name
from vnestruct.io.markup import parse_markup
from vnestruct.io.source import ReadOptions, Source


def read_graphml(source: Source, options: ReadOptions) -> Graph:
    """Read a GraphML file."""
    reader = _GraphMLReader(source, options)
    parse_markup(source, reader.start, reader.end)
    return reader.graph()


class _GraphMLReader:
    def __init__(self, source: Source, options: ReadOptions) -> None:
        self._source, self._options = source, options
        self._listing = Listing(source, options)
        self._weight_name = weight_name(options)
        self._open: list[str] = []
        self._n_graphs = 0
        self._key: tuple[str, str] | None = None
        self._weight_keys: dict[str, float | None] = {}
        self._name_keys: set[str] = set()
        self._names: dict[str, str] = {}
        self._nodes: list[str] = []
        self._edge: tuple[str, str, bool, int] | None = None
        self._weight: float | None = None
        self._data_key = ""

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        if not self._open and tag != "graphml":
            raise self._source.error(f"the outermost element is <{tag}>, not <graphml>; correct format=", line)
        if tag == "graph" and len(self._open) == 1:
            self._n_graphs += 1
            if self._n_graphs > 1:
                raise self._source.error("a second <graph>; put each graph into a file of its own", line)
            self._listing.declared_directed = attributes.get("edgedefault") == "directed"
        elif tag == "key":
            self._start_key(attributes)
        elif tag == "node":
            self._nodes.append(self._required(attributes, "id", tag, line))
            self._listing.add_node(self._nodes[-1], line)
        elif tag == "edge":
            ends = (self._required(attributes, end, tag, line) for end in ("source", "target"))
            directed = attributes.get("directed")
            self._edge = (
                *ends,
                self._listing.declared_directed if directed is None else directed.strip() in ("true", "1"),
                line,
            )  # type: ignore[assignment]
            self._weight = next((value for value in self._weight_keys.values() if value is not None), None)
        elif tag == "hyperedge":
            raise self._source.error("hyperedges cannot be read; write each as edges between its nodes", line)
        elif tag == "data":
            self._data_key = attributes.get("key", "")
        self._open.append(tag)

    def end(self, tag: str, text: str, line: int) -> None:
        self._open.pop()
        parent = self._open[-1] if self._open else ""
        if tag == "default" and parent == "key" and self._key is not None:
            kind, key = self._key
            if kind == "weight":
                self._weight_keys[key] = self._listing.weight(text.strip(), line)
        elif tag == "data" and parent == "edge" and self._data_key in self._weight_keys:
            self._weight = self._listing.weight(text.strip(), line)
        elif tag == "data" and parent == "node" and self._data_key in self._name_keys:
            self._names[self._nodes[-1]] = text
        elif tag == "edge" and self._edge is not None:
            tail, head, directed, first_line = self._edge
            self._listing.add_edge(tail, head, self._weight, directed, first_line)
            self._edge = None

    def graph(self) -> Graph:
        if self._n_graphs == 0:
            raise self._source.error("no <graph> element; check the program that wrote it")
        return self._listing.graph(integers_or_text(self._labels(), self._options.text_labels))

    def _labels(self) -> list[str]:
        """Return node ids, or the names that igraph puts beside ids n0, n1, ... of its own making."""
        names = [self._names.get(key, "") for key in self._nodes]
        made_up = all(key == f"n{place}" for place, key in enumerate(self._nodes))
        return names if made_up and all(names) and len(set(names)) == len(names) else self._nodes

    def _start_key(self, attributes: dict[str, str]) -> None:
        key, name = attributes.get("id", ""), attributes.get("attr.name", "")
        self._key = None
        if attributes.get("for", "all") in ("edge", "all") and name == self._weight_name:
            self._weight_keys[key] = None
            self._key = ("weight", key)
        elif attributes.get("for", "all") in ("node", "all") and name == "name":
            self._name_keys.add(key)

    def _required(self, attributes: dict[str, str], name: str, tag: str, line: int) -> str:
        if name not in attributes:
            raise self._source.error(f"<{tag}> without {name}=; check the program that wrote it", line)
        return attributes[name]
