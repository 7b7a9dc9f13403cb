"""The door for formats that list nodes, and edges between them: a reader yields both in the order of the file."""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from vnestruct.graph import Graph, graph_from_ids
from vnestruct.graph.columns import ignores_weights
from vnestruct.io.fields import FieldError, is_plain_integer, weight_of
from vnestruct.io.source import ReadOptions, Source, shown


class Node(NamedTuple):
    """A node by the key that edges use for it, and other labels, the best first."""

    key: Hashable
    line: int | None = None
    names: tuple[str, ...] = ()


class Edge(NamedTuple):
    """An edge by the keys of its ends; without a statement of its own it is directed if the file says so."""

    tail: Hashable
    head: Hashable
    line: int | None = None
    weight: Any = None
    directed: bool | None = None
    where: str = ""  # the edge in a message, where lines do not tell


def weight_name(options: ReadOptions) -> str | None:
    """Return the attribute that holds weights, None if they are to be ignored."""
    if ignores_weights(options.weight):
        return None
    return "weight" if options.weight in (None, True) else str(options.weight)


def required(source: Source, fields: Mapping[str, str], name: str, what: str, line: int) -> str:
    """Return a field that a node or an edge must have."""
    if name not in fields:
        raise source.error(f"{what} without {name}; check the program that wrote it", line)
    return fields[name]


def graph_of(source: Source, options: ReadOptions, items: Iterable[Node | Edge | bool], typed: bool = False) -> Graph:
    """Build a graph from nodes, edges, and whether the file calls its edges directed; edges may be before nodes.

    Labels are the first of the nodes' `names` where these are distinct and not empty, else the keys: integers if
    every one is the text of an integer, unless the format itself tells `typed` labels apart.
    """
    nodes: dict[Hashable, Node] = {}
    edges: list[Edge] = []
    weights: list[float] = []
    declared, weighted = False, False
    for item in items:
        if isinstance(item, Node):
            if nodes.setdefault(item.key, item) is not item:
                raise source.error(f"node {shown(str(item.key))} is listed twice; keys must be distinct", item.line)
        elif isinstance(item, Edge):
            edges.append(item)
            try:
                weights.append(1.0 if item.weight is None else weight_of(item.weight, item.where))
            except FieldError as problem:
                raise source.error(str(problem), item.line) from None
            weighted = weighted or item.weight is not None
        else:
            declared = item
    if options.weight is True and edges and not weighted:
        raise source.error("no edge has a weight; leave out `weight`")
    positions = {key: position for position, key in enumerate(nodes)}
    try:
        ends = np.array([(positions[edge.tail], positions[edge.head]) for edge in edges], np.int64).reshape(-1, 2)
    except KeyError as missing:
        key = missing.args[0]
        line = next(edge.line for edge in edges if key in (edge.tail, edge.head))
        wrong = f"an edge ends in node {shown(str(key))}, which is not listed; list it among the nodes"
        raise source.error(wrong, line) from None
    arcs = np.array([declared if edge.directed is None else edge.directed for edge in edges], bool)
    directed = (bool(arcs.any()) if edges else declared) if options.directed is None else options.directed
    values = np.array(weights) if weighted else None
    if directed:
        # An undirected edge in a directed graph is an arc each way.
        ends = np.concatenate([ends, ends[~arcs, ::-1]])
        values = None if values is None else np.concatenate([values, values[~arcs]])
    labels: list[Any] = list(nodes)
    for names in zip(*(node.names for node in nodes.values()), strict=True):
        if all(names) and len(set(names)) == len(names):
            labels = list(names)
            break
    if options.text_labels:
        labels = list(map(str, labels))
    elif not typed and all(map(is_plain_integer, labels)):
        labels = list(map(int, labels))
    return graph_from_ids(ends[:, 0], ends[:, 1], values, n_nodes=len(labels), nodes=labels, directed=directed)
