"""Rings of shapes, whose roles are known, clean and perturbed: the graphs of our own tables.

A cycle of 30 nodes carries small graphs, each joined to its anchor on the cycle by its node 0. Nodes in the same place
of equal shapes share a role, the anchors of equal shapes share one, and all plain nodes of the cycle have one.
"""

from typing import NamedTuple

import numpy as np

from vnestruct.graph import graph_from_ids

WIDTH = 30
CLEAN = "not perturbed"


class Shape(NamedTuple):
    """A small graph, and the role of each of its nodes."""

    edges: list[tuple[int, int]]
    roles: list[int]


class Setting(NamedTuple):
    """Which ring, and how it is perturbed: `amount` edges, or a share of the edges if below 1."""

    ring: str
    noise: str
    amount: float

    def __str__(self):
        if self.noise == CLEAN:
            return f"{self.ring}, {CLEAN}"
        amount = f"{self.amount:.0%}" if 0 < self.amount < 1 else f"{self.amount:g}"
        return f"{self.ring}, {amount} {self.noise}"


def _star(n_leaves):
    return Shape([(0, leaf) for leaf in range(1, n_leaves + 1)], [0] + [1] * n_leaves)


def _fan(n_leaves):
    """Return a star whose leaves but the last form a path."""
    along = [(leaf, leaf + 1) for leaf in range(1, n_leaves - 1)]
    return Shape(_star(n_leaves).edges + along, [0, 2] + [3] * (n_leaves - 3) + [2, 1])


# A square with both diagonals, and a roof.
HOUSE = Shape([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3), (4, 0), (4, 1)], [0, 1, 2, 2, 3])
FAN, STAR = _fan(6), _star(10)
RINGS = {
    "houses": [HOUSE] * 10,
    "fans": [FAN] * 10,
    "stars": [STAR] * 10,
    "varied": [FAN] * 10 + [STAR] * 10 + [HOUSE] * 10,
}
NOISES = ("added", "rewired")
ALL = [Setting(ring, noise, amount) for ring in RINGS for noise in NOISES for amount in (5, 10, 0.1)]
"""Every perturbed setting that is reported."""


def make_graph(setting, seed):
    """Return a ring, perturbed as the setting says, and the role of each node before it was perturbed."""
    graph, roles = ring_of_shapes(RINGS[setting.ring], seed if setting.ring == "varied" else None)
    if setting.noise == CLEAN:
        return graph, roles
    amount = round(setting.amount * graph.n_edges) if setting.amount < 1 else int(setting.amount)
    return (added if setting.noise == "added" else rewired)(graph, amount, seed), roles


def ring_of_shapes(shapes, seed):
    """Return a ring with its shapes at random places, at equal distances without a seed, and the role of each node."""
    if seed is None:
        anchors = np.arange(len(shapes)) * (WIDTH // len(shapes))
    else:
        anchors = np.random.default_rng(seed).choice(WIDTH, len(shapes), replace=False)
    edges = [(node, (node + 1) % WIDTH) for node in range(WIDTH)]
    roles = [("ring",)] * WIDTH
    for anchor, shape in zip(anchors.tolist(), shapes, strict=True):
        first = len(roles)
        edges += [(first + u, first + v) for u, v in shape.edges] + [(anchor, first)]
        roles[anchor] = ("anchor", id(shape))
        roles += [(id(shape), role) for role in shape.roles]
    numbers = {role: number for number, role in enumerate(dict.fromkeys(roles))}
    return graph_from_ids(*np.array(edges).T, n_nodes=len(roles)), np.array([numbers[role] for role in roles])


def edges_of(graph):
    """Return the two ends of every edge."""
    rows = graph.sources
    upper = rows < graph.indices
    return rows[upper], graph.indices[upper].astype(np.int64)


def added(graph, n_added, seed):
    """Return the graph with edges between random pairs that were not linked."""
    low, high = edges_of(graph)
    present = np.sort(high * (high - 1) // 2 + low)
    n_absent = graph.n_nodes * (graph.n_nodes - 1) // 2 - present.size
    chosen = np.random.default_rng(seed).choice(n_absent, n_added, replace=False, shuffle=False)
    # The k-th absent pair has the rank k + (number of edges of lower rank).
    ranks = chosen + np.searchsorted(present - np.arange(present.size), chosen, side="right")
    top = ((1 + np.sqrt(1 + 8 * ranks)) / 2).astype(np.int64)
    bottom = ranks - top * (top - 1) // 2
    return graph_from_ids(np.append(low, bottom), np.append(high, top), n_nodes=graph.n_nodes)


def rewired(graph, n_moved, seed):
    """Return the graph with one end of some distinct random edges moved to a random non-neighbour."""
    source, target = edges_of(graph)
    generator, n_nodes = np.random.default_rng(seed), graph.n_nodes
    moved = generator.choice(source.size, n_moved, replace=False)
    anchors = np.where(generator.random(n_moved) < 0.5, source[moved], target[moved])
    taken, ends, left = source * n_nodes + target, np.empty(n_moved, np.int64), np.arange(n_moved)
    while left.size:
        drawn = generator.integers(n_nodes, size=left.size)
        keys = np.minimum(anchors[left], drawn) * n_nodes + np.maximum(anchors[left], drawn)
        good = (drawn != anchors[left]) & ~np.isin(keys, taken)
        good &= np.isin(np.arange(keys.size), np.unique(keys, return_index=True)[1])
        ends[left[good]], taken, left = drawn[good], np.append(taken, keys[good]), left[~good]
    source[moved], target[moved] = anchors, ends
    return graph_from_ids(source, target, n_nodes=n_nodes)
