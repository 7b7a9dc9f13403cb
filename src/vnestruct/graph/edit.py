"""Changed copies of a graph: edges added and removed, directions or weights dropped.

Only the rows of changed edges are touched; everything between them is copied in long runs, so changing one edge in a
graph of millions costs one copy of memory.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.errors import Message, Parameter, ParameterError, UnknownNodeError
from vnestruct.graph.graph import IN, OUT, Graph
from vnestruct.graph.labels import as_label_column, check_label, plain_label
from vnestruct.graph.sides import Sides, stated_sides
from vnestruct.graph.validate import reverse_entries
from vnestruct.types import Array, FlagArray, OffsetArray, ValueArray

Pair = tuple[int, int]

_FEW = 8  # changed rows up to which shifting the later offsets costs less than summing them all
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
    before: dict[Pair, float] = {}
    after: dict[Pair, float] = {}

    def arcs(tail: int, head: int) -> list[Pair]:
        """Return the arcs that an edge stands for, and make sure that their weights are known."""
        if (tail, head) not in after:
            for weights in (before, after):
                weights[tail, head], weights[head, tail] = _current_arcs(graph, tail, head)
        return [(tail, head)] if graph.directed else [(tail, head), (head, tail)]

    for u, v, _, shown in _edges(removed, "removed", weighted=False):
        try:
            tail, head = graph.position(u), graph.position(v)
        except UnknownNodeError as error:
            raise ParameterError(f"cannot remove edge {shown}: {error}") from None
        changed = arcs(tail, head) if tail != head else []
        if not changed or not after[tail, head]:
            raise ParameterError(f"cannot remove edge {shown}: the graph has no such edge")
        after.update(dict.fromkeys(changed, 0.0))
    new_labels: dict[Any, int] = {}
    new_sides: dict[int, int] = {}
    for u, v, weight, shown in _edges(added, "added", weighted=graph.weights is not None):
        tail, head = (_position(graph, label, new_labels) for label in (u, v))
        if graph.sides is not None and not _joins_sides(graph.sides, new_sides, tail, head):
            wrong = f"cannot add edge {shown}: it must join both sides of the bipartite graph; correct it, or read "
            wrong += "the graph with "
            raise ParameterError(Message(wrong, Parameter("bipartite", False)))
        if tail == head or weight == 0.0:
            continue
        changed = arcs(tail, head)
        if graph.weights is None:
            weight = 1.0 - after[tail, head]
        for arc in changed:
            after[arc] += weight
    changes: dict[Pair, tuple[Arcs, Arcs]] = {}
    for low, high in after:
        old, new = ((weights[low, high], weights[high, low]) for weights in (before, after))
        if low < high and old != new:
            changes[low, high] = (old, new)
    return Edited(_rebuilt(graph, changes, new_labels, new_sides) if changes or new_labels else graph, changes)


def _edges(edges: Iterable[Any], name: str, weighted: bool) -> Iterator[tuple[Any, Any, float, str]]:
    rows = edges.tolist() if isinstance(edges, np.ndarray) else edges
    if isinstance(rows, str | bytes) or not isinstance(rows, Iterable):
        raise ParameterError(f"{name} must be a list of edges such as [(u, v)], not {edges!r}")
    for place, row in enumerate(rows):
        try:
            u, v, *rest = row
        except (TypeError, ValueError):
            rest = [None, None]
        if len(rest) > 1 or (rest and not weighted and name == "removed"):
            raise ParameterError(f"edge {place} of {name} is {row!r}; an edge is a pair of labels (u, v)")
        weight = rest[0] if rest and weighted else 1.0
        is_number = isinstance(weight, int | float | np.number) and not isinstance(weight, bool)
        if not is_number or not math.isfinite(weight) or weight < 0:
            wrong = f"edge {place} of {name}, ({u!r}, {v!r}), has weight {weight!r}; weights are finite, 0 or more"
            raise ParameterError(wrong)
        u, v = plain_label(u), plain_label(v)
        yield u, v, float(weight), f"({u!r}, {v!r})"


def _position(graph: Graph, label: Any, new_labels: dict[Any, int]) -> int:
    check_label(label)
    if label in new_labels:
        return new_labels[label]
    try:
        return graph.position(label)
    except UnknownNodeError:
        return new_labels.setdefault(label, graph.n_nodes + len(new_labels))


def _current_arcs(graph: Graph, tail: int, head: int) -> Arcs:
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


def _joins_sides(sides: FlagArray, new_sides: dict[int, int], tail: int, head: int) -> bool:
    """Return whether an edge joins both sides, where an end that is on none yet is opposite the other, or first."""
    first, second = (int(sides[end]) if end < sides.size else new_sides.get(end) for end in (tail, head))
    if first is None:
        first = 0 if second is None else 1 - second
    if second is None:
        second = 1 - first
    new_sides |= {tail: first, head: second}
    return tail != head and first != second


def _rebuilt(
    graph: Graph, changes: dict[Pair, tuple[Arcs, Arcs]], new_labels: dict[Any, int], new_sides: dict[int, int]
) -> Graph:
    """Splice the changed entries into copies of the arrays."""
    growth: Counter[int] = Counter()
    # Every changed entry: (row, column, weight there, weight back), in the order of the arrays.
    entries = sorted(
        entry for (u, v), (_, (forth, back)) in changes.items() for entry in ((u, v, forth, back), (v, u, back, forth))
    )
    pieces: list[tuple[int, int, tuple[int, int, float, float] | None]] = []
    copied = 0
    for entry in entries:
        row, column, there, back = entry
        place, existed = _place(graph, row, column)
        stays = there > 0.0 or back > 0.0
        pieces.append((copied, place, entry if stays else None))
        copied = place + existed
        growth[row] += stays - existed
    pieces.append((copied, graph.indices.size, None))

    def spliced(array: Array, value: Any) -> Array:
        parts = []
        for begin, end, entry in pieces:
            parts += [array[begin:end], np.array([] if entry is None else [value(entry)], array.dtype)]
        return np.concatenate(parts)

    weights = directions = None
    if graph.weights is not None:
        weights = spliced(graph.weights, lambda entry: entry[2])
    if graph.directions is not None:
        directions = spliced(graph.directions, lambda entry: OUT * (entry[2] > 0) + IN * (entry[3] > 0))
    indices = spliced(graph.indices, lambda entry: entry[1])
    indptr = _grown(graph.indptr, graph.n_nodes + len(new_labels), growth)
    sides = graph._sides
    if sides is not None:
        new = [new_sides[position] for position in new_labels.values()]
        sides = Sides(np.append(sides.of_nodes, np.array(new, np.uint8)), sides.names)
    if new_labels:
        labels = as_label_column([*graph.nodes.tolist(), *new_labels])
        return Graph._trusted(indptr, indices, weights, labels, directions, None, sides)
    edited = Graph._trusted(indptr, indices, weights, graph._labels, directions, None, sides)
    # The labels are the same, and so are their positions.
    edited._index = graph._index
    return edited


def _grown(indptr: OffsetArray, n_nodes: int, growth: Counter[int]) -> OffsetArray:
    """Return the row offsets after some rows have grown by some entries."""
    grown = np.full(n_nodes + 1, indptr[-1], np.int64)
    grown[: indptr.size] = indptr
    if len(growth) <= _FEW:
        for row, more in growth.items():
            grown[row + 1 :] += more
        return grown
    steps = np.zeros(n_nodes + 1, np.int64)
    steps[np.fromiter(growth, np.int64) + 1] = np.fromiter(growth.values(), np.int64)
    return grown + np.cumsum(steps)


def with_directions(graph: Graph) -> Graph:
    """Return the graph with every edge as two arcs of its weight; a directed graph is returned unchanged."""
    if graph.directed:
        return graph
    return _same_pairs(graph, graph.weights, np.full(graph.indices.size, OUT | IN, dtype=np.uint8), graph._sides)


def without_directions(graph: Graph) -> Graph:
    """Return the graph without directions, the weights of mutual arcs added; an undirected graph is unchanged."""
    if not graph.directed:
        return graph
    weights = graph.weights
    if weights is not None:
        weights = weights + weights[reverse_entries(graph.indptr, graph.indices)]
    return _same_pairs(graph, weights, None, graph._sides)


def redirected(graph: Graph, directed: bool | None) -> Graph:
    """Return the graph with or without directions; None leaves it unchanged."""
    if directed is None:
        return graph
    return with_directions(graph) if directed else without_directions(graph)


def bipartite_as_told(graph: Graph, bipartite: bool | None) -> Graph:
    """Return the graph without its sides if they are switched off; refuse one without sides that should have them."""
    if bipartite and graph.sides is None and graph.n_edges:
        wrong = "nothing says which nodes are on which side; give the edges as two columns, or the nodes of a networkx "
        wrong += "graph the attribute 'bipartite' and of an igraph graph 'type', 0 or 1 so that every edge joins both "
        raise ParameterError(Message(wrong, "sides, or leave out ", Parameter("bipartite")))
    if bipartite is not False or graph.sides is None:
        return graph
    return _same_pairs(graph, graph.weights, graph.directions, None)


def with_stated_sides(graph: Graph, stated: Sequence[Any]) -> Graph:
    """Return the graph with the sides that its nodes state, 0 or 1 each; unchanged if they state none."""
    return _same_pairs(graph, graph.weights, graph.directions, stated_sides(stated, graph.indptr, graph.indices))


def without_weights(graph: Graph) -> Graph:
    """Return the graph without weights."""
    return graph if graph.weights is None else _same_pairs(graph, None, graph.directions, graph._sides)


def _same_pairs(graph: Graph, weights: ValueArray | None, directions: FlagArray | None, sides: Sides | None) -> Graph:
    return Graph._trusted(graph.indptr, graph.indices, weights, graph._labels, directions, graph.report, sides)
