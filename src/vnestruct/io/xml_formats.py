"""GraphML and GEXF: XML read event by event, without document types, entities or encodings that could hide them."""

import re
from collections.abc import Iterator
from io import StringIO
from typing import IO, NamedTuple
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph import Graph
from vnestruct.io.nodes_edges import Edge, Node, graph_of, weight_name
from vnestruct.io.source import ReadOptions, Source, shown
from vnestruct.io.write import edge_texts, integer_note, label_texts

_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_ENCODINGS = {b"utf-8", b"utf8", b"us-ascii", b"ascii", b"iso-8859-1", b"latin-1", b"latin1"}
_REFUSED = re.compile(rb"<!(DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)", re.IGNORECASE)
_MAX_DEPTH = 64
_MAX_TEXT = 16 << 20
_BUFFER_BYTES = 1 << 16
_FEED_BYTES = 1 << 20
_OVERLAP = 16

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
            node = _required(source, given, "id", tag, line)
            yield Node(node, line, (name if node == f"n{n_nodes}" else "",))
            n_nodes += 1
        elif tag == "edge":
            tail, head = (_required(source, given, end, tag, line) for end in ("source", "target"))
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
                yield Node(_required(source, given, "id", tag, line), line)
        elif tag == "edge":
            tail, head = (_required(source, given, end, tag, line) for end in ("source", "target"))
            yield Edge(tail, head, line, weight, is_directed(given["type"], line) if "type" in given else None)


def _required(source: Source, attributes: dict[str, str], name: str, tag: str, line: int) -> str:
    if name not in attributes:
        raise source.error(f"<{tag}> without {name}=; check the program that wrote it", line)
    return attributes[name]


def _elements(source: Source, root: str) -> Iterator[_Element]:
    """Yield the beginning and the end of each element, without namespaces; there must be one graph."""
    head = source.head
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in head[:64]:
        raise source.error("the file is not UTF-8; convert it, for example with iconv -f utf-16 -t utf-8", 1)
    declared = _DECLARED.search(head[:1024])
    if declared is not None and declared[1].lower() not in _ENCODINGS:
        wrong = f"encoding {declared[1].decode('ascii')} is not read; convert the file to UTF-8 with iconv"
        raise source.error(wrong, 1)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text, parser.buffer_size = True, _BUFFER_BYTES
    found: list[_Element] = []
    path: list[_Element] = []
    texts: list[StringIO] = []
    n_graphs = 0

    def on_start(name: str, attributes: dict[str, str]) -> None:
        nonlocal n_graphs
        tag, line = name.rpartition(" ")[2], parser.CurrentLineNumber
        if len(path) >= _MAX_DEPTH:
            raise source.error(f"elements nested deeper than {_MAX_DEPTH}; check the program that wrote it", line)
        if not path and tag != root:
            raise source.error(f"the outermost element is <{tag}>, not <{root}>; correct `format`", line)
        n_graphs += tag == "graph"
        if n_graphs > 1:
            raise source.error("a second <graph>; put each graph into a file of its own", line)
        path.append(_Element(tag, path[-1].tag if path else "", attributes, line))
        texts.append(StringIO())
        found.append(path[-1])

    def on_end(_: str) -> None:
        found.append(path.pop()._replace(text=texts.pop().getvalue()))

    def on_text(text: str) -> None:
        if path[-1].tag in ("data", "default") and texts[-1].write(text) and texts[-1].tell() > _MAX_TEXT:
            raise _too_long(source, parser.CurrentLineNumber)

    def on_doctype(*_: object) -> None:
        raise _refused(source, parser.CurrentLineNumber)

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = on_start, on_end, on_text
    # The bytes are searched before the parser sees them; this is a second line of defence.
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = on_doctype
    data, tail, line, n_fed, failure = head, b"", 1, 0, None
    while failure is None:
        match = _REFUSED.search(tail + data)
        if match is not None:
            raise _refused(source, line + (tail + data).count(b"\n", 0, match.start()))
        try:
            parser.Parse(data, not data)
        except expat.ExpatError as problem:
            wrong = f"not well-formed XML ({expat.ErrorString(problem.code)}); check the program that wrote it"
            failure = source.error(wrong, problem.lineno)
        except GraphFormatError as problem:
            failure = problem
        # What is wrong in elements before the failure comes first.
        yield from found
        found.clear()
        n_fed += len(data)
        # What has not led to an event yet is one tag, held in memory until it ends.
        if n_fed - parser.CurrentByteIndex > _MAX_TEXT and failure is None:
            failure = _too_long(source, parser.CurrentLineNumber)
        if not data:
            break
        line += (tail + data).count(b"\n", 0, -_OVERLAP)
        tail = (tail + data)[-_OVERLAP:]
        data = source.read(_FEED_BYTES)
    if failure is not None:
        raise failure
    if n_graphs == 0:
        raise source.error("no <graph> element; check the program that wrote it")


def _too_long(source: Source, line: int) -> GraphFormatError:
    return source.error(f"one tag or text of more than {_MAX_TEXT >> 20} MiB; check the program that wrote it", line)


def _refused(source: Source, line: int) -> GraphFormatError:
    wrong = "document types and entities are not read, since they can exhaust memory or fetch files; "
    return source.error(wrong + "delete the <!DOCTYPE ...> declaration", line)


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
    return notes + integer_note(graph, texts, "graphml", every=True)
