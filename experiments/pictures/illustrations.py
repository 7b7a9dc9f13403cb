"""Figures 1 and 2: the method on two far-apart nodes, and the barbell."""

import numpy as np
from experiments.illustrations import BARBELL_PATH, METHOD_PATH, two_parts
from experiments.pictures.style import new_figure, save, tidy
from experiments.storage import read_json
from matplotlib.collections import LineCollection

from vnestruct.drawing.palette import colour_of, marker_of
from vnestruct.graph.synthetic import barbell

NAMES = {0: ("clique", False), 9: ("gate", True), 10: ("first step", False), 11: ("second", True), 12: ("middle", True)}
"""Roles by their first node, and whether their label goes below."""

INNER, OUTER, REST = "#E0A100", "#F7E3A1", "#D9D9D9"


def draw_method():
    """Draw the graph with both nodes' balls, and their two entropies side by side."""
    found = read_json(METHOD_PATH)
    graph, u, v, places = two_parts()
    figure = new_figure(11.0, 4.0)
    left, right = figure.subplots(1, 2, width_ratios=[2.6, 1.0])
    _edges(left, graph, places)
    colours = np.full(graph.n_nodes, REST, dtype=object)
    for node in (u, v):
        near = graph.indices[graph.indptr[node] : graph.indptr[node + 1]]
        for one in near:
            colours[graph.indices[graph.indptr[one] : graph.indptr[one + 1]]] = OUTER
    for node in (u, v):
        colours[[node, *graph.indices[graph.indptr[node] : graph.indptr[node + 1]]]] = INNER
    left.scatter(*places.T, s=190, c=list(colours), edgecolors="#333333", linewidths=1.0, zorder=3)
    for node, name in ((u, "u"), (v, "v")):
        left.annotate(name, places[node], ha="center", va="center", fontsize=11, fontweight="bold", zorder=4)
    for colour, label in ((INNER, "1-ball"), (OUTER, "what the 2-ball adds"), (REST, "other nodes")):
        left.scatter([], [], s=120, c=colour, edgecolors="#333333", label=label)
    left.legend(loc="upper center", frameon=False, fontsize=10)
    left.set(aspect="equal", ylim=(-1.1, 3.1))
    left.axis("off")
    x = np.arange(2)
    for offset, name, colour in ((-0.2, "u", "#0072B2"), (0.2, "v", "#D55E00")):
        bars = right.bar(x + offset, found[name], 0.38, color=colour, label=name)
        right.bar_label(bars, fmt="%.3f", fontsize=9, padding=2)
    right.set_xticks(x, ["h(·, 1)", "h(·, 2)"])
    right.set_ylabel("entropy")
    right.legend(frameon=False, loc="upper left")
    right.margins(y=0.16)
    tidy(right)
    figure.suptitle(
        f"u and v are {found['distance']} hops apart: equal at radius 1, different at radius 2", fontsize=12
    )
    save(figure, "figure1-method.png")


def barbell_positions(clique_size, path_length, step=0.55):
    """Place the cliques on two circles, gates inwards, and the path on the line between them."""
    angles = 2 * np.pi * np.arange(1, clique_size + 1) / clique_size
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    middle = (path_length + 1) / 2
    line = np.column_stack([step * (np.arange(1, path_length + 1) - middle), np.zeros(path_length)])
    centre = [step * middle + 1.0, 0.0]
    return np.vstack([circle - centre, line, centre - circle[::-1]])


def draw_barbell_figure():
    """Draw the projected signatures and the graph, in the same colours."""
    found = read_json(BARBELL_PATH)
    points, roles = np.array(found["projection"]), np.array(found["roles"])
    sizes = np.bincount(roles)
    order = {role: place for place, role in enumerate(np.argsort(-sizes, kind="stable").tolist())}
    graph, places = barbell(10, 7), barbell_positions(10, 7)
    figure = new_figure(11.0, 3.8)
    left, right = figure.subplots(1, 2, width_ratios=[1.0, 1.5])
    _edges(right, graph, places)
    for role in range(sizes.size):
        own = roles == role
        style = {"c": colour_of(order[role]), "marker": marker_of(order[role]), "edgecolors": "white", "zorder": 3}
        left.scatter(*points[own].T, s=150, **style)
        right.scatter(*places[own].T, s=110, **style)
        # The gates are just below the cliques, and so is their label.
        name, below = NAMES[int(np.flatnonzero(own)[0])]
        left.annotate(
            f"{name} ({sizes[role]})", points[own][0], xytext=(9, -13 if below else 9), textcoords="offset points",
            fontsize=9,
        )  # fmt: skip
    left.set_xlabel(f"first component ({found['explained'][0]:.0%})")
    left.set_ylabel(f"second ({found['explained'][1]:.0%})")
    left.margins(0.2)
    tidy(left)
    right.set_aspect("equal")
    right.axis("off")
    figure.suptitle(
        f"The barbell at R = 3: {found['nodes']} nodes, {found['distinct_signatures']} distinct signatures", fontsize=12
    )
    save(figure, "figure2-barbell.png")


def _edges(axes, graph, places):
    rows = graph.sources
    upper = rows < graph.indices
    lines = np.stack([places[rows[upper]], places[graph.indices[upper]]], axis=1)
    axes.add_collection(LineCollection(list(lines), colors="#8C8C8C", linewidths=0.9, zorder=1))
