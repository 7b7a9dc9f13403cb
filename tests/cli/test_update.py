"""`vnestruct update` on files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vnestruct
from tests.cases import for_each
from tests.cli.conftest import Invoke
from vnestruct.store import read_embedding

BEFORE = "ann bob\nbob cat\ncat ann\ncat dan\ndan eve\n"
ADDED = "eve fay\nann dan\n"
REMOVED = "bob ann\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "before.txt").write_text(BEFORE)
    (tmp_path / "added.txt").write_text(ADDED)
    (tmp_path / "removed.txt").write_text(REMOVED)
    return tmp_path


def changed_graph() -> vnestruct.Graph:
    edges = [("ann", "dan"), ("bob", "cat"), ("cat", "ann"), ("cat", "dan"), ("dan", "eve"), ("eve", "fay")]
    nodes = ["ann", "bob", "cat", "dan", "eve", "fay"]
    return vnestruct.graph.graph_from_pairs(*zip(*edges, strict=True), nodes=nodes)


@for_each(
    ("suffix", "words", "options"),
    [
        *((suffix, "-r 2", {"radius": 2}) for suffix in ("npz", "csv", "parquet", "emb")),
        ("npz", "-r 1 --kind exact --aggregate mean", {"radius": 1, "kind": "exact", "aggregate": "mean"}),
        ("npz", "--kind roles", {"kind": "roles"}),
    ],
)
def test_equals_embedding_the_changed_graph(
    suffix: str, words: str, options: dict[str, Any], files: Path, invoke: Invoke
) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    before, after = files / f"before.{suffix}", files / f"after.{suffix}"
    assert invoke("embed", files / "before.txt", *words.split(), "-o", before).code == 0
    change = f"--added {files}/added.txt --removed {files}/removed.txt --graph-output {files}/after.vng".split()
    # Parameters come from the file, where it has them.
    shown = invoke("update", files / "before.txt", before, *change, "-o", after, "--json")
    assert shown.code == 0, shown.err
    stored, expected = read_embedding(after), vnestruct.embedding_frame(changed_graph(), **options)
    assert stored.nodes is not None
    assert stored.nodes.tolist() == expected.pop("node").tolist()
    assert list(expected.columns) == json.loads(shown.out)["columns"]
    np.testing.assert_allclose(stored.values, expected, rtol=0, atol=1e-9)
    assert vnestruct.read_graph(files / "after.vng") == changed_graph()
    assert json.loads(shown.out)["recomputed"] <= 6


def test_edges_of_two_sides(tmp_path: Path, invoke: Invoke) -> None:
    graph, rows, new = (tmp_path / name for name in ("orders.csv", "rows.npz", "new.csv"))
    graph.write_text("user,item\n1,1\n2,1\n")
    assert invoke("embed", graph, "--bipartite", "-o", rows).code == 0
    command = ["update", graph, rows, "--bipartite", "--added", new, "-o", tmp_path / "out.csv", "--json"]
    new.write_text("user,item\n2,2\n3,1\n")
    shown = invoke(*command)
    assert json.loads(shown.out)["sides"] == [3, 2]
    new.write_text("2,2\n")
    assert "its columns need the names of those of the graph" in invoke(*command).err
    graph.write_text("user,item\n1,11\n2,11\n")
    assert invoke("embed", graph, "-o", rows).code == 0
    new.write_text("user,item\n1,2\n")
    command.remove("--bipartite")
    assert "correct it, or read the graph with --no-bipartite\n" in invoke(*command).err
    assert "is the embedding of another graph" in invoke(*command, "--no-bipartite").err
