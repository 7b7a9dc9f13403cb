"""Exact nearest signatures, found with a KD-tree: similar nodes of a graph, corresponding nodes of two graphs."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from vnestruct.checks import one_of, whole_number
from vnestruct.embedding.embed_graph import graph_of
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.graph.labels import LabelIndex
from vnestruct.roles import distinct
from vnestruct.roles.signature import role_signature
from vnestruct.store.tables import Embedding
from vnestruct.types import Array, OffsetArray, ValueArray

_FARTHEST = 8  # hops to a seed beyond which nodes count as equally far


class SignatureIndex:
    """Signatures indexed for many queries of similar nodes.

    Parameters
    ----------
    signatures : array of float, shape (n, d)
        Signatures, one row per node.
    nodes : sequence, optional
        Node labels; 0..n-1 by default.
    scaling : {"none", "standard"}, default "none"
        "standard" divides every column by its standard deviation, so that all count equally.

    Examples
    --------
    >>> index = SignatureIndex([[0.1], [0.5], [0.2]], ["a", "b", "c"])
    >>> index.similar_to("a", k=1)
    [('c', 0.1)]
    """

    def __init__(self, signatures: Any, nodes: Any = None, *, scaling: str = "none") -> None:
        from scipy.spatial import cKDTree

        matrix, self._labels = distinct.labelled_signatures(signatures, nodes)
        self._places = LabelIndex(self._labels, len(matrix))
        unique = distinct.distinct_signatures(matrix)
        self._points = unique.points / distinct.column_scales(unique.points, unique.counts, scaling)
        self._index = unique.index
        self._tree = cKDTree(self._points)
        # Nodes ordered by signature, and within one signature by position.
        self._order = np.argsort(unique.index, kind="stable")
        self._ends = np.cumsum(unique.counts)

    def similar_to(self, node: Any, k: int = 10) -> list[tuple[Any, float]]:
        """Return the `k` nodes with the nearest signatures; see `similar_nodes`."""
        wanted = whole_number("k", k, 1)
        position = self._places.position(node)
        point = self._points[self._index[position]]
        # k + 1 distinct signatures have at least k + 1 nodes: k others and the node itself.
        n_near = min(wanted + 1, len(self._points))
        distances, near = self._tree.query(point, k=[*range(1, n_near + 1)])
        sizes = np.diff(self._ends, prepend=0)[near]
        enough = min(int(np.searchsorted(np.cumsum(sizes), wanted + 1)), n_near - 1)
        # The tree cuts off within ties: take all that are as near as the last, and let node order decide.
        near = np.sort(self._tree.query_ball_point(point, distances[enough] + 10.0**-distinct.DECIMALS))
        gaps = self._points[near] - point
        distances = np.round(np.sqrt((gaps * gaps).sum(axis=1)), distinct.DECIMALS)
        groups = [self._order[self._ends[p - 1] if p else 0 : self._ends[p]] for p in near.tolist()]
        members = np.concatenate(groups)
        away = np.repeat(distances, [group.size for group in groups])
        order = np.lexsort((members, away))
        order = order[members[order] != position][:wanted]
        labels = members[order] if self._labels is None else self._labels[members[order]]
        return list(zip(labels.tolist(), away[order].tolist(), strict=True))


def similar_nodes(
    H: Any, nodes: Any = ..., node: Any = ..., k: int = 10, *, scaling: str = "none", **options: Any
) -> list[tuple[Any, float]]:
    """Return the nodes whose signatures are nearest to that of one node, nearest first.

    Call it as ``similar_nodes(graph, node)`` or, with signatures that are known already, as ``similar_nodes(H, nodes,
    node)``. The search is exact. Distances are Euclidean and rounded to 8 decimals; equally distant nodes come in node
    order.

    Parameters
    ----------
    H : graph, or array of float, shape (n, d)
        Anything `vnestruct.embed` takes, or signatures, such as those of `vnestruct.embed`.
    nodes : sequence or None, optional
        Node labels of the signatures, such as ``graph.nodes``; None for 0..n-1.
    node : label
        The node to compare with; the second argument if there are two.
    k : int, default 10
        Number of nodes; fewer if the graph has fewer others.
    scaling : {"none", "standard"}, default "none"
        "standard" divides every column by its standard deviation, so that all count equally.
    **options
        Of a graph: `radius` and other parameters of the signature, as for `RoleClusterer`.

    Returns
    -------
    list of (label, distance)

    Raises
    ------
    UnknownNodeError
        If `node` is not among `nodes`.

    Examples
    --------
    >>> import vnestruct
    >>> from vnestruct.roles import similar_nodes
    >>> similar_nodes([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")], "a", k=2)
    [('e', 0.0), ('b', 0.23196158)]
    >>> path = vnestruct.as_graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")])
    >>> similar_nodes(vnestruct.embed(path), path.nodes, "a", k=2)
    [('e', 0.0), ('b', 0.23196158)]
    """
    given = distinct.given_signatures(H)
    # A tuple is the label of a node of a graph, but may hold the labels of signatures.
    are_labels = hasattr(nodes, "__len__") and not isinstance(nodes, str | bytes | (tuple if given is None else str))
    if node is not ... and (nodes is None or are_labels):
        return SignatureIndex(H, nodes, scaling=scaling).similar_to(node, k)
    if nodes is not ...:
        node, k = nodes, k if node is ... else node
    if node is ...:
        raise ParameterError("which node? call similar_nodes(graph, node) or similar_nodes(signatures, nodes, node)")
    if given is None:
        columns = {name: options.pop(name, None) for name in ("source", "target", "weight")}
        graph = graph_of(H, bool(options.get("weighted")), **columns)
        given = Embedding(graph.nodes, role_signature(graph, **options)[0], None)
    return SignatureIndex(given.values, given.nodes, scaling=scaling).similar_to(node, k)


def match_nodes(
    g1: Any, g2: Any, k: int = 1, *, mutual: bool = False, seeds: Mapping[Any, Any] | None = None,
    scaling: str = "standard", **options: Any,
) -> dict[Any, list[tuple[Any, float]]]:  # fmt: skip
    """Return, for each node of one graph, the nodes of another with the nearest signatures, nearest first.

    Labels are not compared: the graphs may be two networks, or one at two times or under two sets of names.

    Parameters
    ----------
    g1, g2 : graph
        Anything `vnestruct.embed` takes.
    k : int, default 1
        Number of candidates per node; fewer if the second graph has fewer nodes.
    mutual : bool, default False
        Keep only candidates that have the node among their own `k` nearest nodes; nodes without any are left out.
    seeds : mapping, optional
        Known pairs, node of `g1` to node of `g2`. The hops to each seed become part of the signatures.
    scaling : {"standard", "none"}, default "standard"
        "standard" divides every column by its standard deviation in both graphs, so that all count equally.
    **options
        `radius` and other parameters of the signature, as for `RoleClusterer`; by default ``preset="profile"``.

    Returns
    -------
    dict
        A list of (node of g2, distance) for each node of `g1`. Nodes with equal signatures come in node order.

    Examples
    --------
    >>> from vnestruct import match_nodes
    >>> square_with_tail = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5)]
    >>> renamed = [("c", "d"), ("d", "e"), ("e", "f"), ("f", "c"), ("c", "b"), ("b", "a")]
    >>> {node: found[0][0] for node, found in match_nodes(square_with_tail, renamed).items()}
    {0: 'd', 1: 'e', 2: 'd', 3: 'c', 4: 'b', 5: 'a'}
    >>> match_nodes(square_with_tail, renamed, seeds={0: "d"})[2]
    [('f', 0.0)]
    """
    wanted = whole_number("k", k, 1)
    one_of("scaling", scaling, distinct.SCALINGS)
    if not options.keys() & {"radius", "kind", "aggregate", "preset"}:
        options["preset"] = "profile"
    columns = {name: options.pop(name, None) for name in ("source", "target", "weight")}
    left, right = (graph_of(g, bool(options.get("weighted")), **columns) for g in (g1, g2))
    joined = np.vstack([role_signature(graph, **options)[0] for graph in (left, right)])
    joined = joined / distinct.column_scales(joined, np.ones(len(joined), dtype=np.int64), scaling)
    if seeds:
        ends = left.positions(list(seeds)), right.positions(list(seeds.values()))
        hops = np.vstack([_hops(graph, places) for graph, places in zip((left, right), ends, strict=True)])
        # All seeds together weigh as much as all entropies.
        joined = np.hstack([joined, hops * np.sqrt(joined.shape[1] / hops.shape[1])])
    H1, H2 = joined[: left.n_nodes], joined[left.n_nodes :]
    found, distances = _nearest(H1, H2, wanted)
    kept = np.ones(found.shape, dtype=bool)
    if mutual:
        back = _nearest(H2, H1, wanted)[0]
        kept = (back[found] == np.arange(left.n_nodes)[:, np.newaxis, np.newaxis]).any(axis=2)
    names, others = left.nodes.tolist(), right.nodes[found].tolist()
    pairs = zip(names, others, distances.tolist(), kept.tolist(), strict=True)
    chosen = {n: [(m, d) for m, d, keep in zip(ms, ds, keeps, strict=True) if keep] for n, ms, ds, keeps in pairs}
    return {node: matches for node, matches in chosen.items() if matches}


def _nearest(queries: ValueArray, rows: ValueArray, k: int) -> tuple[OffsetArray, ValueArray]:
    """Return the positions of the `k` nearest rows of each query, and their distances rounded to 8 decimals."""
    from scipy.spatial import cKDTree

    known, asked = distinct.distinct_signatures(rows), distinct.distinct_signatures(queries)
    k = min(k, len(rows))
    n_near = min(k, len(known.points))
    distances, near = cKDTree(known.points).query(asked.points, k=[*range(1, n_near + 1)])
    members = np.argsort(known.index, kind="stable")
    first = np.cumsum(known.counts) - known.counts
    # Candidate j of a query belongs to the first signature whose members, added to those before, are more than j.
    total = np.cumsum(known.counts[near], axis=1)
    place = (total[:, np.newaxis, :] <= np.arange(k)[:, np.newaxis]).sum(axis=2)
    group = np.take_along_axis(near, place, axis=1)
    before = np.take_along_axis(total - known.counts[near], place, axis=1)
    found = members[first[group] + np.arange(k) - before]
    return found[asked.index], np.round(np.take_along_axis(distances, place, axis=1), 8)[asked.index]


def _hops(graph: Graph, seeds: Array) -> ValueArray:
    """Return the number of hops from every node to each seed, up to a limit, in units of the limit."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    if np.unique(seeds).size < seeds.size:
        raise ParameterError("two seeds name the same node; a node has one counterpart")
    links = csr_array((np.ones(graph.indices.size), graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)
    hops = dijkstra(links, directed=False, indices=seeds, unweighted=True, limit=_FARTHEST)
    return np.asarray(np.minimum(hops, _FARTHEST + 1).T / _FARTHEST)
