"""Draw the pictures of these pages with the package itself: ``python docs/pictures.py``."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from vnestruct import as_graph, embed
from vnestruct.roles.layout import node_positions
from vnestruct.roles.palette import colour_of, marker_of

IMAGES = Path(__file__).parent / "images"
CENTRE = 5
SHOWN = {0: "a hub", CENTRE: "a member of a small group", 11: "a node with one link"}
INNER, OUTER, REST = "#E69F00", "#F7DFA5", "#E3E5E8"


def draw_balls() -> None:
    """Draw two balls around one node of the karate club, and the profiles of three nodes."""
    graph = as_graph(nx.karate_club_graph())
    places = node_positions(graph, seed=1)
    hops = np.array([nx.shortest_path_length(nx.karate_club_graph(), CENTRE, node) for node in graph.nodes.tolist()])
    figure = Figure(figsize=(11.0, 4.4), dpi=150, layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1.5, 1.0])

    source = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    ends = np.column_stack([source, graph.indices])[source < graph.indices]
    farther = hops[ends].max(axis=1)
    for far, colour, width in ((9, "#D5D8DC", 0.7), (2, "#C9A24A", 1.0), (1, "#8A5A00", 1.8)):
        chosen = ends[farther <= far] if far < 9 else ends
        left.add_collection(LineCollection(list(places[chosen]), colors=colour, linewidths=width, zorder=10 - far))
    fill = np.where(hops <= 1, INNER, np.where(hops <= 2, OUTER, REST))
    left.scatter(*places.T, s=130, c=list(fill), edgecolors="#444444", linewidths=0.8, zorder=12)
    left.scatter(*places[CENTRE], s=240, facecolors="none", edgecolors="black", linewidths=2.0, zorder=13)
    left.set_title("The 1-ball (orange) and the 2-ball (with light orange) of one node", fontsize=11)
    left.set_aspect("equal")
    left.set_axis_off()

    signatures = embed(graph, radius=4)
    for number, (node, words) in enumerate(SHOWN.items()):
        right.plot(
            range(1, 5), signatures[node], color=colour_of(number), marker=marker_of(number), linewidth=2, label=words
        )
    right.set(xlabel="radius", ylabel="entropy", xticks=range(1, 5))
    right.set_title("Three signatures", fontsize=11)
    right.legend(frameon=False, loc="lower right")
    right.spines[["top", "right"]].set_visible(False)
    figure.savefig(IMAGES / "balls.png", metadata={"Software": None})


if __name__ == "__main__":
    draw_balls()
