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

FILES = {
    "before.txt": "ann bob\nbob cat\ncat ann\ncat dan\ndan eve\n", "added.txt": "eve fay\nann dan\n",
    "removed.txt": "bob ann\n", "after.txt": "ann dan\nbob cat\ncat ann\ncat dan\ndan eve\neve fay\n",
}  # fmt: skip


@for_each(
    ("suffix", "words", "options"),
    [
        *((suffix, "-r 2", {"radius": 2}) for suffix in ("npz", "csv", "parquet", "emb")),
        ("npz", "-r 1 --kind exact --aggregate mean", {"radius": 1, "kind": "exact", "aggregate": "mean"}),
        ("npz", "--kind roles", {"kind": "roles"}),
    ],
)
def test_equals_embedding_the_changed_graph(
    suffix: str, words: str, options: dict[str, Any], tmp_path: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    before, after = f"before.{suffix}", f"after.{suffix}"
    assert invoke("embed", "before.txt", *words.split(), "-o", before).code == 0
    change = ["--added", "added.txt", "--removed", "removed.txt", "--graph-output", "after.vng"]
    # Parameters come from the file, where it has them.
    shown = json.loads(invoke("update", "before.txt", before, *change, "-o", after, "--json").out)
    graph, stored = vnestruct.read_graph("after.vng"), read_embedding(after)
    edges = {frozenset(line.split()) for line in FILES["after.txt"].splitlines()}
    assert {frozenset((graph.nodes[u], graph.nodes[v])) for u, v in zip(*graph.edges()[:2], strict=True)} == edges
    expected = vnestruct.embedding_frame(graph, **options)
    assert stored.nodes is not None
    assert stored.nodes.tolist() == expected.pop("node").tolist() == ["ann", "bob", "cat", "dan", "eve", "fay"]
    assert list(expected.columns) == shown["columns"]
    np.testing.assert_allclose(stored.values, expected, rtol=0, atol=1e-9)
    assert shown["recomputed"] <= 6


def test_edges_of_two_sides(tmp_path: Path, invoke: Invoke) -> None:
    graph, rows, new = (tmp_path / name for name in ("orders.csv", "rows.npz", "new.csv"))
    graph.write_text("user,item\n1,1\n2,1\n")
    assert invoke("embed", graph, "--bipartite", "-o", rows).code == 0
    command = ["update", graph, rows, "--added", new, "-o", tmp_path / "out.csv", "--json"]
    new.write_text("user,item\n2,2\n3,1\n")
    assert json.loads(invoke(*command, "--bipartite").out)["sides"] == [3, 2]
    new.write_text("2,2\n")
    assert "its columns need the names of those of the graph" in invoke(*command, "--bipartite").err
    graph.write_text("user,item\n1,11\n2,11\n")
    assert invoke("embed", graph, "-o", rows).code == 0
    new.write_text("user,item\n1,2\n")
    assert "correct it, or read the graph with --no-bipartite\n" in invoke(*command).err
    assert "is the embedding of another graph" in invoke(*command, "--no-bipartite").err
