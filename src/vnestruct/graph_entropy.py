"""Von Neumann entropies of whole graphs, and bounds on how much they change when the graph changes."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from vnestruct.checks import one_of
from vnestruct.embedding.parameters import KINDS
from vnestruct.embedding.plan import pair_weights
from vnestruct.embedding.tasks import EXACT_LIMIT
from vnestruct.errors import Message, Parameter, TooLargeError
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.kernels import closed_form, lanczos, spectral_sums
from vnestruct.kernels.starts import noise
from vnestruct.types import ValueArray


def entropy(g: Any, kind: str = "approx", *, weighted: bool = False) -> float:
    """Return the Von Neumann entropy of a whole graph, in nats.

    Parameters
    ----------
    g : graph
        Anything `as_graph` takes.
    kind : {"approx", "exact", "quadratic", "normalized", "unscaled"}, default "approx"
        "exact" is ``-sum(p * ln p)`` over the eigenvalues p of the Laplacian divided by its trace; "approx" and
        "quadratic" are cheap lower bounds of it; "normalized" is the exact entropy of the normalised Laplacian;
        "unscaled" is "approx" with the largest eigenvalue of the Laplacian itself, not divided by the trace.
    weighted : bool, default False
        Use edge weights.

    Examples
    --------
    >>> from vnestruct import entropy
    >>> triangle = [(0, 1), (1, 2), (2, 0)]
    >>> round(entropy(triangle, kind="exact"), 6)      # ln 2: two equal eigenvalues
    0.693147
    """
    graph = as_graph(g)
    # A whole graph has no centre to remove, and an entropy is one number.
    one_of("kind", kind, [name for name in KINDS if name not in ("punctured", "parts")])
    weights, scale = pair_weights(graph) if weighted else (np.ones(graph.indices.size), 1.0)
    adjacency = sparse.csr_array((weights, graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)
    if kind in ("exact", "normalized"):
        return _spectral_entropy(adjacency, kind == "normalized")
    strengths = np.asarray(adjacency.sum(axis=1), dtype=float)
    trace = float(strengths.sum())
    squares = float((strengths**2).sum() + (weights**2).sum())
    if kind == "quadratic" or trace == 0.0:
        return float(closed_form.quadratic_entropy(trace, squares))
    largest, value = _largest_eigenvalue(graph, weights, strengths), np.empty(1)
    output = np.array([closed_form.OUTPUTS.index(kind)])
    closed_form.describe_ball(graph.n_nodes, trace, squares, 0.0, largest, output, scale, value)
    return float(value[0])


def continuity_bound(g1: Any, g2: Any, *, weighted: bool = False) -> tuple[float, float]:
    """Return the difference between the exact entropies of two graphs, and an upper bound on it.

    The bound is Audenaert's sharp form of Fannes' inequality, ``T ln(n - 1) + h(T)``, with T the trace distance of the
    two density matrices and h the binary entropy. It holds for exact entropies only. Nodes are matched by label; a node
    missing from one graph counts as isolated in it. A graph without edges has entropy 0, and distance 1 from any graph
    with edges.

    Parameters
    ----------
    g1, g2 : graph
        Two graphs on (nearly) the same nodes, of at most 4,000 nodes together.
    weighted : bool, default False
        Use edge weights.

    Examples
    --------
    >>> from vnestruct import continuity_bound
    >>> ring = [(i, (i + 1) % 200) for i in range(200)]
    >>> chords = [(0, 40), (0, 80), (0, 120), (0, 160)]
    >>> difference, bound = continuity_bound(ring, ring + chords)
    >>> difference < bound
    True
    """
    densities = shared_densities(as_graph(g1), as_graph(g2), weighted)
    n_nodes = len(densities[0])
    if not n_nodes:
        return 0.0, 0.0
    entropies = [density_entropy(density) for density in densities]
    distance = min(0.5 * float(np.abs(np.linalg.eigvalsh(densities[0] - densities[1])).sum()), 1.0)
    inside = [x for x in (distance, 1.0 - distance) if x > 0.0]
    bound = distance * np.log(max(n_nodes - 1, 1)) - sum(x * np.log(x) for x in inside)
    return abs(entropies[0] - entropies[1]), max(float(bound), 0.0)


def density_entropy(density: ValueArray) -> float:
    """Return the entropy of a density matrix: that of its eigenvalues."""
    return float(spectral_sums.spectral_entropy(np.linalg.eigvalsh(density), len(density))) if len(density) else 0.0


def shared_densities(first: Graph, second: Graph, weighted: bool) -> list[ValueArray]:
    """Return the density matrices of two graphs on the union of their nodes, matched by label.

    A graph without edges has no density matrix. The projector on the constant vector is used instead: its entropy is
    also 0, and it is orthogonal to the density matrix of every graph with edges.
    """
    place = {label: i for i, label in enumerate(dict.fromkeys([*first.nodes.tolist(), *second.nodes.tolist()]))}
    n_nodes = len(place)
    _check_size(n_nodes)
    densities = []
    for graph in (first, second):
        ids = np.array([place[label] for label in graph.nodes.tolist()], dtype=np.intp)
        weights = pair_weights(graph)[0] if weighted else np.ones(graph.indices.size)
        laplacian = np.zeros((n_nodes, n_nodes))
        laplacian[ids[np.repeat(np.arange(graph.n_nodes), graph.degrees)], ids[graph.indices]] = -weights
        np.fill_diagonal(laplacian, -laplacian.sum(axis=1))
        trace = np.trace(laplacian)
        densities.append(laplacian / trace if trace > 0 else np.full((n_nodes, n_nodes), 1.0 / max(n_nodes, 1)))
    return densities


def _check_size(n_nodes: int) -> None:
    if n_nodes > EXACT_LIMIT:
        problem = f"exact entropies need all eigenvalues, and {n_nodes:,} nodes are more than {EXACT_LIMIT:,}: use "
        raise TooLargeError(Message(problem, Parameter("kind", "approx")))


def _spectral_entropy(adjacency: Any, normalized: bool) -> float:
    n_nodes = adjacency.shape[0]
    _check_size(n_nodes)
    laplacian = -adjacency.toarray()
    strengths = -laplacian.sum(axis=1)
    np.fill_diagonal(laplacian, strengths)
    if normalized:
        scale = np.zeros(n_nodes)
        scale[strengths > 0] = strengths[strengths > 0] ** -0.5
        laplacian *= scale[:, None] * scale[None, :]
    return density_entropy(laplacian)


def _largest_eigenvalue(graph: Graph, weights: ValueArray, strengths: ValueArray) -> float:
    """Lanczos, started from the node of largest strength plus noise of the same size, which reaches every component."""
    n_nodes = graph.n_nodes
    start = np.array([noise(i) for i in range(n_nodes)]) * (strengths / strengths.max()) ** 2
    start /= np.linalg.norm(start)
    start[int(np.argmax(strengths))] += 1.0
    scratch = [np.empty(n_nodes) for _ in range(2)]
    steps = np.empty(2 * n_nodes + 64), np.empty(2 * n_nodes + 64)
    value, _ = lanczos.lanczos_one(
        graph.indptr, graph.indices, weights, None, strengths, n_nodes, start, *scratch, np.inf, 1e-10, *steps,
        np.zeros(1, np.uint8),
    )  # fmt: skip
    return float(value)
