"""Nodes of one graph whose entropies are unusual for the size of their neighbourhood, and in what way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from vnestruct.checks import whole_number
from vnestruct.embedding import embed
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.roles.summary import neighbour_degrees, triangle_counts
from vnestruct.types import ValueArray

_PEERS = 50
"""Nodes with the most similar neighbourhoods, by which a node is judged."""

_LEAST_SPREAD = 0.05
"""Ordinary variation, however alike the peers are."""


@dataclass(frozen=True)
class Anomaly:
    """A node that is unlike nodes with a neighbourhood of the same size.

    Attributes
    ----------
    node : label
        The node.
    score : float
        How far it is from its peers, in units of their spread.
    sentence : str
        In what it is unusual.
    """

    node: Any
    score: float
    sentence: str


def anomalies(g: Any, *, top: int = 10) -> list[Anomaly]:
    """Return the nodes of a graph that are most unusual, the most unusual first.

    Parameters
    ----------
    g : graph
        Anything `as_graph` takes.
    top : int, default 10
        How many to return.

    Examples
    --------
    >>> from vnestruct.live import anomalies
    >>> ladder = [(i, (i + step) % 300) for i in range(300) for step in (1, 2, 2 + i % 5)]
    >>> star = [(7, leaf) for leaf in range(500, 540)]
    >>> print(anomalies(ladder + star, top=1)[0].sentence)
    7 is nearly the centre of a star: 5 of 990 possible links among its 45 neighbours
    """
    graph = as_graph(g)
    scores = anomaly_scores(graph)
    chosen = np.argsort(-scores, kind="stable")[: whole_number("top", top, 1)]
    triangles, around = triangle_counts(graph), neighbour_degrees(graph)
    typical = float(np.median(around)) if graph.n_nodes else 0.0
    return [
        Anomaly(
            label,
            float(scores[node]),
            f"{label} {_description(graph, int(node), int(triangles[node]), float(around[node]), typical)}",
        )
        for label, node in zip(graph.nodes[chosen].tolist(), chosen, strict=True)
    ]


def anomaly_scores(g: Any) -> ValueArray:
    """Return how unusual the entropies of each node are, given the nodes and edges of its 1-ball.

    Distances are from the median of the 50 nodes with the most similar numbers, in units of their spread; the larger
    one of kinds "approx" and "quadratic" counts. A node with fewer than two neighbours has score 0.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import cycle
    >>> from vnestruct.live import anomaly_scores
    >>> anomaly_scores(cycle(6)).tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    graph = as_graph(g)
    edges = graph.degrees + triangle_counts(graph)
    entropies = embed(graph, 1, kind=["approx", "quadratic"])
    unlike = _unlike(entropies, np.log1p(np.column_stack([graph.degrees, edges])))
    scores: ValueArray = np.where(graph.degrees > 1, np.max(unlike, axis=1, initial=0.0), 0.0)
    return scores


def _unlike(values: ValueArray, context: ValueArray) -> ValueArray:
    """Return the distance of each value from the median of its peers, in units of their spread."""
    n_nodes = len(values)
    if n_nodes < 2:
        return np.zeros_like(values)
    # Without the trend, the largest hubs would be anomalies only because all their peers are smaller.
    trend = np.column_stack([np.ones(n_nodes), context])
    rest = values - trend @ np.linalg.lstsq(trend, values, rcond=None)[0]
    peers = cKDTree(context).query(context, k=min(_PEERS, n_nodes))[1]
    away = np.empty_like(values)
    for column, out in zip(rest.T, away.T, strict=True):
        among = column[peers]
        middle = np.median(among, axis=1)
        spread = np.median(np.abs(among - middle[:, None]), axis=1)
        out[:] = np.round(np.abs(column - middle) / (spread + _LEAST_SPREAD), 9)
    return away


def _description(graph: Graph, node: int, links: int, around: float, typical: float) -> str:
    """Say what the neighbourhood of a node looks like, by fixed rules from counts."""
    degree = int(graph.degrees[node])
    pairs = degree * (degree - 1) // 2
    groups = [size for size in _groups(graph, node) if size > 1]
    if len(groups) > 1:
        return f"is a bridge: {len(groups)} groups among its {degree} neighbours have no link to each other"
    if links >= 0.8 * pairs:
        return f"is nearly the centre of a clique: {links:,} of {pairs:,} possible links among its {degree} neighbours"
    if links <= 0.05 * pairs and around < 2.0 * typical:
        return f"is nearly the centre of a star: {links:,} of {pairs:,} possible links among its {degree} neighbours"
    if links <= 0.05 * pairs:
        return f"is a bridge: {links:,} links among its {degree} neighbours, which have {around:,.0f} links on average"
    return f"has an unusual neighbourhood: {links:,} of {pairs:,} possible links among its {degree} neighbours"


def _groups(graph: Graph, node: int) -> list[int]:
    """Return the sizes of the components of the neighbours of a node, without the node."""
    left = set(graph.indices[graph.indptr[node] : graph.indptr[node + 1]].tolist())
    sizes = []
    while left:
        border, size = [left.pop()], 0
        while border:
            u = border.pop()
            size += 1
            found = left.intersection(graph.indices[graph.indptr[u] : graph.indptr[u + 1]].tolist())
            left -= found
            border += found
        sizes.append(size)
    return sizes
