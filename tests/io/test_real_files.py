"""Real files as they are: separators, comments, carriage returns, self-loops, repeated arcs, gaps between ids."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vnestruct.errors import GraphFormatError
from vnestruct.io import read_graph

ROOT = Path(os.environ.get("VNESTRUCT_DATA") or Path(__file__).parents[2].parent / "shared" / "data")

pytestmark = pytest.mark.skipif(
    not (ROOT / "graphs").is_dir(), reason=f"no data in {ROOT}; set VNESTRUCT_DATA to their folder"
)

# file: (nodes, edges read, undirected edges, self-loops, largest degree if known)
GRAPHS = {
    "graphs/email-Eu-core.txt.gz": (1005, 25_571, 16_064, 642, 345),
    "graphs/facebook_combined.txt.gz": (4039, 88_234, 88_234, 0, 1045),
    "graphs/ca-GrQc.txt.gz": (5242, 28_980, 14_484, 12, 81),
    "graphs/email-Enron.txt.gz": (36_692, 367_662, 183_831, 0, 1383),
    "graphs/musae_github_edges.csv.gz": (37_700, 289_003, 289_003, 0, 9458),
    "graphs/usroads.mtx.gz": (129_164, 165_435, 165_435, 0, 7),
    "graphs/dblp-2010.txt.gz": (300_647, 807_700, 807_700, 0, 238),
    "graphs/moscow-roads.txt.gz": (411_992, 451_135, 450_919, 0, 6),
    "graphs/actor.dat.gz": (511_463, 1_470_418, 1_470_404, 0, 646),
    "roles/brazil-airports.edgelist": (131, 1074, 1003, 71, None),
    "roles/europe-airports.edgelist": (399, 5995, 5993, 2, None),
    "roles/karate-mirrored.edgelist": (68, 155, 155, 0, None),
    "roles/actor.edge.gz": (7758, 26_733, 26_646, 87, None),
    "roles/film.edge.gz": (27_312, 122_706, 122_514, 192, None),
    "roles/enron/enron143_arcs.csv": (143, 2583, 1765, 0, None),
    "roles/enron/enron184_emails.csv.gz": (184, 125_409, 2097, 16_483, None),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_counts(name: str) -> None:
    n_nodes, n_read, n_edges, n_loops, largest = GRAPHS[name]
    graph = read_graph(ROOT / name, format="groups" if name == "graphs/actor.dat.gz" else None)
    assert (graph.n_nodes, graph.n_edges) == (n_nodes, n_edges)
    assert graph.report.edges_read == n_read
    assert graph.report.self_loops_dropped == n_loops
    assert largest is None or graph.degrees.max() == largest
    if name == "graphs/actor.dat.gz":
        # One line per film with the ids of its actors: films and actors are nodes.
        assert graph.nodes[:2].tolist() == ["line1", "line2"]
        assert graph.nodes[127_823:127_826].tolist() == [0, 1, 1224]
    else:
        assert graph.nodes.dtype == "int64"


def test_directed_counts() -> None:
    arcs = read_graph(ROOT / "roles/enron/enron143_arcs.csv", directed=True, weight="emails")
    assert arcs.weights is not None
    assert arcs.n_arcs == 2583
    assert read_graph(ROOT / "roles/enron/enron184_emails.csv.gz", directed=True).n_arcs == 3010


@pytest.mark.parametrize(
    ("name", "words"),
    [
        # Tables of nodes are not taken for edges.
        ("roles/enron/enron184_nodes.csv", "cannot tell which columns.*; try: `source='.*'` `target='"),
        ("roles/enron/enron143_labels.csv", "cannot tell which columns.*; try: `source='.*'` `target='"),
        # Hypergraphs are refused.
        ("graphs/threads-math-sx-nverts.txt.gz", "one column where an edge needs two"),
        ("graphs/threads-math-sx-simplices.txt.gz", "one column where an edge needs two"),
    ],
)
def test_what_is_no_list_of_edges_is_refused(name: str, words: str) -> None:
    with pytest.raises(GraphFormatError, match=f"line 1: {words}"):
        read_graph(ROOT / name)
