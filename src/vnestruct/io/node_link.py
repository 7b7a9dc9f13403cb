"""Node-link JSON, as networkx, D3 and many web tools write it."""

import json
from typing import IO, Any

import numpy as np

from vnestruct.graph import Graph
from vnestruct.io.builders import NodeEdgeBuilder
from vnestruct.io.source import ReadOptions, Source, shown
from vnestruct.io.write import each_edge, label_texts


def read_node_link(source: Source, options: ReadOptions) -> Graph:
    """Read node-link JSON: an object with ``nodes`` and with ``links`` or ``edges``."""
    return _NodeLinkReader(source, options).read()


class _NodeLinkReader(NodeEdgeBuilder):
    def read(self) -> Graph:
        document = self._document()
        nodes = self._list(document, "nodes")
        links = self._list(document, "links" if "links" in document else "edges")
        directed = document.get("directed", False)
        if not isinstance(directed, bool):
            raise self._source.error(f'"directed" is {shown(str(directed))}; it must be true or false')
        self.declared_directed = directed
        labels = self._take_nodes(nodes)
        self._take_links(links)
        return self.graph(labels)

    def _document(self) -> dict[str, Any]:
        try:
            document = json.loads(self._source.text())
        except json.JSONDecodeError as problem:
            wrong = f"this is not JSON ({problem.msg}); check the program that wrote it"
            raise self._source.error(wrong, problem.lineno) from None
        except ValueError as problem:
            raise self._source.error(f"this is not JSON ({problem}); check the program that wrote it") from None
        if not isinstance(document, dict):
            raise self._source.error('the outermost value must be an object with "nodes" and "links"')
        return document

    def _list(self, document: dict[str, Any], key: str) -> list[Any]:
        value = document.get(key)
        if not isinstance(value, list):
            raise self._source.error(f'no list "{key}"; node-link JSON is an object with "nodes" and "links"')
        return value

    def _take_nodes(self, nodes: list[Any]) -> list[Any]:
        labels = []
        # Without ids, links count the nodes from 0, as early D3 did.
        counted = all(isinstance(node, dict) and "id" not in node for node in nodes)
        for place, node in enumerate(nodes):
            where = f"node number {place + 1}"
            if not isinstance(node, dict) or ("id" not in node and not counted):
                raise self._source.error(f'{where} has no "id"; give every node one')
            key = place if counted else self._label(node["id"], where)
            self.add_node(key)
            labels.append(key)
        if self._options.text_labels:
            return [str(label) for label in labels]
        names = [node.get("name") for node in nodes] if counted else []
        distinct = all(isinstance(name, str) for name in names) and len(set(names)) == len(nodes)
        return names if names and distinct else labels

    def _take_links(self, links: list[Any]) -> None:
        ends = (self._options.source or "source", self._options.target or "target")
        for place, link in enumerate(links):
            where = f"link number {place + 1}"
            if not isinstance(link, dict) or any(end not in link for end in ends):
                raise self._source.error(f'{where} has no "{ends[0]}" or no "{ends[1]}"; give every link both')
            tail, head = (self._label(link[end], where) for end in ends)
            given = None if self._weight_name is None else link.get(self._weight_name)
            self.add_edge(tail, head, None if given is None else self.weight(given, where=f" of {where}"), None)

    def _label(self, value: Any, where: str) -> Any:
        """Return a label that can be a dictionary key: lists become tuples, as they were before JSON."""
        if isinstance(value, list):
            return tuple(self._label(item, where) for item in value)
        if isinstance(value, bool) or not isinstance(value, int | float | str) or value != value:
            wrong = f"{where} has the label {shown(json.dumps(value))}; use numbers, texts or lists of them"
            raise self._source.error(wrong)
        return value


def write_node_link(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write node-link JSON."""
    labels: list[Any] = graph.nodes.tolist()
    notes: list[str] = []
    if not all(map(_is_json, labels)):
        labels, notes = label_texts(graph)
    words = [json.dumps(label) for label in labels]
    head = {"directed": graph.directed, "multigraph": False, "graph": {}}
    stream.write((json.dumps(head)[:-1] + ', "nodes": [').encode())
    stream.write(", ".join(f'\n{{"id": {word}}}' for word in words).encode())
    stream.write(b'], "edges": [')
    first = True
    for tail, head_word, weight in each_edge(graph, words):
        value = "" if weight is None else f', "weight": {weight!r}'
        comma = "" if first else ","
        stream.write(f'{comma}\n{{"source": {tail}, "target": {head_word}{value}}}'.encode())
        first = False
    stream.write(b"]}\n")
    return notes


def _is_json(label: Any) -> bool:
    if isinstance(label, tuple):
        return all(map(_is_json, label))
    return type(label) in (int, str) or (type(label) is float and np.isfinite(label))
