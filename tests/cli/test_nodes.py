"""`vnestruct similar` and `vnestruct explain`: tables that people read, JSON, pictures."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import pytest

import vnestruct
from tests.cli.conftest import Invoke
from vnestruct.roles import RoleClusterer, similar_nodes


def test_the_nearest_nodes_are_listed(barbell_file: Path, invoke: Invoke) -> None:
    shown = invoke("similar", barbell_file, "--node", 9, "-k", 2, "-q")
    assert shown.code == 0
    lines = [line.split() for line in shown.out.splitlines()]
    assert lines[0] == ["node", "distance", "degree"]
    assert lines[2] == ["17", "0.00000000", "10"]
    assert len(lines) == 4
    barbell_file.write_text("from,to\nSao Paulo,Rio\nRio,Recife\n")
    shown = invoke("similar", barbell_file, "--node", "Sao Paulo", "-q")
    assert shown.out.splitlines()[2].split()[:2] == ["Recife", "0.00000000"]


def test_options_of_similar_reach_the_library(barbell_file: Path, invoke: Invoke) -> None:
    graph = vnestruct.read_graph(barbell_file)
    for words, options in (
        ([], {}),
        (["--kind", "roles"], {"kind": "roles"}),
        (["-k", 5, "-r", 3, "--kind", "exact", "--aggregate", "mean"],
         {"k": 5, "radius": 3, "kind": "exact", "aggregate": "mean"}),
    ):  # fmt: skip
        result = json.loads(invoke("similar", barbell_file, "--node", 10, *words, "--json", "-q").out)
        assert result["node"] == 10
        found = [(one["node"], one["distance"], one["degree"]) for one in result["similar"]]
        expected = similar_nodes(graph, 10, **options)
        assert found == [(node, away, graph.degrees[graph.position(node)]) for node, away in expected]
    assert result["columns"][:3] == ["h1_exact", "h2_exact", "h3_exact"]


def test_a_node_and_its_role(barbell_file: Path, invoke: Invoke) -> None:
    expected = vnestruct.explain(vnestruct.read_graph(barbell_file), 9)
    shown = invoke("explain", barbell_file, "--node", 9, "-q")
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0] == f"{expected.sentence}."
    assert lines[2].split() == ["9", "role's", "median"]
    for line, row in zip(lines[4:], expected.rows, strict=True):
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
