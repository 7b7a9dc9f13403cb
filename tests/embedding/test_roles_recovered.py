"""Signatures tell structural roles apart, and say so of equal roles."""

from __future__ import annotations

import numpy as np

from tests import generators as synthetic
from tests.cases import for_each
from tests.oracles import KINDS
from vnestruct import embed
from vnestruct.types import ValueArray


def distinct(values: ValueArray) -> dict[tuple[float, ...], list[int]]:
    """Nodes by signature, equal after rounding to 8 decimals."""
    classes: dict[tuple[float, ...], list[int]] = {}
    for node, row in enumerate(np.round(values, 8).tolist()):
        classes.setdefault(tuple(row), []).append(node)
    return classes


def test_barbell_has_five_signatures() -> None:
    """Two cliques of 10 joined by a path of 7: clique nodes, attachments, and a path seen from its middle."""
    graph = synthetic.barbell(10, 7)
    classes = distinct(embed(graph, 3))
    roles = {frozenset(nodes) for nodes in classes.values()}
    assert roles == {
        frozenset([*range(9), *range(18, 27)]),
        frozenset([9, 17]),
        frozenset([10, 16]),
        frozenset([11, 15]),
        frozenset([12, 13, 14]),
    }


def test_barbell_needs_radius_four_to_see_the_cliques_from_the_middle() -> None:
    values = embed(synthetic.barbell(10, 7), 4)
    assert len(distinct(values)) == 6
    assert len(distinct(values[:, :3])) == 5


@for_each("kind", KINDS)
@for_each(
    ("shape", "width"),
    [(synthetic.house_shape(), 30), (synthetic.fan_shape(5), 40), (synthetic.star_shape(5), 40)],
)
def test_ring_of_shapes(shape: synthetic.Shape, width: int, kind: str) -> None:
    """Ten equal shapes at equal distances on a ring; ring nodes are told apart by how far the next anchor is."""
    graph, _ = synthetic.ring_of_shapes(width, [shape] * 10)
    values = embed(graph, 3, kind=kind)
    roles = roles_by_symmetry(width, shape)
    assert len(roles) == graph.n_nodes
    for role in set(roles):
        rows = values[[place for place, name in enumerate(roles) if name == role]]
        assert np.ptp(rows, axis=0).max() <= 1e-9, role


def test_ring_of_houses_separates_roles() -> None:
    graph, _ = synthetic.ring_of_shapes(30, [synthetic.house_shape()] * 10)
    values = embed(graph, 3)
    roles = roles_by_symmetry(30, synthetic.house_shape())
    first = {role: values[roles.index(role)] for role in set(roles)}
    names = sorted(first)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            assert np.abs(first[one] - first[other]).max() > 1e-6, (one, other)


def roles_by_symmetry(width: int, shape: synthetic.Shape) -> list[str]:
    """Roles that rotations and reflections of the ring, and the shape's own symmetry, make equal."""
    step = width // 10
    ring = [f"ring {min(place % step, step - place % step)}" for place in range(width)]
    return ring + [f"{shape.name} {role}" for role in shape.roles] * 10
