"""GraphML and GEXF: XML read event by event, without document types, entities or encodings that could hide them."""

import re
from typing import IO
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from vnestruct.errors import GraphFormatError, Message, ParameterError
from vnestruct.graph import Graph
from vnestruct.io.builders import NodeEdgeBuilder, integers_or_text
from vnestruct.io.source import SET_FORMAT, ReadOptions, Source, shown
from vnestruct.io.write import each_edge, integer_note, label_texts

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


def read_graphml(source: Source, options: ReadOptions) -> Graph:
    """Read a GraphML file."""
    return _GraphMLReader(source, options, "graphml").read()


def read_gexf(source: Source, options: ReadOptions) -> Graph:
    """Read a GEXF file."""
    return _GexfReader(source, options, "gexf").read()


class _XmlReader(NodeEdgeBuilder):
    """What both formats share: one graph of listed nodes, and edges that may have a direction and a weight."""

    def __init__(self, source: Source, options: ReadOptions, root: str) -> None:
        super().__init__(source, options)
        self._root = root
        self._open: list[str] = []
        self._nodes: list[str] = []
        self._n_graphs = 0
        self._edge: tuple[str, str, int] | None = None
        # Of the edge that is being read.
        self._directed_edge: bool | None = None
        self._weight: float | None = None

    def read(self) -> Graph:
        _parse(self._source, self)
        if self._n_graphs == 0:
            raise self._source.error("no <graph> element; check the program that wrote it")
        return self.graph(integers_or_text(self._labels(), self._options.text_labels))

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        """Take the beginning of an element."""
        if not self._open and tag != self._root:
            wrong = f"the outermost element is <{tag}>, not <{self._root}>; correct "
            raise self._source.error(Message(wrong, SET_FORMAT), line)
        if tag == "node":
            self._nodes.append(self._required(attributes, "id", tag, line))
            self.add_node(self._nodes[-1], line)
        elif tag == "edge":
            tail, head = (self._required(attributes, end, tag, line) for end in ("source", "target"))
            self._edge, self._directed_edge, self._weight = (tail, head, line), None, None
        self._open.append(tag)

    def end(self, tag: str, text: str, line: int) -> None:
        """Take the end of an element and the text directly inside it."""
        self._open.pop()
        if tag == "edge" and self._edge is not None:
            tail, head, first_line = self._edge
            self.add_edge(tail, head, self._weight, self._directed_edge, first_line)
            self._edge = None

    def _start_graph(self, directed: bool, line: int) -> None:
        self._n_graphs += 1
        if self._n_graphs > 1:
            raise self._source.error("a second <graph>; put each graph into a file of its own", line)
        self.declared_directed = directed

    def _required(self, attributes: dict[str, str], name: str, tag: str, line: int) -> str:
        if name not in attributes:
            raise self._source.error(f"<{tag}> without {name}=; check the program that wrote it", line)
        return attributes[name]

    def _labels(self) -> list[str]:
        return self._nodes


class _GraphMLReader(_XmlReader):
    def __init__(self, source: Source, options: ReadOptions, root: str) -> None:
        super().__init__(source, options, root)
        self._key: str | None = None
        self._weight_keys: dict[str, float | None] = {}
        self._name_keys: set[str] = set()
        self._names: dict[str, str] = {}
        self._data_key = ""

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        super().start(tag, attributes, line)
        if tag == "edge":
            self._weight = next((value for value in self._weight_keys.values() if value is not None), None)
            if "directed" in attributes:
                self._directed_edge = attributes["directed"].strip() in ("true", "1")
        elif tag == "graph" and len(self._open) == 2:
            self._start_graph(attributes.get("edgedefault") == "directed", line)
        elif tag == "key":
            self._start_key(attributes)
        elif tag == "hyperedge":
            raise self._source.error("hyperedges cannot be read; write each as edges between its nodes", line)
        elif tag == "data":
            self._data_key = attributes.get("key", "")

    def _start_key(self, attributes: dict[str, str]) -> None:
        key, name, kind = attributes.get("id", ""), attributes.get("attr.name", ""), attributes.get("for", "all")
        self._key = None
        if kind in ("edge", "all") and name == self._weight_name:
            self._weight_keys[key] = None
            self._key = key
        elif kind in ("node", "all") and name == "name":
            self._name_keys.add(key)

    def end(self, tag: str, text: str, line: int) -> None:
        super().end(tag, text, line)
        parent = self._open[-1] if self._open else ""
        if tag == "default" and parent == "key" and self._key is not None:
            self._weight_keys[self._key] = self.weight(text.strip(), line)
        elif tag == "data" and parent == "edge" and self._data_key in self._weight_keys:
            self._weight = self.weight(text.strip(), line)
        elif tag == "data" and parent == "node" and self._data_key in self._name_keys:
            self._names[self._nodes[-1]] = text

    def _labels(self) -> list[str]:
        """Return node ids, or the names that igraph writes next to ids n0, n1, ... that it invents."""
        names = [self._names.get(key, "") for key in self._nodes]
        invented = all(key == f"n{place}" for place, key in enumerate(self._nodes))
        return names if invented and all(names) and len(set(names)) == len(names) else self._nodes


class _GexfReader(_XmlReader):
    def __init__(self, source: Source, options: ReadOptions, root: str) -> None:
        super().__init__(source, options, root)
        self._weight_keys: set[str] = set()
        self._attribute_class = ""

    def start(self, tag: str, attributes: dict[str, str], line: int) -> None:
        super().start(tag, attributes, line)
        if tag == "edge":
            if "type" in attributes:
                self._directed_edge = self._is_directed(attributes["type"], line)
            if self._weight_name == "weight" and "weight" in attributes:
                self._weight = self.weight(attributes["weight"], line)
        elif tag == "graph":
            self._start_graph(self._is_directed(attributes.get("defaultedgetype", "undirected"), line), line)
        elif tag == "attributes":
            self._attribute_class = attributes.get("class", "")
        elif tag == "attribute" and self._attribute_class == "edge":
            if attributes.get("title") == self._weight_name:
                self._weight_keys.add(attributes.get("id", ""))
        elif tag == "attvalue" and self._edge is not None and attributes.get("for") in self._weight_keys:
            self._weight = self.weight(attributes.get("value", ""), line)

    def _is_directed(self, kind: str, line: int) -> bool:
        if kind not in _EDGE_TYPES:
            raise self._source.error(f"edge type {shown(kind)}; it must be directed, undirected or mutual", line)
        return _EDGE_TYPES[kind]


def _parse(source: Source, reader: _XmlReader) -> None:
    """Call the reader at the start and the end of each element, without namespaces."""
    head = source.head
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in head[:64]:
        raise source.error("the file is not UTF-8; convert it, for example with iconv -f utf-16 -t utf-8", 1)
    declared = _DECLARED.search(head[:1024])
    if declared is not None and declared[1].lower() not in _ENCODINGS:
        wrong = f"encoding {declared[1].decode('ascii')} is not read; convert the file to UTF-8 with iconv"
        raise source.error(wrong, 1)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.buffer_size = _BUFFER_BYTES
    texts: list[list[str]] = []

    def on_start(tag: str, attributes: dict[str, str]) -> None:
        if len(texts) >= _MAX_DEPTH:
            wrong = f"elements nested deeper than {_MAX_DEPTH}; check the program that wrote it"
            raise source.error(wrong, parser.CurrentLineNumber)
        texts.append([])
        reader.start(tag.rpartition(" ")[2], attributes, parser.CurrentLineNumber)

    def on_end(tag: str) -> None:
        reader.end(tag.rpartition(" ")[2], "".join(texts.pop()), parser.CurrentLineNumber)

    def on_text(text: str) -> None:
        texts[-1].append(text)
        if len(texts[-1]) * _BUFFER_BYTES > _MAX_TEXT:
            raise _too_long(source, parser.CurrentLineNumber)

    def on_doctype(*_: object) -> None:
        raise _refused(source, parser.CurrentLineNumber)

    parser.StartElementHandler = on_start
    parser.EndElementHandler = on_end
    parser.CharacterDataHandler = on_text
    # The bytes are searched before the parser sees them; this is a second line of defence.
    parser.StartDoctypeDeclHandler = on_doctype
    parser.EntityDeclHandler = on_doctype
    _feed(source, parser)


def _feed(source: Source, parser: expat.XMLParserType) -> None:
    data, tail, line, n_fed = source.head, b"", 1, 0
    try:
        while data:
            match = _REFUSED.search(tail + data)
            if match is not None:
                raise _refused(source, line + (tail + data).count(b"\n", 0, match.start()))
            parser.Parse(data, False)
            n_fed += len(data)
            # What has not led to an event yet is one tag, held in memory until it ends.
            if n_fed - parser.CurrentByteIndex > _MAX_TEXT:
                raise _too_long(source, parser.CurrentLineNumber)
            line += (tail + data).count(b"\n", 0, -_OVERLAP)
            tail = (tail + data)[-_OVERLAP:]
            data = source.read(_FEED_BYTES)
        parser.Parse(b"", True)
    except expat.ExpatError as problem:
        wrong = f"not well-formed XML ({expat.ErrorString(problem.code)}); check the program that wrote it"
        raise source.error(wrong, problem.lineno) from None


def _too_long(source: Source, line: int) -> GraphFormatError:
    return source.error(f"one tag or text of more than {_MAX_TEXT >> 20} MiB; check the program that wrote it", line)


def _refused(source: Source, line: int) -> GraphFormatError:
    wrong = "document types and entities are not read, since they can exhaust memory or fetch files; "
    return source.error(wrong + "delete the <!DOCTYPE ...> declaration", line)


def write_graphml(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write GraphML."""
    keys, kind, notes = _opened(graph, stream, '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">', "graphml")
    if graph.weights is not None:
        stream.write(b'<key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n')
    stream.write(f'<graph edgedefault="{kind}">\n'.encode())
    stream.writelines(f"<node id={key}/>\n".encode() for key in keys)
    for tail, head, weight in each_edge(graph, keys):
        inner = "/>" if weight is None else f'><data key="weight">{weight!r}</data></edge>'
        stream.write(f"<edge source={tail} target={head}{inner}\n".encode())
    stream.write(b"</graph>\n</graphml>\n")
    return notes


def write_gexf(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write GEXF."""
    keys, kind, notes = _opened(graph, stream, '<gexf xmlns="http://gexf.net/1.3" version="1.3">', "gexf")
    stream.write(f'<graph defaultedgetype="{kind}">\n<nodes>\n'.encode())
    stream.writelines(f"<node id={key} label={key}/>\n".encode() for key in keys)
    stream.write(b"</nodes>\n<edges>\n")
    for number, (tail, head, weight) in enumerate(each_edge(graph, keys)):
        value = "" if weight is None else f' weight="{weight!r}"'
        stream.write(f'<edge id="{number}" source={tail} target={head}{value}/>\n'.encode())
    stream.write(b"</edges>\n</graph>\n</gexf>\n")
    return notes


def _opened(graph: Graph, stream: IO[bytes], root: str, name: str) -> tuple[list[str], str, list[str]]:
    """Write the first lines; return labels as quoted XML attributes, whether edges are directed, and notes."""
    texts, notes = label_texts(graph)
    for text in texts:
        if _NOT_XML.search(text):
            raise ParameterError(f"label {text!r} has a character that XML cannot hold; use .json or .vng")
    stream.write(f'<?xml version="1.0" encoding="utf-8"?>\n{root}\n'.encode())
    kind = "directed" if graph.directed else "undirected"
    return [quoteattr(text) for text in texts], kind, notes + integer_note(graph, texts, name, every=True)
