"""The smallest connected graphs that a signature cannot tell apart: ``python -m experiments.expressivity.smallest``.

Of all connected graphs with up to seven nodes, pairs with equal multisets of rows are in
``results/expressivity/smallest.json`` (found by code of commit 28d35c7); the smallest of each signature are drawn here.
"""

from pathlib import Path

import matplotlib
import networkx as nx
from experiments.expressivity.run import CATEGORIES, FOLDER, MOMENTS, SPECTRAL, WIDEST, networkx_graphs
from experiments.storage import read_json
from matplotlib.figure import Figure

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "expressivity.svg"
SIGNATURES = {
    "approx, radius 2": {"radius": 2},
    "approx, radius 4, mean and std": {"radius": 4, **MOMENTS},
    "exact, radius 2": {"radius": 2, "kind": "exact"},
    "exact + normalized + punctured, radius 4, mean and std": {
        "radius": 4, "kind": SPECTRAL, **MOMENTS,
    },
}  # fmt: skip


def cycles(radius):
    """Return two graphs that no kind tells apart up to a radius: all of their balls are paths."""
    length = 2 * radius + 2
    return nx.disjoint_union(nx.cycle_graph(length), nx.cycle_graph(length)), nx.cycle_graph(2 * length)


def smallest_missed():
    """Return the connected pair of BREC with the fewest nodes that the widest signature misses."""
    missed = read_json(FOLDER / "all_kinds.json")["signatures"][WIDEST]["missed"]
    graphs = networkx_graphs(list(CATEGORIES))
    connected = [pair for pair in missed if nx.is_connected(graphs[2 * pair]) and nx.is_connected(graphs[2 * pair + 1])]
    missed = min(connected, key=lambda pair: (len(graphs[2 * pair]), graphs[2 * pair].size()))
    return graphs[2 * missed], graphs[2 * missed + 1]


def draw(pairs, picture):
    """Draw pairs of graphs that are equal for a signature."""
    figure = Figure(figsize=(8.0, 2.3 * len(pairs)), layout="constrained")
    for row, (name, pair) in zip(figure.subplots(len(pairs), 2, squeeze=False), pairs.items(), strict=True):
        for axes, graph in zip(row, pair, strict=True):
            parts = [graph.subgraph(nodes) for nodes in nx.connected_components(graph)]
            for shift, part in enumerate(parts):
                places = nx.kamada_kawai_layout(part, center=(2.6 * shift, 0.0))
                nx.draw_networkx(
                    part, places, ax=axes, node_color="#E69F00", edgecolors="#444444", node_size=60, with_labels=False
                )
            axes.set_axis_off()
            axes.set_aspect("equal")
        row[0].set_title(f"equal for {name}", loc="left", fontsize=10)
    with matplotlib.rc_context({"svg.hashsalt": "vnestruct"}):
        figure.savefig(picture, metadata={"Date": None})


def main(picture=PICTURE):
    """Draw the smallest pairs."""
    equal = read_json(FOLDER / "smallest.json")["equal"]
    drawn = {
        name: tuple(nx.from_graph6_bytes(text.encode()) for text in found["smallest"])
        for name, found in equal.items()
        if found["smallest"]
    }
    drawn["every kind, radius 2"] = cycles(2)
    drawn[WIDEST] = smallest_missed()
    draw(drawn, picture)


if __name__ == "__main__":
    main()
