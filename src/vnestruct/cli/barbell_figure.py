"""The picture of the demo: the barbell graph, and beside it its embedding, in the same colours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vnestruct.files.atomic import atomic_path
from vnestruct.graph.synthetic import barbell

if TYPE_CHECKING:
    import numpy.typing as npt

    from vnestruct.types import IdArray, ValueArray

# Okabe and Ito's palette, which people with any kind of colour vision can tell apart.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7")
MARKERS = ("o", "s", "^", "D", "P")
SIZES = (1.0, 0.95, 1.25, 0.8, 1.3)
"""Areas that make the markers look equally large."""

SIDES = (("right", -14), ("right", 9), ("left", 7), ("left", 7), ("left", 7))
"""Of the label of each role in the embedding: alignment, and points above its marker."""


def draw_barbell(path: Path, values: ValueArray, roles: IdArray, names: list[str]) -> None:
    """Draw the graph and the first two principal components of its embedding; the file appears whole."""
    from matplotlib.figure import Figure

    clique_size = int(np.count_nonzero(roles == 0)) // 2 + 1
    path_length = len(roles) - 2 * clique_size
    figure = Figure(figsize=(11.0, 4.0), dpi=150, layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1.45, 1.0])
    _draw_graph(left, clique_size, path_length, roles, names)
    _draw_components(right, values, roles, names)
    figure.suptitle("Equal structural roles have equal signatures", fontsize=13)
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(names), frameon=False, fontsize=10)
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        figure.savefig(file, format=path.suffix[1:].lower())


def barbell_positions(clique_size: int, path_length: int) -> npt.NDArray[np.float64]:
    """Place the cliques on two circles, gates inwards, and the path on the line between them."""
    angles = 2 * np.pi * np.arange(1, clique_size + 1) / clique_size
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    step = 0.55
    inner = step * (path_length + 1) / 2
    first = circle - [inner + 1.0, 0.0]
    line = np.column_stack([step * (np.arange(1, path_length + 1) - (path_length + 1) / 2), np.zeros(path_length)])
    second = -circle[::-1] + [inner + 1.0, 0.0]
    return np.vstack([first, line, second])


def _draw_graph(axes: Any, clique_size: int, path_length: int, roles: IdArray, names: list[str]) -> None:
    from matplotlib.collections import LineCollection

    graph = barbell(clique_size, path_length)
    place = barbell_positions(clique_size, path_length)
    ends = np.column_stack([np.repeat(np.arange(graph.n_nodes), graph.degrees), graph.indices])
    segments = place[ends[ends[:, 0] < ends[:, 1]]]
    axes.add_collection(LineCollection(list(segments), colors="0.72", linewidths=0.8, zorder=1))
    _scatter(axes, place, roles, names, size=130)
    axes.set_title(f"Barbell graph: two {clique_size}-cliques, a path of {path_length}", fontsize=11)
    # The box keeps its size, so that both titles are on one line.
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_axis_off()
    axes.margins(0.03)


def _draw_components(axes: Any, values: ValueArray, roles: IdArray, names: list[str]) -> None:
    centred = values - values.mean(axis=0)
    _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
    # A direction is only determined up to its sign: let the largest entry be positive, whatever the library.
    directions *= np.sign(directions[np.arange(len(directions)), np.abs(directions).argmax(axis=1)])[:, None]
    points = centred @ directions[:2].T
    shares = sizes**2 / (sizes**2).sum()
    _scatter(axes, points, roles, names, size=85)
    for role, name in enumerate(names):
        alignment, height = SIDES[role]
        axes.annotate(
            f"{name} ({np.count_nonzero(roles == role)})", points[roles == role][0],
            xytext=(-9 if alignment == "right" else 9, height), textcoords="offset points", ha=alignment,
            fontsize=9.5, color="0.2",
        )  # fmt: skip
    axes.set_title(f"Embedding of its nodes, R = {values.shape[1]}", fontsize=11)
    axes.set_xlabel(f"first principal component ({shares[0]:.0%} of the variance)")
    axes.set_ylabel(f"second ({shares[1]:.0%})")
    axes.margins(0.14, 0.2)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.92")
    axes.set_axisbelow(True)


def _scatter(axes: Any, points: npt.NDArray[np.float64], roles: IdArray, names: list[str], size: float) -> None:
    for role, name in enumerate(names):
        axes.scatter(
            *points[roles == role].T, s=size * SIZES[role], c=COLOURS[role], marker=MARKERS[role], label=name,
            edgecolors="white", linewidths=0.8, zorder=2,
        )  # fmt: skip
