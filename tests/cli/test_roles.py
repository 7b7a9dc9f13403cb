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


def test_the_table_says_what_roles_are(
    barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path
) -> None:
    header, _, *lines = invoke("roles", barbell_file).out.splitlines()
    assert header.split() == ["role", "description", "nodes", "share", "degrees", "examples"]
    for line, role in zip(lines, expected.describe(), strict=True):
        low, high = role.degree_range
        degrees, examples = str(low) if low == high else f"{low}-{high}", ", ".join(map(str, role.examples))
        words = f"{role.role} {role.description} {role.nodes} {role.share:.0%} {degrees} {examples}"
        assert line.split() == words.split()
        assert not line.endswith(" ")
    write_graph(vnestruct.as_graph(nx.les_miserables_graph()), tmp_path / "novel.csv")
    assert "Valjean, 36 links: no other node is like it\n" in invoke("roles", tmp_path / "novel.csv", "-q").out


def test_roles_of_nodes_go_to_a_file_or_to_standard_output(
    barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path
) -> None:
    out, again = tmp_path / "roles.tsv", tmp_path / "again.tsv"
    write_roles(again, expected, role_rows(expected, None))
    assert str(role_table_path(out)) in invoke("roles", barbell_file, "-o", out).err
    for path in (out, role_table_path(out)):
        assert path.read_text() == path.with_name(path.name.replace("roles", "again")).read_text()
    assert invoke("roles", barbell_file, "-o", "-", "-q").out == out.read_text().replace("\t", ",")


def test_json_holds_everything(barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path) -> None:
    saved = tmp_path / "model.roles"
    words = ["roles", barbell_file, "-q", "--stability"]
    result = json.loads(invoke(*words, "--json", "--save", saved).out)
    described, quality = [asdict(role) for role in expected.describe()], asdict(expected.quality())
    found = {"n_roles": expected.n_roles_, "columns": expected.columns_, "roles": described, "quality": quality}
    assert {name: result[name] for name in found} == json.loads(json.dumps(found))
    assert RoleClusterer.load(saved).predict(barbell(10, 7)).tolist() == expected.labels_.tolist()
    # Without the option it is not measured, which takes a multiple of the time.
    plain = json.loads(invoke("roles", barbell_file, "--json", "-q").out)
    assert (plain["quality"], plain["agreement"]) == (None, None)
    assert f"{quality['stability']:.3f}" in invoke(*words).out


def test_known_labels_are_scored(invoke: Invoke, tmp_path: Path) -> None:
    graph, roles = ring_of_shapes(30, [house_shape()] * 10)
    edges, known = tmp_path / "ring.csv", tmp_path / "known.csv"
    write_graph(graph, edges)
    pairs = [*enumerate(roles[:40].tolist()), (999, 1)]
    known.write_text("rank,name,id\n" + "".join(f"{role},x,{node}\n" for node, role in pairs))
    words = ["roles", edges, "--roles", 6, "--labels", known, "--node-column", "id", "--label-column"]
    shown = invoke(*words, "rank")
    assert "1 of 41 labelled nodes are not in the graph, e.g. 999" in shown.err
    assert "classes, on 40 of 80 nodes" in shown.out
    ours, by_degree = (line.split() for line in shown.out.splitlines()[-2:])
    scores = json.loads(invoke(*words, 1, "--json").out)
    for row, name in ((ours, "agreement"), (by_degree, "degree_split_agreement")):
        assert row[-1] == f"{scores[name]['adjusted_rand']:.3f}"
    known_part, degree_part = (scores[name]["homogeneity"] for name in ("agreement", "degree_split_agreement"))
    assert (known_part, degree_part < 0.9) == (pytest.approx(1.0), True)


def test_a_picture_is_drawn(barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "roles.svg"
    assert str(picture) in invoke("roles", barbell_file, "--plot", picture).err
    assert expected.names_[0] in picture.read_text()


@for_each(
    ("words", "options"),
    [
        ("--kind noisy", {"kind": "noisy"}),
        ("--kind approx -r 3", {"kind": "approx", "radius": 3}),
        ("--directed --direction out+in", {"direction": "out+in"}),
        ("--bipartite", {}),
    ],
)
def test_options_reach_the_library(
    words: str, options: dict[str, Any], barbell_file: Path, invoke: Invoke, tmp_path: Path
) -> None:
    command = ["roles", barbell_file, *words.split(), "--json", "-q", "--checkpoint", tmp_path / "kept"]
    result, again = (json.loads(invoke(*command).out) for _ in range(2))
    graph = vnestruct.read_graph(barbell_file, directed="--directed" in words, bipartite="--bipartite" in words)
    model = RoleClusterer(**options).fit(graph)
    assert result == again
    assert result["columns"] == model.columns_
    found = [(role["name"], role["nodes"]) for role in result["roles"]]
    assert found == list(zip(model.names_, np.bincount(model.labels_), strict=True))


@for_each("suffix", ["csv", "tsv", "npz", "parquet", "feather", "npy", "emb"])
@for_each("kind", ["approx", "roles"])
def test_roles_and_similar_nodes_of_saved_signatures(
    suffix: str, kind: str, barbell_file: Path, tmp_path: Path, invoke: Invoke
) -> None:
    if suffix in ("parquet", "feather"):
        pytest.importorskip("pyarrow")
    rows, found = tmp_path / f"rows.{suffix}", []
    assert invoke("embed", barbell_file, "--kind", kind, "-o", rows, "-q").code == 0
    for words in ([rows], [barbell_file, "--kind", kind]):
        shown = invoke("roles", *words, "--roles", 3, "-q", "-o", tmp_path / "roles.csv")
        similar = json.loads(invoke("similar", *words, "--node", 9, "--json", "-q").out)["similar"]
        nearest = [(row["node"], row["distance"]) for row in similar]
        found.append((read_labels(tmp_path / "roles.csv"), nearest))
        if words == [rows]:  # names of roles need the graph
            assert shown.out.split()[:4] == ["role", "nodes", "share", "examples"]
    assert found[0] == found[1]


def test_saved_signatures_with_their_graph(barbell_file: Path, tmp_path: Path, invoke: Invoke) -> None:
    pytest.importorskip("igraph")
    rows, *pages = (tmp_path / name for name in ("rows.csv", "page.html", "direct.html"))
    assert invoke("embed", barbell_file, "--kind", "roles", "-o", rows, "-q").code == 0
    stored, direct = [rows, "--graph", barbell_file], [barbell_file]
    for name, *words in (["roles", "--roles", 3, "--stability"], ["explain", "--node", 9]):
        assert invoke(name, *stored, *words, "-q").out == invoke(name, *direct, *words, "-q").out != ""
    for words, page in zip((stored, direct), pages, strict=True):
        assert invoke("explore", *words, "-o", page, "--title", "x", "-q").code == 0
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_narrow_terminals_get_fewer_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for place in ("output", "commands.roles"):
        monkeypatch.setattr(f"vnestruct.cli.{place}.width", lambda: 78)
    graph = star(12)
    print_roles([asdict(role) for role in RoleClusterer().fit(graph).describe()], graph)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 78
    assert lines[0].split()[-1] == "example"
