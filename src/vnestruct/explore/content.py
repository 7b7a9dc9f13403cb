"""The data of a page: all nodes, the roles, and which nodes and edges are drawn where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.drawing.excerpt import choose_excerpt, induced_subgraph
from vnestruct.drawing.layout import component_names, node_positions, principal_components
from vnestruct.drawing.palette import COLOURS, DARK_COLOURS, colour_scale, symbol_of
from vnestruct.graph import Graph
from vnestruct.roles import RoleClusterer, RoleSummary, summarise_roles
from vnestruct.roles.distinct import DECIMALS, distinct_signatures, rounded
from vnestruct.types import OffsetArray, ValueArray

DRAWN_NODES = 10_000
"""A graph is drawn whole up to this number of nodes."""

EXCERPT_NODES = 2_500
"""Number of nodes in the drawing of a larger graph."""

PROJECTED_NODES = 20_000
"""The projection shows all nodes up to this number."""

DRAWN_EDGES = 20_000
"""The drawing shows all edges up to this number; a browser can redraw so many lines several times per second."""

_CELLS = 120
_FEWEST_OF_A_ROLE = 300
_BAND = (0.1, 0.5, 0.9)
"""Quantiles of the profile of a role: lower edge, median, upper edge."""


def page_content(
    graph: Graph, model: RoleClusterer, labels: Mapping[Any, Any] | None, title: str, seed: int
) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return what a page shows: a head that becomes JSON, and arrays."""
    roles, signatures = model.labels_, rounded(model.signatures_)
    points, axes = _projection(graph, signatures / model.scales_)

    # What is drawn: an excerpt of the graph with its edges, and mostly the whole projection.
    drawn = choose_excerpt(graph, roles, whole=DRAWN_NODES, limit=EXCERPT_NODES, seed=seed)
    part = induced_subgraph(graph, drawn)
    edges, n_drawn_edges = ordered_edges(part, seed=seed)
    places = node_positions(part, seed)
    projected = projected_nodes(points, roles, drawn, seed=seed)
    distinct = distinct_signatures(signatures)

    summaries = summarise_roles(graph, model, n_examples=3)
    classes, class_of = _classes(graph, labels)
    head = {
        "title": title, "nodes": graph.n_nodes, "edges": graph.n_edges, "columns": list(model.columns_),
        "radii": _radii(model.columns_), "scales": model.scales_.tolist(), "decimals": DECIMALS,
        "roles": [_role(graph, summary, signatures[roles == summary.role]) for summary in summaries],
        "classes": classes, "axes": axes,
        "drawing": _drawing_caption(graph, drawn.size, part.n_edges, n_drawn_edges),
        "projection": _projection_caption(graph, projected.size),
        "whole": bool(drawn.size == graph.n_nodes), "drawnEdges": n_drawn_edges,
        "palette": {"light": list(COLOURS), "dark": list(DARK_COLOURS), "ramp": colour_scale()},
        "labels": [str(label) for label in graph.nodes.tolist()],
    }  # fmt: skip
    arrays: dict[str, npt.NDArray[Any]] = {
        "degree": graph.degrees.astype(np.int32),
        "role": roles.astype(np.uint16),
        "signature": _fixed_point(signatures),
        **dict(zip(("px", "py"), points.T.astype(np.float32), strict=True)),
        "drawn": drawn.astype(np.int32),
        **dict(zip(("x", "y"), places.T.astype(np.float32), strict=True)),
        "edge": edges.ravel(),
        "projected": projected.astype(np.int32),
        "alike": distinct.counts[distinct.index[projected]].astype(np.int32),
    }
    if class_of is not None:
        arrays["class"] = class_of
    return head, arrays


def _fixed_point(signatures: ValueArray) -> npt.NDArray[Any]:
    """Return signatures column by column, as units of the last decimal, which loses nothing, if they fit 32 bits."""
    units = np.rint(signatures.T.ravel() * 10.0**DECIMALS)
    if np.abs(units).max(initial=0.0) > np.iinfo(np.int32).max:
        return np.ascontiguousarray(signatures.T.ravel())
    return units.astype(np.int32)


def _projection(graph: Graph, signatures: ValueArray) -> tuple[ValueArray, list[str]]:
    if signatures.shape[1] == 1:
        # A single number has no second dimension: the degree gives it one.
        points = np.column_stack([signatures[:, 0], np.log10(1.0 + graph.degrees)])
        return points, ["the signature, a single number", "log10(1 + degree)"]
    points, shares = principal_components(signatures)
    return points, component_names(shares)


def _radii(columns: list[str]) -> list[str] | None:
    """Return the radius of each column, or None if columns differ in more than the radius."""
    matches = [re.fullmatch(r"h([0-9]+)", name) for name in columns]
    return [match[1] for match in matches if match] if all(matches) else None


def _role(graph: Graph, summary: RoleSummary, signatures: ValueArray) -> dict[str, Any]:
    low, middle, high = np.quantile(signatures, _BAND, axis=0)
    return {
        **{name: getattr(summary, name) for name in ("role", "size", "share", "degree")},
        "degrees": list(summary.degree_range), "clustering": summary.clustering, "brief": summary.brief,
        "examples": graph.positions(summary.examples).tolist() if summary.examples else [],
        "letter": symbol_of(summary.role),
        "low": low.tolist(), "middle": middle.tolist(), "high": high.tolist(),
    }  # fmt: skip


def _classes(graph: Graph, labels: Mapping[Any, Any] | None) -> tuple[list[str] | None, npt.NDArray[np.int32] | None]:
    """Return class names, sorted if there is a colour for each, else by frequency, and each node's class or -1."""
    if labels is None:
        return None, None
    given = [labels.get(node) for node in graph.nodes.tolist()]
    counts = Counter(label for label in given if label is not None)
    order = sorted(
        counts, key=lambda name: (isinstance(name, str), name if isinstance(name, int | float) else str(name))
    )
    if len(order) > len(COLOURS):
        order.sort(key=lambda label: -counts[label])
    number = {label: place for place, label in enumerate(order)}
    return [str(label) for label in order], np.array([number.get(label, -1) for label in given], np.int32)


def _drawing_caption(graph: Graph, n_drawn: int, n_edges: int, n_drawn_edges: int) -> str:
    text, whose = f"All {graph.n_nodes:,} nodes", "all"
    if n_drawn < graph.n_nodes:
        text, whose = f"A sample around the hubs of each role: {n_drawn:,} of {graph.n_nodes:,} nodes", "their"
    if n_drawn_edges < n_edges:
        return f"{text}, {n_drawn_edges:,} of {n_edges:,} links; select a node to see all of its links"
    return f"{text} and {whose} {n_edges:,} links"


def _projection_caption(graph: Graph, n_projected: int) -> str:
    if n_projected == graph.n_nodes:
        return "Nodes near each other are similar, wherever they are in the graph"
    return f"A sample: {n_projected:,} of {graph.n_nodes:,} nodes; search and similar nodes cover all"


def projected_nodes(
    points: ValueArray, roles: OffsetArray, drawn: OffsetArray, *, limit: int = PROJECTED_NODES, seed: int = 0
) -> OffsetArray:
    """Return the positions of the nodes that the projection shows, ascending.

    Above the limit: the nodes of the drawing, some of every role, one of every occupied cell of a grid, which keeps
    outliers and the outline of the cloud, and a random sample of the rest.
    """
    n_nodes = len(points)
    if n_nodes <= limit:
        return np.arange(n_nodes)
    order = np.random.default_rng(seed).permutation(n_nodes)
    extent = np.maximum(np.ptp(points, axis=0), 1e-12)
    cells = np.minimum((points - points.min(axis=0)) / extent * _CELLS, _CELLS - 1).astype(np.int64)
    first = order[np.unique((cells @ np.array([_CELLS, 1]))[order], return_index=True)[1]]
    fewest = min(_FEWEST_OF_A_ROLE, limit // (4 * (int(roles.max()) + 1)))
    some = [order[roles[order] == role][:fewest] for role in range(int(roles.max()) + 1)]
    # The first nodes of this list stay; the random order at its end fills up to the limit.
    wanted = np.concatenate([drawn, *some, first, order])
    places = np.sort(np.unique(wanted, return_index=True)[1])
    return np.sort(wanted[places[: max(limit, drawn.size)]])


def ordered_edges(part: Graph, *, limit: int = DRAWN_EDGES, seed: int = 0) -> tuple[npt.NDArray[np.int32], int]:
    """Return the edges of a drawing as pairs of rows, and how many of them, counted from the first, to draw.

    If not all are drawn, a spanning forest is, which keeps components connected, and a random sample of the rest.
    """
    source = np.repeat(np.arange(part.n_nodes, dtype=np.int32), part.degrees)
    upper = source < part.indices
    edges = np.column_stack([source[upper], part.indices[upper]]).astype(np.int32)
    if len(edges) <= limit:
        return edges, len(edges)
    from scipy import sparse
    from scipy.sparse.csgraph import minimum_spanning_tree

    order = np.random.default_rng(seed).permutation(len(edges))
    weights = np.empty(len(edges))
    weights[order] = np.arange(1, len(edges) + 1)
    shape = (part.n_nodes, part.n_nodes)
    tree = minimum_spanning_tree(sparse.csr_array((weights, (edges[:, 0], edges[:, 1])), shape=shape)).data
    weights[order[tree.astype(np.int64) - 1]] = 0.0
    return edges[np.argsort(weights, kind="stable")], limit
