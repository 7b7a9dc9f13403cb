"""The nodes most similar to a given one: exact nearest signatures, found with a KD-tree."""

from typing import Any

import numpy as np

from vnestruct.checks import whole_number
from vnestruct.embedding.embed_graph import graph_of
from vnestruct.errors import ParameterError
from vnestruct.graph.labels import LabelIndex
from vnestruct.roles.distinct import DECIMALS, column_scales, distinct_signatures, given_signatures, labelled_signatures
from vnestruct.roles.signature import role_signature
from vnestruct.store.tables import Embedding


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

        matrix, self._labels = labelled_signatures(signatures, nodes)
        self._places = LabelIndex(self._labels, len(matrix))
        distinct = distinct_signatures(matrix)
        self._points = distinct.points / column_scales(distinct.points, distinct.counts, scaling)
        self._index = distinct.index
        self._tree = cKDTree(self._points)
        # Nodes ordered by signature, and within one signature by position.
        self._order = np.argsort(distinct.index, kind="stable")
        self._ends = np.cumsum(distinct.counts)

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
        near = np.sort(self._tree.query_ball_point(point, distances[enough] + 10.0**-DECIMALS))
        gaps = self._points[near] - point
        distances = np.round(np.sqrt((gaps * gaps).sum(axis=1)), DECIMALS)
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
    given = given_signatures(H)
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
