"""Real files work as they are, whatever their separators, comments, self-loops, repeats and gaps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

# (file, nodes, edges); the counts are those that the data folder's own notes give.
FILES = [
    ("graphs/email-Eu-core.txt.gz", 1_005, 16_064),
    ("graphs/facebook_combined.txt.gz", 4_039, 88_234),
    ("graphs/ca-GrQc.txt.gz", 5_242, 14_484),
    ("graphs/email-Enron.txt.gz", 36_692, 183_831),
    ("graphs/musae_github_edges.csv.gz", 37_700, 289_003),
    ("graphs/usroads.mtx.gz", 129_164, 165_435),
    ("graphs/dblp-2010.txt.gz", 300_647, 807_700),
    ("graphs/moscow-roads.txt.gz", 411_992, 450_919),
    ("graphs/actor.dat.gz", 511_463, 1_470_404),
    ("roles/brazil-airports.edgelist", 131, 1_003),
    ("roles/europe-airports.edgelist", 399, 5_993),
    ("roles/karate-mirrored.edgelist", 68, 155),
    ("roles/actor.edge.gz", 7_758, 26_646),
    ("roles/film.edge.gz", 27_312, 122_514),
    ("roles/br-wiki-talk.edge.gz", 1_049, 2_330),
    ("roles/cy-wiki-talk.edge.gz", 2_101, 3_610),
    ("roles/ht-wiki-talk.edge.gz", 446, 758),
    ("roles/enron/enron143_arcs.csv", 143, 1_765),
    ("roles/enron/enron184_emails.csv.gz", 184, 2_097),
]


@pytest.mark.parametrize(
    ("name", "n_nodes", "n_edges"), FILES, ids=lambda value: value if isinstance(value, str) else ""
)
def test_real_file(name: str, n_nodes: int, n_edges: int, data_folder: Path, invoke: Invoke) -> None:
    path = data_folder / name
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    words = ["--format", "groups"] if name.endswith(".dat.gz") else []
    shown = invoke("info", path, "--json", "--no-estimate", *words)
    assert shown.code == 0
    facts = json.loads(shown.out)
    assert facts["edges"] == n_edges
    assert facts["nodes"] == n_nodes
