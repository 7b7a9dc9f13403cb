"""The graphs: real ones from the data folder, or generated ones of similar size and shape if those are missing."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests import generators as synthetic

from benchmarks.harness import ROOT
from vnestruct import Graph, read_graph


@dataclass(frozen=True)
class Input:
    """A graph to measure on: its file, and the generated graph that replaces it."""

    name: str
    file: str
    stand_in: Callable[[], Graph]
    naive_radius: int
    """Radius at which the naive version gets its full time limit; it gets less at the others."""


@dataclass(frozen=True)
class Loaded:
    """A graph in memory, and whether it is the real one."""

    name: str
    graph: Graph
    generated: bool
    naive_radius: int

    @property
    def title(self) -> str:
        """The name that tables show."""
        return f"{self.name} (generated stand-in)" if self.generated else self.name


INPUTS = (
    Input(
        "facebook_combined",
        "facebook_combined.txt.gz",
        lambda: synthetic.watts_strogatz(4_000, 44, 0.1, seed=1),
        2,
    ),
    Input(
        "email-Enron",
        "email-Enron.txt.gz",
        lambda: synthetic.power_law(36_000, 2.0, seed=2, largest_degree=1_400),
        2,
    ),
    Input("musae_github", "musae_github_edges.csv.gz", lambda: synthetic.barabasi_albert(37_700, 8, seed=3), 2),
    Input("dblp-2010", "dblp-2010.txt.gz", lambda: synthetic.watts_strogatz(300_000, 6, 0.1, seed=4), 2),
    Input("moscow-roads", "moscow-roads.txt.gz", lambda: synthetic.grid(640, 640, shuffled=5), 3),
)
WEB = Input("web", "", lambda: synthetic.web(6, 20_000, 110_000, seed=7), 2)
"""Always generated: half of its nodes are twins or leaves, and each of 48 hubs has 20,000 links."""
TINY = Input("tiny", "tiny.txt.gz", lambda: synthetic.barabasi_albert(2_000, 5, seed=6), 2)
BY_NAME = {one.name: one for one in (*INPUTS, WEB, TINY)}


def data_folder() -> Path:
    """Return the folder with ``graphs/``: VNESTRUCT_DATA, or ../shared/data."""
    return Path(os.environ.get("VNESTRUCT_DATA") or ROOT.parent / "shared" / "data")


def load(name: str) -> Loaded:
    """Read a graph by name, or generate its stand-in."""
    one = BY_NAME[name]
    path = data_folder() / "graphs" / one.file
    found = path.is_file()
    return Loaded(name, read_graph(path) if found else one.stand_in(), not found, one.naive_radius)
