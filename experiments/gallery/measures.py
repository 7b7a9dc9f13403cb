"""Methods that find roles, and the measures they are compared by.

Nothing here needs more of vnestruct than commit b3aabe0 has, so that its roles are measured by the same code.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from experiments.baselines.rolx import rolx as memberships
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from vnestruct.graph import OUT, Graph
from vnestruct.graph.edit import edit
from vnestruct.roles import RoleClusterer

SEEDS = (0, 1, 2)
LOST_SHARE = 0.05
SMALL_ROLE = 0.01
MANY_NODES = 1_000
"""Graphs with fewer nodes have no top 1% to speak of."""

_TIMED_RUNS = 3

Labels = NDArray[np.int64]
Method = Callable[[Graph], Labels]


def vnestruct_roles(options: Mapping[str, Any]) -> Method:
    """Return `RoleClusterer` with its names, which `summary` computes."""

    def find(graph: Graph) -> Labels:
        model = RoleClusterer(**options).fit(graph)
        model.summary()
        return np.asarray(model.labels_)

    return find


def other_methods(n_roles: int) -> dict[str, Method]:
    """Return the competitors, with as many roles as `RoleClusterer` found."""

    def rolx(graph: Graph) -> Labels:
        return np.asarray(memberships(graph, n_roles=n_roles).argmax(axis=1))

    def quantiles(graph: Graph) -> Labels:
        ends = np.unique(np.quantile(graph.degrees, np.arange(1, n_roles) / n_roles))
        return np.searchsorted(ends, graph.degrees)

    def degree(graph: Graph) -> Labels:
        logarithms = np.log1p(graph.degrees)[:, None]
        k = min(n_roles, len(np.unique(logarithms)))
        return np.asarray(RoleClusterer(k).fit(logarithms).labels_)

    return {"rolx": rolx, "quantiles": quantiles, "degree": degree}


def measured(find: Method, graph: Graph, classes: Labels | None, centres: Iterable[Any] = ()) -> dict[str, Any]:
    """Return the figures of one method on one graph."""
    labels, seconds = _timed(find, graph)
    sizes = np.bincount(labels)
    found: dict[str, Any] = {
        "roles": int(np.count_nonzero(sizes)),
        "largest": float(sizes.max() / sizes.sum()),
        "seconds": seconds,
        "degree_ratio": degree_ratio(graph.degrees, labels),
        "stability": float(np.mean([adjusted_rand_score(labels, find(without_some(graph, s))) for s in SEEDS])),
    }
    if graph.n_nodes >= MANY_NODES:
        found["hub_purity"] = hub_purity(graph.degrees, labels)
    if classes is not None:
        known = classes >= 0
        found["agreement"] = float(adjusted_rand_score(classes[known], labels[known]))
    if centres := tuple(centres):
        at = labels[[graph.position(node) for node in centres]]
        small = at[sizes[at] <= SMALL_ROLE * labels.size]
        found["centres"] = [int(small.size), int(sizes[np.unique(small)].sum())]
    return found


def hub_purity(degrees: Labels, labels: Labels) -> float:
    """Return the share of the top 1% by degree whose role has at least five times the median degree of the graph."""
    top = np.argsort(-degrees, kind="stable")[: max(5, round(0.01 * degrees.size))]
    return float(np.mean([np.median(degrees[labels == labels[i]]) >= 5 * np.median(degrees) for i in top]))


def degree_ratio(degrees: Labels, labels: Labels) -> float:
    """Return the largest ratio of the 95% to the 5% quantile of degree within a role of at least five nodes."""
    roles = [degrees[labels == role] for role in np.unique(labels)]
    low_high = [np.quantile(role, (0.05, 0.95)) for role in roles if role.size >= 5]
    return float(max((high / max(low, 1.0) for low, high in low_high), default=1.0))


def without_some(graph: Graph, seed: int) -> Graph:
    """Return a graph that has lost 5% of its edges, or arcs, but none of its nodes."""
    rows = graph.sources
    once = rows < graph.indices if graph.directions is None else (graph.directions & OUT) > 0
    ends = np.column_stack([rows, graph.indices])[once]
    lost = graph.nodes[ends[np.random.default_rng(seed).random(len(ends)) < LOST_SHARE]]
    return edit(graph, removed=lost.tolist()).graph


def _timed(find: Method, graph: Graph) -> tuple[Labels, float]:
    """Return roles and the least processor time of a few runs, of which the first may have to compile.

    Other programs that run at the same time change the time on the clock much more.
    """
    seconds = []
    for _ in range(_TIMED_RUNS):
        start = time.process_time()
        labels = find(graph)
        seconds.append(time.process_time() - start)
    return labels, min(seconds)
