"""Random edges added to a graph, and the drawing of pairs."""

from __future__ import annotations

import numpy as np

from vnestruct.graph import Graph, graph_from_ids
from vnestruct.types import OffsetArray, ValueArray

# Rounds of drawing at random before the remaining ends are chosen one by one among what is left.
_ROUNDS = 30


def perturb(graph: Graph, n_added: int, seed: int) -> Graph:
    """Return the graph with random edges added."""
    source, target, weights = _edges(graph)
    n_nodes = graph.n_nodes
    n_absent = n_nodes * (n_nodes - 1) // 2 - graph.n_edges
    generator = np.random.default_rng(seed)
    # The k-th absent pair has the rank k + (number of edges of lower rank), found by searching the gaps.
    low, high = np.minimum(source, target), np.maximum(source, target)
    present = np.sort(high * (high - 1) // 2 + low)
    chosen = generator.choice(n_absent, n_added, replace=False, shuffle=False) if n_added else present[:0]
    ranks = chosen + np.searchsorted(present - np.arange(present.size), chosen, side="right")
    new_source, new_target = pairs_from_ranks(ranks)
    return graph_from_ids(
        np.concatenate([source, new_source]),
        np.concatenate([target, new_target]),
        None if weights is None else np.concatenate([weights, np.ones(n_added)]),
        n_nodes=n_nodes,
        nodes=graph.nodes,
    )


def _edges(
    graph: Graph,
) -> tuple[OffsetArray, OffsetArray, ValueArray | None]:
    source = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    upper = source < graph.indices
    weights = None if graph.weights is None else graph.weights[upper]
    return source[upper], graph.indices[upper].astype(np.int64), weights


def pair_keys(source: OffsetArray, target: OffsetArray, n_nodes: int) -> OffsetArray:
    """Return one number per unordered pair."""
    return np.minimum(source, target) * np.int64(n_nodes) + np.maximum(source, target)


def pairs_from_ranks(ranks: OffsetArray) -> tuple[OffsetArray, OffsetArray]:
    """Return the pairs u < v of given ranks ``v * (v - 1) / 2 + u``."""
    high = ((1 + np.sqrt(1 + 8 * ranks.astype(np.float64))) / 2).astype(np.int64)
    # The square root may be off by one either way.
    high -= high * (high - 1) // 2 > ranks
    high += high * (high + 1) // 2 <= ranks
    return ranks - high * (high - 1) // 2, high


def draw_new_ends(
    anchors: OffsetArray,
    taken: OffsetArray,
    n_nodes: int,
    generator: np.random.Generator,
) -> OffsetArray:
    """Return for each anchor a random node such that all pairs are new and distinct, -1 where none is left."""
    ends = np.full(anchors.size, -1, dtype=np.int64)
    open_places = np.arange(anchors.size)
    for _ in range(_ROUNDS):
        if not open_places.size:
            return ends
        drawn = generator.integers(n_nodes, size=open_places.size)
        keys = pair_keys(anchors[open_places], drawn, n_nodes)
        good = (drawn != anchors[open_places]) & ~np.isin(keys, taken)
        first = np.zeros(keys.size, dtype=bool)
        first[np.unique(keys, return_index=True)[1]] = True
        good &= first
        ends[open_places[good]] = drawn[good]
        taken = np.concatenate([taken, keys[good]])
        open_places = open_places[~good]
    used = set(taken.tolist())
    everyone = np.arange(n_nodes)
    for place in open_places.tolist():
        keys = pair_keys(anchors[place], everyone, n_nodes)
        free = [node for node, key in enumerate(keys.tolist()) if node != anchors[place] and key not in used]
        if free:
            ends[place] = free[generator.integers(len(free))]
            used.add(int(keys[ends[place]]))
    return ends
