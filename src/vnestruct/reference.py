"""The definition: each entropy of each ball, from the adjacency matrix of the induced graph and all its eigenvalues.

Simple by design. Graphs of at most `embedding.parameters.SMALL_GRAPH` nodes are computed by it, so that they never
wait for a compiler; the kernels, which compute larger graphs, are tested against it.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse.csgraph import connected_components

from vnestruct.graph import IN, OUT, Graph
from vnestruct.types import BoolArray, OffsetArray, ValueArray

MEASURES = ("approx", "exact", "quadratic", "normalized", "unscaled", "nodes", "edges", "squares", "largest")
"""What `measures` says of a graph."""

KINDS = frozenset([*MEASURES, "punctured", "sizes"])
"""The kinds that are defined here; a kind that is not is computed by its task, however small the graph."""


def adjacency(graph: Graph, weighted: bool = False) -> ValueArray:
    """Return the symmetric adjacency matrix, directions dropped: the weights of mutual arcs add."""
    rows, matrix = graph.sources, np.zeros((graph.n_nodes,) * 2)
    matrix[rows, graph.indices] = graph.weights if weighted else 1.0
    return matrix + matrix.T if weighted and graph.directed else matrix


def balls(graph: Graph, radius: int, direction: str = "all") -> list[BoolArray]:
    """Return for r = 1 to `radius` a matrix whose row v says which nodes are within r hops of v."""
    is_followed = np.ones(graph.indices.size, bool)
    if graph.directions is not None and direction != "all":
        is_followed = graph.directions & (OUT if direction == "out" else IN) > 0
    steps = np.eye(graph.n_nodes, dtype=bool)
    steps[graph.sources[is_followed], graph.indices[is_followed]] = True
    found = [steps]
    for _ in range(radius - 1):
        is_last = len(found) > 1 and np.array_equal(found[-1], found[-2])
        found.append(found[-1] if is_last else found[-1] @ steps)
    return found


def measures(matrix: ValueArray) -> dict[str, float]:
    """Return the entropies of a graph, in nats, and what they are made of, from its adjacency matrix.

    With L = D - A and rho = L / Tr(L): H = -sum x ln x over the eigenvalues x of rho, Q = Tr(rho) - Tr(rho^2), and
    H_hat = -Q ln of the largest eigenvalue of rho. Without edges, all entropies are 0.
    """
    found = dict.fromkeys(MEASURES, 0.0) | {"nodes": float(len(matrix))}
    if not matrix.any():
        return found
    # Whatever the unit of the weights, squares neither overflow nor vanish.
    unit = np.ldexp(1.0, min(int(np.frexp(matrix.max())[1]), 1022))
    links = matrix / unit
    strengths = links.sum(axis=1)
    trace, squares = strengths.sum(), np.square(strengths).sum()
    values = np.linalg.eigvalsh(np.diag(strengths) - links)
    quadratic = _clean(1.0 - (squares + np.square(links).sum()) / trace**2)
    scale = np.divide(1.0, np.sqrt(strengths), out=np.zeros_like(strengths), where=strengths > 0)
    normal = np.diag((strengths > 0).astype(float)) - scale[:, None] * links * scale
    return found | {
        "approx": _clean(-quadratic * np.log(values[-1] / trace)),
        "exact": _entropy(values / trace),
        "quadratic": quadratic,
        "normalized": _entropy(np.linalg.eigvalsh(normal / np.trace(normal))),
        "unscaled": _clean(-quadratic * (np.log(values[-1]) + np.log(unit))),
        "edges": float(0.5 * trace * unit),
        "squares": float(squares * unit * unit),
        "largest": float(values[-1] * unit),
    }


def rows(graph: Graph, outputs: Sequence[str], radius: int, *, weighted: bool, direction: str) -> ValueArray:
    """Return the outputs of the balls of all nodes, by node, output and radius; "punctured" is without the centre."""
    matrix, known = adjacency(graph, weighted), dict[bytes, dict[str, float]]()
    found = np.empty((graph.n_nodes, len(outputs), radius))

    def measured(members: BoolArray) -> dict[str, float]:
        key = members.tobytes()
        if key not in known:
            known[key] = measures(matrix[np.ix_(members, members)])
        return known[key]

    for r, members in enumerate(balls(graph, radius, direction)):
        for v, ball in enumerate(members):
            others = ball & (np.arange(graph.n_nodes) != v)
            found[v, :, r] = [
                measured(others)["exact"] if output == "punctured" else measured(ball)[output] for output in outputs
            ]
    return found


def core_numbers(graph: Graph) -> OffsetArray:
    """Return for each node the largest k such that it is in a subgraph where all degrees are at least k."""
    matrix, core = adjacency(graph), np.zeros(graph.n_nodes, np.int64)
    for k in range(1, graph.n_nodes):
        left = core == k - 1
        while (weak := left & (matrix @ left < k)).any():
            left &= ~weak
        core[left] = k
    return core


def square_counts(graph: Graph) -> OffsetArray:
    """Return the number of 4-cycles through each node of a graph with two sides: pairs of paths to the same node."""
    paths = np.linalg.matrix_power(adjacency(graph), 2)
    np.fill_diagonal(paths, 0.0)
    counts: OffsetArray = (paths * (paths - 1.0) / 2.0).sum(axis=1).astype(np.int64)
    return counts


def cut_nodes(graph: Graph) -> BoolArray:
    """Return which nodes leave more components behind when they are removed."""
    matrix = adjacency(graph)
    n_components = connected_components(matrix)[0]
    others = (np.delete(np.arange(graph.n_nodes), v) for v in range(graph.n_nodes))
    return np.array([connected_components(matrix[np.ix_(rest, rest)])[0] > n_components for rest in others], bool)


def moments(graph: Graph, values: ValueArray) -> ValueArray:
    """Return means, then deviations, of each column over each node's neighbours; 0 without any."""
    found = np.zeros((graph.n_nodes, 2 * values.shape[1]))
    for v in np.flatnonzero(graph.degrees):
        near = values[graph.indices[graph.indptr[v] : graph.indptr[v + 1]]]
        found[v] = np.concatenate([near.mean(axis=0), near.std(axis=0)])
    return found


def _entropy(values: ValueArray) -> float:
    positive = values[values > 1e-14]
    return _clean(-(positive * np.log(positive)).sum())


def _clean(value: float) -> float:
    """Return 0 for what rounding left of it, and never -0.0."""
    return 0.0 if abs(value) < 1e-14 else float(value)
