"""Slow, dense and simple by design: what every fast result is checked against.

Balls are found by plain breadth-first search on Python sets, entropies by numpy.linalg.eigvalsh.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from vnestruct.graph import IN, OUT, Graph

KINDS = ("approx", "exact", "quadratic", "normalized", "punctured")
PARTS = ("nodes", "edges", "squares", "quadratic", "largest")
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


def adjacency(graph: Graph, weighted: bool = False) -> Matrix:
    """The dense symmetric adjacency matrix, directions dropped: the weights of mutual arcs add."""
    matrix = np.zeros((graph.n_nodes, graph.n_nodes))
    for node in range(graph.n_nodes):
        for entry in range(int(graph.indptr[node]), int(graph.indptr[node + 1])):
            other = int(graph.indices[entry])
            if weighted and graph.weights is not None and graph.directed:
                matrix[node, other] += graph.weights[entry]
                matrix[other, node] += graph.weights[entry]
            elif weighted and graph.weights is not None:
                matrix[node, other] = graph.weights[entry]
            else:
                matrix[node, other] = 1.0
    return matrix


def laplacian(matrix: Matrix) -> Matrix:
    """D - A of a symmetric adjacency matrix."""
    return np.diag(matrix.sum(axis=1)) - matrix


def entropy_of_spectrum(values: Matrix) -> float:
    """-sum x ln x over the positive values, which add up to 1."""
    positive = values[values > 1e-14]
    return _clean(-float(np.sum(positive * np.log(positive))))


def exact(matrix: Matrix) -> float:
    """The von Neumann entropy of L / Tr L."""
    trace = matrix.sum()
    return entropy_of_spectrum(np.linalg.eigvalsh(laplacian(matrix) / trace)) if trace else 0.0


def quadratic(matrix: Matrix) -> float:
    """Tr rho - Tr rho^2."""
    trace = matrix.sum()
    if not trace:
        return 0.0
    density = laplacian(matrix) / trace
    return _clean(1.0 - float(np.sum(density**2)))


def approx(matrix: Matrix) -> float:
    """-Q ln lambda_max(rho)."""
    trace = matrix.sum()
    if not trace:
        return 0.0
    largest = float(np.linalg.eigvalsh(laplacian(matrix))[-1]) / trace
    return _clean(-quadratic(matrix) * np.log(largest))


def normalized(matrix: Matrix) -> float:
    """The entropy of the symmetric normalised Laplacian divided by its trace."""
    strengths = matrix.sum(axis=1)
    if not strengths.any():
        return 0.0
    scale = np.divide(1.0, np.sqrt(strengths), out=np.zeros_like(strengths), where=strengths > 0)
    normal = np.diag((strengths > 0).astype(float)) - scale[:, np.newaxis] * matrix * scale
    return entropy_of_spectrum(np.linalg.eigvalsh(normal / np.trace(normal)))


def largest(matrix: Matrix) -> float:
    """lambda_max(L)."""
    return float(np.linalg.eigvalsh(laplacian(matrix))[-1]) if matrix.sum() else 0.0


def unscaled(matrix: Matrix) -> float:
    """-Q ln lambda_max(L)."""
    return -quadratic(matrix) * float(np.log(largest(matrix))) if matrix.sum() else 0.0


WHOLE: dict[str, Callable[[Matrix], float]] = {
    "exact": exact,
    "quadratic": quadratic,
    "approx": approx,
    "normalized": normalized,
    "unscaled": unscaled,
    "nodes": lambda matrix: float(len(matrix)),
    "edges": lambda matrix: 0.5 * float(matrix.sum()),
    "squares": lambda matrix: float((matrix.sum(axis=1) ** 2).sum()),
    "largest": largest,
}


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


def _clean(value: float) -> float:
    """Zero for what rounding left of it, and never -0.0."""
    return 0.0 if value < 1e-14 else float(value)
