"""Each command does what it says, on standard output and in files, and keeps notes on standard error."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vnestruct
from tests.cases import for_each
from tests.cli.conftest import PROGRAM, Invoke
from vnestruct.cli.commands.demo import MARRIAGES
from vnestruct.io import write_graph
from vnestruct.store import read_embedding


def table(text: str) -> dict[str, list[float]]:
    rows = list(csv.reader(io.StringIO(text)))
    return {row[0]: [float(word) for word in row[1:]] for row in rows[1:]}


def test_embed_writes_csv_to_standard_output(edges: Path, invoke: Invoke) -> None:
    shown = invoke("embed", edges)
    assert shown.code == 0
    graph = vnestruct.read_graph(edges)
    expected = dict(zip(graph.nodes.tolist(), vnestruct.embed(graph).tolist(), strict=True))
    assert table(shown.out) == expected
    assert "dropped 1 self-loop; merged 1 parallel edge" in shown.err
    quiet = invoke("embed", edges, "-o", "-", "--quiet")
    assert (quiet.out, quiet.err) == (shown.out, "")
    run = subprocess.run([*PROGRAM, "embed", "-", "-q"], input=edges.read_bytes(), capture_output=True, check=True)
    assert (run.stdout.decode(), run.stderr) == (shown.out, b"")


@for_each("suffix", ["csv", "tsv", "npz", "parquet", "feather", "emb"])
def test_embed_writes_files_that_say_what_they_are(suffix: str, edges: Path, invoke: Invoke, tmp_path: Path) -> None:
    if suffix in ("parquet", "feather"):
        pytest.importorskip("pyarrow")
    path = tmp_path / f"rows.{suffix}"
    shown = invoke("embed", edges, "-r", 3, "--kind", "approx,exact", "--kind", "quadratic", "-o", path, "--json")
    assert shown.code == 0
    summary = json.loads(shown.out)
    graph, kinds = vnestruct.read_graph(edges), ["approx", "exact", "quadratic"]
    stored = read_embedding(path)
    assert np.array_equal(stored.values, vnestruct.embed(graph, 3, kind=kinds))
    assert stored.nodes is not None
    assert stored.nodes.tolist() == graph.nodes.tolist()
    assert (summary["rows"], summary["graph_hash"]) == (4, graph.hash)
    assert summary["parameters"]["kind"] == kinds
    if suffix in ("npz", "parquet", "feather"):
        assert stored.columns == tuple(summary["columns"])
        metadata = {"vnestruct_version": vnestruct.__version__, "graph_hash": graph.hash}
        assert stored.metadata == metadata | {"parameters": json.dumps(summary["parameters"], sort_keys=True)}


@for_each(
    ("words", "options"),
    [
        ("-r 1 --weighted --directed --direction out+in --aggregate mean --aggregate std -j 1",
         {"radius": 1, "weighted": True, "direction": "out+in", "aggregate": ["mean", "std"]}),
        ("--kind roles", {"kind": "roles"}),
        ("--kind profile", {"kind": "profile"}),
        ("--kind noisy", {"kind": "noisy"}),
    ],
)  # fmt: skip
def test_embed_options_reach_the_library(
    words: str, options: dict[str, Any], edges: Path, invoke: Invoke, tmp_path: Path
) -> None:
    path = tmp_path / "rows.npz"
    shown = json.loads(invoke("embed", edges, *words.split(), "-o", path, "--json").out)
    graph = vnestruct.read_graph(edges, directed="--directed" in words)
    stored, expected = read_embedding(path), vnestruct.embed(graph, **options)
    assert np.array_equal(stored.values, expected)
    assert list(stored.columns or ()) == shown["columns"] == list(vnestruct.embedding_frame(graph, **options))[1:]
    some = invoke("embed", edges, *words.split(), "--nodes", "eve,ann", "-q")
    assert table(some.out) == {name: expected[graph.position(name)].tolist() for name in ("eve", "ann")}
    if "kind" in options:
        refused = invoke("embed", edges, *words.split(), "--part", "1/2", "-q")
        assert (refused.code, "leave out --part" in refused.error) == (2, True)


def test_embed_estimates_and_says_how_well(invoke: Invoke, tmp_path: Path) -> None:
    graph, path = vnestruct.graph.synthetic.barabasi_albert(1_500, 4, seed=1), tmp_path / "rows.npz"
    write_graph(graph, tmp_path / "graph.vng")
    options = ("-r", 3, "--approximate", "5%", "--random-state", 2)
    shown = invoke("embed", tmp_path / "graph.vng", *options, "-o", path, "--json")
    assert shown.code == 0, shown.err
    expected, stored = vnestruct.embed(graph, 3, approximate=0.05, random_state=2), read_embedding(path)
    assert stored.values.tolist() == expected.tolist()
    assert stored.audit == expected.audit
    assert f"Audit: {stored.audit}.\n" in shown.err
    result = json.loads(shown.out)
    assert result["audit"]["mean"] == list(expected.audit.mean)
    assert (result["parameters"]["approximate"], result["parameters"]["random_state"]) == (0.05, 2)
    (tmp_path / "added.txt").write_text("0 1499\n")
    changed = invoke("update", tmp_path / "graph.vng", path, "--added", tmp_path / "added.txt", "-q")
    assert "holds estimates" in changed.error


def test_columns_can_be_named_and_known_words_need_not(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "flights.txt"
    path.write_text("km;start;flight;stop\n9;a;1;b\n8;b;2;c\n")
    shown = invoke("embed", path, "--format", "csv", "--source", "start", "--target", "stop", "--weight", "0", "-q")
    assert list(table(shown.out)) == ["a", "b", "c"]
    path.write_text("origin,dest,seats\na,b,5\nb,c,2\n")
    assert invoke("embed", path, "-q").out == shown.out


def test_nodes_are_named_in_a_file(tmp_path: Path, invoke: Invoke) -> None:
    path, names = tmp_path / "numbers.txt", tmp_path / "names.txt"
    path.write_text("10 20\n20 30\n")
    names.write_text("30\n\n10\n")
    for words in (names, "30,10"):
        assert list(table(invoke("embed", path, "--nodes", words).out)) == ["30", "10"]


def test_weights_that_are_not_used_are_mentioned(edges: Path, invoke: Invoke) -> None:
    note = "--weighted uses them."
    for name, *rest in (["embed"], ["entropy"], ["roles", "--roles", "2"], ["similar", "--node", "ann"]):
        assert note in invoke(name, edges, *rest).err, name
        assert note not in invoke(name, edges, *rest, "--weight", "0").err, name
        if name != "roles":
            assert note not in invoke(name, edges, *rest, "--weighted").err, name


def test_entropy(edges: Path, invoke: Invoke) -> None:
    graph = vnestruct.read_graph(edges)
    value, quadratic = (vnestruct.entropy(graph, kind) for kind in ("exact", "quadratic"))
    assert float(invoke("entropy", edges).out) == vnestruct.entropy(graph)
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
    assert "radius 1: " in shown
    assert "radius 2: " not in shown
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
        for command in (["info", path, "--no-estimate"], ["entropy", path], ["convert", path, tmp_path / "a.vng"]):
            shown = invoke(*command, *([] if option is None else [option]), "--json")
            assert json.loads(shown.out)["sides"] == expected, (command, option)
    named = invoke("embed", path, "--bipartite", "-r", 1)
    assert list(table(named.out)) == ["user:1", "item:1", "user:2", "item:2"]


def test_convert_says_what_is_lost(edges: Path, invoke: Invoke, tmp_path: Path) -> None:
    whole, poor = tmp_path / "friends.vng", tmp_path / "friends.csv.gz"
    assert json.loads(invoke("convert", edges, whole, "--json").out)["lost"] == []
    assert vnestruct.read_graph(whole) == vnestruct.read_graph(edges)
    shown = invoke("convert", edges, poor, "--directed")
    assert (shown.code, shown.out) == (0, "")
    assert "--directed" in shown.err
    shown = invoke("convert", edges, "-", "--output-format", "tsv", "-q")
    assert shown.out.splitlines()[0] == "source\ttarget\tweight"


def test_demo(invoke: Invoke, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "new" / "families.png"
    shown = invoke("demo", "-o", path)
    assert shown.code == 0
    assert shown.out.splitlines()[-1] == f"The picture is in {path}"
    assert path.read_bytes().startswith(b"\x89PNG")
    roles = json.loads(invoke("demo", "-o", path, "--json").out)["roles"]
    assert sorted(node for role in roles for node in role["nodes"]) == sorted(set(chain.from_iterable(MARRIAGES)))
    assert "Medici" in next(role["nodes"] for role in roles if role["role"] in ("brokers", "hubs", "broker", "hub"))
