"""`vnestruct similar` and `vnestruct explain`: tables that people read, JSON, pictures."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import vnestruct
from tests.cases import for_each
from tests.cli.conftest import Invoke
from vnestruct.roles import RoleClusterer, similar_nodes


def test_labels_of_several_words(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "flights.csv"
    path.write_text("from,to\nSao Paulo,Rio\nRio,Recife\n")
    header, _, nearest, _ = (line.split() for line in invoke("similar", path, "--node", "Sao Paulo").out.splitlines())
    assert (header, nearest) == (["node", "distance", "degree"], ["Recife", "0.00000000", "1"])


@for_each(
    ("words", "options"),
    [
        ("", {}),
        ("--kind roles", {"kind": "roles"}),
        ("-k 5 -r 3 --kind exact --aggregate mean", {"k": 5, "radius": 3, "kind": "exact", "aggregate": "mean"}),
    ],
)
def test_options_of_similar_reach_the_library(
    words: str, options: dict[str, Any], barbell_file: Path, invoke: Invoke
) -> None:
    graph = vnestruct.read_graph(barbell_file)
    result = json.loads(invoke("similar", barbell_file, "--node", 10, *words.split(), "--json", "-q").out)
    found = [(one["node"], one["distance"], one["degree"]) for one in result["similar"]]
    expected = similar_nodes(graph, 10, **options)
    assert found == [(node, away, graph.degrees[graph.position(node)]) for node, away in expected]
    assert (result["columns"][0] == "h1_exact") == ("exact" in words)


def test_a_node_and_its_role(barbell_file: Path, invoke: Invoke) -> None:
    expected = vnestruct.explain(vnestruct.read_graph(barbell_file), 9)
    sentence, _, header, _, *lines = invoke("explain", barbell_file, "--node", 9).out.splitlines()
    assert (sentence, header.split()) == (f"{expected.sentence}.", ["9", "role's", "median"])
    for line, row in zip(lines, expected.rows, strict=True):
        assert line.split() == [*row["measure"].split(), f"{row['node']:.4g}", f"{row['role']:.4g}"]


def test_two_nodes_as_json_and_as_a_picture(barbell_file: Path, invoke: Invoke, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "why.png"
    words = ["explain", barbell_file, "--node", 9, "--and", 17]
    result = json.loads(invoke(*words, "--kind", "approx", "-r", 3, "-o", picture, "--json").out)
    graph = vnestruct.read_graph(barbell_file)
    expected = vnestruct.explain(graph, 9, 17, model=RoleClusterer(kind="approx", radius=3).fit(graph))
    assert {name: result[name] for name in asdict(expected)} == asdict(expected)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert invoke(*words, "-q").out.splitlines()[2].split()[-1] == "17"
