"""Which nodes to draw, and where: excerpts and force-directed layouts of a graph, components of its signatures."""

import random
from typing import Any

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
    ends = place[graph.sources], place[graph.indices]
    inside = (ends[0] >= 0) & (ends[1] >= 0)
    return graph_from_ids(ends[0][inside], ends[1][inside], n_nodes=positions.size)


def node_positions(graph: Graph, seed: int = 0) -> ValueArray:
    """Return a position for each node, near its neighbours; the same for the same seed.

    Components are laid out one by one, each on an area that grows with its nodes, and set in rows, the largest first.
    """
    import igraph

    pairs = np.column_stack([graph.sources, graph.indices])
    network = igraph.Graph(n=graph.n_nodes, edges=pairs[pairs[:, 0] < pairs[:, 1]])
    boxes: list[tuple[OffsetArray, ValueArray]] = []
    # By default igraph draws from the generator of Python's random module.
    igraph.set_random_number_generator(random.Random(seed))
    try:
        for members in sorted(network.connected_components(), key=len, reverse=True):
            if len(members) <= 2:
                box = np.column_stack([np.arange(len(members)) / 2.0 + 0.25, np.full(len(members), 0.5)])
            else:
                box = _component_box(network.induced_subgraph(members), seed) * np.sqrt(len(members))
            boxes.append((np.array(members), box))
    finally:
        igraph.set_random_number_generator(random)
    return _packed(boxes, graph.n_nodes)


def principal_axes(signatures: ValueArray) -> tuple[ValueArray, ValueArray]:
    """Return the directions in which rows of several columns differ most, and the share of the variance of each."""
    centred = signatures - signatures.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    values, axes = np.maximum(values[::-1], 0.0), vectors.T[::-1][:2]
    # A direction is determined up to its sign only: let the largest entry be positive.
    signs = np.sign(axes[[0, 1], np.abs(axes).argmax(axis=1)])
    return axes * signs[:, np.newaxis], values[:2] / max(float(values.sum()), 1e-300)


def component_names(shares: ValueArray) -> list[str]:
    """Return the names of the two axes of a projection."""
    return [f"first principal component ({shares[0]:.0%} of the variance)", f"second ({shares[1]:.0%})"]


def _component_box(network: Any, seed: int) -> ValueArray:
    """Lay out a connected graph in a box of width and height up to 1, its long side level."""
    if network.vcount() > _FEW:
        positions = _by_levels(network, np.random.default_rng(seed))
    else:
        positions = np.array(network.layout_kamada_kawai().coords)
    turned = positions @ principal_axes(positions)[0].T
    turned -= turned.min(axis=0)
    return turned / max(float(turned.max()), 1e-12)


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


def _by_levels(network: Any, generator: np.random.Generator) -> ValueArray:
    """Lay out groups of nodes first, those that Louvain's method merges, and in their places their nodes."""
    network.es["weight"] = 1.0
    levels, groups = [network], []
    below = np.arange(network.vcount())
    for found in network.community_multilevel(return_levels=True):
        member, n_below = np.array(found.membership), levels[-1].vcount()
        if member.max() + 1 > _SHRINKING * n_below:
            break
        group = np.zeros(n_below, np.int64)
        group[below], below = member, member
        coarse = levels[-1].copy()
        coarse.contract_vertices(group.tolist())
        levels.append(coarse.simplify(combine_edges="sum"))
        groups.append(group)

    coarsest = levels[-1]
    layout = coarsest.layout_kamada_kawai() if coarsest.vcount() <= _FEW else coarsest.layout_fruchterman_reingold()
    positions: ValueArray = np.array(layout.coords).reshape(-1, 2)
    positions = (positions - positions.mean(axis=0)) * (0.7 * np.sqrt(len(positions)) / max(positions.std(), 1e-9))
    for level, group in reversed([*zip(levels, groups, strict=False), (coarsest, None)]):
        n_nodes = level.vcount()
        if group is not None:
            sizes = np.bincount(group)
            # A group becomes a disc whose area is its number of nodes.
            distance = 0.5 * np.sqrt(generator.random(n_nodes) * sizes[group])
            angle = generator.random(n_nodes) * 2 * np.pi
            disc = np.column_stack([np.cos(angle), np.sin(angle)]) * distance[:, None]
            positions = positions[group] * np.sqrt(n_nodes / sizes.size) + disc
        # A node is drawn to the mean of its neighbours, so that hubs keep their leaves close.
        ends = np.array(level.get_edgelist()).reshape(-1, 2).T
        share = 1.0 / np.maximum(level.strength(weights="weight"), 1.0)
        weights = _PULL * np.array(level.es["weight"]) * (share[ends[0]] + share[ends[1]])
        step = max(1.0, float(np.sqrt(n_nodes)) / 60.0)
        moved = level.layout_fruchterman_reingold(
            seed=positions.tolist(), niter=_ITERATIONS, start_temp=step, grid=True, weights=weights.tolist()
        )
        positions = np.array(moved.coords)
    return positions
