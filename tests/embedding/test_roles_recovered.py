"""Signatures tell apart what no symmetry exchanges."""

from __future__ import annotations

import numpy as np

from tests import generators as synthetic
from tests.cases import for_each
from vnestruct import Graph, embed


def classes(graph: Graph, radius: int) -> set[frozenset[int]]:
    """Nodes of equal signature, after rounding to 8 decimals."""
    _, names = np.unique(np.round(embed(graph, radius), 8), axis=0, return_inverse=True)
    return {frozenset(np.flatnonzero(names.ravel() == name).tolist()) for name in range(names.max() + 1)}


@for_each(("radius", "middle"), [(3, [{12, 13, 14}]), (4, [{12, 14}, {13}])])
def test_roles_of_a_barbell(radius: int, middle: list[set[int]]) -> None:
    """Two cliques of 10 joined by a path of 7, whose middle sees the cliques from radius 4 on."""
    ends = [{*range(9), *range(18, 27)}, {9, 17}, {10, 16}, {11, 15}]
    assert classes(synthetic.barbell(10, 7), radius) == set(map(frozenset, ends + middle))


def test_roles_on_a_ring_of_houses() -> None:
    """Ten houses: anchors, nodes between them, and the four places in a house."""
    graph, roles = synthetic.ring_of_shapes(30, [synthetic.house_shape()] * 10)
    wanted = {frozenset(np.flatnonzero(roles == role).tolist()) for role in range(roles.max() + 1)}
    assert len(wanted) == 6
    assert classes(graph, 3) == wanted
