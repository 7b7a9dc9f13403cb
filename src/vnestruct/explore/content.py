"""The data of a page: the roles, all nodes with their links in a few bytes each, and which nodes are drawn where."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.drawing import layout
from vnestruct.drawing.palette import COLOUR_SCALE, PAGE_COLOURS
from vnestruct.explore.node_table import NodeTable
from vnestruct.graph import Graph, graph_from_ids
from vnestruct.store.signatures import DECIMALS, rounded
from vnestruct.types import OffsetArray, ValueArray

DRAWN_NODES = 100_000  # a graph is drawn whole up to this number of nodes
EXCERPT_NODES = 10_000  # number of nodes in the drawing of a larger graph
MOST_LINKS = 2_000_000  # most links of a page: two or three bytes each
SHOWN_LINKS = 250_000  # the drawing shows all links up to this number, otherwise a sample
PERIOD_CELLS = 10_000_000  # most periods times nodes; of more periods, the last that fit are kept
_MOST_INT = np.iinfo(np.int32).max
_BAND = (0.1, 0.5, 0.9)  # quantiles of the profile of a role: lower edge, median, upper edge


def page_content(
    graph: Graph, model: Any, title: str, *, labels: Mapping[Any, Any] | None, table: NodeTable | None = None,
    periods: Sequence[Any] = (), scores: npt.ArrayLike = 0.0, seed: int = 0,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, npt.NDArray[Any]]]:  # fmt: skip
    """Return what a page shows of a graph and its fitted roles: what comes first, texts, both for JSON, and arrays."""
    roles, signatures = model.labels_, rounded(model.signatures_)
    links, links_caption = kept_links(graph)
    drawn = layout.choose_excerpt(graph, roles, whole=DRAWN_NODES, limit=EXCERPT_NODES, seed=seed)
    part = layout.induced_subgraph(links, drawn)
    plane, axes = _plane(signatures, model)
    attributes = {} if table is None else dict(table.columns)
    names = attributes.pop(table.name, None) if table is not None and table.name is not None else None
    head = {
        "title": title, "nodes": graph.n_nodes, "edges": graph.n_edges, "columns": list(model.columns_),
        "radii": _radii(model.columns_), "decimals": DECIMALS, "meetings": _meetings(graph, roles, model.n_roles_),
        "roles": [_role(graph, role, signatures[roles == role.role]) for role in model.describe(graph)],
        "classes": None, "axes": axes, "plane": plane, "drawing": _drawing_caption(graph, drawn.size, part.n_edges),
        "links": links_caption, "shownLinks": SHOWN_LINKS, "palette": {**PAGE_COLOURS, "ramp": _ramp()},
        "attributes": list(attributes),
    }  # fmt: skip
    texts: dict[str, Any] = {"names": names, "attributeTexts": list(attributes.values())}
    x, y = _on_grid(layout.node_positions(part, seed)).T
    arrays = {
        "degree": smallest(graph.degrees), "role": smallest(roles), "drawn": smallest(drawn), "x": x, "y": y,
        "signature": _units(signatures.T.ravel()), **link_arrays(links),
    }  # fmt: skip
    if graph.nodes.dtype.kind in "iu" and np.abs(graph.nodes).max(initial=0) <= _MOST_INT:
        arrays["labels"] = graph.nodes.astype(np.int32)
    else:
        texts["labels"] = [str(label) for label in graph.nodes.tolist()]
    if labels is not None:
        head["classes"], arrays["class"] = _classes(graph, labels)
    if periods:
        head["periods"], arrays["periodRoles"] = _periods(graph, model, periods, scores)
    return head, texts, arrays


def _on_grid(places: ValueArray) -> npt.NDArray[np.uint16]:
    """Return places on a grid of 65,536 points across the longer side."""
    shifted: ValueArray = places - places.min(axis=0, initial=np.inf)
    extent = max(float(shifted.max(initial=0.0)), 1e-12)
    return (shifted / extent * 65_535).round().astype(np.uint16)


def _units(values: ValueArray) -> npt.NDArray[Any]:
    """Return rounded numbers as units of their last decimal, which loses nothing, if these fit 32 bits."""
    units = np.rint(values * 10.0**DECIMALS)
    return units.astype(np.int32) if np.abs(units).max(initial=0.0) <= _MOST_INT else values


def _periods(graph: Graph, model: Any, periods: Sequence[Any], scores: Any) -> tuple[Any, Any]:
    """Return facts about each period, and the role of every node in it, the largest number where it has no link."""
    kept = periods[-max(PERIOD_CELLS // max(graph.n_nodes, 1), 1) :]
    roles = np.full((len(kept), graph.n_nodes), np.iinfo(np.uint16).max, np.uint16)
    for row, period in zip(roles, kept, strict=True):
        if len(period.nodes):
            row[graph.positions(period.nodes)] = model.predict_signatures(period.signatures)
    facts = {
        "start": [period.start for period in kept], "links": [period.n_edges for period in kept],
        "scores": np.broadcast_to(scores, len(periods))[-len(kept) :].tolist(), "left": len(periods) - len(kept),
    }  # fmt: skip
    return facts, roles.ravel()


def _ramp(steps: int = 64) -> list[str]:
    """Return the colour scale in so many steps."""
    ends = np.array([list(bytes.fromhex(colour[1:])) for colour in COLOUR_SCALE])
    places = np.linspace(0, len(ends) - 1, steps)
    channels = [np.interp(places, np.arange(len(ends)), channel).round().astype(np.uint8) for channel in ends.T]
    return [f"#{row.tobytes().hex()}" for row in np.stack(channels, axis=1)]


def _plane(signatures: ValueArray, model: Any) -> tuple[dict[str, Any], list[str]]:
    """Return how a signature becomes a point, as weights of its columns for each axis, and the names of the axes."""
    if signatures.shape[1] == 1:
        # A single number has no second dimension: the degree gives it one.
        return {"centre": [0.0], "weights": [[1.0]]}, ["the signature, a single number", "log10(1 + degree)"]
    if _radii(model.columns_) == ["1", "2"]:
        names = ["entropy near (radius 1)", "entropy farther out (radius 2)"]
        return {"centre": [0.0, 0.0], "weights": [[1.0, 0.0], [0.0, 1.0]]}, names
    axes, shares = layout.principal_axes(signatures)
    return {"centre": signatures.mean(axis=0).tolist(), "weights": axes.tolist()}, layout.component_names(shares)


def _radii(columns: list[str]) -> list[str] | None:
    """Return the radius of each column, or None if columns differ in more than the radius."""
    return [name[1:] for name in columns] if all(re.fullmatch(r"h[0-9]+", name) for name in columns) else None


def _role(graph: Graph, summary: Any, signatures: ValueArray) -> dict[str, Any]:
    """Return what the page shows of a role."""
    nodes = {name: graph.positions(getattr(summary, name)).tolist() for name in ("examples", "exceptional")}
    band = zip(("low", "middle", "high"), np.quantile(signatures, _BAND, axis=0).tolist(), strict=True)
    return asdict(summary) | nodes | dict(band)


def _meetings(graph: Graph, roles: OffsetArray, n_roles: int) -> list[list[int]]:
    """Return how many links join each role with each other."""
    pairs = roles[graph.sources] * n_roles + roles[graph.indices]
    counts = np.bincount(pairs, minlength=n_roles * n_roles).reshape(n_roles, n_roles)
    # A link inside a role has been counted from both of its ends.
    counts[np.diag_indices(n_roles)] //= 2
    return counts.tolist()


def _classes(graph: Graph, labels: Mapping[Any, Any]) -> tuple[list[str], npt.NDArray[np.int32]]:
    """Return class names, sorted if there is a colour for each, else by frequency, and each node's class or -1."""
    given = [labels.get(node) for node in graph.nodes.tolist()]
    counts = Counter(label for label in given if label is not None)
    order = sorted(counts, key=lambda one: (isinstance(one, str), one if isinstance(one, int | float) else str(one)))
    if len(order) >= len(PAGE_COLOURS["light"]):
        order.sort(key=lambda label: -counts[label])
    number = {label: place for place, label in enumerate(order)}
    return [str(label) for label in order], np.array([number.get(label, -1) for label in given], np.int32)


def _drawing_caption(graph: Graph, n_drawn: int, n_edges: int) -> str:
    text, whose = f"A sample around the hubs of each role: {n_drawn:,} of {graph.n_nodes:,} nodes", "their"
    if n_drawn == graph.n_nodes:
        text, whose = f"All {n_drawn:,} nodes", "all"
    if n_edges > SHOWN_LINKS:
        return f"{text}, about {SHOWN_LINKS:,} of {n_edges:,} links; select a node to see its links"
    return f"{text} and {whose} {n_edges:,} links"


def kept_links(graph: Graph, most: int = MOST_LINKS) -> tuple[Graph, str]:
    """Return the graph of the links that a page holds, and which they are, in one sentence.

    All up to `most`. Otherwise each node keeps those to its neighbours of largest degree, as many as fit; its other
    links are there if the neighbour keeps them.
    """
    if graph.n_edges <= most:
        return graph, "All links of the graph"
    each = max(1, most // graph.n_nodes)
    order = np.lexsort((graph.indices, -graph.degrees[graph.indices], graph.sources))
    kept = order[np.arange(order.size) - graph.indptr[graph.sources] < each]
    links = graph_from_ids(graph.sources[kept], graph.indices[kept], n_nodes=graph.n_nodes)
    which = f"to the {each} largest neighbours" if each > 1 else "to the largest neighbour"
    return links, f"{links.n_edges:,} of {graph.n_edges:,} links: those of each node {which}"


def link_arrays(graph: Graph) -> dict[str, npt.NDArray[Any]]:
    """Return each link once, with the node of smaller position: how many each has, and how far the others are."""
    source, target = (ends[graph.sources < graph.indices] for ends in (graph.sources, graph.indices))
    counts = np.bincount(source, minlength=graph.n_nodes)
    return {"linkCounts": smallest(counts), "linkSteps": smallest(target - source)}


def smallest(numbers: npt.NDArray[np.integer[Any]]) -> npt.NDArray[Any]:
    """Return whole numbers from 0 in the smallest type that holds them all."""
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))
