"""Exact nearest signatures, found with a KD-tree: similar nodes of a graph, corresponding nodes of two graphs."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from vnestruct.embedding.embed_graph import compared_nodes
from vnestruct.errors import ParameterError, whole_number
from vnestruct.graph import Graph
from vnestruct.graph.labels import LabelArray, LabelIndex
from vnestruct.roles.cluster import distinct_signatures
from vnestruct.store.signatures import DECIMALS, given_signatures, labelled_signatures
from vnestruct.types import Array, OffsetArray, ValueArray

_FARTHEST = 8  # hops to a seed beyond which nodes count as equally far


def similar_nodes(
    H: Any, node: Any, k: int = 10, *, kind: str | Iterable[str] = "profile", nodes: Any = None, **options: Any
) -> list[tuple[Any, float]]:
    """Return the nodes whose signatures are nearest to that of one node, nearest first.

    The search is exact. Distances are Euclidean and rounded to 8 decimals; equally distant nodes come in node order.

    Parameters
    ----------
    H : graph, or array of float, shape (n, d)
        Anything `vnestruct.embed` takes, or signatures, such as those of `vnestruct.embed`.
    node, k : label, int
        The node to compare with, and the number of nodes; fewer if the graph has fewer others.
    kind, **options
        Of a graph: what describes a node, as for `vnestruct.embed`.
    nodes : sequence, optional
        Of signatures: the label of each row, such as ``graph.nodes``; 0..n-1 by default.

    Examples
    --------
    >>> import vnestruct
    >>> from vnestruct.roles import similar_nodes
    >>> path = vnestruct.as_graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")])
    >>> similar_nodes(path, "a", k=2, kind="approx")
    [('e', 0.0), ('b', 0.23196158)]
    >>> similar_nodes(vnestruct.embed(path), "a", k=2, nodes=path.nodes)
    [('e', 0.0), ('b', 0.23196158)]
    """
    wanted = whole_number("k", k, 1)
    given = given_signatures(H)
    if given is None and nodes is None:
        graph, values, _ = compared_nodes(H, kind=kind, **options)
        labels: LabelArray | None = graph.nodes
    else:
        # A matrix that could be a graph is one of signatures if its rows have labels.
        named = nodes if nodes is not None or given is None else given.nodes
        values, labels = labelled_signatures(H if given is None else given.values, named)
    position = LabelIndex(labels, len(values)).position(node)
    # The nearest rows of all but the node itself, which is as near to itself as its equals.
    found, distances = _nearest(values[position : position + 1], values, wanted + 1)
    others = found[0] != position
    names = found[0] if labels is None else labels[found[0]]
    return list(zip(names[others].tolist(), distances[0][others].tolist(), strict=True))[:wanted]


def match_nodes(
    g1: Any, g2: Any, k: int = 10, *, kind: str | Iterable[str] = "profile", mutual: bool = False,
    seeds: Mapping[Any, Any] | None = None, **options: Any,
) -> dict[Any, list[tuple[Any, float]]]:  # fmt: skip
    """Return, for each node of one graph, a list of (node, distance): those of another with the nearest signatures.

    Labels are not compared: the graphs may be two networks, or one at two times or under two sets of names. Columns are
    standardised in each graph, so that nodes are found again after a loss of edges everywhere. The nearest come first,
    those with equal signatures in node order.

    Parameters
    ----------
    g1, g2, kind, **options
        Two graphs that `vnestruct.embed` takes, and what describes a node, as for it.
    k : int
        Number of candidates per node; fewer if the second graph has fewer nodes.
    mutual : bool, default False
        Keep only candidates that have the node among their own `k` nearest; nodes without any are left out.
    seeds : mapping, optional
        Known pairs, node of `g1` to node of `g2`: the hops to each become part of the signatures.

    Examples
    --------
    >>> from vnestruct import match_nodes
    >>> square_with_tail = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5)]
    >>> renamed = [("c", "d"), ("d", "e"), ("e", "f"), ("f", "c"), ("c", "b"), ("b", "a")]
    >>> {node: found[0][0] for node, found in match_nodes(square_with_tail, renamed).items()}
    {0: 'd', 1: 'e', 2: 'd', 3: 'c', 4: 'b', 5: 'a'}
    >>> match_nodes(square_with_tail, renamed, k=1, seeds={0: "d"})[2]
    [('f', 0.0)]
    """
    wanted = whole_number("k", k, 1)
    (left, H1, _), (right, H2, _) = (compared_nodes(g, kind=kind, **options) for g in (g1, g2))
    if H1.shape[1] != H2.shape[1]:
        raise ParameterError("one graph is bipartite and the other is not; read both with bipartite=False")
    H1, H2 = _standardised(H1), _standardised(H2)
    if seeds:
        ends = left.positions(list(seeds)), right.positions(list(seeds.values()))
        # All seeds together weigh as much as all other columns: as large as these in the mean.
        scale = round(float(np.sqrt(np.vstack([H1, H2]).var(axis=0).sum() / ends[0].size)), DECIMALS) or 1.0
        H1, H2 = (np.hstack([H, scale * _hops(g, at)]) for g, H, at in zip((left, right), (H1, H2), ends, strict=True))
    found, distances = _nearest(H1, H2, wanted)
    kept = np.ones(found.shape, dtype=bool)
    if mutual:
        back = _nearest(H2, H1, wanted)[0]
        kept = (back[found] == np.arange(left.n_nodes)[:, np.newaxis, np.newaxis]).any(axis=2)
    matches: dict[Any, list[tuple[Any, float]]] = defaultdict(list)
    nodes, others = left.nodes[np.nonzero(kept)[0]], right.nodes[found[kept]]
    for node, other, distance in zip(nodes.tolist(), others.tolist(), distances[kept].tolist(), strict=True):
        matches[node].append((other, distance))
    return dict(matches)


def _standardised(H: ValueArray) -> ValueArray:
    rows = np.sort(H, axis=0)  # whatever the order of the nodes
    deviation = rows.std(axis=0)
    return (H - rows.mean(axis=0)) / np.where(deviation > 10.0**-DECIMALS, deviation, 1.0)  # type: ignore[no-any-return]


def _nearest(queries: ValueArray, rows: ValueArray, k: int) -> tuple[OffsetArray, ValueArray]:
    """Return the positions of the `k` nearest rows of each query, and their distances rounded to 8 decimals.

    Equally distant rows come in their order, those that are cut off among them.
    """
    known, asked = distinct_signatures(rows), distinct_signatures(queries)
    k = min(k, len(rows))
    tree = cKDTree(known.points)
    farthest = tree.query(asked.points, k=[min(k, len(known.points))], workers=-1)[0][:, 0]
    nearby = tree.query_ball_point(asked.points, farthest + 10.0**-DECIMALS, workers=-1)
    groups = np.split(np.argsort(known.index, kind="stable"), np.cumsum(known.counts)[:-1])
    found, distances = np.empty((len(asked.points), k), np.int64), np.empty((len(asked.points), k))
    for i, (point, near) in enumerate(zip(asked.points, nearby, strict=True)):
        away = np.round(cdist(known.points[near], point[None])[:, 0], DECIMALS)
        nodes, gaps = np.concatenate([groups[place] for place in near]), np.repeat(away, known.counts[near])
        order = np.lexsort((nodes, gaps))[:k]
        found[i], distances[i] = nodes[order], gaps[order]
    return found[asked.index], distances[asked.index]


def _hops(graph: Graph, seeds: Array) -> ValueArray:
    """Return the number of hops from every node to each seed, up to a limit, in units of the limit."""
    if np.unique(seeds).size < seeds.size:
        raise ParameterError("two seeds name the same node; a node has one counterpart")
    links = csr_array((np.ones(graph.indices.size), graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)
    hops = dijkstra(links, directed=False, indices=seeds, unweighted=True, limit=_FARTHEST)
    return np.asarray(np.minimum(hops, _FARTHEST + 1).T / _FARTHEST)
