"""Which node of one graph corresponds to which node of another: nearest signatures, also mutual, also from seeds."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.checks import one_of, whole_number
from vnestruct.embedding.embed_graph import graph_of
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.roles.distinct import SCALINGS, column_scales, distinct_signatures
from vnestruct.roles.signature import role_signature
from vnestruct.types import OffsetArray, ValueArray

_FARTHEST = 8  # hops to a seed beyond which nodes count as equally far


def match_nodes(
    g1: Any,
    g2: Any,
    k: int = 1,
    *,
    mutual: bool = False,
    seeds: Mapping[Any, Any] | None = None,
    scaling: str = "standard",
    **options: Any,
) -> dict[Any, list[tuple[Any, float]]]:
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
    one_of("scaling", scaling, SCALINGS)
    if not options.keys() & {"radius", "kind", "aggregate", "preset"}:
        options["preset"] = "profile"
    columns = {name: options.pop(name, None) for name in ("source", "target", "weight")}
    left, right = (graph_of(g, bool(options.get("weighted")), **columns) for g in (g1, g2))
    rows = [role_signature(graph, **options)[0] for graph in (left, right)]
    joined = np.vstack(rows)
    joined = joined / column_scales(joined, np.ones(len(joined), dtype=np.int64), scaling)
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

    distinct, asked = distinct_signatures(rows), distinct_signatures(queries)
    k = min(k, len(rows))
    n_near = min(k, len(distinct.points))
    distances, near = cKDTree(distinct.points).query(asked.points, k=[*range(1, n_near + 1)])
    members = np.argsort(distinct.index, kind="stable")
    first = np.cumsum(distinct.counts) - distinct.counts
    # Candidate j of a query belongs to the first signature whose members, added to those before, are more than j.
    total = np.cumsum(distinct.counts[near], axis=1)
    place = (total[:, np.newaxis, :] <= np.arange(k)[:, np.newaxis]).sum(axis=2)
    group = np.take_along_axis(near, place, axis=1)
    before = np.take_along_axis(total - distinct.counts[near], place, axis=1)
    found = members[first[group] + np.arange(k) - before]
    return found[asked.index], np.round(np.take_along_axis(distances, place, axis=1), 8)[asked.index]


def _hops(graph: Graph, seeds: npt.NDArray[Any]) -> ValueArray:
    """Return the number of hops from every node to each seed, up to a limit, in units of the limit."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    if np.unique(seeds).size < seeds.size:
        raise ParameterError("two seeds name the same node; a node has one counterpart")
    links = csr_array((np.ones(graph.indices.size), graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)
    hops = dijkstra(links, directed=False, indices=seeds, unweighted=True, limit=_FARTHEST)
    return np.asarray(np.minimum(hops, _FARTHEST + 1).T / _FARTHEST)
