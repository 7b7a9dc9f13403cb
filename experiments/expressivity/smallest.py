"""The smallest connected graphs that a signature cannot tell apart: ``python -m experiments.expressivity.smallest``.

All connected graphs with up to seven nodes are compared; pairs with equal multisets of rows go to
``results/expressivity/smallest.json``, and the smallest of each signature are drawn for the documentation.
"""

from collections import defaultdict
from itertools import combinations
from pathlib import Path

import matplotlib
import networkx as nx
import numpy as np
from experiments.expressivity.run import (
    CATEGORIES,
    FOLDER,
    MOMENTS,
    SPECTRAL,
    WIDEST,
    differ,
    graph_set,
    networkx_graphs,
)
from experiments.storage import read_json, write_json
from matplotlib.figure import Figure

from vnestruct.embedding import embed

PICTURE = Path(__file__).parents[2] / "docs" / "images" / "expressivity.svg"
SIGNATURES = {
    "approx, radius 2": {"radius": 2},
    "approx, radius 4, mean and std": {"radius": 4, **MOMENTS},
    "exact, radius 2": {"radius": 2, "kind": "exact"},
    "exact + normalized + punctured, radius 4, mean and std": {
        "radius": 4, "kind": SPECTRAL, **MOMENTS,
    },
}  # fmt: skip


def connected_graphs():
    """Return every connected graph of two to seven nodes, once."""
    return [graph for graph in nx.graph_atlas_g() if len(graph) > 1 and nx.is_connected(graph)]


def equal_pairs(graphs, options):
    """Return the pairs of graphs with equal multisets of rows, those with the fewest nodes and edges first."""
    members = graph_set(graphs)
    parts = np.split(embed(members, **options), members.offsets[1:-1])
    groups = defaultdict(list)
    for place, part in enumerate(parts):
        # Equal multisets have equal sums; rounding keeps nearly equal sums together, and neighbours are compared below.
        groups[(len(part), round(float(part.sum()), 4))].append(place)
    found = [
        pair
        for group in groups.values()
        for pair in combinations(group, 2)
        if not differ(parts[pair[0]], parts[pair[1]])
    ]
    return sorted(found, key=lambda pair: (len(graphs[pair[0]]), sum(graphs[place].size() for place in pair)))


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
    """Find the pairs, and draw the smallest."""
    graphs = connected_graphs()
    result, drawn = {}, {}
    for name, options in SIGNATURES.items():
        found = equal_pairs(graphs, options)
        pair = tuple(graphs[place] for place in found[0]) if found else ()
        texts = [nx.to_graph6_bytes(graph, header=False).decode().strip() for graph in pair]
        result[name] = {"pairs": len(found), "smallest": texts}
        if pair:
            drawn[name] = pair
    drawn["every kind, radius 2"] = cycles(2)
    drawn[WIDEST] = smallest_missed()
    write_json(FOLDER / "smallest.json", {"graphs": len(graphs), "equal": result})
    draw(drawn, picture)


if __name__ == "__main__":
    main()
