"""Von Neumann entropies of whole graphs, and bounds on how much they change when the graph changes."""

from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np
from scipy import sparse

from vnestruct.embedding.parameters import WHOLE_GRAPH_KINDS
from vnestruct.embedding.plan import pair_weights
from vnestruct.embedding.spectrum import EXACT_LIMIT
from vnestruct.errors import TooLargeError, one_of, whole_number
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.kernels import closed_form, dense_balls, lanczos
from vnestruct.kernels.quotient import make_dense_scratch
from vnestruct.kernels.starts import noises
from vnestruct.stochastic_entropy import Density, Interval, estimate
from vnestruct.types import ValueArray


@overload
def entropy(
    g: Any, kind: str = ..., *, weighted: bool = ..., interval: Literal[False] = ..., random_state: int = ...
) -> float: ...
@overload
def entropy(
    g: Any, kind: str = ..., *, weighted: bool = ..., interval: Literal[True], random_state: int = ...
) -> Interval: ...
def entropy(
    g: Any, kind: str = "approx", *, weighted: bool = False, interval: bool = False, random_state: int = 0
) -> float | Interval:
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
    interval : bool, default False
        Return an `Interval`. The kinds "exact" and "normalized" need every eigenvalue, and a graph with a component of
        more than 4,000 nodes, twins counted once, has too many of them: its entropy is then estimated by stochastic
        Lanczos quadrature, with a 95% confidence interval of at most 1% if 64 random vectors suffice for that. Without
        `interval` such a graph is an error.
    random_state : int, default 0
        Seed of the random vectors. The number of threads has no influence.

    Examples
    --------
    >>> from vnestruct import entropy
    >>> triangle = [(0, 1), (1, 2), (2, 0)]
    >>> round(entropy(triangle, kind="exact"), 6)      # ln 2: two equal eigenvalues
    0.693147
    """
    graph = as_graph(g)
    one_of("kind", kind, WHOLE_GRAPH_KINDS)
    whole_number("random_state", random_state, 0)
    if kind in ("exact", "normalized"):
        value = _spectral_entropy(graph, weighted, kind == "normalized", interval, random_state)
    else:
        [value] = cheap_entropies(graph, [kind], weighted=weighted)
    if isinstance(value, Interval):
        return value
    return Interval(value, value, value) if interval else value


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
    shared = shared_densities(as_graph(g1), as_graph(g2), weighted)
    n_nodes = shared[0].null.size
    if not n_nodes:
        return 0.0, 0.0
    check_size(n_nodes)
    densities = [density.toarray() for density in shared]
    entropies = [density_entropy(density) for density in densities]
    distance = min(0.5 * float(np.abs(np.linalg.eigvalsh(densities[0] - densities[1])).sum()), 1.0)
    inside = [x for x in (distance, 1.0 - distance) if x > 0.0]
    bound = distance * np.log(max(n_nodes - 1, 1)) - sum(x * np.log(x) for x in inside)
    return abs(entropies[0] - entropies[1]), max(float(bound), 0.0)


def density_entropy(density: ValueArray) -> float:
    """Return the entropy of a density matrix: that of its eigenvalues."""
    values = np.linalg.eigvalsh(density)
    shares = values[values > 1e-13 * values.max(initial=0.0)] / values.sum()
    return max(0.0, float(-(shares * np.log(shares)).sum()))


def adjacency_matrix(graph: Graph, weighted: bool) -> sparse.csr_array:
    """Return the symmetric adjacency matrix, directions dropped."""
    weights = pair_weights(graph)[0] if weighted else np.ones(graph.indices.size)
    return sparse.csr_array((weights, graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)


def density_of(adjacency: sparse.csr_array, normalized: bool = False) -> Density:
    """Return the density matrix of a graph: its Laplacian, or its normalised one, divided by the trace."""
    strengths, null = np.asarray(adjacency.sum(axis=1), dtype=float), np.ones(adjacency.shape[0])
    if not adjacency.nnz:
        return Density(None, null)
    laplacian = sparse.diags_array(strengths) - adjacency
    if normalized:
        null = np.where(strengths > 0, np.sqrt(strengths), 1.0)
        scale = sparse.diags_array(1.0 / null)
        laplacian = scale @ laplacian @ scale
    return Density(sparse.csr_array(laplacian / laplacian.trace()), null)


def shared_densities(first: Graph, second: Graph, weighted: bool) -> list[Density]:
    """Return the density matrices of two graphs on the union of their nodes, matched by label."""
    place = {label: i for i, label in enumerate(dict.fromkeys([*first.nodes.tolist(), *second.nodes.tolist()]))}
    densities = []
    for graph in (first, second):
        ids = np.array([place[label] for label in graph.nodes.tolist()], dtype=np.int32)
        links = adjacency_matrix(graph, weighted).tocoo()
        shared = sparse.coo_array((links.data, (ids[links.row], ids[links.col])), shape=(len(place),) * 2)
        densities.append(density_of(shared.tocsr()))
    return densities


def check_size(n_nodes: int, remedy: str = "") -> None:
    """Refuse graphs of too many nodes for their whole spectrum."""
    if n_nodes > EXACT_LIMIT:
        problem = f"exact entropies need all eigenvalues, and {n_nodes:,} nodes are more than {EXACT_LIMIT:,}: use "
        raise TooLargeError(f"{problem}{remedy}`kind='approx'`")


INTERVAL = "`interval=True` for an estimate, or "  # a remedy of `check_size`


def cheap_entropies(graph: Graph, kinds: Sequence[str], *, weighted: bool) -> tuple[float, ...]:
    """Return entropies that follow from sums and the largest eigenvalue, which is computed once for all kinds."""
    weights, scale = pair_weights(graph) if weighted else (np.ones(graph.indices.size), 1.0)
    strengths = np.asarray(adjacency_matrix(graph, weighted).sum(axis=1), dtype=float)
    trace = float(strengths.sum())
    squares = float((strengths**2).sum() + (weights**2).sum())
    largest = _largest_eigenvalue(graph, weights, strengths) if trace > 0.0 and {*kinds} != {"quadratic"} else 1.0
    outputs, values = np.array([closed_form.OUTPUTS.index(kind) for kind in kinds]), np.empty(len(kinds))
    closed_form.describe_ball(graph.n_nodes, trace, squares, 0.0, largest, outputs, scale, values)
    return tuple(values.tolist())


def _spectral_entropy(
    graph: Graph, weighted: bool, normalized: bool, interval: bool, random_state: int
) -> float | Interval:
    size = min(max(graph.n_nodes, 1), 500)
    weights = pair_weights(graph)[0].copy() if weighted else None
    rows = (graph.indptr.copy(), graph.indices.copy(), weights)
    while size <= EXACT_LIMIT:
        dense = make_dense_scratch(graph.n_nodes, size, EXACT_LIMIT, EXACT_LIMIT)
        value, needed = dense_balls.graph_entropy(*rows, -1, False, normalized, dense, np.zeros(1, np.uint8))
        if not needed:
            return float(value)
        size = needed
    if not interval:
        check_size(size, INTERVAL)
    return estimate([(1.0, density_of(adjacency_matrix(graph, weighted), normalized))], random_state)


def _largest_eigenvalue(graph: Graph, weights: ValueArray, strengths: ValueArray) -> float:
    """Lanczos, started from the node of largest strength plus noise of the same size, which reaches every component."""
    n_nodes = graph.n_nodes
    start = noises(n_nodes) * (strengths / strengths.max()) ** 2
    start /= np.linalg.norm(start)
    start[int(np.argmax(strengths))] += 1.0
    value, _ = lanczos.lanczos_one(graph.indptr, graph.indices, weights, strengths, start, np.inf, 1e-10)
    return float(value)
