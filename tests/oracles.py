"""Slow, dense and simple by design: what every fast result is checked against.

Balls are found by plain breadth-first search on Python sets; entropies are those of `vnestruct.reference`, the
definition, whose figures `tests/test_reference.py` checks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vnestruct.graph import IN, OUT, Graph
from vnestruct.reference import adjacency, measures
from vnestruct.types import ValueArray

KINDS = ("approx", "exact", "quadratic", "normalized", "punctured")
SIZES = ("nodes", "edges", "squares", "quadratic", "largest")
DIRECTIONS = ("all", "out", "in", "out+in")


def neighbours(graph: Graph, node: int, direction: str = "all") -> set[int]:
    """The nodes one step away, along arcs out of the node, into it, or both."""
    row = slice(int(graph.indptr[node]), int(graph.indptr[node + 1]))
    found = graph.indices[row].tolist()
    if graph.directions is None or direction == "all":
        return set(found)
    bit = {"out": OUT, "in": IN}[direction]
    return {other for other, flags in zip(found, graph.directions[row].tolist(), strict=True) if flags & bit}


def ball(graph: Graph, node: int, radius: int, direction: str = "all") -> set[int]:
    """All nodes within `radius` hops of `node`, itself included."""
    inside = {node}
    border = {node}
    for _ in range(radius):
        border = {other for one in border for other in neighbours(graph, one, direction)} - inside
        inside |= border
    return inside


def laplacian(matrix: ValueArray) -> ValueArray:
    """D - A of a symmetric adjacency matrix."""
    return np.diag(matrix.sum(axis=1)) - matrix


def exact(matrix: ValueArray) -> float:
    """The Von Neumann entropy of an adjacency matrix."""
    return measures(matrix)["exact"]


def entropy(graph: Graph, kind: str = "approx", weighted: bool = False) -> float:
    """The entropy of a whole graph."""
    return measures(adjacency(graph, weighted))[kind]


def signatures(
    graph: Graph,
    radius: int,
    *,
    weighted: bool = False,
    direction: str = "all",
    kinds: Sequence[str] = KINDS,
    nodes: Sequence[int] | None = None,
) -> dict[str, ValueArray]:
    """One matrix (nodes, radius) per kind; `nodes` are positions, all by default."""
    if direction == "out+in":
        out, into = (
            signatures(graph, radius, weighted=weighted, direction=one, kinds=kinds, nodes=nodes)
            for one in ("out", "in")
        )
        return {kind: np.hstack([out[kind], into[kind]]) for kind in kinds}
    matrix = adjacency(graph, weighted)
    known: dict[frozenset[int], dict[str, float]] = {}

    def measured(members: frozenset[int]) -> dict[str, float]:
        if members not in known:
            rows = sorted(members)
            known[members] = measures(matrix[np.ix_(rows, rows)])
        return known[members]

    positions = range(graph.n_nodes) if nodes is None else nodes
    found = {kind: np.zeros((len(positions), radius)) for kind in kinds}
    for row, node in enumerate(positions):
        for r in range(radius):
            members = frozenset(ball(graph, node, r + 1, direction))
            for kind in kinds:
                is_whole = kind != "punctured"
                found[kind][row, r] = measured(members)[kind] if is_whole else measured(members - {node})["exact"]
    return found


def signature(
    graph: Graph,
    radius: int,
    kind: str = "approx",
    weighted: bool = False,
    direction: str = "all",
    nodes: Sequence[int] | None = None,
) -> ValueArray:
    """The matrix of one kind."""
    return signatures(graph, radius, weighted=weighted, direction=direction, kinds=[kind], nodes=nodes)[kind]
