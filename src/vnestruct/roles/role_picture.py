"""The picture of roles: the graph and a projection of its signatures side by side, in the same colours."""

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np

from vnestruct.drawing import pictures
from vnestruct.drawing.excerpt import ALL_NODES, choose_excerpt
from vnestruct.drawing.layout import component_names, principal_components
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.roles.distinct import distinct_signatures, signatures_of
from vnestruct.roles.summary import RoleSummary, checked_roles, summarise_roles
from vnestruct.types import OffsetArray, ValueArray

WIDTH = 12.0  # width of a picture in inches


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
    """Draw a graph next to the first two principal components of its signatures, and colour both by role.

    Colours are safe for people with colour-vision deficiencies, and every role has its own marker. The layout is
    igraph's. Of a large graph (above 5,000 nodes or 120,000 edges) the picture shows the surroundings of the largest
    hubs, and says so; the projection always shows all nodes.

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
        What the legend says about each role; computed by default.
    seed : int, default 0
        Seed of the layout.

    Returns
    -------
    str
        One sentence on what part of the graph is shown.

    Raises
    ------
    MissingExtraError
        If Matplotlib or igraph is not installed.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from vnestruct.graph.synthetic import barbell
    >>> from vnestruct.roles import RoleClusterer, draw_roles
    >>> graph = barbell(5, 3)
    >>> model = RoleClusterer(n_roles=3).fit(graph)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     draw_roles(pathlib.Path(folder, "roles.svg"), graph, model.labels_, model.signatures_)
    'The graph: 13 nodes, 24 edges'
    """
    pictures.check_graph_picture(path)
    height = picture_height(np.unique(roles).size if summaries is None else len(summaries))
    with pictures.saved_figure(path, WIDTH, height) as figure:
        return paint_roles(figure, graph, roles, signatures, title, seed, summaries)


def picture_height(n_roles: int) -> float:
    """Return the height of a picture in inches: the legend has one line per role."""
    return 5.9 + 0.22 * n_roles


def paint_roles(
    figure: Any, graph: Any, roles: Any, signatures: Any, title: str | None, seed: int, summaries: Any = None
) -> str:
    """Draw what `draw_roles` draws on an empty Matplotlib figure."""
    network = as_graph(graph)
    numbers = checked_roles(roles, network.n_nodes)
    matrix = signatures_of(network, signatures)
    entries = summarise_roles(network, numbers, matrix) if summaries is None else list(summaries)
    shown = choose_excerpt(network, numbers, whole=ALL_NODES, seed=seed)
    caption = f"The graph: {network.n_nodes:,} nodes, {network.n_edges:,} edges"
    if shown.size < network.n_nodes:
        caption = f"{shown.size:,} of {network.n_nodes:,} nodes: the surroundings of the largest hubs of each role"
    left, right = figure.subplots(1, 2)
    pictures.draw_graph(left, network, shown, numbers, seed)
    left.set_title(caption, fontsize=10.5, color="0.25")
    _draw_projection(right, network, matrix, numbers)
    right.set_title(f"Signatures of all {network.n_nodes:,} nodes", fontsize=10.5, color="0.25")
    if title:
        figure.suptitle(title, fontsize=13)
    legend = {e.role: f"role {e.role}, {e.size:,} nodes ({e.share:.0%}): {e.name}" for e in entries}
    pictures.add_legend(figure, legend)
    return caption


def _draw_projection(axes: Any, graph: Graph, signatures: ValueArray, roles: OffsetArray) -> None:
    if signatures.shape[1] == 1:
        # A single number has no second dimension: the degree gives it one.
        points = np.column_stack([signatures[:, 0], graph.degrees])
        axes.set(xlabel="the signature, a single number", ylabel="degree")
        axes.set_yscale("symlog", linthresh=1.0)
    else:
        points, shares = principal_components(signatures)
        axes.set(**dict(zip(("xlabel", "ylabel"), component_names(shares), strict=True)))
    # Nodes in one place are one mark, larger for more of them.
    marks = distinct_signatures(np.column_stack([points, roles]))
    numbers = marks.points[:, 2].astype(np.int64)
    base = float(np.clip(9_000.0 / max(len(numbers), 1), 9.0, 70.0))
    pictures.draw_points(axes, marks.points[:, :2], numbers, base * (1.0 + 0.5 * np.log(marks.counts)))
    pictures.add_grid(axes)
    axes.margins(0.06)
