"""Each command does what it says, on standard output and in files, and keeps notes on standard error."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from itertools import chain
from pathlib import Path

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
    assert invoke("embed", edges, "-o", "-").out == shown.out
    assert "4 nodes, 4 edges" in shown.err
    assert "dropped 1 self-loop; merged 1 parallel edge" in shown.err


def test_quiet_leaves_the_rows_alone(edges: Path, invoke: Invoke) -> None:
    shown = invoke("embed", edges, "--quiet")
    assert shown.err == ""
    assert shown.out.startswith("node,h1,h2\n")


@for_each("suffix", ["csv", "tsv", "npz", "parquet", "feather", "emb"])
def test_embed_writes_files_that_say_what_they_are(suffix: str, edges: Path, invoke: Invoke, tmp_path: Path) -> None:
    if suffix in ("parquet", "feather"):
        pytest.importorskip("pyarrow")
    path = tmp_path / f"rows.{suffix}"
    shown = invoke("embed", edges, "-r", 3, "--kind", "approx,exact", "--kind", "quadratic", "-o", path, "--json")
    assert shown.code == 0
    summary = json.loads(shown.out)
    graph = vnestruct.read_graph(edges)
    expected = vnestruct.embed(graph, 3, kind=["approx", "exact", "quadratic"])
    stored = read_embedding(path)
    assert np.array_equal(stored.values, expected)
    assert stored.nodes is not None
    assert stored.nodes.tolist() == graph.nodes.tolist()
    assert summary["rows"] == 4
    assert summary["graph_hash"] == graph.hash
    assert summary["parameters"]["kind"] == ["approx", "exact", "quadratic"]
    if suffix in ("npz", "parquet", "feather"):
        assert stored.columns == tuple(summary["columns"])
        assert stored.metadata["vnestruct_version"] == vnestruct.__version__
        assert stored.metadata["graph_hash"] == graph.hash
        assert json.loads(stored.metadata["parameters"]) == summary["parameters"]


def test_embed_options_reach_the_library(edges: Path, invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "rows.npz"
    words = ["--weighted", "--directed", "--direction", "out+in", "--aggregate", "mean", "--aggregate", "std", "-j", 1]
    assert invoke("embed", edges, "-r", 1, *words, "-o", path).code == 0
    graph = vnestruct.read_graph(edges, directed=True)
    expected = vnestruct.embed(graph, 1, weighted=True, direction="out+in", aggregate=["mean", "std"])
    stored = read_embedding(path)
    assert np.array_equal(stored.values, expected)
    assert stored.columns is not None
    assert stored.columns[:2] == ("h1_out", "h1_in")


def test_embed_writes_kinds_without_a_radius(edges: Path, invoke: Invoke, tmp_path: Path) -> None:
    graph, path = vnestruct.read_graph(edges), tmp_path / "rows.npz"
    for kind in ("roles", "profile", "noisy"):
        shown = json.loads(invoke("embed", edges, "--kind", kind, "-o", path, "--json").out)
        stored, expected = read_embedding(path), vnestruct.embed(graph, kind=kind)
        np.testing.assert_array_equal(stored.values, expected)
        assert list(stored.columns) == shown["columns"] == list(vnestruct.embedding_frame(graph, kind=kind))[1:]
        assert shown["parameters"]["kind"] == kind
        some = invoke("embed", edges, "--kind", kind, "--nodes", str(graph.nodes[2]), "-q")
        assert table(some.out) == {str(graph.nodes[2]): expected[2].tolist()}
        for words, message in (
            (["-r", "3"], "leave out --radius"),
            (["--part", "1/2"], "and kinds without a radius"),
        ):
            shown = invoke("embed", edges, "--kind", kind, "-o", tmp_path / "new.npz", *words)
            assert shown.code == 2
            assert message in shown.error


def test_embed_estimates_and_says_how_well(invoke: Invoke, tmp_path: Path) -> None:
    graph, path = vnestruct.graph.synthetic.barabasi_albert(1_500, 4, seed=1), tmp_path / "rows.npz"
    write_graph(graph, tmp_path / "graph.vng")
    options = ("-r", 3, "--approximate", "5%", "--random-state", 2)
    shown = invoke("embed", tmp_path / "graph.vng", *options, "-o", path, "--json")
    assert shown.code == 0, shown.err
    expected = vnestruct.embed(graph, 3, approximate=0.05, random_state=2)
    stored = read_embedding(path)
    assert stored.values.tolist() == expected.tolist()
    assert stored.audit == expected.audit
    assert f"Audit: {stored.audit}.\n" in shown.err
    assert "of rows estimated, mean error" in shown.err
    result = json.loads(shown.out)
    assert result["audit"]["mean"] == list(expected.audit.mean)
    assert (result["parameters"]["approximate"], result["parameters"]["random_state"]) == (0.05, 2)
    (tmp_path / "added.txt").write_text("0 1499\n")
    changed = invoke("update", tmp_path / "graph.vng", path, "--added", tmp_path / "added.txt")
    assert "holds estimates, which cannot be updated" in changed.err


def test_columns_can_be_named(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "flights.txt"
    path.write_text("km;start;flight;stop\n9;a;1;b\n8;b;2;c\n")
    shown = invoke("embed", path, "--format", "csv", "--source", "start", "--target", "stop", "--weight", "0", "-q")
    assert list(table(shown.out)) == ["a", "b", "c"]


def test_nodes_by_list_and_by_file(edges: Path, invoke: Invoke, tmp_path: Path) -> None:
    everyone = table(invoke("embed", edges).out)
    listed = table(invoke("embed", edges, "--nodes", "eve,ann").out)
    assert listed == {name: everyone[name] for name in ("eve", "ann")}
    assert list(listed) == ["eve", "ann"]
    names = tmp_path / "names.txt"
    names.write_text("eve\n\nann\n")
    assert table(invoke("embed", edges, "--nodes", names).out) == listed


def test_whole_numbers_name_nodes(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "numbers.txt"
    path.write_text("10 20\n20 30\n")
    assert list(table(invoke("embed", path, "--nodes", "30,10").out)) == ["30", "10"]


def test_standard_input(edges: Path) -> None:
    run = subprocess.run([*PROGRAM, "embed", "-", "-q"], input=edges.read_bytes(), capture_output=True, check=True)
    assert list(table(run.stdout.decode())) == ["ann", "bob", "eve", "dan"]
    assert run.stderr == b""


def test_entropy(edges: Path, invoke: Invoke) -> None:
    graph = vnestruct.read_graph(edges)
    assert float(invoke("entropy", edges).out) == vnestruct.entropy(graph)
    assert float(invoke("entropy", edges, "--weighted").out) == vnestruct.entropy(graph, weighted=True)
    two = invoke("entropy", edges, "--kind", "exact,quadratic").out.split()
    assert two == [
        "exact",
        repr(vnestruct.entropy(graph, "exact")),
        "quadratic",
        repr(vnestruct.entropy(graph, "quadratic")),
    ]
    shown = json.loads(invoke("entropy", edges, "--kind", "exact", "--json").out)
    value = vnestruct.entropy(graph, "exact")
    assert shown["entropy"] == {"exact": value}
    assert invoke("entropy", edges, "--kind", "exact", "--interval").out == f"{value!r}  {value!r}  {value!r}\n"
    shown = json.loads(invoke("entropy", edges, "--kind", "exact", "--interval", "--random-state", 3, "--json").out)
    assert shown["entropy"] == {"exact": {"value": value, "low": value, "high": value}}


def test_info(edges: Path, invoke: Invoke) -> None:
    facts = json.loads(invoke("info", edges, "--json", "-j", 1).out)
    assert facts["nodes"] == 4
    assert facts["edges"] == 4
    assert facts["components"] == 1
    assert facts["degrees"] == {"min": 1, "median": 2.0, "mean": 2.0, "max": 3}
    assert facts["cleaning"]["self_loops_dropped"] == 1
    assert facts["cleaning"]["parallel_merged"] == 1
    assert [work["radius"] for work in facts["estimates"]] == [1, 2]
    assert all(work["seconds"] >= 0.0 and work["arcs"] > 0.0 for work in facts["estimates"])
    shown = invoke("info", edges, "-r", 2, "-j", 1).out
    assert "degrees     from 1 to 3, median 2, mean 2.00" in shown
    assert "radius 2: " in shown
    assert "radius 3: " not in shown
    assert "takes roughly" not in invoke("info", edges, "--no-estimate").out
    # The arrays of the graph twice, and what is known of each node.
    assert 4 * 150 < facts["memory"] < 2_000


def test_info_of_a_graph_without_edges(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "lonely.json"
    path.write_text('{"nodes": [{"id": "a"}, {"id": "b"}], "links": []}')
    facts = json.loads(invoke("info", path, "--json").out)
    assert facts["components"] == 2
    assert facts["degrees"]["max"] == 0


def test_sides_are_shown_and_switched(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "orders.csv"
    path.write_text("user,item\n1,11\n2,11\n2,12\n3,12\n")
    follows = "roles are found on each side separately; --no-bipartite switches this off"
    assert f"sides       bipartite with 3 user and 2 item: {follows}\n" in invoke("info", path, "--no-estimate").out
    facts = json.loads(invoke("info", path, "--no-estimate", "--json").out)
    assert (facts["sides"], facts["side_names"]) == ([3, 2], ["user", "item"])
    path.write_text("user,item\n1,1\n2,1\n2,2\n")
    for option, expected in (("--bipartite", [2, 2]), ("--no-bipartite", None), (None, None)):
        for command in (["info", path, "--no-estimate"], ["entropy", path], ["convert", path, tmp_path / "a.vng"]):
            shown = invoke(*command, *([] if option is None else [option]), "--json")
            assert json.loads(shown.out)["sides"] == expected, (command, option)
    named = invoke("embed", path, "--bipartite", "-r", 1)
    assert list(table(named.out)) == ["user:1", "item:1", "user:2", "item:2"]
    path.with_suffix(".graphml").write_text(
        '<graphml><graph><node id="a"/><node id="b"/><edge source="a" target="b"/></graph></graphml>'
    )
    assert invoke("info", path.with_suffix(".graphml"), "--bipartite").error.endswith("or leave out --bipartite")


def test_every_command_that_reads_a_graph_knows_sides(invoke: Invoke) -> None:
    for name in ("convert", "embed", "entropy", "explain", "explore", "info", "roles", "similar", "update"):
        shown = invoke(name, "--help").out
        assert "--bipartite" in shown, name
        assert "--no-bipartite" in shown, name


def test_convert_says_what_is_lost(edges: Path, invoke: Invoke, tmp_path: Path) -> None:
    whole, poor = tmp_path / "friends.vng", tmp_path / "friends.csv.gz"
    assert json.loads(invoke("convert", edges, whole, "--json").out)["lost"] == []
    assert vnestruct.read_graph(whole) == vnestruct.read_graph(edges)
    assert invoke("convert", whole, tmp_path / "directed.vng", "--directed").code == 0
    shown = invoke("convert", edges, poor, "--directed")
    assert shown.code == 0
    assert shown.out == ""
    assert "Note: the file does not say that edges have a direction" in shown.err
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
