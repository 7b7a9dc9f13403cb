"""`vnestruct similar`: the nearest nodes as a table and as JSON, and errors before any work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import vnestruct
from tests.cli.conftest import Invoke
from vnestruct.graph.synthetic import barbell
from vnestruct.io import write_graph
from vnestruct.roles import similar_nodes


@pytest.fixture
def barbell_file(tmp_path: Path) -> Path:
    path = tmp_path / "barbell.csv"
    write_graph(barbell(10, 7), path)
    return path


def test_the_nearest_nodes_are_listed(barbell_file: Path, invoke: Invoke) -> None:
    shown = invoke("similar", barbell_file, "--node", 9, "-k", 2, "-q")
    assert shown.code == 0
    lines = [line.split() for line in shown.out.splitlines()]
    assert lines[0] == ["node", "distance", "degree"]
    assert lines[2] == ["17", "0.00000000", "10"]
    assert len(lines) == 4


def test_json_and_options_reach_the_library(barbell_file: Path, invoke: Invoke) -> None:
    graph = vnestruct.read_graph(barbell_file)
    words = ["-k", 5, "-r", 3, "--kind", "exact", "--aggregate", "mean"]
    result = json.loads(invoke("similar", barbell_file, "--node", 10, *words, "--json", "-q").out)
    expected = similar_nodes(graph, 10, 5, radius=3, kind="exact", aggregate="mean")
    assert [(one["node"], one["distance"]) for one in result["similar"]] == expected
    assert [one["degree"] for one in result["similar"]] == graph.degrees[
        graph.positions([n for n, _ in expected])
    ].tolist()
    assert result["node"] == 10
    assert result["columns"][:3] == ["h1_exact", "h2_exact", "h3_exact"]
    for words in ([], ["--kind", "roles"]):
        found = json.loads(invoke("similar", barbell_file, "--node", 10, *words, "--json", "-q").out)
        kind = words[-1] if words else "profile"
        assert [(one["node"], one["distance"]) for one in found["similar"]] == similar_nodes(graph, 10, kind=kind)


def test_labels_are_text_or_numbers(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "flights.csv"
    path.write_text("from,to\nSao Paulo,Rio\nRio,Recife\n")
    shown = invoke("similar", path, "--node", "Sao Paulo", "-q")
    assert shown.out.splitlines()[2].split()[:2] == ["Recife", "0.00000000"]


MISTAKES: list[tuple[list[str], str]] = [
    (["--node", "99"], "--node: the graph has no node '99'; its labels are such as '0', '1', '2'"),
    (["--node", "1", "-k", "0"], "-k must be a whole number of at least 1, not 0"),
    (["--node", "1", "--kind", "loud"], "kind must be one of"),
    (["--node", "1", "-r", "3"], "leave out --radius"),
    ([], "missing option '--node'"),
]


def test_mistakes_are_one_line(barbell_file: Path, invoke: Invoke) -> None:
    for words, message in MISTAKES:
        shown = invoke("similar", barbell_file, "-q", *words)
        assert shown.code == 2, words
        assert message in shown.error, words
