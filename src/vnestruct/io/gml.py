"""GML: nested lists of keys and values."""

import re
from collections.abc import Iterator
from html.entities import name2codepoint

from vnestruct.graph import Graph
from vnestruct.io.nodes_edges import Edge, Node, graph_of, required, weight_name
from vnestruct.io.source import ReadOptions, Source, shown

_TOKEN = re.compile(r'\n|#[^\n]*|"[^"]*"|\[|\]|[^\s\[\]"#]+|"')
_ENTITY = re.compile(r"&(?:#([0-9]{1,7})|([A-Za-z][A-Za-z0-9]*));")
_MAX_DEPTH = 64


def read_gml(source: Source, options: ReadOptions) -> Graph:
    """Read a GML file. Labels are the nodes' labels or names where these are distinct, else their ids."""
    return graph_of(source, options, _items(source, weight_name(options)))


def _items(source: Source, weight: str | None) -> Iterator[Node | Edge | bool]:
    path: list[str] = []
    fields: dict[str, str] = {}
    key: str | None = None
    first_line, n_graphs = 1, 0
    for token, line in _tokens(source):
        if key is not None and token == "[" and len(path) < _MAX_DEPTH:
            path.append(key)
            n_graphs += path == ["graph"]
            if len(path) == 2:
                fields, first_line = {}, line
            key = None
        elif key is None and token == "]" and path:
            if path == ["graph", "node"]:
                names = fields.get("label", ""), fields.get("name", "")
                yield Node(required(source, fields, "id", "a node", first_line), first_line, names)
            elif path == ["graph", "edge"]:
                tail, head = (required(source, fields, end, "an edge", first_line) for end in ("source", "target"))
                yield Edge(tail, head, first_line, None if weight is None else fields.get(weight))
            path.pop()
        elif token in "[]" or (key is None and token.startswith('"')):
            raise source.error(f"{shown(token)} where a key and its value are expected; fix the line", line)
        elif key is None:
            key = token
        else:
            value = _ENTITY.sub(_character, token[1:-1]) if token.startswith('"') else token
            if path == ["graph"] and key == "directed":
                yield value.strip() == "1"
            elif len(path) == 2:
                fields[key] = value
            key = None
    if path or key is not None:
        raise source.error("the file ends inside a list; it was cut short, write it again")
    if n_graphs != 1:
        wrong = "no graph [...]" if n_graphs == 0 else f"{n_graphs} graphs"
        raise source.error(f"{wrong} where one is expected; put each graph into a file of its own")


def _tokens(source: Source) -> Iterator[tuple[str, int]]:
    line = 1
    for match in _TOKEN.finditer(source.text()):
        token = match[0]
        if token == '"':
            raise source.error("a quote that is never closed; close it", line)
        if token != "\n" and not token.startswith("#"):
            yield token, line
        line += token.count("\n")


def _character(match: re.Match[str]) -> str:
    code = int(match[1]) if match[1] else name2codepoint.get(match[2], -1)
    return chr(code) if 0 <= code <= 0x10FFFF else match[0]
