"""`vnestruct explain`: a sentence and a table that people read, JSON, a picture, and errors before any work."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import networkx as nx
import pytest

import vnestruct
from tests.cli.conftest import Invoke
from vnestruct.graph.synthetic import barbell
from vnestruct.io import write_graph
from vnestruct.roles import RoleClusterer


@pytest.fixture
def barbell_file(tmp_path: Path) -> Path:
    path = tmp_path / "barbell.csv"
    write_graph(barbell(10, 7), path)
    return path


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
    words = ["--node", 9, "--and", 17, "--kind", "approx", "-r", 3]
    shown = invoke("explain", barbell_file, *words, "-o", picture, "--json")
    result = json.loads(shown.out)
    model = RoleClusterer(kind="approx", radius=3)
    expected = vnestruct.explain(barbell(10, 7), 9, 17, model=model.fit(vnestruct.read_graph(barbell_file)))
    assert {name: result[name] for name in asdict(expected)} == asdict(expected)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert f"Drew {picture}." in shown.err
    table = invoke("explain", barbell_file, "--node", 9, "--and", 17, "-q").out
    assert table.splitlines()[2].split()[-1] == "17"


def test_an_exceptional_node(invoke: Invoke, tmp_path: Path) -> None:
    write_graph(vnestruct.as_graph(nx.les_miserables_graph()), tmp_path / "novel.csv")
    shown = invoke("explain", tmp_path / "novel.csv", "--node", "Valjean", "-q")
    assert shown.out.startswith("Valjean, 36 links: no other node is like it; its role: ")


def test_mistakes_are_one_line(
    barbell_file: Path, invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words, message in [
        (["--node", "99"], "--node: the graph has no node '99'; its labels are such as '0'"),
        (["--node", "1", "--and", "x"], "--and: the graph has no node 'x'"),
        (["--node", "1", "-o", "why.bmp"], "pictures are .png, .svg, .pdf files"),
        (["--node", "1", "--roles", "few"], "invalid value for '--roles'"),
        (["--node", "1", "--roles", "30"], "ask for at most 4 roles"),
    ]:
        shown = invoke("explain", barbell_file, "-q", *words)
        assert shown.code != 0, words
        assert message in shown.error, words
    signatures = tmp_path / "rows.csv"
    assert invoke("embed", barbell_file, "-o", signatures, "-q").code == 0
    assert "add --graph FILE" in invoke("explain", signatures, "--node", 1, "-q").error
    assert invoke("explain", signatures, "--graph", barbell_file, "--node", 1, "-q").code == 0
