"""The graphs of the gallery: how to read them, how to find their roles, and what is known about their nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import networkx as nx
import numpy as np
from experiments.real_graphs import labelled_graph, plain_graph
from experiments.storage import data_folder
from numpy.typing import NDArray

from vnestruct import as_graph, read_graph
from vnestruct.graph import Graph

Classes = NDArray[np.int64]


@dataclass(frozen=True)
class Example:
    """A graph of the gallery; `marked` are nodes that the page speaks about."""

    title: str
    read: Callable[[], tuple[Graph, Classes | None]]
    marked: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


def _known(graph: Any) -> Callable[[], tuple[Graph, None]]:
    return lambda: (as_graph(graph()), None)


def _women() -> tuple[Graph, None]:
    import pandas as pd

    graph = nx.davis_southern_women_graph()
    return as_graph(pd.DataFrame(graph.edges(), columns=["woman", "event"]), source="woman", target="event"), None


def _plain(name: str) -> Callable[[], tuple[Graph, None]]:
    return lambda: (plain_graph(name), None)


CENTRES = (0, 107, 348, 414, 686, 698, 1684, 1912, 3437, 3980)
"""The people whose lists of friends facebook_combined was made of."""

EXAMPLES = {
    "karate": Example("Karate club", _known(nx.karate_club_graph), (0, 33)),
    "lesmis": Example("Les Misérables", _known(nx.les_miserables_graph), ("Valjean", "Myriel", "Cosette")),
    "florentine": Example("Florentine families", _known(nx.florentine_families_graph), ("Medici", "Strozzi")),
    "women": Example("Southern women", _women, ("E8", "Evelyn Jefferson")),
    "brazil": Example("Brazil's airports", lambda: labelled_graph("brazil-airports")),
    "facebook": Example("facebook_combined", _plain("facebook_combined.txt.gz"), CENTRES),
    "mail": Example(
        "email-Eu-core",
        lambda: (read_graph(data_folder() / "graphs" / "email-Eu-core.txt.gz", directed=True), None),
        options={"direction": "out+in"},
    ),
    "grqc": Example("ca-GrQc", _plain("ca-GrQc.txt.gz")),
    "calls": Example("Phone calls", lambda: labelled_graph("reality-call", "survey")),
    "enron": Example("email-Enron", _plain("email-Enron.txt.gz")),
    "github": Example("musae_github", _plain("musae_github_edges.csv.gz")),
}
