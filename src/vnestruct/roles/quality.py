"""How far roles can be trusted: whether they survive the loss of edges, and what they add to a split by degree.

Each of a few draws removes 5% of the edges at random, recomputes signatures, clusters them again, and compares the
result with the roles of the intact graph. In a large graph this is done for a sample with the same number of nodes of
each role; a node then stands for its share of the role. Where balls are large the sample is smaller, so that the cost
is bounded whatever the graph.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from vnestruct.graph import Graph
from vnestruct.graph.validate import reverse_entries
from vnestruct.roles.agreement_scores import role_silhouette
from vnestruct.roles.distinct import distinct_signatures
from vnestruct.roles.partition import Cut, prepare_cut
from vnestruct.types import OffsetArray, ValueArray

LOST_SHARE = 0.05  # share of the edges that a draw removes
DRAWS, DRAWS_OF_SAMPLE = 20, 5  # number of draws of a graph that is recomputed as a whole, and of a larger one
_WHOLE = 1_000  # most nodes of a graph that is recomputed as a whole, and of a sample
_SAMPLE_ARCS = 1e7  # most arcs of the balls of a sample, by a bound; but each role has at least `_FEWEST` nodes

_FEWEST = 8

Recompute = Callable[[Graph, OffsetArray], ValueArray]  # from positions of nodes to their scaled signatures


@dataclass(frozen=True)
class RoleQuality:
    """How far the roles of a graph can be trusted, next to a plain split by degree into as many roles.

    Parameters
    ----------
    stability : float or None
        Adjusted Rand index of the roles with those found after a loss of 5% of the edges, the mean of several draws.
        None if there is no graph, or its signatures by the parameters of the clusterer are not those of the roles.
    role_stability : tuple of float or None
        The same for each role: the Jaccard index with the most similar role found after the loss (Hennig 2007,
        Computational Statistics & Data Analysis 52, 258-271). None for a role of which no node kept an edge.
    separation : float
        Mean silhouette of the signatures.
    degree_stability, degree_separation : float or None
        The same scores for the split by degree.
    degree_agreement : float or None
        Adjusted Rand index between the roles and the split by degree.
    """

    stability: float | None
    role_stability: tuple[float | None, ...]
    separation: float
    degree_stability: float | None = None
    degree_separation: float | None = None
    degree_agreement: float | None = None


class _Draw(NamedTuple):
    """Sampled nodes that still have edges, how many nodes each stands for, and what they are clustered by."""

    nodes: OffsetArray
    weights: ValueArray
    signatures: ValueArray
    degrees: OffsetArray


class EdgeLoss:
    """The same few random losses of edges for all questions about the roles of a graph."""

    def __init__(self, graph: Graph, recompute: Recompute, radius: int, method: str, seed: int) -> None:
        self.graph, self.recompute = graph, recompute
        self._radius, self._how = radius, (method, seed)
        self._draws: list[_Draw] = []

    def stability(self, cut: Cut, numbers: Sequence[int], index: Any = ...) -> dict[int, float]:
        """Return the stability of several numbers of roles; `index` is the point of the cut of each node."""
        partitions = {n_roles: cut(n_roles)[index] for n_roles in numbers}
        scores = dict.fromkeys(numbers, 0.0)
        draws = self._drawn(partitions[max(numbers)])
        for draw in draws:
            again = _cut(draw.signatures, draw.weights, *self._how)
            for n_roles, whole in partitions.items():
                scores[n_roles] += adjusted_rand(draw.weights, whole[draw.nodes], again(n_roles))
        return {n_roles: score / len(draws) for n_roles, score in scores.items()}

    def scores(self, roles: OffsetArray, by_degree: OffsetArray) -> dict[str, Any]:
        """Return the scores of `RoleQuality` that take several draws."""
        n_roles = int(roles.max()) + 1
        overlaps, of_degrees = [], []
        for draw in self._drawn(roles):
            found = _cut(draw.signatures, draw.weights, *self._how)(n_roles)
            overlaps.append(_best_overlaps(draw.weights, roles[draw.nodes], found, n_roles))
            again = degree_split(draw.degrees, draw.weights, n_roles, *self._how)
            of_degrees.append(adjusted_rand(draw.weights, by_degree[draw.nodes], again))
        return {
            "stability": self.stability(lambda _: roles, [n_roles])[n_roles],
            "role_stability": tuple(np.ma.masked_invalid(overlaps).mean(axis=0).tolist()),
            "degree_stability": float(np.mean(of_degrees)),
        }

    def _drawn(self, strata: OffsetArray) -> list[_Draw]:
        """Return the draws, which are made once; the strata divide all roles asked for."""
        if not self._draws:
            generator = np.random.default_rng(self._how[1])
            nodes, weights = _stratified_sample(self.graph, strata, self._radius, generator)
            n_draws = DRAWS if nodes.size == self.graph.n_nodes else DRAWS_OF_SAMPLE
            for left in _graphs_after_loss(self.graph, generator, n_draws):
                # A node that has lost all its edges is not in the graph any more; one that had none stays.
                present = (left.degrees[nodes] > 0) | (self.graph.degrees[nodes] == 0)
                kept = nodes[present]
                self._draws.append(_Draw(kept, weights[present], self.recompute(left, kept), left.degrees[kept]))
        return self._draws


def degree_split(degrees: OffsetArray, weights: ValueArray | None, n_roles: int, method: str, seed: int) -> OffsetArray:
    """Cluster nodes by the logarithm of their degree alone, into fewer groups if there are fewer degrees."""
    each = np.ones(degrees.size) if weights is None else weights
    return _cut(np.log1p(degrees)[:, None], each, method, seed)(n_roles)


def _cut(values: ValueArray, weights: ValueArray, method: str, seed: int) -> Cut:
    """Cluster nodes by values, one row each; return a function of the number of roles."""
    distinct = distinct_signatures(values)
    counts = np.bincount(distinct.index, weights)
    if counts.size < 2:
        return lambda n_roles: distinct.index
    cut = prepare_cut(distinct.points, counts, method, seed)
    return lambda n_roles: cut(min(n_roles, counts.size))[distinct.index]


def role_quality(
    roles: OffsetArray, signatures: ValueArray, graph: Graph | None, loss: EdgeLoss | None, method: str, seed: int
) -> RoleQuality:
    """Return what can be known about the roles of scaled signatures: more with the graph, all with edge losses."""
    n_roles = int(roles.max()) + 1
    scores: dict[str, Any] = {"stability": None, "role_stability": (None,) * n_roles}
    if graph is not None:
        by_degree = degree_split(graph.degrees, None, n_roles, method, seed)
        scores["degree_separation"] = role_silhouette(signatures, by_degree, seed)
        scores["degree_agreement"] = adjusted_rand(np.ones(roles.size), roles, by_degree)
        scores |= {} if loss is None else loss.scores(roles, by_degree)
    return RoleQuality(separation=role_silhouette(signatures, roles, seed), **scores)


def _graphs_after_loss(graph: Graph, generator: np.random.Generator, n_draws: int) -> Iterator[Graph]:
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    below = rows > graph.indices
    above = reverse_entries(graph.indptr, graph.indices)[below]
    for _ in range(n_draws):
        kept = generator.random(graph.indices.size) >= LOST_SHARE
        kept[below] = kept[above]
        weights = None if graph.weights is None else graph.weights[kept]
        flags = None if graph.directions is None else graph.directions[kept]
        ends = np.cumsum(np.bincount(rows[kept], minlength=graph.n_nodes))
        yield Graph._trusted(np.concatenate([[0], ends]), graph.indices[kept], weights, graph._labels, flags)


def _stratified_sample(
    graph: Graph, strata: OffsetArray, radius: int, generator: np.random.Generator
) -> tuple[OffsetArray, ValueArray]:
    """Return the positions of sampled nodes, ascending, and how many nodes each stands for."""
    # The arcs of a ball are at most all arcs, and at most the walks of as many steps as its radius.
    arcs = np.ones(graph.n_nodes)
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    for _ in range(radius):
        arcs = np.minimum(np.bincount(rows, arcs[graph.indices], minlength=graph.n_nodes), graph.indices.size)
    if graph.n_nodes <= _WHOLE and arcs.sum() <= _SAMPLE_ARCS:
        return np.arange(graph.n_nodes), np.ones(graph.n_nodes)
    n_strata = int(strata.max()) + 1
    nodes, weights = [], []
    for stratum in range(n_strata):
        members = np.flatnonzero(strata == stratum)
        affordable = _SAMPLE_ARCS / max(float(arcs[members].mean()), 1.0)
        size = min(members.size, max(int(min(affordable, _WHOLE) / n_strata), _FEWEST))
        nodes.append(generator.choice(members, size, replace=False))
        weights.append(np.full(size, members.size / size))
    order = np.argsort(np.concatenate(nodes))
    return np.concatenate(nodes)[order], np.concatenate(weights)[order]


def adjusted_rand(weights: ValueArray, first: OffsetArray, second: OffsetArray) -> float:
    """Return the adjusted Rand index of two partitions of nodes that stand for several nodes each."""
    table = _contingency(weights, first, second, 0)

    def pairs(sizes: ValueArray) -> float:
        return float((sizes * (sizes - 1.0) / 2.0).sum())

    both, one, other = pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))
    expected = one * other / max(pairs(table.sum(keepdims=True)), 1.0)
    most = (one + other) / 2.0
    return 1.0 if most == expected else (both - expected) / (most - expected)


def _best_overlaps(weights: ValueArray, roles: OffsetArray, found: OffsetArray, n_roles: int) -> ValueArray:
    """Return the Jaccard index of each role with the most similar role found; NaN if no node of it is left."""
    table = _contingency(weights, roles, found, n_roles)
    sizes = table.sum(axis=1, keepdims=True)
    overlaps: ValueArray = (table / np.maximum(sizes + table.sum(axis=0) - table, 1e-12)).max(axis=1)
    return np.where(sizes[:, 0] > 0.0, overlaps, np.nan)


def _contingency(weights: ValueArray, first: OffsetArray, second: OffsetArray, n_rows: int) -> ValueArray:
    """Return how many nodes are in each pair of parts."""
    shape = (max(n_rows, int(first.max(initial=0)) + 1), int(second.max(initial=0)) + 1)
    return np.bincount(first * shape[1] + second, weights, shape[0] * shape[1]).reshape(shape).astype(np.float64)
