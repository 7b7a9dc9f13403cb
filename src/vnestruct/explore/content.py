"""The data of a page: all nodes, the roles, and what is drawn where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.drawing.excerpt import choose_excerpt, induced_subgraph
from vnestruct.drawing.layout import component_names, node_positions, principal_components
from vnestruct.drawing.palette import COLOURS, DARK_COLOURS, colour_scale, symbol_of
from vnestruct.explore.choice import ordered_edges, projected_nodes
from vnestruct.graph import Graph
from vnestruct.roles import RoleClusterer, RoleSummary, summarise_roles
from vnestruct.roles.distinct import DECIMALS, distinct_signatures, rounded
from vnestruct.types import ValueArray

DRAWN_NODES = 10_000
"""A graph is drawn whole up to this number of nodes."""

EXCERPT_NODES = 2_500
"""Number of nodes in the drawing of a larger graph."""

_BAND = (0.1, 0.5, 0.9)
"""Quantiles of the profile of a role: lower edge, median, upper edge."""

_LARGEST_INTEGER = 2**31 - 1


@dataclass(frozen=True)
class Content:
    """The data of a page: a head that becomes JSON, arrays, and the captions of drawing and projection."""

    head: dict[str, Any]
    arrays: dict[str, npt.NDArray[Any]]
    drawing_caption: str
    projection_caption: str


def page_content(
    graph: Graph, model: RoleClusterer, labels: Mapping[Any, Any] | None, title: str, seed: int
) -> Content:
    """Collect what a page shows."""
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
    drawing = _drawing_caption(graph, drawn.size, part.n_edges, n_drawn_edges)
    projection = _projection_caption(graph, projected.size)
    head = {
        "title": title,
        "nodes": graph.n_nodes,
        "edges": graph.n_edges,
        "columns": list(model.columns_),
        "radii": _radii(model.columns_),
        "scales": model.scales_.tolist(),
        "decimals": DECIMALS,
        "roles": [_role(graph, summary, signatures[roles == summary.role]) for summary in summaries],
        "classes": classes,
        "axes": axes,
        "drawing": drawing,
        "projection": projection,
        "whole": bool(drawn.size == graph.n_nodes),
        "drawnEdges": n_drawn_edges,
        "palette": {"light": list(COLOURS), "dark": list(DARK_COLOURS), "ramp": colour_scale()},
        "labels": [str(label) for label in graph.nodes.tolist()],
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        "degree": graph.degrees.astype(np.int32),
        "role": roles.astype(np.uint16),
        "signature": _fixed_point(signatures),
        "px": points[:, 0].astype(np.float32),
        "py": points[:, 1].astype(np.float32),
        "drawn": drawn.astype(np.int32),
        "x": places[:, 0].astype(np.float32),
        "y": places[:, 1].astype(np.float32),
        "edge": edges.ravel(),
        "projected": projected.astype(np.int32),
        "alike": distinct.counts[distinct.index[projected]].astype(np.int32),
    }
    if class_of is not None:
        arrays["class"] = class_of
    return Content(head, arrays, drawing, projection)


def _fixed_point(signatures: ValueArray) -> npt.NDArray[Any]:
    """Return signatures column by column, as integers in units of the last decimal if these fit into 32 bits.

    Rounded signatures are multiples of that unit, so this halves the size and loses nothing.
    """
    units = np.rint(signatures.T.ravel() * 10.0**DECIMALS)
    if np.abs(units).max(initial=0.0) > _LARGEST_INTEGER:
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
        "role": summary.role,
        "size": summary.size,
        "share": summary.share,
        "degree": summary.degree,
        "degrees": list(summary.degree_range),
        "clustering": summary.clustering,
        "brief": summary.brief,
        "examples": graph.positions(summary.examples).tolist() if summary.examples else [],
        "letter": symbol_of(summary.role),
        "low": low.tolist(),
        "middle": middle.tolist(),
        "high": high.tolist(),
    }


def _classes(graph: Graph, labels: Mapping[Any, Any] | None) -> tuple[list[str] | None, npt.NDArray[np.int32] | None]:
    """Return the names of the known classes and the class of each node, -1 for none.

    Names are sorted if there is a colour for each; otherwise the most frequent come first.
    """
    if labels is None:
        return None, None
    given = [labels.get(node) for node in graph.nodes.tolist()]
    counts = Counter(label for label in given if label is not None)
    order = sorted(
        counts, key=lambda label: (isinstance(label, str), label if isinstance(label, int | float) else str(label))
    )
    if len(order) > len(COLOURS):
        order.sort(key=lambda label: -counts[label])
    number = {label: place for place, label in enumerate(order)}
    return [str(label) for label in order], np.array([number.get(label, -1) for label in given], np.int32)


def _drawing_caption(graph: Graph, n_drawn: int, n_edges: int, n_drawn_edges: int) -> str:
    if n_drawn == graph.n_nodes:
        text = f"All {graph.n_nodes:,} nodes"
    else:
        text = f"A sample around the hubs of each role: {n_drawn:,} of {graph.n_nodes:,} nodes"
    if n_drawn_edges < n_edges:
        return f"{text}, {n_drawn_edges:,} of {n_edges:,} links; select a node to see all of its links"
    return f"{text} and {'all' if n_drawn == graph.n_nodes else 'their'} {n_edges:,} links"


def _projection_caption(graph: Graph, n_projected: int) -> str:
    if n_projected == graph.n_nodes:
        return "Nodes near each other are similar, wherever they are in the graph"
    return f"A sample: {n_projected:,} of {graph.n_nodes:,} nodes; search and similar nodes cover all"
