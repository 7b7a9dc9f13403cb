"""Columns at a point in time by the definition: each row from the graph of the edges before it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct import as_graph, embed


@dataclass
class Case:
    """Edges with times and values, and the rows that are asked for."""

    edges: list[tuple[Any, Any, float, float]]  # source, target, time, value or NaN
    rows: list[tuple[Any, Any, float]]
    window: float | None = None


def columns_of(case: Case, number: int) -> dict[str, float]:
    """Return all columns of one row."""
    *ends, now = case.rows[number]
    first = -math.inf if case.window is None else now - case.window
    earlier = [edge for edge in case.edges if first <= edge[2] < now]
    found: dict[str, float] = {}
    graph = as_graph([edge[:2] for edge in earlier]) if earlier else None
    for key, node in zip(("u", "v"), ends, strict=True):
        is_known = any(node in edge[:2] for edge in earlier)
        for name, value in _of_node(graph, earlier, node, now).items() if is_known else ():
            found[f"{key}_{name}"] = value
    known = [any(node in edge[:2] for edge in earlier) for node in ends]
    if all(known):
        assert graph is not None
        near = [set(graph.indices[slice(*graph.indptr[p : p + 2])].tolist()) for p in map(graph.position, ends)]
        common, union = len(near[0] & near[1]), len(near[0] | near[1])
        pair = [edge[2] for edge in earlier if set(edge[:2]) == set(ends) and edge[0] != edge[1]]
        if ends[0] == ends[1]:
            pair = []
        found |= {"common_neighbours": common, "jaccard": common / union if union else 0.0, "seen_before": bool(pair)}
        if pair:
            found["since_pair"] = now - max(pair)
    return found


def _of_node(graph: Any, earlier: list[Any], node: Any, now: float) -> dict[str, float]:
    row = graph.position(node)
    h1, nodes, edges, _, quadratic, _ = embed(graph, radius=1, kind=("approx", "sizes"))[row]
    degree = nodes - 1
    triangles = edges - degree
    found = {
        "degree": degree, "triangles": triangles, "clustering": triangles / max(degree * (degree - 1) / 2, 1.0),
        "size": np.log1p(degree), "collision": 0.0 - np.log1p(-quadratic), "quadratic": quadratic, "h1": h1,
        "least": h1 / (quadratic if quadratic > 0 else 1.0),
    }  # fmt: skip
    touching = [edge for edge in earlier if node in edge[:2] and edge[0] != edge[1]]
    if touching:
        found["since_last"] = now - max(edge[2] for edge in touching)
    for place, way in enumerate(("out", "in")):
        own = [edge for edge in earlier if edge[place] == node and edge[0] != edge[1]]
        found[f"{way}_count"] = len(own)
        values = [edge[3] for edge in sorted(own, key=lambda edge: edge[2]) if not math.isnan(edge[3])]
        found[f"{way}_count_x"] = len(values)
        if values:
            mean = math.fsum(values) / len(values)
            found[f"{way}_mean_x"] = mean
            found[f"{way}_std_x"] = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
            found[f"{way}_last_x"] = values[-1]
    return found
