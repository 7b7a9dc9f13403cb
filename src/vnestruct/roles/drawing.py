"""The picture of roles: the graph and a projection of its signatures side by side, in the same colours."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from vnestruct.errors import MissingExtraError, ParameterError
from vnestruct.files.atomic import atomic_path
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.roles.distinct import checked_signatures, distinct_signatures
from vnestruct.roles.excerpt import ALL_NODES, choose_excerpt, induced_subgraph
from vnestruct.roles.layout import SPRING_NODES, has_igraph, node_positions
from vnestruct.roles.palette import area_of, colour_of, marker_of
from vnestruct.roles.summary import RoleSummary, checked_roles, summarise_roles
from vnestruct.types import OffsetArray, ValueArray

PICTURE_SUFFIXES = (".png", ".svg", ".pdf")

_VECTOR_MARKS = 3_000
"""Nodes or edges of a panel above which they become one bitmap, in files that would otherwise hold each as a shape."""


def draw_roles(
    path: str | PathLike[str],
    graph: Any,
    roles: Any,
    signatures: Any,
    *,
    title: str | None = None,
    summaries: Sequence[RoleSummary] | None = None,
    seed: int = 0,
) -> str:
    """Draw a graph beside the first two principal components of its signatures, and colour both by role.

    Colours are safe for people with colour-vision deficiencies, and every role has its own marker. The layout is
    igraph's if it is installed, else a built-in spring layout. Of a large graph (above 5,000 nodes or 120,000
    edges; 1,500 nodes without igraph) the picture shows the surroundings of the largest hubs, and says so; the
    projection always shows all nodes.

    Parameters
    ----------
    path : path-like
        A ``.png``, ``.svg`` or ``.pdf`` file.
    graph : graph
        Anything `vnestruct.as_graph` takes.
    roles : array of int, shape (n,)
        Role of each node.
    signatures : array of float, shape (n, d)
        Signatures of the nodes.
    title : str, optional
        Title of the picture.
    summaries : sequence of RoleSummary, optional
        What the legend says of each role; computed if absent.
    seed : int, default 0
        Seed of the layout.

    Returns
    -------
    str
        One sentence on what part of the graph is shown.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    check_picture(path)
    network = as_graph(graph)
    numbers = checked_roles(roles, network.n_nodes)
    matrix = checked_signatures(signatures)
    if len(matrix) != network.n_nodes:
        raise ParameterError(f"there are {len(matrix)} signatures for {network.n_nodes} nodes; give one row a node")
    told = summarise_roles(network, numbers, matrix) if summaries is None else list(summaries)
    shown = choose_excerpt(network, numbers, whole=ALL_NODES if has_igraph() else SPRING_NODES, seed=seed)
    caption = _caption(network, shown)

    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # A fixed salt, so that equal pictures give equal files.
    with rc_context({"svg.hashsalt": "vnestruct", "svg.fonttype": "none"}):
        figure = Figure(figsize=(12.0, 5.9 + 0.22 * len(told)), dpi=150, layout="constrained")
        left, right = figure.subplots(1, 2)
        _draw_graph(left, network, shown, numbers, seed)
        left.set_title(caption, fontsize=10.5, color="0.25")
        _draw_projection(right, network, matrix, numbers)
        right.set_title(f"Signatures of all {network.n_nodes:,} nodes", fontsize=10.5, color="0.25")
        if title:
            figure.suptitle(title, fontsize=13)
        _add_legend(figure, told)
        suffix = Path(path).suffix.lower()[1:]
        notes = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[suffix]
        with atomic_path(path) as temporary, temporary.open("wb") as file:
            figure.savefig(file, format=suffix, metadata=notes)
    return caption


def check_picture(path: str | PathLike[str]) -> None:
    """Refuse, before any work, a picture that could not be drawn after it."""
    from importlib.util import find_spec

    if Path(path).suffix.lower() not in PICTURE_SUFFIXES:
        raise ParameterError(f"{path}: the picture is a .png, .svg or .pdf file; name it so")
    if find_spec("matplotlib") is None:
        raise MissingExtraError('a picture needs matplotlib, which is not installed: pip install "vnestruct[plot]"')


def principal_components(signatures: ValueArray) -> tuple[ValueArray, ValueArray]:
    """Return two coordinates for each row, and the share of the variance that each explains.

    Examples
    --------
    >>> points, shares = principal_components(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]))
    >>> shares.round(6).tolist()
    [1.0, 0.0]
    """
    centred = signatures - signatures.mean(axis=0)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    vectors = vectors[:, ::-1][:, :2].T
    # A direction is determined up to its sign only: let the largest entry be positive.
    vectors = vectors * np.sign(vectors[np.arange(len(vectors)), np.abs(vectors).argmax(axis=1)])[:, None]
    shares = np.zeros(2)
    shares[: len(vectors)] = np.maximum(values[::-1][:2], 0.0) / max(float(values.sum()), 1e-300)
    points = np.zeros((len(signatures), 2))
    points[:, : len(vectors)] = centred @ vectors.T
    return points, shares


def _caption(graph: Graph, shown: OffsetArray) -> str:
    whole = f"{graph.n_nodes:,} nodes, {graph.n_edges:,} edges"
    if shown.size == graph.n_nodes:
        return f"The graph: {whole}"
    return f"{shown.size:,} of {graph.n_nodes:,} nodes: the surroundings of the largest hubs of each role"


def _draw_graph(axes: Any, graph: Graph, shown: OffsetArray, roles: OffsetArray, seed: int) -> None:
    from matplotlib.collections import LineCollection

    part = induced_subgraph(graph, shown)
    places = node_positions(part, seed)
    ends = np.column_stack([np.repeat(np.arange(part.n_nodes), part.degrees), part.indices])
    segments = places[ends[ends[:, 0] < ends[:, 1]]]
    density = len(segments)
    axes.add_collection(
        LineCollection(
            list(segments),
            colors="0.45",
            linewidths=float(np.clip(14.0 / np.sqrt(max(density, 1)), 0.25, 0.9)),
            alpha=float(np.clip(18.0 / np.sqrt(max(density, 1)), 0.06, 0.6)),
            zorder=1,
            rasterized=density > _VECTOR_MARKS,
        )
    )
    # Hubs are larger, as the square root of the degree, so that a picture of many nodes still shows where they are.
    share = np.sqrt(graph.degrees[shown] / max(int(graph.degrees.max(initial=1)), 1))
    base = float(np.clip(16_000.0 / max(part.n_nodes, 1), 7.0, 80.0))
    areas = base * (0.5 + 2.0 * share)
    _scatter(axes, places, roles[shown], areas)
    low, high = places.min(axis=0), places.max(axis=0)
    pad = 0.03 * float((high - low).max()) + 0.1
    axes.set(xlim=(low[0] - pad, high[0] + pad), ylim=(low[1] - pad, high[1] + pad))
    axes.set_aspect("equal", adjustable="box")
    axes.set_axis_off()


def _draw_projection(axes: Any, graph: Graph, signatures: ValueArray, roles: OffsetArray) -> None:
    points, shares = principal_components(signatures)
    axes.set_xlabel(f"first principal component ({shares[0]:.0%} of the variance)")
    axes.set_ylabel(f"second ({shares[1]:.0%})")
    if signatures.shape[1] == 1:
        # One number is no picture: the degree gives it a second dimension.
        points = np.column_stack([signatures[:, 0], graph.degrees])
        axes.set(xlabel="the signature, a single number", ylabel="degree")
        axes.set_yscale("symlog", linthresh=1.0)
    # Nodes in one place are one mark, larger for more of them.
    marks = distinct_signatures(np.column_stack([points, roles]))
    numbers = marks.points[:, 2].astype(np.int64)
    base = float(np.clip(9_000.0 / max(len(numbers), 1), 9.0, 70.0))
    _scatter(axes, marks.points[:, :2], numbers, base * (1.0 + 0.5 * np.log(marks.counts)))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.92")
    axes.set_axisbelow(True)
    axes.margins(0.06)


def _scatter(axes: Any, points: ValueArray, roles: OffsetArray, areas: ValueArray) -> None:
    crowded = len(points) > 400
    # Large roles first: small ones stay visible on top of them.
    order = np.argsort(-np.bincount(roles), kind="stable")
    for layer, role in enumerate(order.tolist()):
        chosen = roles == role
        if not chosen.any():
            continue
        axes.scatter(
            *points[chosen].T,
            s=areas[chosen] * area_of(role),
            c=colour_of(role),
            marker=marker_of(role),
            edgecolors="white",
            linewidths=0.0 if crowded else 0.7,
            alpha=0.8 if crowded else 1.0,
            zorder=2 + layer,
            rasterized=len(points) > _VECTOR_MARKS,
        )


def _add_legend(figure: Any, summaries: Sequence[RoleSummary]) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D(
            [], [], linestyle="", marker=marker_of(one.role), color=colour_of(one.role), markersize=8,
            markeredgecolor="white", label=f"role {one.role}, {one.size:,} nodes ({one.share:.0%}): {one.description}",
        )
        for one in summaries
    ]  # fmt: skip
    figure.legend(
        handles=handles,
        loc="outside lower center",
        frameon=False,
        fontsize=9.5,
        handletextpad=0.4,
    )
