"""`vnestruct roles`: a table people can read, files programs can read, a picture; from a graph or from signatures."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import vnestruct
from tests.cases import for_each
from tests.cli.conftest import Invoke
from tests.generators.rings import house_shape, ring_of_shapes
from vnestruct.cli.commands.roles import print_roles
from vnestruct.graph.synthetic import barbell, star
from vnestruct.io import write_graph
from vnestruct.roles import RoleClusterer, read_labels
from vnestruct.roles.labels import role_table_path, write_roles
from vnestruct.roles.views import role_rows


@pytest.fixture
def expected(barbell_file: Path) -> RoleClusterer:
    return RoleClusterer().fit(vnestruct.read_graph(barbell_file))


def test_the_table_says_what_roles_are(barbell_file: Path, expected: RoleClusterer, invoke: Invoke) -> None:
    shown = invoke("roles", barbell_file)
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0].split() == ["role", "description", "nodes", "share", "degrees", "examples"]
    for line, role in zip(lines[2:], expected.describe(), strict=True):
        low, high = role.degree_range
        degrees, examples = str(low) if low == high else f"{low}-{high}", ", ".join(map(str, role.examples))
        words = f"{role.role} {role.description} {role.nodes} {role.share:.0%} {degrees} {examples}"
        assert line.split() == words.split()
        assert not line.endswith(" ")


def test_exceptional_nodes_are_listed(invoke: Invoke, tmp_path: Path) -> None:
    write_graph(vnestruct.as_graph(nx.les_miserables_graph()), tmp_path / "novel.csv")
    assert "Valjean, 36 links: no other node is like it\n" in invoke("roles", tmp_path / "novel.csv", "-q").out


def test_roles_of_nodes_go_to_a_file_or_to_standard_output(
    barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path
) -> None:
    out, tabbed, again = (tmp_path / name for name in ("roles.csv", "roles.tsv", "again.csv"))
    write_roles(again, expected, role_rows(expected, None))
    assert str(role_table_path(out)) in invoke("roles", barbell_file, "-o", out).err
    assert out.read_text() == again.read_text() == invoke("roles", barbell_file, "-o", "-", "-q").out
    assert role_table_path(out).read_text() == role_table_path(again).read_text()
    assert invoke("roles", barbell_file, "-o", tabbed).code == 0
    assert read_labels(out) == read_labels(tabbed)


def test_json_holds_everything(barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path) -> None:
    saved = tmp_path / "model.roles"
    shown = invoke("roles", barbell_file, "--json", "-q", "--save", saved, "--stability")
    result = json.loads(shown.out)
    assert shown.err == ""
    assert (result["n_roles"], result["columns"], result["agreement"]) == (expected.n_roles_, expected.columns_, None)
    for one, role in zip(result["roles"], expected.describe(), strict=True):
        assert one == json.loads(json.dumps(asdict(role)))
    quality = expected.quality()
    assert result["quality"]["stability"] == quality.stability
    assert result["quality"]["role_stability"] == list(quality.role_stability)
    assert RoleClusterer.load(saved).predict(barbell(10, 7)).tolist() == expected.labels_.tolist()
    # Without the option it is not measured, which takes a multiple of the time.
    assert json.loads(invoke("roles", barbell_file, "--json", "-q").out)["quality"] is None
    lines = invoke("roles", barbell_file, "--stability", "-q").out.splitlines()
    assert [line.split()[:2] for line in lines[-2:]] == [["these", "roles"], ["split", "by"]]


def test_known_labels_are_scored(invoke: Invoke, tmp_path: Path) -> None:
    graph, roles = ring_of_shapes(30, [house_shape()] * 10)
    edges, known, swapped, partly = (tmp_path / name for name in ("ring.csv", "known.txt", "swapped.txt", "partly.csv"))
    write_graph(graph, edges)
    pairs = list(enumerate(roles.tolist()))
    known.write_text("node label\n" + "".join(f"{node} {role}\n" for node, role in pairs))
    swapped.write_text("".join(f"{role} {node}\n" for node, role in pairs))
    partly.write_text("id,name,rank\n" + "".join(f"{node},x,{role}\n" for node, role in [*pairs[:40], (999, 1)]))
    shown = invoke("roles", edges, "--roles", 6, "--labels", known, "-q")
    assert "Agreement with 6 known classes, on all 80 nodes" in shown.out
    ours, by_degree = (line.split() for line in shown.out.splitlines()[-2:])
    assert ours[-4:] == ["1.000"] * 4
    assert by_degree[:3] == ["split", "by", "degree"]
    assert float(by_degree[-1]) < 0.7
    words = ["roles", edges, "--roles", 6, "--json", "--labels"]
    whole = json.loads(invoke(*words, known).out)["agreement"]
    assert json.loads(invoke(*words, swapped, "--node-column", 2, "--label-column", 1).out)["agreement"] == whole
    for column in ("rank", "3"):
        shown = invoke(*words, partly, "--label-column", column)
        assert "1 of 41 labelled nodes are not in the graph, e.g. 999" in shown.err
        result = json.loads(shown.out)
        assert result["agreement"]["n_nodes"] == 40
        assert result["agreement"]["homogeneity"] == pytest.approx(1.0)
        assert result["degree_split_agreement"]["homogeneity"] < 0.9


def test_a_picture_is_drawn(barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "roles.svg"
    assert str(picture) in invoke("roles", barbell_file, "--plot", picture).err
    assert expected.names_[0] in picture.read_text()


@for_each(
    ("words", "options"),
    [
        (["--kind", "noisy"], {"kind": "noisy"}),
        (["--kind", "approx", "-r", "3"], {"kind": "approx", "radius": 3}),
        (["--directed", "--direction", "out+in"], {"direction": "out+in"}),
        (["--bipartite"], {}),
    ],
)
def test_options_reach_the_library(
    words: list[str], options: dict[str, Any], barbell_file: Path, invoke: Invoke, tmp_path: Path
) -> None:
    result, again = (
        json.loads(invoke("roles", barbell_file, *words, "--json", "-q", "--checkpoint", tmp_path / "kept").out)
        for _ in range(2)
    )
    is_directed, is_bipartite = "--directed" in words, True if "--bipartite" in words else None
    graph = vnestruct.read_graph(barbell_file, directed=is_directed, bipartite=is_bipartite)
    model = RoleClusterer(**options).fit(graph)
    assert result == again
    assert result["columns"] == model.columns_
    assert [one["name"] for one in result["roles"]] == model.names_
    assert [one["nodes"] for one in result["roles"]] == np.bincount(model.labels_).tolist()


@for_each("suffix", ["csv", "tsv", "npz", "parquet", "feather", "npy", "emb"])
def test_roles_and_similar_nodes_of_saved_signatures(suffix: str, tmp_path: Path, invoke: Invoke) -> None:
    if suffix in ("parquet", "feather"):
        pytest.importorskip("pyarrow")
    graph, rows = tmp_path / "graph.csv", tmp_path / f"rows.{suffix}"
    write_graph(barbell(10, 7), graph)
    for kind in (("--kind", "approx"), ("--kind", "roles")):
        assert invoke("embed", graph, *kind, "-o", rows, "-q").code == 0
        direct, stored = tmp_path / "direct.csv", tmp_path / "stored.csv"
        assert invoke("roles", graph, *kind, "--roles", 3, "-q", "-o", direct).code == 0
        shown = invoke("roles", rows, "--roles", 3, "-q", "-o", stored)
        assert read_labels(stored) == read_labels(direct)
        # Names of roles need the graph.
        assert shown.out.splitlines()[0].split()[:4] == ["role", "nodes", "share", "examples"]
        similar = [
            json.loads(invoke("similar", *words, "--node", 9, "--json", "-q").out)["similar"]
            for words in ((graph, *kind), (rows,))
        ]
        assert [(row["node"], row["distance"]) for row in similar[0]] == [tuple(row.values()) for row in similar[1]]


def test_saved_signatures_with_their_graph(barbell_file: Path, tmp_path: Path, invoke: Invoke) -> None:
    pytest.importorskip("igraph")
    rows, page, direct = (tmp_path / name for name in ("rows.csv", "page.html", "direct.html"))
    assert invoke("embed", barbell_file, "--kind", "roles", "-o", rows, "-q").code == 0
    for words in (["roles", "--roles", 3, "--stability"], ["explain", "--node", 9]):
        expected = invoke(words[0], barbell_file, *words[1:], "-q").out
        assert invoke(words[0], rows, "--graph", barbell_file, *words[1:], "-q").out == expected != ""
    assert invoke("explore", rows, "--graph", barbell_file, "-o", page, "--title", "x", "-q").code == 0
    assert invoke("explore", barbell_file, "-o", direct, "--title", "x", "-q").code == 0
    assert page.read_bytes() == direct.read_bytes()


def test_narrow_terminals_get_fewer_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for place in ("output", "commands.roles"):
        monkeypatch.setattr(f"vnestruct.cli.{place}.width", lambda: 78)
    graph = star(12)
    print_roles([asdict(role) for role in RoleClusterer().fit(graph).describe()], graph)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 78
    assert lines[0].split()[-1] == "example"
