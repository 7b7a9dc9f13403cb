"""Node-link JSON, as networkx, D3 and many web tools write it."""

import json
from collections.abc import Iterator
from typing import Any

from vnestruct.graph import Graph
from vnestruct.io.nodes_edges import Edge, Node, graph_of, weight_name
from vnestruct.io.source import ReadOptions, Source, shown


def read_node_link(source: Source, options: ReadOptions) -> Graph:
    """Read node-link JSON: an object with ``nodes`` and with ``links`` or ``edges``."""
    return graph_of(source, options, _items(source, options), typed=True)


def _items(source: Source, options: ReadOptions) -> Iterator[Node | Edge | bool]:
    try:
        document = json.loads(source.text())
    except ValueError as problem:
        reason, line = getattr(problem, "msg", problem), getattr(problem, "lineno", None)
        raise source.error(f"this is not JSON ({reason}); check the program that wrote it", line) from None
    if not isinstance(document, dict):
        raise source.error('the outermost value must be an object with "nodes" and "links"')
    lists: list[list[Any]] = []
    for part in ("nodes", "links" if "links" in document else "edges"):
        if not isinstance(document.get(part), list):
            raise source.error(f'no list "{part}"; node-link JSON is an object with "nodes" and "links"')
        lists.append(document[part])
    directed = document.get("directed", False)
    if not isinstance(directed, bool):
        raise source.error(f'"directed" is {shown(str(directed))}; it must be true or false')
    yield directed
    nodes, links = lists
    # Without ids, links count the nodes from 0, as early D3 did.
    counted = all(isinstance(node, dict) and "id" not in node for node in nodes)
    for place, node in enumerate(nodes):
        where = f"node number {place + 1}"
        if not counted and (not isinstance(node, dict) or "id" not in node):
            raise source.error(f'{where} has no "id"; give every node one')
        name = node.get("name") if counted and not options.text_labels else None
        key = place if counted else _label(source, node["id"], where)
        yield Node(key, None, (name if isinstance(name, str) else "",))
    ends, weight = (options.source or "source", options.target or "target"), weight_name(options)
    for place, link in enumerate(links):
        where = f"link number {place + 1}"
        if not isinstance(link, dict) or any(end not in link for end in ends):
            raise source.error(f'{where} has no "{ends[0]}" or no "{ends[1]}"; give every link both')
        tail, head = (_label(source, link[end], where) for end in ends)
        yield Edge(tail, head, None, None if weight is None else link.get(weight), None, f" of {where}")


def _label(source: Source, value: Any, where: str) -> Any:
    """Return a label that can be a dictionary key: lists become tuples, as they were before JSON."""
    if isinstance(value, list):
        return tuple(_label(source, item, where) for item in value)
    if isinstance(value, bool) or not isinstance(value, int | float | str) or value != value:
        wrong = f"{where} has the label {shown(json.dumps(value))}; use numbers, texts or lists of them"
        raise source.error(wrong)
    return value
