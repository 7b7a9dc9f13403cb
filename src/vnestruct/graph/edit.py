"""Changed copies of a graph: edges added and removed.

Only the rows of changed edges are touched; everything between them is copied in long runs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.errors import ParameterError, UnknownNodeError
from vnestruct.graph.build import checked_weights
from vnestruct.graph.graph import IN, OUT, Graph
from vnestruct.graph.labels import as_label_column, check_label, plain_label
from vnestruct.graph.sides import Sides
from vnestruct.types import Array

Pair = tuple[int, int]
Arcs = tuple[float, float]
"""Weights of the arcs u->v and v->u of a pair u < v; 0 where there is none. Without weights, 1 stands for an arc."""


@dataclass(frozen=True)
class Edited:
    """A changed graph and what changed: nodes keep their positions, new ones follow at the end."""

    graph: Graph
    changes: dict[Pair, tuple[Arcs, Arcs]]  # for each changed pair u < v of positions, its arcs before and after


def edit(graph: Graph, added: Iterable[Any] = (), removed: Iterable[Any] = ()) -> Edited:
    """Remove edges, then add edges; the given graph is not changed.

    Edges, or arcs of a directed graph, are pairs of labels; added ones may have a weight if the graph has weights
    (default 1). Unknown labels become new nodes, and nodes stay when their edges are removed. Adding an edge that
    exists changes nothing, or adds to its weight. Where the graph has sides, an added edge within a side is refused; of
    new nodes, the first end of an edge is on side 0, unless the other end is known.
    """
    before: dict[Pair, Arcs] = {}
    after: dict[Pair, list[float]] = {}
    new_labels: dict[Any, int] = {}
    new_sides: dict[int, int] = {}

    def weights_of(tail: int, head: int) -> list[float]:
        """Return what the arcs of a pair weigh by now, to be changed in place."""
        pair = min(tail, head), max(tail, head)
        if pair not in after:
            before[pair] = _arcs(graph, *pair)
            after[pair] = list(before[pair])
        return after[pair]

    for u, v, _, shown in _edges(removed, "removed", weighted=False):
        try:
            tail, head = graph.position(u), graph.position(v)
        except UnknownNodeError as error:
            raise ParameterError(f"cannot remove edge {shown}: {error}") from None
        if tail == head or not weights_of(tail, head)[tail > head]:
            raise ParameterError(f"cannot remove edge {shown}: the graph has no such edge")
        for way in [tail > head] if graph.directed else [0, 1]:
            weights_of(tail, head)[way] = 0.0
    for u, v, weight, shown in _edges(added, "added", weighted=graph.weights is not None):
        tail, head = (_position(graph, label, new_labels) for label in (u, v))
        if graph.sides is not None and not _joins_sides(graph.sides, new_sides, tail, head):
            wrong = f"cannot add edge {shown}: it must join both sides of the bipartite graph"
            raise ParameterError(f"{wrong}; correct it, or read the graph with `bipartite=False`")
        if tail == head or weight == 0.0:
            continue
        weights = weights_of(tail, head)
        for way in [tail > head] if graph.directed else [0, 1]:
            weights[way] = 1.0 if graph.weights is None else weights[way] + weight
    now = {pair: (weights[0], weights[1]) for pair, weights in after.items()}
    changes = {pair: (before[pair], arcs) for pair, arcs in now.items() if before[pair] != arcs}
    if not changes and not new_labels:
        return Edited(graph, changes)
    sides = graph._sides
    if sides is not None:
        added_sides = np.array([new_sides[position] for position in new_labels.values()], np.uint8)
        sides = Sides(np.append(sides.of_nodes, added_sides), sides.names)
    return Edited(_rebuilt(graph, changes, new_labels, sides), changes)


def _edges(edges: Iterable[Any], name: str, weighted: bool) -> list[tuple[Any, Any, float, str]]:
    """Return the ends and the weight of each edge, and the edge as messages show it."""
    rows = edges.tolist() if isinstance(edges, np.ndarray) else edges
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise ParameterError(f"{name} must be a list of edges such as [(u, v)], not {edges!r}")
    ends, weights = [], []
    for place, row in enumerate(rows):
        try:
            u, v, *rest = row
        except (TypeError, ValueError):
            rest = [None, None]
        if len(rest) > (name == "added"):
            raise ParameterError(f"edge {place} of {name} is {row!r}; an edge is a pair of labels (u, v)")
        ends.append((plain_label(u), plain_label(v)))
        weights.append(rest[0] if rest and weighted else 1.0)
    columns = (np.fromiter(column, object) for column in zip(*ends, strict=True)) if ends else [np.empty(0)] * 2
    values = checked_weights(weights, *columns).tolist()
    return [(u, v, weight, f"({u!r}, {v!r})") for (u, v), weight in zip(ends, values, strict=True)]


def _position(graph: Graph, label: Any, new_labels: dict[Any, int]) -> int:
    check_label(label)
    try:
        return graph.position(label)
    except UnknownNodeError:
        return new_labels.setdefault(label, graph.n_nodes + len(new_labels))


def _arcs(graph: Graph, tail: int, head: int) -> Arcs:
    """Return the weights of both directions of a pair; in an undirected graph they are the same."""
    place, exists = _place(graph, tail, head)
    if not exists:
        return 0.0, 0.0
    if graph.weights is not None:
        return float(graph.weights[place]), float(graph.weights[_place(graph, head, tail)[0]])
    flags = OUT | IN if graph.directions is None else int(graph.directions[place])
    return float(bool(flags & OUT)), float(bool(flags & IN))


def _place(graph: Graph, row: int, column: int) -> tuple[int, bool]:
    """Return the place of an entry in the arrays, at their end for a new row, and whether it is there already."""
    if row >= graph.n_nodes:
        return graph.indices.size, False
    begin, end = int(graph.indptr[row]), int(graph.indptr[row + 1])
    place = begin + int(np.searchsorted(graph.indices[begin:end], column))
    return place, bool(place < end and graph.indices[place] == column)


def _joins_sides(sides: Any, new_sides: dict[int, int], tail: int, head: int) -> bool:
    """Return whether an edge joins both sides, where an end that is on none yet is opposite the other, or first."""
    first, second = (int(sides[end]) if end < sides.size else new_sides.get(end) for end in (tail, head))
    if first is None:
        first = 0 if second is None else 1 - second
    if second is None:
        second = 1 - first
    new_sides |= {tail: first, head: second}
    return tail != head and first != second


def _rebuilt(
    graph: Graph, changes: dict[Pair, tuple[Arcs, Arcs]], new_labels: dict[Any, int], sides: Sides | None
) -> Graph:
    """Splice the changed entries into copies of the arrays."""
    # Every changed entry: (row, column, weight there, weight back), in the order of the arrays.
    entries = sorted(e for (u, v), (_, (a, b)) in changes.items() for e in ((u, v, a, b), (v, u, b, a)))
    found = [_place(graph, row, column) for row, column, *_ in entries]
    stays = [there > 0 or back > 0 for *_, there, back in entries]
    growth = np.zeros(graph.n_nodes + len(new_labels) + 1, np.int64)
    for (row, *_), (_, existed), is_left in zip(entries, found, stays, strict=True):
        growth[row + 1] += is_left - existed

    def spliced(array: Array | None, values: list[Any]) -> Array | None:
        if array is None:
            return None
        parts, copied = [], 0
        for (place, existed), value, is_left in zip(found, values, stays, strict=True):
            parts += [array[copied:place], np.array([value] * is_left, array.dtype)]
            copied = place + existed
        return np.concatenate([*parts, array[copied:]])

    indptr = np.pad(graph.indptr, (0, len(new_labels)), mode="edge") + np.cumsum(growth)
    indices = spliced(graph.indices, [column for _, column, *_ in entries])
    weights = spliced(graph.weights, [there for *_, there, _ in entries])
    directions = spliced(graph.directions, [OUT * (there > 0) + IN * (back > 0) for *_, there, back in entries])
    labels = as_label_column([*graph.nodes.tolist(), *new_labels]) if new_labels else graph._labels
    edited = Graph._trusted(indptr, indices, weights, labels, directions, None, sides)
    if not new_labels:
        edited._index = graph._index  # the same labels
    return edited
