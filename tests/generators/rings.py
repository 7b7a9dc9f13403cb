"""Rings of shapes: graphs with planted roles, for judging whether structural roles are found.

A cycle carries copies of small shapes; node 0 of each copy is joined by one edge to its anchor on the cycle.
Nodes in the same place of equal shapes share a role. The anchors of equal shapes share one, too, and all
plain ring nodes have one role.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from vnestruct.graph import Graph, graph_from_ids
from vnestruct.types import OffsetArray


@dataclass(frozen=True)
class Shape:
    """A small graph to hang on a ring by its node 0."""

    name: str
    edges: tuple[tuple[int, int], ...]
    roles: tuple[int, ...]

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.roles)


def house_shape() -> Shape:
    """Return the house: a square with both diagonals and a roof over the side 0-1."""
    edges = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3), (4, 0), (4, 1))
    return Shape("house", edges, (0, 1, 2, 2, 3))


def star_shape(n_leaves: int) -> Shape:
    """Return the star of centre 0 and `n_leaves` leaves."""
    edges = tuple((0, leaf) for leaf in range(1, n_leaves + 1))
    return Shape(f"star{n_leaves}", edges, (0,) + (1,) * n_leaves)


def fan_shape(n_leaves: int) -> Shape:
    """Return the fan: a star whose leaves but the last form a path.

    Roles are the centre, the pendant leaf, the two ends of the path and its interior.
    """
    spokes = tuple((0, leaf) for leaf in range(1, n_leaves + 1))
    along = tuple((leaf, leaf + 1) for leaf in range(1, n_leaves - 1))
    return Shape(f"fan{n_leaves}", spokes + along, (0, 2) + (3,) * (n_leaves - 3) + (2, 1))


def ring_of_shapes(
    width: int,
    shapes: Sequence[Shape],
    placement: Literal["regular", "random"] = "regular",
    seed: int | None = None,
) -> tuple[Graph, OffsetArray]:
    """Return a cycle that carries shapes, and the role of each node."""
    if placement == "regular":
        anchors = np.arange(len(shapes)) * (width // max(len(shapes), 1))
    else:
        anchors = np.random.default_rng(seed).choice(width, len(shapes), replace=False)
    ring = np.arange(width)
    edges = [np.column_stack([ring, np.roll(ring, -1)])]
    roles = [("ring", 0)] * width
    first = width
    for anchor, shape in zip(anchors.tolist(), shapes, strict=True):
        edges.append(np.array(shape.edges) + first)
        edges.append(np.array([[anchor, first]]))
        roles[anchor] = (f"anchor {shape.name}", 0)
        roles.extend((f"in {shape.name}", role) for role in shape.roles)
        first += shape.n_nodes
    numbers = {role: number for number, role in enumerate(dict.fromkeys(roles))}
    pairs = np.concatenate(edges)
    graph = graph_from_ids(pairs[:, 0], pairs[:, 1], n_nodes=first)
    return graph, np.array([numbers[role] for role in roles])
