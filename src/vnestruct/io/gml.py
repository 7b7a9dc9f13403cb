"""GML: nested lists of keys and values."""

import re
from collections.abc import Iterator
from html.entities import name2codepoint
from typing import IO, Any

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.io.builders import NodeEdgeBuilder, integers_or_text
from vnestruct.io.source import ReadOptions, Source, shown
from vnestruct.io.write import each_edge, integer_note, label_texts

_TOKEN = re.compile(r'\n|#[^\n]*|"[^"]*"|\[|\]|[^\s\[\]"#]+|"')
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|([A-Za-z][A-Za-z0-9]*));")
_MAX_DEPTH = 64


def read_gml(source: Source, options: ReadOptions) -> Graph:
    """Read a GML file. Labels are the nodes' labels or names where these are distinct, else their ids."""
    return _GmlReader(source, options).read()


class _GmlReader(NodeEdgeBuilder):
    def __init__(self, source: Source, options: ReadOptions) -> None:
        super().__init__(source, options)
        self._nodes: list[dict[str, str]] = []
        self._n_graphs = 0

    def read(self) -> Graph:
        self._parse()
        if self._n_graphs != 1:
            wrong = "no graph [...]" if self._n_graphs == 0 else f"{self._n_graphs} graphs"
            raise self._source.error(f"{wrong} where one is expected; put each graph into a file of its own")
        return self.graph(integers_or_text(self._labels(), self._options.text_labels))

    def _labels(self) -> list[str]:
        for key in ("label", "name"):
            labels = [node.get(key, "") for node in self._nodes]
            if all(labels) and len(set(labels)) == len(labels):
                return labels
        return [node["id"] for node in self._nodes]

    def _parse(self) -> None:
        path: list[str] = []
        fields: dict[str, str] = {}
        key: str | None = None
        first_line = 1
        for token, line in self._tokens():
            if token == "]":
                if not path or key is not None:
                    raise self._wrong(token, line)
                self._close(path, fields, first_line)
                path.pop()
            elif token == "[":
                if key is None or len(path) >= _MAX_DEPTH:
                    raise self._wrong(token, line)
                path.append(key)
                if len(path) == 2:
                    fields, first_line = {}, line
                self._n_graphs += path == ["graph"]
                key = None
            elif key is None:
                if token.startswith('"'):
                    raise self._wrong(token, line)
                key = token
            else:
                value = _ENTITY.sub(_character, token[1:-1]) if token.startswith('"') else token
                if path == ["graph"] and key == "directed":
                    self.declared_directed = value.strip() == "1"
                elif len(path) == 2:
                    fields[key] = value
                key = None
        if path or key is not None:
            raise self._source.error("the file ends inside a list; it was cut short, write it again")

    def _close(self, path: list[str], fields: dict[str, str], line: int) -> None:
        if path == ["graph", "node"]:
            if "id" not in fields:
                raise self._source.error("a node without id; give every node one", line)
            self.add_node(fields["id"], line)
            self._nodes.append({name: fields[name] for name in ("id", "label", "name") if name in fields})
        elif path == ["graph", "edge"]:
            if "source" not in fields or "target" not in fields:
                raise self._source.error("an edge without source or target; give every edge both", line)
            given: Any = fields.get(self._weight_name) if self._weight_name is not None else None
            weight = None if given is None else self.weight(given, line)
            self.add_edge(fields["source"], fields["target"], weight, None, line)

    def _tokens(self) -> Iterator[tuple[str, int]]:
        line = 1
        for match in _TOKEN.finditer(self._source.text()):
            token = match[0]
            if token == "\n":
                line += 1
            elif token == '"':
                raise self._source.error("a quote that is never closed; close it", line)
            elif not token.startswith("#"):
                yield token, line
                line += token.count("\n")

    def _wrong(self, token: str, line: int) -> Exception:
        return self._source.error(f"{shown(token)} where a key and its value are expected; fix the line", line)


def _character(match: re.Match[str]) -> str:
    number, name = match[1], match[2]
    code = int(number) if number else name2codepoint.get(name, -1)
    return chr(code) if 0 <= code <= 0x10FFFF else match[0]


def write_gml(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write GML."""
    texts, notes = label_texts(graph)
    if not all(texts):
        raise ParameterError("an empty label, which GML cannot hold; use .json or .vng")
    stream.write(f"graph [\n  directed {int(graph.directed)}\n".encode())
    for number, text in enumerate(texts):
        escaped = re.sub(r"[^ !#-%\'-~]", lambda match: f"&#{ord(match[0])};", text)
        stream.write(f'  node [\n    id {number}\n    label "{escaped}"\n  ]\n'.encode("ascii"))
    for tail, head, weight in each_edge(graph, [str(number) for number in range(graph.n_nodes)]):
        value = "" if weight is None else f"    weight {weight!r}\n"
        stream.write(f"  edge [\n    source {tail}\n    target {head}\n{value}  ]\n".encode("ascii"))
    stream.write(b"]\n")
    return notes + integer_note(graph, texts, "gml", every=True)
