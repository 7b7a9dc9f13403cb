"""Slow, dense and simple by design: what every fast result is checked against.

Balls are found by plain breadth-first search on Python sets; entropies are those of `vnestruct.reference`, the
definition, whose figures `tests/test_reference.py` checks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from vnestruct.graph import IN, OUT, Graph
from vnestruct.reference import MEASURES, adjacency, measures

KINDS = ("approx", "exact", "quadratic", "normalized", "punctured")
SIZES = ("nodes", "edges", "squares", "quadratic", "largest")
DIRECTIONS = ("all", "out", "in", "out+in")

Matrix = npt.NDArray[np.float64]


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


def laplacian(matrix: Matrix) -> Matrix:
    """D - A of a symmetric adjacency matrix."""
    return np.diag(matrix.sum(axis=1)) - matrix


def entropy_of_spectrum(values: Matrix) -> float:
    """-sum x ln x over the positive values, which add up to 1."""
    positive = values[values > 1e-14]
    return max(-float(np.sum(positive * np.log(positive))), 0.0)


def _measure(kind: str) -> Callable[[Matrix], float]:
    return lambda matrix: measures(matrix)[kind]


WHOLE = {kind: _measure(kind) for kind in MEASURES}
exact, quadratic, approx, normalized = (WHOLE[kind] for kind in ("exact", "quadratic", "approx", "normalized"))
largest, unscaled = WHOLE["largest"], WHOLE["unscaled"]


def entropy(graph: Graph, kind: str = "approx", weighted: bool = False) -> float:
    """The entropy of a whole graph."""
    return WHOLE[kind](adjacency(graph, weighted))


def ball_entropy(
    graph: Graph,
    node: int,
    radius: int,
    kind: str = "approx",
    weighted: bool = False,
    direction: str = "all",
    matrix: Matrix | None = None,
) -> float:
    """The entropy of one ball; `matrix` may hold the graph's adjacency matrix, to build it once."""
    matrix = adjacency(graph, weighted) if matrix is None else matrix
    members = sorted(ball(graph, node, radius, direction))
    if kind == "punctured":
        members.remove(node)
        kind = "exact"
    return WHOLE[kind](matrix[np.ix_(members, members)])


def signature(
    graph: Graph,
    radius: int,
    kind: str = "approx",
    weighted: bool = False,
    direction: str = "all",
    nodes: Sequence[int] | None = None,
) -> Matrix:
    """Entropies of shape (n, R), or (n, 2R) for "out+in"; `nodes` are positions, all by default."""
    if direction == "out+in":
        parts = [signature(graph, radius, kind, weighted, one, nodes) for one in ("out", "in")]
        return np.hstack(parts)
    matrix = adjacency(graph, weighted)
    positions = range(graph.n_nodes) if nodes is None else nodes
    rows = [
        [ball_entropy(graph, node, r, kind, weighted, direction, matrix) for r in range(1, radius + 1)]
        for node in positions
    ]
    return np.array(rows, dtype=np.float64).reshape(len(positions), radius)
