"""Random graphs of many models, and what to compute of them: all that one seed determines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests import generators as synthetic
from tests.graphs import (
    ZOO,
    blown_up,
    caterpillar,
    cycle_with_chords,
    directed_copy,
    disjoint_union,
    edges_of,
    friendship,
    from_edges,
    hubs_apart,
    lollipop,
    tied_hubs,
)
from tests.oracles import DIRECTIONS
from tests.oracles import KINDS as BASIC_KINDS
from tests.properties.changes import arcs_of, reweighted
from vnestruct import Graph

Draw = np.random.Generator

SIZES = ((12, 0.80), (60, 0.18), (400, 0.02))
"""Largest number of nodes, and the share of graphs of that size: small ones find most mistakes, and quickly."""

FEW_NODES = 64
"""Nodes up to which a graph has signatures of every kind."""

KINDS = (*BASIC_KINDS, "unscaled")

WEIGHT_EXPONENTS = (-6.0, 6.0)


@dataclass(frozen=True)
class Case:
    """One graph and the parameters of its signatures."""

    seed: int
    model: str
    graph: Graph
    radius: int
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        kind = ("directed " if self.graph.directed else "") + ("weighted " if self.graph.weights is not None else "")
        size = f"{self.graph.n_nodes} nodes, {self.graph.n_edges} edges"
        return f"case {self.seed}: {kind}{self.model} of {size}, radius {self.radius}, {self.options}"


def _pairs(draw: Draw, size: int) -> Graph:
    return synthetic.erdos_renyi(size, min(1.0, float(draw.uniform(0.3, 8)) / size), _seed(draw))


def _dense(draw: Draw, size: int) -> Graph:
    return synthetic.erdos_renyi(min(size, 40), float(draw.uniform(0.5, 1.0)), _seed(draw))


def _preferential(draw: Draw, size: int) -> Graph:
    attachments = int(draw.integers(1, min(size - 2, 6) + 1))
    return synthetic.barabasi_albert(max(size, attachments + 2), attachments, _seed(draw))


def _small_world(draw: Draw, size: int) -> Graph:
    return synthetic.watts_strogatz(max(size, 6), 4, float(draw.uniform(0, 0.5)), _seed(draw))


def _regular(draw: Draw, size: int) -> Graph:
    degree = int(draw.integers(1, min(size - 1, 8) + 1))
    return synthetic.random_regular(size + size * degree % 2, degree, _seed(draw))


def _power_law(draw: Draw, size: int) -> Graph:
    return synthetic.power_law(max(size, 8), float(draw.uniform(2.0, 3.2)), _seed(draw))


def _grid(draw: Draw, size: int) -> Graph:
    height = int(draw.integers(1, int(size**0.5) + 1))
    return synthetic.grid(height, max(size // height, 1), shuffled=_seed(draw))


def _tree(draw: Draw, size: int) -> Graph:
    """A random recursive tree: each node hangs on an earlier one, near the newest or anywhere."""
    reach = int(draw.integers(1, size + 1))
    return from_edges([(node, node - 1 - int(draw.integers(min(node, reach)))) for node in range(1, size)], size)


def _chords(draw: Draw, size: int) -> Graph:
    return cycle_with_chords(max(size, 8), int(draw.integers(0, 4)))


def _caveman(draw: Draw, size: int) -> Graph:
    return synthetic.connected_caveman(max(size // 5, 2), int(draw.integers(3, 6)))


def _multipartite(draw: Draw, size: int) -> Graph:
    return synthetic.complete_multipartite(draw.integers(1, 6, max(min(size, 40) // 4, 1)).tolist())


def _hubs(draw: Draw, size: int) -> Graph:
    """Equal or nearly equal hubs: the largest eigenvalues are tied, or differ by very little."""
    leaves, distance = int(draw.integers(2, max(size // 3, 3))), int(draw.integers(1, 9))
    shapes: list[Callable[[], Graph]] = [
        lambda: tied_hubs(leaves, distance),
        lambda: hubs_apart(leaves),
        lambda: synthetic.double_star(leaves, leaves + 1),
        lambda: friendship(leaves),
        lambda: lollipop(leaves + 2, distance),
        lambda: caterpillar(distance + 1, min(leaves, 9)),
    ]
    return shapes[int(draw.integers(len(shapes)))]()


def _zoo(draw: Draw, size: int) -> Graph:
    return list(ZOO.values())[int(draw.integers(len(ZOO)))]


def _twins(draw: Draw, size: int) -> Graph:
    return blown_up(_pairs(draw, max(size // 4, 2)), _seed(draw), int(draw.integers(2, 8)))


def _several(draw: Draw, size: int) -> Graph:
    """Components of several models, isolated nodes among them."""
    parts = [_any_model(draw, max(size // 3, 3))[1] for _ in range(2)]
    return disjoint_union(*parts, from_edges([], int(draw.integers(3))))


def _rewired(draw: Draw, size: int) -> Graph:
    """A regular pattern with a few edges more."""
    base = _grid(draw, size) if draw.random() < 0.5 else _caveman(draw, size)
    absent = base.n_nodes * (base.n_nodes - 1) // 2 - base.n_edges
    return synthetic.perturb(base, min(int(draw.integers(0, 6)), absent), _seed(draw))


MODELS: list[Callable[[Draw, int], Graph]] = [
    _pairs, _dense, _preferential, _small_world, _regular, _power_law, _grid, _tree, _chords, _caveman, _multipartite,
    _hubs, _zoo, _twins, _several, _rewired,
]  # fmt: skip


def draw_case(seed: int) -> Case:
    """Return the case of a seed, always the same one."""
    draw = np.random.default_rng(seed)
    largest = int(draw.choice([size for size, _ in SIZES], p=[share for _, share in SIZES]))
    model, graph = _any_model(draw, int(draw.integers(3, largest + 1)))
    weighted, directed = bool(draw.random() < 0.35), bool(draw.random() < 0.25)
    if directed:
        graph = directed_copy(graph, _seed(draw), weighted=weighted)
    if weighted:
        graph = reweighted(graph, draw_weights(draw, len(arcs_of(graph).source)))
    # All eigenvalues of hundreds of large balls take minutes: `checks` asks for some of them.
    kinds = KINDS if graph.n_nodes <= FEW_NODES else ("approx", "quadratic", "unscaled")
    options: dict[str, Any] = {
        "kind": draw.permutation(list(kinds))[: draw.integers(1, len(kinds) + 1)].tolist(),
        "weighted": weighted,
    }
    if directed:
        options["direction"] = str(draw.choice(list(DIRECTIONS)))
    return Case(seed, model, graph, int(draw.integers(1, 7)), options)


def draw_weights(draw: Draw, count: int) -> np.ndarray:
    """Weights over up to twelve orders of magnitude, sometimes all of a similar size, some of them equal."""
    low, high = sorted(draw.uniform(*WEIGHT_EXPONENTS, 2)) if draw.random() < 0.5 else WEIGHT_EXPONENTS
    weights = 10.0 ** draw.uniform(low, high, count)
    weights[draw.random(count) < draw.choice([0.0, 0.3, 0.9])] = 10.0 ** float(draw.uniform(low, high))
    return weights


def _any_model(draw: Draw, size: int) -> tuple[str, Graph]:
    model = MODELS[int(draw.integers(len(MODELS)))]
    graph = model(draw, size)
    # Whatever order the model numbers its nodes in, the library must not depend on it.
    place = draw.permutation(graph.n_nodes)
    edges = [(int(place[u]), int(place[v])) for u, v in edges_of(graph)]
    return model.__name__[1:].replace("_", " "), from_edges(edges, graph.n_nodes)


def _seed(draw: Draw) -> int:
    return int(draw.integers(2**31))
