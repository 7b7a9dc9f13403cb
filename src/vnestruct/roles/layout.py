"""Where to draw nodes: igraph's force-directed layouts if it is installed, else a spring layout of our own."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from vnestruct.graph import Graph
from vnestruct.types import OffsetArray, ValueArray

SPRING_NODES = 1_500
"""Nodes up to which the spring layout, which looks at all pairs, takes seconds."""

_ROUNDS = 120
_FEW = 300
_MANY = 12_000
"""igraph weighs all distances up to few nodes (Kamada and Kawai) and moves nodes by forces up to many; then DrL."""


def has_igraph() -> bool:
    """Tell whether igraph is installed."""
    return find_spec("igraph") is not None


def node_positions(graph: Graph, seed: int = 0) -> ValueArray:
    """Return a place for each node, near its neighbours; the same for the same seed.

    Components are laid out one by one, each on an area that grows with its nodes, and set in rows, the largest first.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import cycle
    >>> node_positions(cycle(5)).shape
    (5, 2)
    """
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    shape = (graph.n_nodes, graph.n_nodes)
    matrix = sparse.csr_array((np.ones(graph.indices.size, np.int8), graph.indices, graph.indptr), shape=shape)
    component = connected_components(matrix, directed=False)[1]
    sizes = np.bincount(component)
    boxes: list[tuple[OffsetArray, ValueArray]] = []
    for number in np.argsort(-sizes, kind="stable").tolist():
        members = np.flatnonzero(component == number)
        boxes.append((members, _component_places(matrix[members][:, members], seed) * np.sqrt(members.size)))
    return _packed(boxes, graph.n_nodes)


def _component_places(matrix: Any, seed: int) -> ValueArray:
    """Lay out a connected graph in a box of width and height up to 1, its long side level."""
    n_nodes = matrix.shape[0]
    if n_nodes == 1:
        return np.full((1, 2), 0.5)
    places = _igraph_layout(matrix, seed) if has_igraph() else _spring_layout(matrix, seed)
    centred = places - places.mean(axis=0)
    directions = np.linalg.svd(centred, full_matrices=False)[2]
    turned = centred @ directions.T
    turned -= turned.min(axis=0)
    box: ValueArray = turned / max(float(turned.max()), 1e-12)
    return box


def _packed(boxes: list[tuple[OffsetArray, ValueArray]], n_nodes: int) -> ValueArray:
    """Set boxes side by side in rows, from the top down."""
    places = np.zeros((n_nodes, 2))
    gap = 0.6
    width = max(1.3 * np.sqrt(n_nodes), max(float(box[:, 0].max()) for _, box in boxes))
    left = top = row_height = 0.0
    for members, box in boxes:
        extent = np.maximum(box.max(axis=0), 0.5)
        if left > 0 and left + extent[0] > width:
            left, top, row_height = 0.0, top - row_height - gap, 0.0
        places[members] = box + np.array([left, top - extent[1]])
        left += extent[0] + gap
        row_height = max(row_height, float(extent[1]))
    return places


def _igraph_layout(matrix: Any, seed: int) -> ValueArray:
    import random

    import igraph

    upper = matrix.tocoo()
    pairs = np.column_stack([upper.row, upper.col])
    network = igraph.Graph(n=matrix.shape[0], edges=pairs[pairs[:, 0] < pairs[:, 1]].tolist())
    # igraph draws from the generator of Python's random module unless told otherwise.
    igraph.set_random_number_generator(random.Random(seed))
    try:
        if network.vcount() > _MANY:
            layout = network.layout_drl()
        elif network.vcount() > _FEW:
            layout = network.layout_fruchterman_reingold(niter=800)
        else:
            layout = network.layout_kamada_kawai()
    finally:
        igraph.set_random_number_generator(random)
    return np.array(layout.coords)


def _spring_layout(matrix: Any, seed: int) -> ValueArray:
    """Let all nodes repel each other and edges pull (Fruchterman and Reingold 1991), ever more slowly."""
    n_nodes = matrix.shape[0]
    places = np.random.default_rng(seed).random((n_nodes, 2))
    spring = 1.0 / np.sqrt(n_nodes)
    edges = matrix.tocoo()
    for temperature in np.linspace(0.1, 0.001, _ROUNDS):
        gaps = places[:, None, :] - places[None, :, :]
        squares = np.maximum((gaps * gaps).sum(axis=2), 1e-6)
        force = (gaps * (spring * spring / squares)[:, :, None]).sum(axis=1)
        along = places[edges.row] - places[edges.col]
        pull = along * (np.sqrt((along * along).sum(axis=1)) / spring)[:, None]
        for axis in (0, 1):
            force[:, axis] -= np.bincount(edges.row, pull[:, axis], minlength=n_nodes)
        length = np.maximum(np.sqrt((force * force).sum(axis=1)), 1e-9)
        places += force * (np.minimum(length, temperature) / length)[:, None]
    return places
