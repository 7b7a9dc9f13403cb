"""Where to draw nodes: igraph's force-directed layouts of the graph, principal components of the signatures."""

from __future__ import annotations

from typing import Any

import numpy as np

from vnestruct.graph import Graph
from vnestruct.types import OffsetArray, ValueArray

_FEW = 300
_MANY = 12_000
"""Up to few nodes all distances count (Kamada and Kawai); up to many, forces move the nodes; beyond, DrL does."""

_GAP = 0.6
"""Space between the boxes of two components; an isolated node takes a box of size 0.5."""


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
    boxes: list[tuple[OffsetArray, ValueArray]] = []
    for number in np.argsort(-sizes, kind="stable").tolist():
        members = np.flatnonzero(component == number)
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
    if matrix.shape[0] == 1:
        return np.full((1, 2), 0.5)
    positions = _igraph_layout(matrix, seed)
    centred = positions - positions.mean(axis=0)
    turned = centred @ np.linalg.svd(centred, full_matrices=False)[2].T
    turned -= turned.min(axis=0)
    box: ValueArray = turned / max(float(turned.max()), 1e-12)
    return box


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


def _igraph_layout(matrix: Any, seed: int) -> ValueArray:
    import random

    import igraph

    upper = matrix.tocoo()
    pairs = np.column_stack([upper.row, upper.col])
    network = igraph.Graph(n=matrix.shape[0], edges=pairs[pairs[:, 0] < pairs[:, 1]].tolist())
    # By default igraph draws from the generator of Python's random module.
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
