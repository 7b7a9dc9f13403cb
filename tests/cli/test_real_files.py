"""Real files work as they are, whatever their separators, comments, self-loops, repeats and gaps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

# (file, words, nodes, edges); the counts are those that the data folder's own notes give.
FILES = [
    ("graphs/email-Eu-core.txt.gz", [], 1_005, 16_064),
    ("graphs/facebook_combined.txt.gz", [], 4_039, 88_234),
    ("graphs/ca-GrQc.txt.gz", [], 5_242, 14_484),
    ("graphs/email-Enron.txt.gz", [], 36_692, 183_831),
    ("graphs/musae_github_edges.csv.gz", [], 37_700, 289_003),
    ("graphs/usroads.mtx.gz", [], 129_164, 165_435),
    ("graphs/dblp-2010.txt.gz", [], 300_647, 807_700),
    ("graphs/moscow-roads.txt.gz", [], 411_992, 450_919),
    ("roles/brazil-airports.edgelist", [], 131, 1_003),
    ("roles/europe-airports.edgelist", [], 399, 5_993),
    ("roles/karate-mirrored.edgelist", [], 68, 155),
    ("roles/actor.edge.gz", [], 7_758, 26_646),
    ("roles/film.edge.gz", [], 27_312, 122_514),
    ("roles/enron/enron143_arcs.csv", [], 143, 1_765),
    ("roles/enron/enron184_emails.csv.gz", [], None, 2_097),
]


@pytest.mark.parametrize(
    ("name", "words", "n_nodes", "n_edges"), FILES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_real_file(
    name: str, words: list[str], n_nodes: int | None, n_edges: int, data_folder: Path, invoke: Invoke
) -> None:
    path = data_folder / name
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    shown = invoke("info", path, "--json", "--no-estimate", *words)
    assert shown.code == 0
    facts = json.loads(shown.out)
    assert facts["edges"] == n_edges
    assert n_nodes is None or facts["nodes"] == n_nodes


def test_every_graph_of_the_folder_is_in_the_list(data_folder: Path) -> None:
    there = {f"graphs/{path.name}" for path in (data_folder / "graphs").iterdir()}
    other = {name for name in there if "threads-math-sx" in name or "labels" in name or name == "graphs/actor.dat.gz"}
    assert there - other <= {name for name, *_ in FILES}


def test_a_file_of_node_lists_is_read_as_adjacency_lists(data_folder: Path, invoke: Invoke) -> None:
    # One line a film, each the ids of its actors: no edge list, and nothing in the file says what it is.
    path = data_folder / "graphs" / "actor.dat.gz"
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    shown = invoke("info", path, "--format", "adjlist", "--no-estimate", "--json")
    assert shown.code == 0
    assert json.loads(shown.out)["nodes"] == 383_640
