"""Each command does what it says, on standard output and in files, and keeps notes on standard error."""

from __future__ import annotations

import csv
import io
import json
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vnestruct
from tests.cases import for_each
from tests.cli.conftest import Invoke, Outcome, finish
from vnestruct.cli.commands.demo import MARRIAGES
from vnestruct.io import write_graph
from vnestruct.store import read_embedding


def table(text: str) -> dict[str, list[float]]:
    rows = list(csv.reader(io.StringIO(text)))
    return {row[0]: [float(word) for word in row[1:]] for row in rows[1:]}


def test_embed_writes_csv_to_standard_output(edges: Path, invoke: Invoke) -> None:
    shown = invoke("embed", edges)
    graph = vnestruct.read_graph(edges)
    assert table(shown.out) == dict(zip(graph.nodes.tolist(), vnestruct.embed(graph).tolist(), strict=True))
    assert "dropped 1 self-loop; merged 1 parallel edge" in shown.err
    assert invoke("embed", edges, "-o", "-", "--quiet") == Outcome(0, shown.out, "")
    with edges.open() as file:
        assert finish("embed", "-", "-q", stdin=file) == Outcome(0, shown.out, "")


@for_each(
    ("suffix", "words", "options"),
    [
        *((suffix, "-r 3 --kind approx,exact --kind quadratic", {"radius": 3, "kind": ["approx", "exact", "quadratic"]})
          for suffix in ("csv", "tsv", "parquet", "feather", "emb")),
        ("npz", "-r 1 --weighted --directed --direction out+in --aggregate mean --aggregate std -j 1",
         {"radius": 1, "weighted": True, "direction": "out+in", "aggregate": ["mean", "std"]}),
        ("npz", "--kind roles", {"kind": "roles"}),
        ("npz", "--kind profile", {"kind": "profile"}),
        ("npz", "--kind noisy", {"kind": "noisy"}),
    ],
)  # fmt: skip
def test_embed_writes_what_the_library_computes_and_says_what_it_is(
    suffix: str, words: str, options: dict[str, Any], edges: Path, invoke: Invoke, tmp_path: Path
) -> None:
    if suffix in ("parquet", "feather"):
        pytest.importorskip("pyarrow")
    path = tmp_path / f"rows.{suffix}"
    shown = json.loads(invoke("embed", edges, *words.split(), "-o", path, "--json").out)
    graph = vnestruct.read_graph(edges, directed="--directed" in words)
    stored, expected = read_embedding(path), vnestruct.embed(graph, **options)
    assert np.array_equal(stored.values, expected)
    assert stored.nodes is not None
    assert stored.nodes.tolist() == graph.nodes.tolist()
    assert (shown["rows"], shown["graph_hash"]) == (4, graph.hash)
    assert shown["columns"] == list(vnestruct.embedding_frame(graph, **options))[1:]
    if suffix not in ("csv", "tsv", "emb"):
        assert stored.columns == tuple(shown["columns"])
        metadata = {"vnestruct_version": vnestruct.__version__, "graph_hash": graph.hash}
        assert stored.metadata == metadata | {"parameters": json.dumps(shown["parameters"], sort_keys=True)}
    some = invoke("embed", edges, *words.split(), "--nodes", "eve,ann", "-q")
    assert table(some.out) == {name: expected[graph.position(name)].tolist() for name in ("eve", "ann")}


def test_embed_estimates_and_says_how_well(invoke: Invoke, tmp_path: Path) -> None:
    graph, path = vnestruct.graph.synthetic.barabasi_albert(1_500, 4, seed=1), tmp_path / "rows.npz"
    write_graph(graph, tmp_path / "graph.vng")
    options = ("-r", 3, "--approximate", "5%", "--random-state", 2)
    shown = invoke("embed", tmp_path / "graph.vng", *options, "-o", path, "--json")
    expected, stored = vnestruct.embed(graph, 3, approximate=0.05, random_state=2), read_embedding(path)
    assert (stored.values.tolist(), stored.audit) == (expected.tolist(), expected.audit)
    assert f"Audit: {stored.audit}.\n" in shown.err
    assert json.loads(shown.out)["audit"]["mean"] == list(expected.audit.mean)
    changed = invoke("update", tmp_path / "graph.vng", path, "--added", tmp_path / "graph.vng", "-q")
    assert "holds estimates" in changed.error


def test_columns_and_nodes_are_named(tmp_path: Path, invoke: Invoke) -> None:
    path, names = tmp_path / "flights.txt", tmp_path / "names.txt"
    path.write_text("km;start;flight;stop\n9;10;1;20\n8;20;2;30\n")
    names.write_text("30\n\n10\n")
    words = "--format csv --source start --target stop --weight 0 --nodes"
    for nodes in (names, "30,10"):
        assert list(table(invoke("embed", path, *words.split(), nodes).out)) == ["30", "10"]


@for_each("words", ["embed", "entropy", "roles --roles 2", "similar --node ann"])
def test_weights_that_are_not_used_are_mentioned(words: str, edges: Path, invoke: Invoke) -> None:
    name, *rest = words.split()
    for more, is_mentioned in (
        (["--kind", "approx"], True),
        (["--kind", "approx", "--weighted"], False),
        (["--weight", "0"], False),
    ):
        assert ("--weighted uses them." in invoke(name, edges, *rest, *more).err) == is_mentioned, more


def test_entropy(edges: Path, invoke: Invoke) -> None:
    graph = vnestruct.read_graph(edges)
    value, quadratic = (vnestruct.entropy(graph, kind) for kind in ("exact", "quadratic"))
    assert float(invoke("entropy", edges, "--weighted").out) == vnestruct.entropy(graph, weighted=True)
    two = invoke("entropy", edges, "--kind", "exact,quadratic").out.split()
    assert two == ["exact", repr(value), "quadratic", repr(quadratic)]
    words = ["entropy", edges, "--kind", "exact"]
    assert json.loads(invoke(*words, "--json").out)["entropy"] == {"exact": value}
    assert invoke(*words, "--interval").out == f"{value!r}  {value!r}  {value!r}\n"
    shown = json.loads(invoke(*words, "--interval", "--random-state", 3, "--json").out)
    assert shown["entropy"] == {"exact": {"value": value, "low": value, "high": value}}


def test_info(edges: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    facts = json.loads(invoke("info", edges, "--json", "-j", 1).out)
    assert (facts["nodes"], facts["edges"], facts["components"]) == (4, 4, 1)
    assert facts["degrees"] == {"min": 1, "median": 2.0, "mean": 2.0, "max": 3}
    assert (facts["cleaning"]["self_loops_dropped"], facts["cleaning"]["parallel_merged"]) == (1, 1)
    assert [work["radius"] for work in facts["estimates"]] == [1, 2]
    assert all(work["seconds"] >= 0.0 and work["arcs"] > 0.0 for work in facts["estimates"])
    # The arrays of the graph twice, and what is known of each node.
    assert 4 * 150 < facts["memory"] < 2_000
    shown = invoke("info", edges, "-r", 1, "-j", 1).out
    assert "degrees     from 1 to 3, median 2, mean 2.00" in shown
    assert ("radius 1: " in shown, "radius 2: " in shown) == (True, False)
    assert "radius" not in invoke("info", edges, "--no-estimate").out
    # What is known is printed before the rest is estimated.
    monkeypatch.setattr("vnestruct.embedding.forecast.forecasts", None)
    failed = invoke("info", edges)
    names = ["file", "nodes", "edges", "components", "degrees", "memory", "read"]
    assert (failed.code, [line.split()[0] for line in failed.out.splitlines()]) == (1, names)
    lonely = tmp_path / "lonely.json"
    lonely.write_text('{"nodes": [{"id": "a"}, {"id": "b"}], "links": []}')
    facts = json.loads(invoke("info", lonely, "--no-estimate", "--json").out)
    assert (facts["components"], facts["degrees"]["max"]) == (2, 0)


def test_sides_are_shown_and_switched(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("user,item\n1,11\n2,11\n2,12\n3,12\n")
    assert "sides       bipartite with 3 user and 2 item: " in invoke("info", path, "--no-estimate").out
    facts = json.loads(invoke("info", path, "--no-estimate", "--json").out)
    assert (facts["sides"], facts["side_names"]) == ([3, 2], ["user", "item"])
    path.write_text("user,item\n1,1\n2,1\n2,2\n")
    for option, expected in (("--bipartite", [2, 2]), ("--no-bipartite", None), (None, None)):
        shown = invoke("info", path, "--no-estimate", *filter(None, [option]), "--json")
        assert json.loads(shown.out)["sides"] == expected, option
    assert list(table(invoke("embed", path, "--bipartite").out)) == ["user:1", "item:1", "user:2", "item:2"]


def test_convert_says_what_is_lost(edges: Path, invoke: Invoke, tmp_path: Path) -> None:
    whole = tmp_path / "friends.vng"
    assert json.loads(invoke("convert", edges, whole, "--json").out)["lost"] == []
    assert vnestruct.read_graph(whole) == vnestruct.read_graph(edges)
    assert "--directed" in invoke("convert", edges, tmp_path / "friends.csv.gz", "--directed").err
    assert invoke("convert", edges, "-", "--output-format", "tsv", "-q").out.startswith("source\ttarget\tweight\n")


def test_demo(invoke: Invoke, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "new" / "families.png"
    assert invoke("demo", "-o", path).out.endswith(f"\nThe picture is in {path}\n")
    assert path.read_bytes().startswith(b"\x89PNG")
    roles = json.loads(invoke("demo", "-o", path, "--json").out)["roles"]
    assert sorted(node for role in roles for node in role["nodes"]) == sorted(set(chain.from_iterable(MARRIAGES)))
    assert "Medici" in next(role["nodes"] for role in roles if role["role"] in ("brokers", "hubs", "broker", "hub"))
