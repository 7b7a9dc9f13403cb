"""Draw the pictures of the documentation: ``python docs/pictures.py [NAME ...]``.

Pictures of real graphs need the data folder (``VNESTRUCT_DATA``, or ``../shared/data``). Screenshots of the page need
Playwright and Chromium (``make test-browser`` installs both).
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from diagrams import draw_diagrams
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from vnestruct import as_graph, datasets, embed, read_graph
from vnestruct.cli import main as vnestruct
from vnestruct.drawing.layout import node_positions
from vnestruct.drawing.palette import colour_of, marker_of
from vnestruct.roles import RoleClusterer, draw_roles

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
DATA = Path(os.environ.get("VNESTRUCT_DATA") or ROOT.parent / "shared" / "data")
CENTRE = 5
SHOWN = {0: "a hub", CENTRE: "a member of a small group", 11: "a node with one link"}
INNER, OUTER, REST = "#E69F00", "#F7DFA5", "#E3E5E8"
FLAGS = ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


def draw_balls() -> None:
    """Draw two balls around one node of the karate club, and the profiles of three nodes."""
    graph = as_graph(nx.karate_club_graph())
    places = node_positions(graph, seed=1)
    hops = np.array([nx.shortest_path_length(nx.karate_club_graph(), CENTRE, node) for node in graph.nodes.tolist()])
    figure = Figure(figsize=(11.0, 4.4), dpi=150, layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=[1.5, 1.0])

    ends = edges_of(graph)
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
    save(figure, "balls.png")


def draw_families() -> None:
    """Draw the families of Florence, as `vnestruct demo` does."""
    run_command("demo", "--quiet", "-o", str(IMAGES / "families.png"))


def draw_airports() -> None:
    """Draw the roles of Brazil's airports."""
    model = RoleClusterer().fit(DATA / "roles" / "brazil-airports.edgelist")
    draw_roles(IMAGES / "airports.png", model, title=f"Airports of Brazil, {model.n_roles_} roles")


def draw_enron() -> None:
    """Plot Enron employees by their signatures, with the names of chief executives and presidents."""
    import pandas as pd

    people = pd.read_csv(DATA / "roles" / "enron" / "enron143_labels.csv").set_index("id")
    graph = read_graph(DATA / "roles" / "enron" / "enron143_arcs.csv", directed=True, weight=False)
    signatures = embed(graph, radius=2)
    position = people["position"].reindex(graph.nodes).fillna("unknown").to_numpy()
    groups = {"CEO": "CEO", "President": "President", "Trader": "Trader", "Employee": "Employee"}
    figure = Figure(figsize=(9.0, 5.2), dpi=150, layout="constrained")
    axes = figure.subplots()
    others = ~np.isin(position, list(groups))
    axes.scatter(*signatures[others].T, s=26, color="#C9CDD2", label="other or unknown", zorder=1)
    for number, (title, words) in enumerate(groups.items()):
        members = position == title
        axes.scatter(
            *signatures[members].T, s=58, color=colour_of(number), marker=marker_of(number), edgecolors="white",
            linewidths=0.6, label=words, zorder=5 - number,
        )  # fmt: skip
    named = np.flatnonzero(np.isin(position, ["CEO", "President"]))
    for place, node in enumerate(named[np.argsort(-signatures[named, 0])]):
        # Names are in a column to the right of the crowded corner, so that no line crosses a name.
        axes.annotate(
            people["person"][graph.nodes[node]], signatures[node], xytext=(1.02, 0.97 - 0.065 * place),
            textcoords="axes fraction", fontsize=9, va="center",
            arrowprops={"arrowstyle": "-", "color": "#9aa0a6", "linewidth": 0.7, "shrinkB": 4, "relpos": (0.0, 0.5)},
        )  # fmt: skip
    axes.set(xlabel="entropy at radius 1", ylabel="entropy at radius 2", title="143 people of Enron by their e-mail")
    axes.legend(frameon=False, loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)
    save(figure, "enron.png")


def draw_molecules() -> None:
    """Draw two molecules of MUTAG, one of each class, their atoms coloured by the entropy at radius 2."""
    collection = datasets.load("MUTAG", DATA)
    chosen = {
        "mutagenic": int(np.argmax(collection.labels == 1)),
        "not mutagenic": int(np.argmax(collection.labels == -1)),
    }
    values = {words: embed(collection[place], radius=2)[:, 1] for words, place in chosen.items()}
    largest = max(one.max() for one in values.values())
    figure = Figure(figsize=(10.0, 3.4), dpi=150, layout="constrained")
    shown: Any = None
    for axes, (words, place) in zip(figure.subplots(1, 2), chosen.items(), strict=True):
        graph = collection[place]
        places = node_positions(graph, seed=2)
        axes.add_collection(LineCollection(list(places[edges_of(graph)]), colors="#7a828c", linewidths=1.6, zorder=1))
        shown = axes.scatter(
            *places.T, s=210, c=values[words], cmap="cividis", vmin=0.0, vmax=largest, edgecolors="#333333", zorder=2
        )
        axes.set_title(words, fontsize=11)
        axes.set_aspect("equal")
        axes.set_axis_off()
        axes.margins(0.08)
    figure.colorbar(shown, ax=figure.axes, label="entropy at radius 2", shrink=0.8)
    save(figure, "molecules.png")


def draw_explore() -> None:
    """Take screenshots of pages: a node of facebook_combined, one of its roles in the dark, a ward over time."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page, ward = Path(folder, "page.html"), Path(folder, "ward.html")
        source = DATA / "graphs" / "facebook_combined.txt.gz"
        run_command("explore", str(source), "--quiet", "--title", "Friends on Facebook", "-o", str(page))
        times = ["--time", "time", "--source", "src", "--target", "trg", "--window", "4h", "--every", "1h"]
        source = DATA / "temporal" / "hospital.csv.gz"
        run_command("explore", str(source), "--quiet", *times, "--title", "A hospital ward", "-o", str(ward))
        program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        for scheme, name in (("light", "explore.png"), ("dark", "explore-dark.png"), ("light", "explore-time.png")):
            tab = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme=scheme)
            tab.goto((ward if name == "explore-time.png" else page).as_uri())
            tab.wait_for_selector("body[data-ready=yes]", timeout=60_000)
            if name == "explore-time.png":
                tab.evaluate("window.vnestruct.select([5])")
                tab.click("#scores rect[data-period='3']")
            elif scheme == "dark":
                tab.click("#show-graph")
                tab.click("#roles .role >> nth=-1")
            else:
                tab.fill("#search", "1684")
                tab.press("#search", "Enter")
            tab.wait_for_timeout(3000)
            tab.screenshot(path=IMAGES / name)
        browser.close()


def draw_counterexamples() -> None:
    """Draw pairs of graphs with equal signatures."""
    sys.path.insert(0, str(ROOT))
    from experiments.expressivity import smallest

    smallest.main(IMAGES / "expressivity.svg")


def draw_all_diagrams() -> None:
    """Write the diagrams of architecture and cluster."""
    draw_diagrams(IMAGES)


def edges_of(graph: Any) -> Any:
    """Return the edges of a graph as pairs of positions."""
    source = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    return np.column_stack([source, graph.indices])[source < graph.indices]


def save(figure: Figure, name: str) -> None:
    """Write a figure, without the version of Matplotlib in its metadata."""
    figure.savefig(IMAGES / name, metadata={"Software": None})


def run_command(*words: str) -> None:
    """Run the command line in this process."""
    if code := vnestruct(words):
        raise SystemExit(code)


PICTURES: dict[str, Callable[[], None]] = {
    "balls": draw_balls,
    "barbell": draw_families,
    "airports": draw_airports,
    "enron": draw_enron,
    "molecules": draw_molecules,
    "explore": draw_explore,
    "counterexamples": draw_counterexamples,
    "diagrams": draw_all_diagrams,
}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or PICTURES:
        PICTURES[wanted]()
