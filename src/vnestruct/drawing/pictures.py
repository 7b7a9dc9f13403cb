"""Pictures by Matplotlib: a graph, points in the marks of their roles, and files that are equal for equal content."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from vnestruct.drawing.layout import (
    ALL_NODES,
    choose_excerpt,
    component_names,
    induced_subgraph,
    node_positions,
    principal_axes,
)
from vnestruct.drawing.palette import AREAS, colour_of, marker_of
from vnestruct.errors import MissingExtraError
from vnestruct.files.atomic import atomic_path, check_picture
from vnestruct.graph import Graph
from vnestruct.types import FilePath, OffsetArray, ValueArray

# Nodes or edges of a panel above which they become one bitmap, in files that would otherwise hold each as a shape.
_VECTOR_MARKS = 3_000
_CROWDED = 400  # points of a panel above which they have no outline and let others shine through
_LABELLED = 100  # up to so many nodes are shown with their labels


def check_graph_picture(path: FilePath) -> None:
    """Check that a picture of a graph can be drawn to `path`: its suffix, Matplotlib, and igraph for the layout."""
    check_picture(path)
    check_igraph()


def check_igraph(who: str = "pictures of graphs need", extra: str = "plot") -> None:
    """Check that igraph, which lays out graphs, is installed."""
    if find_spec("igraph") is None:
        raise MissingExtraError(f'{who} igraph: pip install "vnestruct[{extra}]"')


def notebook_figure(width: float, height: float) -> Any:
    """Return an empty figure that notebooks show without any set-up, and that can be changed and saved like others."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError('pictures need Matplotlib: pip install "vnestruct[plot]"') from None

    class NotebookFigure(Figure):
        def _repr_png_(self) -> bytes:
            content = BytesIO()
            self.savefig(content, format="png")
            return content.getvalue()

    return NotebookFigure(figsize=(width, height), dpi=100, layout="constrained")


@contextmanager
def saved_figure(path: FilePath, width: float, height: float) -> Iterator[Any]:
    """Give an empty figure, and write it to `path` at the end; equal figures give equal files."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    suffix = Path(path).suffix.lower()[1:]
    undated = {"png": {"Software": None}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}[suffix]
    with rc_context({"svg.hashsalt": "vnestruct", "svg.fonttype": "none"}):
        figure = Figure(figsize=(width, height), dpi=150, layout="constrained")
        yield figure
        with atomic_path(path) as temporary, temporary.open("wb") as file:
            figure.savefig(file, format=suffix, metadata=undated)


def draw_graph(axes: Any, graph: Graph, shown: OffsetArray, roles: OffsetArray, seed: int) -> None:
    """Draw the part of a graph among the nodes `shown`, and mark each node by its role."""
    from matplotlib.collections import LineCollection

    part = induced_subgraph(graph, shown)
    positions = node_positions(part, seed)
    source, target, _ = part.edges()
    # Edges are thinner and paler the more there are.
    crowding = np.sqrt(max(source.size, 1))
    style: dict[str, Any] = {
        "linewidths": float(np.clip(14.0 / crowding, 0.25, 0.9)), "alpha": float(np.clip(18.0 / crowding, 0.06, 0.6)),
        "rasterized": source.size > _VECTOR_MARKS,
    }  # fmt: skip
    segments = np.stack([positions[source], positions[target]], axis=1)
    axes.add_collection(LineCollection(list(segments), colors="0.45", zorder=1, **style))
    # Hubs are larger, as the square root of the degree, so that a picture of many nodes still shows where they are.
    relative = np.sqrt(graph.degrees[shown] / max(int(graph.degrees.max(initial=1)), 1))
    base = float(np.clip(16_000.0 / max(part.n_nodes, 1), 7.0, 80.0))
    draw_points(axes, positions, roles[shown], base * (0.5 + 2.0 * relative))
    if part.n_nodes <= _LABELLED:
        style = {"textcoords": "offset points", "ha": "center", "fontsize": 7, "parse_math": False, "zorder": 99}
        for place, label in zip(positions, graph.nodes[shown].tolist(), strict=True):
            axes.annotate(str(label), place, xytext=(0, -14), **style)
    axes.margins(0.03)
    axes.set_aspect("equal", adjustable="box")
    axes.set_axis_off()


def draw_points(axes: Any, points: ValueArray, roles: OffsetArray, areas: ValueArray) -> None:
    """Draw points in the colours and with the markers of their roles, small roles on top of large ones."""
    crowded = len(points) > _CROWDED
    style: dict[str, Any] = {"linewidths": 0.0, "alpha": 0.8} if crowded else {"linewidths": 0.7, "alpha": 1.0}
    for layer, role in enumerate(np.argsort(-np.bincount(roles), kind="stable").tolist()):
        chosen, marker = roles == role, marker_of(role)
        if chosen.any():
            axes.scatter(
                *points[chosen].T, s=areas[chosen] * AREAS[marker], c=colour_of(role), marker=marker,
                edgecolors="white", zorder=2 + layer, rasterized=len(points) > _VECTOR_MARKS, **style,
            )  # fmt: skip


def add_grid(axes: Any) -> None:
    """Draw a light grid behind the points instead of a frame around them."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.92")
    axes.set_axisbelow(True)


def draw_graph_and_plane(
    figure: Any, graph: Graph, roles: OffsetArray, rows: ValueArray, legend: dict[int, str], title: str | None,
    seed: int,
) -> str:  # fmt: skip
    """Draw a graph next to the first two principal components of its rows, both in the marks of their roles."""
    from matplotlib.lines import Line2D

    shown = choose_excerpt(graph, roles, whole=ALL_NODES, seed=seed)
    caption = f"The graph: {graph.n_nodes:,} nodes, {graph.n_edges:,} edges"
    if shown.size < graph.n_nodes:
        caption = f"{shown.size:,} of {graph.n_nodes:,} nodes: the surroundings of the largest hubs of each role"
    left, right = figure.subplots(1, 2)
    draw_graph(left, graph, shown, roles, seed)
    left.set_title(caption, fontsize=10.5, color="0.25")
    if rows.shape[1] == 1:
        # A single number has no second dimension: the degree gives it one.
        points = np.column_stack([rows[:, 0], graph.degrees])
        right.set(xlabel="the signature, a single number", ylabel="degree")
        right.set_yscale("symlog", linthresh=1.0)
    else:
        directions, shares = principal_axes(rows)
        points = (rows - rows.mean(axis=0)) @ directions.T
        right.set(**dict(zip(("xlabel", "ylabel"), component_names(shares), strict=True)))
    # Nodes in one place are one mark, larger for more of them.
    marks, counts = np.unique(np.column_stack([points.round(8), roles]), axis=0, return_counts=True)
    base = float(np.clip(9_000.0 / max(len(marks), 1), 9.0, 70.0))
    draw_points(right, marks[:, :2], marks[:, 2].astype(np.int64), base * (1.0 + 0.5 * np.log(counts)))
    add_grid(right)
    right.margins(0.06)
    right.set_title(f"Signatures of all {graph.n_nodes:,} nodes", fontsize=10.5, color="0.25")
    if title:
        figure.suptitle(title, fontsize=13)
    style: dict[str, Any] = {"linestyle": "", "markersize": 8, "markeredgecolor": "white"}
    handles = [
        Line2D([], [], marker=marker_of(role), color=colour_of(role), label=label, **style)
        for role, label in legend.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", handletextpad=0.4, frameon=False, fontsize=9.5)
    return caption


def draw_bars(
    path: FilePath, title: str, panels: Sequence[tuple[str, Sequence[float]]], styles: Sequence[tuple[str, str]]
) -> None:
    """Draw panels of bars, one bar in each for every label and colour, with its number."""
    n_columns = 3
    n_rows = -(-len(panels) // n_columns)
    with saved_figure(path, 9.0, 1.0 + 1.4 * n_rows) as figure:
        grid = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
        for axes, (name, values) in zip(grid, panels, strict=False):
            bars = axes.barh(range(len(styles)), values, color=[colour for _, colour in styles])
            axes.bar_label(bars, [f"{value:,.3g}" for value in values], padding=3, fontsize=8)
            axes.set(yticks=[], title=name, xmargin=0.25)
            axes.invert_yaxis()
            add_grid(axes)
        for axes in grid[len(panels) :]:
            axes.set_axis_off()
        # Labels of nodes are the user's own words: no formulas in them.
        figure.suptitle(fill(title, 110), fontsize=10.5, parse_math=False)
        place = {"loc": "outside lower center", "ncols": 3, "frameon": False}
        for text in figure.legend(bars.patches, [label for label, _ in styles], **place).get_texts():
            text.set_parse_math(False)
