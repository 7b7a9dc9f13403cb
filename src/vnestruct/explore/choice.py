"""Which nodes of the projection and which edges a page draws if the graph is too large to draw all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vnestruct.graph import Graph
from vnestruct.types import OffsetArray, ValueArray

PROJECTED_NODES = 20_000
"""The projection shows all nodes up to this number."""

DRAWN_EDGES = 20_000
"""The drawing shows all edges up to this number; a browser can redraw so many lines several times per second."""

_CELLS = 120
_FEWEST_OF_A_ROLE = 300


def projected_nodes(
    points: ValueArray, roles: OffsetArray, drawn: OffsetArray, *, limit: int = PROJECTED_NODES, seed: int = 0
) -> OffsetArray:
    """Return the positions of the nodes that the projection shows, ascending.

    Above the limit: the nodes of the drawing, some of every role, one of every occupied cell of a grid, which keeps
    outliers and the outline of the cloud, and a random sample of the rest.
    """
    n_nodes = len(points)
    if n_nodes <= limit:
        return np.arange(n_nodes)
    order = np.random.default_rng(seed).permutation(n_nodes)
    extent = np.maximum(np.ptp(points, axis=0), 1e-12)
    cells = np.minimum((points - points.min(axis=0)) / extent * _CELLS, _CELLS - 1).astype(np.int64)
    first = order[np.unique((cells @ np.array([_CELLS, 1]))[order], return_index=True)[1]]
    fewest = min(_FEWEST_OF_A_ROLE, limit // (4 * (int(roles.max()) + 1)))
    some = [order[roles[order] == role][:fewest] for role in range(int(roles.max()) + 1)]
    # The first nodes of this list stay; the random order at its end fills up to the limit.
    wanted = np.concatenate([drawn, *some, first, order])
    places = np.sort(np.unique(wanted, return_index=True)[1])
    return np.sort(wanted[places[: max(limit, drawn.size)]])


def ordered_edges(part: Graph, *, limit: int = DRAWN_EDGES, seed: int = 0) -> tuple[npt.NDArray[np.int32], int]:
    """Return the edges of a drawing as pairs of rows, and how many of them, counted from the first, to draw.

    If not all are drawn, a spanning forest is, which keeps components connected, and a random sample of the rest.
    """
    source = np.repeat(np.arange(part.n_nodes, dtype=np.int32), part.degrees)
    upper = source < part.indices
    edges = np.column_stack([source[upper], part.indices[upper]]).astype(np.int32)
    if len(edges) <= limit:
        return edges, len(edges)
    from scipy import sparse
    from scipy.sparse.csgraph import minimum_spanning_tree

    order = np.random.default_rng(seed).permutation(len(edges))
    weights = np.empty(len(edges))
    weights[order] = np.arange(1, len(edges) + 1)
    shape = (part.n_nodes, part.n_nodes)
    tree = minimum_spanning_tree(sparse.csr_array((weights, (edges[:, 0], edges[:, 1])), shape=shape)).data
    weights[order[tree.astype(np.int64) - 1]] = 0.0
    return edges[np.argsort(weights, kind="stable")], limit
