"""Which nodes to draw, and where: excerpts and force-directed layouts of a graph, components of its signatures."""

import random
from typing import Any, cast

import numpy as np

from vnestruct.graph import Graph, graph_from_ids
from vnestruct.types import OffsetArray, ValueArray

ALL_NODES = 5_000  # a graph up to this size is drawn whole
_EDGES_PER_NODE = 24  # and up to so many times as many edges
EXCERPT_NODES = 900  # nodes of the excerpt of a larger one
_FAN_OUT = 8  # most neighbours that one node adds to the excerpt

# Up to this number of nodes all distances count (Kamada and Kawai); beyond, neighbours attract (Fruchterman and
# Reingold), level by level.
_FEW = 300
_ITERATIONS = 60
_PULL = 4.0  # strength of attraction, next to igraph's repulsion
_SHRINKING = 0.9  # groups of nodes are a level of their own if they are fewer than this share of the nodes below
_GAP = 0.6  # space between the boxes of two components; an isolated node takes a box of size 0.5


def choose_excerpt(
    graph: Graph, roles: OffsetArray, *, whole: int = ALL_NODES, limit: int = EXCERPT_NODES, seed: int = 0
) -> OffsetArray:
    """Return the positions of the nodes to draw, ascending.

    A large graph is searched breadth first from the node of largest degree of every role; each node adds a few of its
    neighbours, those of rare roles first, so that every role is shown with its surroundings and its links. The graph is
    drawn whole up to `whole` nodes and 24 times as many edges, otherwise `limit` nodes.
    """
    if graph.n_nodes <= whole and graph.n_edges <= _EDGES_PER_NODE * whole:
        return np.arange(graph.n_nodes)
    limit = min(limit, whole)
    generator = np.random.default_rng(seed)
    degrees = graph.degrees
    order = np.argsort(-degrees, kind="stable")
    queue = [int(order[np.argmax(roles[order] == role)]) for role in np.unique(roles)]
    queue.sort(key=lambda node: -int(degrees[node]))
    chosen = dict.fromkeys(queue[:limit])
    drawn = np.bincount(roles[list(chosen)], minlength=int(roles.max()) + 1)
    shares = np.bincount(roles) / graph.n_nodes
    for node in queue:
        if len(chosen) >= limit:
            break
        # A copy: NumPy shuffles an empty row in place, and these are read-only.
        row = generator.permutation(graph.indices[graph.indptr[node] : graph.indptr[node + 1]].copy())
        # First come roles that the excerpt has too few of, measured by their share in the graph.
        row = row[np.argsort(drawn[roles[row]] / shares[roles[row]], kind="stable")]
        room = min(_FAN_OUT, limit - len(chosen))
        fresh = [neighbour for neighbour in row.tolist() if neighbour not in chosen][:room]
        for neighbour in fresh:
            chosen[neighbour] = None
            drawn[roles[neighbour]] += 1
        queue.extend(fresh)
    return np.sort(np.fromiter(chosen, np.int64))


def induced_subgraph(graph: Graph, positions: OffsetArray) -> Graph:
    """Return the graph among some nodes, numbered in the order given; directions and weights are left out."""
    place = np.full(graph.n_nodes, -1, np.int64)
    place[positions] = np.arange(positions.size)
    source = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    inside = (place[source] >= 0) & (place[graph.indices] >= 0) & (source < graph.indices)
    return graph_from_ids(place[source[inside]], place[graph.indices[inside]], n_nodes=positions.size)


def node_positions(graph: Graph, seed: int = 0) -> ValueArray:
    """Return a position for each node, near its neighbours; the same for the same seed.

    Components are laid out one by one, each on an area that grows with its nodes, and set in rows, the largest first.
    """
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    shape = (graph.n_nodes, graph.n_nodes)
    matrix = sparse.csr_array((np.ones(graph.indices.size, np.int8), graph.indices, graph.indptr), shape=shape)
    component = connected_components(matrix, directed=False)[1]
    sizes = np.bincount(component)
    by_component = np.split(np.argsort(component, kind="stable"), np.cumsum(sizes)[:-1])
    boxes: list[tuple[OffsetArray, ValueArray]] = []
    for number in np.argsort(-sizes, kind="stable").tolist():
        members = by_component[number]
        if members.size <= 2:
            boxes.append((members, np.column_stack([np.arange(members.size) / 2.0 + 0.25, np.full(members.size, 0.5)])))
        else:
            boxes.append((members, _component_box(matrix[members][:, members], seed) * np.sqrt(members.size)))
    return _packed(boxes, graph.n_nodes)


def principal_components(signatures: ValueArray) -> tuple[ValueArray, ValueArray]:
    """Return two coordinates for each row, and the share of the variance that each explains."""
    centred = signatures - signatures.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    vectors = vectors[:, ::-1][:, :2].T
    # A direction is determined up to its sign only: let the largest entry be positive.
    vectors = vectors * np.sign(vectors[np.arange(len(vectors)), np.abs(vectors).argmax(axis=1)])[:, None]
    shares = np.zeros(2)
    shares[: len(vectors)] = np.maximum(values[::-1][:2], 0.0) / max(float(values.sum()), 1e-300)
    points = np.zeros((len(signatures), 2))
    points[:, : len(vectors)] = centred @ vectors.T
    return points, shares


def component_names(shares: ValueArray) -> list[str]:
    """Return the names of the two axes of a projection."""
    return [f"first principal component ({shares[0]:.0%} of the variance)", f"second ({shares[1]:.0%})"]


def _component_box(matrix: Any, seed: int) -> ValueArray:
    """Lay out a connected graph in a box of width and height up to 1, its long side level."""
    import igraph

    # By default igraph draws from the generator of Python's random module.
    igraph.set_random_number_generator(random.Random(seed))
    try:
        if matrix.shape[0] > _FEW:
            positions = _by_levels(matrix, np.random.default_rng(seed))
        else:
            positions = np.array(_igraph(matrix).layout_kamada_kawai().coords)
    finally:
        igraph.set_random_number_generator(random)
    centred = positions - positions.mean(axis=0)
    turned = centred @ np.linalg.svd(centred, full_matrices=False)[2].T
    turned -= turned.min(axis=0)
    return cast(ValueArray, turned / max(float(turned.max()), 1e-12))


def _packed(boxes: list[tuple[OffsetArray, ValueArray]], n_nodes: int) -> ValueArray:
    """Set boxes side by side in rows, from the top down."""
    positions = np.zeros((n_nodes, 2))
    width = max(1.3 * np.sqrt(n_nodes), max(float(box[:, 0].max()) for _, box in boxes))
    left = top = row_height = 0.0
    for members, box in boxes:
        extent = np.maximum(box.max(axis=0), 0.5)
        if left > 0 and left + extent[0] > width:
            left, top, row_height = 0.0, top - row_height - _GAP, 0.0
        positions[members] = box + np.array([left, top - extent[1]])
        left += extent[0] + _GAP
        row_height = max(row_height, float(extent[1]))
    return positions


def _igraph(matrix: Any) -> Any:
    import igraph

    upper = matrix.tocoo()
    pairs = np.column_stack([upper.row, upper.col])
    return igraph.Graph(n=matrix.shape[0], edges=pairs[pairs[:, 0] < pairs[:, 1]].tolist())


def _by_levels(matrix: Any, generator: np.random.Generator) -> ValueArray:
    """Lay out groups of nodes first, those that Louvain's method merges, and in their places their nodes."""
    from scipy import sparse

    levels, groups = [matrix.astype(np.float64)], []
    below = np.arange(matrix.shape[0])
    for found in _igraph(matrix).community_multilevel(return_levels=True):
        member, n_below = np.array(found.membership), levels[-1].shape[0]
        if member.max() + 1 > _SHRINKING * n_below:
            break
        group = np.zeros(n_below, np.int64)
        group[below], below = member, member
        merge = sparse.csr_array((np.ones(n_below), (np.arange(n_below), group)))
        coarse = (merge.T @ levels[-1] @ merge).tocsr()
        coarse.setdiag(0.0)
        coarse.eliminate_zeros()
        levels.append(coarse)
        groups.append(group)

    network = _igraph(levels[-1])
    layout = network.layout_kamada_kawai() if network.vcount() <= _FEW else network.layout_fruchterman_reingold()
    positions: ValueArray = np.array(layout.coords).reshape(-1, 2)
    positions = (positions - positions.mean(axis=0)) * (0.7 * np.sqrt(len(positions)) / max(positions.std(), 1e-9))
    for level in reversed(range(len(levels))):
        n_nodes = levels[level].shape[0]
        if level < len(groups):
            group = groups[level]
            sizes = np.bincount(group)
            # A group becomes a disc whose area is its number of nodes.
            distance = 0.5 * np.sqrt(generator.random(n_nodes) * sizes[group])
            angle = generator.random(n_nodes) * 2 * np.pi
            disc = np.column_stack([np.cos(angle), np.sin(angle)]) * distance[:, None]
            positions = positions[group] * np.sqrt(n_nodes / sizes.size) + disc
        rows = levels[level]
        network = _igraph(rows)
        ends = np.array(network.get_edgelist()).T
        # A node is drawn to the mean of its neighbours, so that hubs keep their leaves close.
        share = 1.0 / rows.sum(axis=1)
        weights = _PULL * rows[*ends] * (share[ends[0]] + share[ends[1]])
        step = max(1.0, float(np.sqrt(n_nodes)) / 60.0)
        moved = network.layout_fruchterman_reingold(
            seed=positions.tolist(), niter=_ITERATIONS, start_temp=step, grid=True, weights=weights.tolist()
        )
        positions = np.array(moved.coords)
    return positions
