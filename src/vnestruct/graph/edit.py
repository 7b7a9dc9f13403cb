"""Changed copies of a graph: edges added and removed.

Only the rows of changed edges are touched; everything between them is copied in long runs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.errors import ParameterError, UnknownNodeError
from vnestruct.graph.edge_lists import labelled_edges
from vnestruct.graph.graph import IN, OUT, Graph
from vnestruct.graph.labels import Sides, as_label_column, check_label
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

    def arcs_of(tail: int, head: int) -> tuple[list[float], list[int]]:
        """Return what the arcs of a pair weigh by now, and which of them an edge from tail to head is."""
        pair = min(tail, head), max(tail, head)
        if pair not in after:
            before[pair] = _arcs(graph, *pair)
            after[pair] = list(before[pair])
        return after[pair], [int(tail > head)] if graph.directed else [0, 1]

    for u, v, _ in _edges("removed", removed, True):
        try:
            tail, head = graph.position(u), graph.position(v)
        except UnknownNodeError as error:
            raise ParameterError(f"cannot remove edge {(u, v)}: {error}") from None
        weights, ways = arcs_of(tail, head)
        if tail == head or not weights[ways[0]]:
            raise ParameterError(f"cannot remove edge {(u, v)}: the graph has no such edge")
        for way in ways:
            weights[way] = 0.0
    for u, v, weight in _edges("added", added, graph.weights is not None):
        tail, head = (_position(graph, label, new_labels) for label in (u, v))
        if graph.sides is not None and not _joins_sides(graph.sides, new_sides, tail, head):
            wrong = f"cannot add edge {(u, v)}: it must join both sides of the bipartite graph"
            raise ParameterError(f"{wrong}; correct it, or read the graph with `bipartite=False`")
        if tail == head or weight == 0.0:
            continue
        weights, ways = arcs_of(tail, head)
        for way in ways:
            weights[way] = 1.0 if graph.weights is None else weights[way] + weight
    changes = {
        pair: (old, (after[pair][0], after[pair][1])) for pair, old in before.items() if list(old) != after[pair]
    }
    if not changes and not new_labels:
        return Edited(graph, changes)
    sides = graph._sides
    if sides is not None:
        added_sides = np.array([new_sides[position] for position in new_labels.values()], np.uint8)
        sides = Sides(np.append(sides.of_nodes, added_sides), sides.names)
    return Edited(_rebuilt(graph, changes, new_labels, sides), changes)


def _edges(name: str, edges: Any, weighted: bool) -> Iterable[tuple[Any, Any, float]]:
    source, target, weights = labelled_edges(edges, weighted)
    if name == "removed" and weights is not None:
        raise ParameterError("removed edges have weights; remove them as pairs of labels (u, v)")
    return zip(
        source.tolist(), target.tolist(), np.ones(source.size) if weights is None else weights.tolist(), strict=True
    )


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
    return float(flags & OUT > 0), float(flags & IN > 0)


def _place(graph: Graph, row: int, column: int) -> tuple[int, bool]:
    """Return the place of an entry in the arrays, at their end for a new row, and whether it is there already."""
    begin, end = graph.indptr[[min(row, graph.n_nodes), min(row + 1, graph.n_nodes)]].tolist()
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
    rows, columns, there, back = zip(*entries, strict=True) if entries else [()] * 4
    found = [_place(graph, row, column) for row, column in zip(rows, columns, strict=True)]
    stays = (np.add(there, back) > 0).tolist()
    growth = np.zeros(graph.n_nodes + len(new_labels) + 1, np.int64)
    for row, (_, existed), is_left in zip(rows, found, stays, strict=True):
        growth[row + 1] += is_left - existed

    def spliced(array: Array | None, values: Any) -> Any:
        if array is None:
            return None
        parts, copied = [], 0
        for (place, existed), value, is_left in zip(found, values, stays, strict=True):
            parts += [array[copied:place], np.array([value] * is_left, array.dtype)]
            copied = place + existed
        return np.concatenate([*parts, array[copied:]])

    indptr = np.pad(graph.indptr, (0, len(new_labels)), mode="edge") + np.cumsum(growth)
    directions = OUT * np.greater(there, 0) + IN * np.greater(back, 0)
    arrays = (spliced(graph.indices, columns), spliced(graph.weights, there), spliced(graph.directions, directions))
    labels = as_label_column([*graph.nodes.tolist(), *new_labels]) if new_labels else graph._labels
    edited = Graph._trusted(indptr, arrays[0], arrays[1], labels, arrays[2], None, sides)
    if not new_labels:
        edited.__dict__["_index"] = graph._index  # the same labels
    return edited
