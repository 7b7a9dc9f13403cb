"""`vnestruct explain`: a sentence and a table that people read, JSON, a picture, and errors before any work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke
from vnestruct.graph.synthetic import barbell
from vnestruct.io import write_graph


@pytest.fixture
def barbell_file(tmp_path: Path) -> Path:
    path = tmp_path / "barbell.csv"
    write_graph(barbell(10, 7), path)
    return path


def test_a_node_and_its_role(barbell_file: Path, invoke: Invoke) -> None:
    shown = invoke("explain", barbell_file, "--node", 9, "-r", 1, "-q")
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0] == "9 is one of 2 gateways; its balls are typical of the role."
    assert lines[2].split() == ["hops", "9", "role's", "median"]
    assert [line.split() for line in lines[3:5]] == [["1", "nodes", "11", "11"], ["1", "density", "0.8364", "0.8364"]]


def test_two_nodes_as_json_and_as_a_picture(barbell_file: Path, invoke: Invoke, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "why.png"
    shown = invoke("explain", barbell_file, "--node", 9, "--and", 17, "-o", picture, "--json", "-r", 3)
    result = json.loads(shown.out)
    assert (result["node"], result["other"], result["role"], result["other_role"]) == (9, 17, 4, 4)
    assert result["sentence"].startswith("9 and 17 are both ")
    assert [row["other"] for row in result["rows"]] == [row["node"] for row in result["rows"]]
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert f"Drew {picture}." in shown.err
    table = invoke("explain", barbell_file, "--node", 9, "--and", 17, "-q").out
    assert table.splitlines()[2].split()[-1] == "17"


def test_mistakes_are_one_line(
    barbell_file: Path, invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words, message in [
        (["--node", "99"], "--node: the graph has no node '99'; its labels are such as '0'"),
        (["--node", "1", "--and", "x"], "--and: the graph has no node 'x'"),
        (["--node", "1", "-o", "why.bmp"], "pictures are .png, .svg, .pdf files"),
        (["--node", "1", "--roles", "few"], "--roles is 'few'"),
        (["--node", "1", "--max-roles", "1"], "--max-roles must be a whole number of at least 2"),
    ]:
        shown = invoke("explain", barbell_file, "-q", *words)
        assert shown.code != 0, words
        assert message in shown.error, words
    signatures = tmp_path / "rows.csv"
    assert invoke("embed", barbell_file, "-o", signatures, "-q").code == 0
    assert "add --graph FILE" in invoke("explain", signatures, "--node", 1, "-q").error
    assert invoke("explain", signatures, "--graph", barbell_file, "--node", 1, "-q").code == 0
