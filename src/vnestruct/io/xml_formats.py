"""GraphML and GEXF: XML read event by event, without document types and entities."""

import re
from collections.abc import Iterator
from functools import partial
from io import StringIO
from itertools import chain
from typing import IO, NamedTuple
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph import Graph
from vnestruct.io.nodes_edges import Edge, Node, graph_of, required, weight_name
from vnestruct.io.source import ReadOptions, Source, shown
from vnestruct.io.write import edge_texts, integer_note, label_texts

_MAX_DEPTH = 64
_MAX_TEXT = 16 << 20
_TOO_LONG = f"one tag or text of more than {_MAX_TEXT >> 20} MiB; check the program that wrote it"
_BUFFER_BYTES = 1 << 16
_FEED_BYTES = 1 << 20

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_EDGE_TYPES = {"directed": True, "undirected": False, "mutual": False}


class _Element(NamedTuple):
    """The beginning of an element, for which text is None, or its end with the text directly inside it."""

    tag: str
    parent: str
    attributes: dict[str, str]
    line: int
    text: str | None = None


def read_graphml(source: Source, options: ReadOptions) -> Graph:
    """Read GraphML. Labels are ids, or the names that igraph writes next to ids n0, n1, ... that it invents."""
    return graph_of(source, options, _graphml(source, weight_name(options)))


def read_gexf(source: Source, options: ReadOptions) -> Graph:
    """Read GEXF. Labels are ids."""
    return graph_of(source, options, _gexf(source, weight_name(options)))


def _graphml(source: Source, weight_attribute: str | None) -> Iterator[Node | Edge | bool]:
    weight_keys: dict[str, str | None] = {}  # each with its default
    name_keys: set[str] = set()
    key, name, weight, n_nodes = "", "", None, 0
    for tag, parent, given, line, text in _elements(source, "graphml"):
        if text is None:
            if tag == "graph":
                yield given.get("edgedefault") == "directed"
            elif tag == "key":
                key, domain, title = given.get("id", ""), given.get("for", "all"), given.get("attr.name", "")
                if domain in ("edge", "all") and title == weight_attribute:
                    weight_keys[key] = None
                elif domain in ("node", "all") and title == "name":
                    name_keys.add(key)
            elif tag == "node":
                name = ""
            elif tag == "edge":
                weight = next((value for value in weight_keys.values() if value is not None), None)
            elif tag == "hyperedge":
                raise source.error("hyperedges cannot be read; write each as edges between its nodes", line)
        elif tag == "default" and parent == "key" and key in weight_keys:
            weight_keys[key] = text.strip()
        elif tag == "data" and parent == "edge" and given.get("key", "") in weight_keys:
            weight = text.strip()
        elif tag == "data" and parent == "node" and given.get("key", "") in name_keys:
            name = text
        elif tag == "node":
            node = required(source, given, "id", "<node>", line)
            yield Node(node, line, (name if node == f"n{n_nodes}" else "",))
            n_nodes += 1
        elif tag == "edge":
            tail, head = (required(source, given, end, "<edge>", line) for end in ("source", "target"))
            directed = given["directed"].strip() in ("true", "1") if "directed" in given else None
            yield Edge(tail, head, line, weight, directed)


def _gexf(source: Source, weight_attribute: str | None) -> Iterator[Node | Edge | bool]:
    weight_keys: set[str] = set()
    domain, weight = "", None

    def is_directed(kind: str, line: int) -> bool:
        if kind not in _EDGE_TYPES:
            raise source.error(f"edge type {shown(kind)}; it must be directed, undirected or mutual", line)
        return _EDGE_TYPES[kind]

    for tag, _, given, line, text in _elements(source, "gexf"):
        if text is None:
            if tag == "graph":
                yield is_directed(given.get("defaultedgetype", "undirected"), line)
            elif tag == "attributes":
                domain = given.get("class", "")
            elif tag == "attribute" and domain == "edge" and given.get("title") == weight_attribute:
                weight_keys.add(given.get("id", ""))
            elif tag == "edge":
                weight = given.get("weight") if weight_attribute == "weight" else None
            elif tag == "attvalue" and given.get("for") in weight_keys:
                weight = given.get("value", "")
            elif tag == "node":
                yield Node(required(source, given, "id", "<node>", line), line)
        elif tag == "edge":
            tail, head = (required(source, given, end, "<edge>", line) for end in ("source", "target"))
            yield Edge(tail, head, line, weight, is_directed(given["type"], line) if "type" in given else None)


def _elements(source: Source, root: str) -> Iterator[_Element]:
    """Yield the beginning and the end of each element, without namespaces; there must be one graph."""
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text, parser.buffer_size = True, _BUFFER_BYTES
    found: list[_Element] = []
    path: list[_Element] = []
    text = StringIO()  # inside the innermost element, after the last one inside that
    n_graphs = n_fed = 0

    def error(message: str) -> GraphFormatError:
        return source.error(message, parser.CurrentLineNumber)

    def on_doctype(*_: object) -> None:
        wrong = "document types and entities are not read, since they can exhaust memory or fetch files; "
        raise error(wrong + "delete the <!DOCTYPE ...> declaration")

    def on_start(name: str, attributes: dict[str, str]) -> None:
        nonlocal n_graphs
        tag = name.rpartition(" ")[2]
        if len(path) >= _MAX_DEPTH:
            raise error(f"elements nested deeper than {_MAX_DEPTH}; check the program that wrote it")
        if not path and tag != root:
            raise error(f"the outermost element is <{tag}>, not <{root}>; correct `format`")
        n_graphs += tag == "graph"
        if n_graphs > 1:
            raise error("a second <graph>; put each graph into a file of its own")
        path.append(_Element(tag, path[-1].tag if path else "", attributes, parser.CurrentLineNumber))
        text.truncate(text.seek(0))
        found.append(path[-1])

    def on_end(_: str) -> None:
        found.append(path.pop()._replace(text=text.getvalue()))
        text.truncate(text.seek(0))

    def on_text(more: str) -> None:
        if text.write(more) and text.tell() > _MAX_TEXT:
            raise error(_TOO_LONG)

    parser.StartDoctypeDeclHandler = on_doctype
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = on_start, on_end, on_text
    failure = None
    for data in chain([source.head], iter(partial(source.read, _FEED_BYTES), b""), [b""]):
        try:
            parser.Parse(data, not data)
        except GraphFormatError as problem:
            failure = problem
        except (expat.ExpatError, ValueError, LookupError) as problem:
            reason = str(problem).partition(":")[0]
            failure = error(f"not well-formed XML in an encoding that is read ({reason}); write it again in UTF-8")
        # What is wrong in elements before the failure comes first.
        yield from found
        found.clear()
        n_fed += len(data)
        # What has not led to an event yet is one tag, held in memory until it ends.
        if failure is None and data and n_fed - parser.CurrentByteIndex > _MAX_TEXT:
            failure = error(_TOO_LONG)
        if failure is not None:
            raise failure
    if n_graphs == 0:
        raise source.error("no <graph> element; check the program that wrote it")


def write_graphml(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write GraphML."""
    texts, notes = label_texts(graph)
    for text in texts:
        if _NOT_XML.search(text):
            raise ParameterError(f"label {text!r} has a character that XML cannot hold; use .vng")
    kind, keys = "directed" if graph.directed else "undirected", [quoteattr(text) for text in texts]
    stream.write(b'<?xml version="1.0" encoding="utf-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
    if graph.weights is not None:
        stream.write(b'<key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n')
    stream.write(f'<graph edgedefault="{kind}">\n'.encode())
    stream.writelines(f"<node id={key}/>\n".encode() for key in keys)
    for columns in edge_texts(graph, keys):
        for tail, head, *weight in zip(*columns, strict=True):
            inner = f'><data key="weight">{weight[0]}</data></edge>' if weight else "/>"
            stream.write(f"<edge source={tail} target={head}{inner}\n".encode())
    stream.write(b"</graph>\n</graphml>\n")
    return notes + integer_note(graph, texts, "graphml", all)
