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
import numpy.typing as npt

from vnestruct.errors import ParameterError
from vnestruct.graph.build import graph_from_ids
from vnestruct.graph.graph import Graph


@dataclass(frozen=True)
class Shape:
    """A small graph to hang on a ring by its node 0.

    Parameters
    ----------
    name : str
        Shapes of one name are copies of each other.
    edges : tuple of pairs
        Edges between the nodes 0..n-1 of the shape.
    roles : tuple of int
        The role of each node within the shape.

    Examples
    --------
    >>> Shape("triangle", ((0, 1), (1, 2), (2, 0)), (0, 1, 1)).n_nodes
    3
    """

    name: str
    edges: tuple[tuple[int, int], ...]
    roles: tuple[int, ...]

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.roles)


def house_shape() -> Shape:
    """Return the house: a square with both diagonals and a roof over the side 0-1.

    Examples
    --------
    >>> house_shape().roles
    (0, 1, 2, 2, 3)
    """
    edges = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3), (4, 0), (4, 1))
    return Shape("house", edges, (0, 1, 2, 2, 3))


def star_shape(n_leaves: int) -> Shape:
    """Return the star of centre 0 and `n_leaves` leaves.

    Examples
    --------
    >>> star_shape(3).roles
    (0, 1, 1, 1)
    """
    if n_leaves < 1:
        raise ParameterError(f"a star of {n_leaves} leaves has no edges; it needs at least 1 leaf")
    edges = tuple((0, leaf) for leaf in range(1, n_leaves + 1))
    return Shape(f"star{n_leaves}", edges, (0,) + (1,) * n_leaves)


def fan_shape(n_leaves: int) -> Shape:
    """Return the fan: a star whose leaves but the last form a path.

    Roles are the centre, the pendant leaf, the two ends of the path and its interior.

    Examples
    --------
    >>> fan_shape(6).roles
    (0, 2, 3, 3, 3, 2, 1)
    """
    if n_leaves < 3:
        raise ParameterError(f"a fan of {n_leaves} leaves has no path; it needs at least 3 leaves")
    spokes = tuple((0, leaf) for leaf in range(1, n_leaves + 1))
    along = tuple((leaf, leaf + 1) for leaf in range(1, n_leaves - 1))
    return Shape(f"fan{n_leaves}", spokes + along, (0, 2) + (3,) * (n_leaves - 3) + (2, 1))


def ring_of_shapes(
    width: int,
    shapes: Sequence[Shape],
    placement: Literal["regular", "random"] = "regular",
    seed: int | None = None,
) -> tuple[Graph, npt.NDArray[np.int64]]:
    """Return a cycle that carries shapes, and the role of each node.

    Parameters
    ----------
    width : int
        Number of nodes of the cycle, at least 3 and at least the number of shapes.
    shapes : sequence of Shape
        The shapes, in the order of their anchors for a regular placement.
    placement : {"regular", "random"}
        Anchors at equal distances ``width // len(shapes)``, or drawn without replacement.
    seed : int, optional
        Seed of the random placement.

    Returns
    -------
    graph : Graph
        The cycle's nodes first, then shape by shape.
    roles : ndarray of int64
        Roles numbered 0, 1, ...

    Examples
    --------
    >>> graph, roles = ring_of_shapes(30, [house_shape()] * 10)
    >>> graph, len(set(roles.tolist()))
    (Graph(80 nodes, 120 edges), 6)
    """
    if width < 3 or width < len(shapes):
        raise ParameterError(f"width is {width}; a ring of {len(shapes)} shapes needs at least {max(3, len(shapes))}")
    if placement == "regular":
        anchors = np.arange(len(shapes)) * (width // max(len(shapes), 1))
    elif placement == "random":
        anchors = np.random.default_rng(seed).choice(width, len(shapes), replace=False)
    else:
        raise ParameterError(f"placement is {placement!r}; it must be 'regular' or 'random'")
    ring = np.arange(width)
    edges = [np.column_stack([ring, np.roll(ring, -1)])]
    roles = [("ring", 0)] * width
    first = width
    for anchor, shape in zip(anchors.tolist(), shapes, strict=True):
        edges.append(np.array(shape.edges, dtype=np.int64).reshape(-1, 2) + first)
        edges.append(np.array([[anchor, first]]))
        roles[anchor] = (f"anchor {shape.name}", 0)
        roles.extend((f"in {shape.name}", role) for role in shape.roles)
        first += shape.n_nodes
    numbers = {role: number for number, role in enumerate(dict.fromkeys(roles))}
    pairs = np.concatenate(edges)
    graph = graph_from_ids(pairs[:, 0], pairs[:, 1], n_nodes=first)
    return graph, np.array([numbers[role] for role in roles], dtype=np.int64)
