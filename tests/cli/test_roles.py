"""`vnestruct roles`: a table people can read, files programs can read, a picture, and errors before any work."""

from __future__ import annotations

import csv
import json
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


@pytest.fixture
def barbell_file(tmp_path: Path) -> Path:
    path = tmp_path / "barbell.csv"
    write_graph(barbell(10, 7), path)
    return path


@pytest.fixture
def expected(barbell_file: Path) -> RoleClusterer:
    return RoleClusterer().fit(vnestruct.read_graph(barbell_file))


def read_rows(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def test_the_table_says_what_roles_are(barbell_file: Path, expected: RoleClusterer, invoke: Invoke) -> None:
    shown = invoke("roles", barbell_file)
    assert shown.code == 0
    lines = shown.out.splitlines()
    assert lines[0].split() == ["role", "description", "nodes", "share", "degrees", "examples"]
    for line, role in zip(lines[2:], expected.describe(), strict=False):
        low, high = role.degree_range
        degrees, examples = str(low) if low == high else f"{low}-{high}", ", ".join(map(str, role.examples))
        words = f"{role.role} {role.description} {role.nodes} {role.share:.0%} {degrees} {examples}"
        assert line.split() == words.split()
    assert len(lines) == 2 + expected.n_roles_
    assert not any(line.endswith(" ") for line in lines)


def test_exceptional_nodes_are_listed(invoke: Invoke, tmp_path: Path) -> None:
    write_graph(vnestruct.as_graph(nx.les_miserables_graph()), tmp_path / "novel.csv")
    shown = invoke("roles", tmp_path / "novel.csv", "-o", tmp_path / "roles.csv")
    assert shown.code == 0
    shown = invoke("roles", tmp_path / "novel.csv", "-q")
    assert "Valjean, 36 links: no other node is like it\n" in shown.out
    rows = read_rows(tmp_path / "roles.csv")
    assert "Valjean" in [row["node"] for row in rows if row["exceptional"] == "1"]


def test_roles_of_nodes_go_to_a_file_or_to_standard_output(
    barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path
) -> None:
    out, tabbed = tmp_path / "roles.csv", tmp_path / "roles.tsv"
    shown = invoke("roles", barbell_file, "-o", out)
    assert f"and what is known of each role to {tmp_path / 'roles.summary.csv'}" in shown.err
    rows = read_rows(out)
    assert list(rows[0]) == ["node", "role", "name", "exceptional"]
    roles = dict(zip(expected.nodes_.tolist(), expected.labels_.tolist(), strict=True))
    assert {int(row["node"]): int(row["role"]) for row in rows} == roles
    assert {(int(row["role"]), row["name"]) for row in rows} == set(enumerate(expected.names_))
    assert invoke("roles", barbell_file, "-o", "-", "-q").out == out.read_text()
    assert invoke("roles", barbell_file, "-o", tabbed).code == 0
    assert read_labels(out) == read_labels(tabbed) == roles
    table = read_rows(tmp_path / "roles.summary.csv")
    assert [row["description"] for row in table] == [role.description for role in expected.describe()]
    assert [float(row["degree"]) for row in table] == [role.degree for role in expected.describe()]


def test_json_holds_everything(barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path) -> None:
    saved = tmp_path / "model.roles"
    shown = invoke("roles", barbell_file, "--json", "-q", "--save", saved, "--stability")
    result = json.loads(shown.out)
    assert shown.err == ""
    assert result["n_roles"] == expected.n_roles_
    assert result["columns"] == expected.columns_ == ["log_size", "gap", "log_links", "log_core", "neighbours"]
    assert [one["nodes"] for one in result["roles"]] == np.bincount(expected.labels_).tolist()
    for one, role in zip(result["roles"], expected.describe(), strict=True):
        assert (one["name"], one["degree"], tuple(one["degree_range"])) == (role.name, role.degree, role.degree_range)
        assert one["exceptional"] == role.exceptional
    assert result["agreement"] is None
    quality = expected.quality()
    assert result["quality"]["stability"] == quality.stability
    assert result["quality"]["role_stability"] == list(quality.role_stability)
    loaded = RoleClusterer.load(saved)
    assert loaded.predict(barbell(10, 7)).tolist() == expected.labels_.tolist()
    # Without the option it is not measured, which takes a multiple of the time.
    assert json.loads(invoke("roles", barbell_file, "--json", "-q").out)["quality"] is None
    lines = invoke("roles", barbell_file, "--stability", "-q").out.splitlines()
    assert [line.split()[:2] for line in lines[-2:]] == [["these", "roles"], ["split", "by"]]


def test_known_labels_are_scored(invoke: Invoke, tmp_path: Path) -> None:
    graph, roles = ring_of_shapes(30, [house_shape()] * 10)
    edges, known = tmp_path / "ring.csv", tmp_path / "known.txt"
    write_graph(graph, edges)
    known.write_text("node label\n" + "".join(f"{node} {role}\n" for node, role in enumerate(roles.tolist())))
    shown = invoke("roles", edges, "--roles", 6, "--labels", known, "-q")
    assert "Agreement with 6 known classes, on all 80 nodes" in shown.out
    ours, by_degree = (line.split() for line in shown.out.splitlines()[-2:])
    assert ours[-4:] == ["1.000"] * 4
    assert by_degree[:3] == ["split", "by", "degree"]
    assert float(by_degree[-1]) < 0.7
    partly = tmp_path / "partly.csv"
    partly.write_text("id,name,rank\n" + "".join(f"{node},x,{roles[node]}\n" for node in range(40)))
    words = ["--labels", partly, "--label-column", "rank", "--json", "-q"]
    result = json.loads(invoke("roles", edges, "--roles", 6, *words).out)
    assert result["agreement"]["n_nodes"] == 40
    assert result["agreement"]["homogeneity"] == pytest.approx(1.0)
    assert result["degree_split_agreement"]["homogeneity"] < 0.9
    assert invoke("roles", edges, "--labels", partly, "--label-column", "3", "--json", "-q").code == 0
    absent = tmp_path / "absent.txt"
    absent.write_text("zed 1\n")
    assert "none of the 80 nodes has a known label" in invoke("roles", edges, "--labels", absent, "-q").error


def test_a_picture_is_drawn(barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "roles.svg"
    shown = invoke("roles", barbell_file, "--plot", picture)
    assert shown.code == 0
    assert "Drew" in shown.err
    text = picture.read_text()
    assert f"{expected.n_roles_} structural roles" in text
    assert expected.names_[0] in text


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
    words: list[str], options: dict[str, Any], barbell_file: Path, invoke: Invoke
) -> None:
    result = json.loads(invoke("roles", barbell_file, *words, "--json", "-q").out)
    is_directed, is_bipartite = "--directed" in words, True if "--bipartite" in words else None
    graph = vnestruct.read_graph(barbell_file, directed=is_directed, bipartite=is_bipartite)
    model = RoleClusterer(**options).fit(graph)
    assert result["columns"] == model.columns_
    assert [one["name"] for one in result["roles"]] == model.names_
    assert [one["nodes"] for one in result["roles"]] == np.bincount(model.labels_).tolist()


def test_a_checkpoint_is_used(barbell_file: Path, invoke: Invoke, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    first = invoke("roles", barbell_file, "--checkpoint", kept, "-q")
    assert kept.is_dir()
    assert invoke("roles", barbell_file, "--checkpoint", kept, "-q").out == first.out


MISTAKES = [
    (["--roles", "few"], "invalid value for '--roles'"),
    (["--roles", "0"], "--roles must be a whole number of at least 1"),
    (["--roles", "40"], "ask for at most 4 roles"),
    (["--kind", "noisy", "-r", "2"], "--kind noisy describes 1-balls and what is around them; leave out --radius"),
    (["--kind", "noisy,exact"], "cannot be combined with other kinds"),
    (["--weighted"], "weights have units; leave out --weighted, or use --kind profile"),
    (["--direction", "in"], "use --direction out+in or --direction all"),
    (["--aggregate", "mean"], "leave out --aggregate"),
    (["--bipartite", "--direction", "out+in"], "leave it out, or use --no-bipartite"),
    (["-o", "roles.xlsx"], "a .csv or .tsv file"),
    (["-o", "no/such/roles.csv"], "there is no folder"),
    (["--plot", "roles.bmp"], "pictures are .png, .svg, .pdf files"),
    (["-o", "-", "--json"], "name a file with -o"),
    (["--labels", "absent.txt"], "no such file"),
    (["--kind", "loud"], "kind must be one of"),
]


def test_mistakes_are_one_line(
    barbell_file: Path, invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words, message in MISTAKES:
        shown = invoke("roles", barbell_file, "-q", *words)
        assert shown.code == 2, words
        assert message in shown.error, words
        assert [path.name for path in tmp_path.iterdir()] == ["barbell.csv"], words


def test_narrow_terminals_get_fewer_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for place in ("console", "commands.roles"):
        monkeypatch.setattr(f"vnestruct.cli.{place}.width", lambda: 78)
    graph = star(12)
    print_roles(RoleClusterer().fit(graph).describe(), graph)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 78
    assert "example" in lines[0]
    assert "examples" not in lines[0]


@pytest.mark.parametrize("name", ["roles/brazil-airports.edgelist", "graphs/facebook_combined.txt.gz"])
def test_real_graphs(name: str, data_folder: Path, invoke: Invoke, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    shown = invoke("roles", data_folder / name, "--plot", tmp_path / "roles.png", "-q")
    assert shown.code == 0
    assert 4 <= len(shown.out.splitlines()) <= 45
    assert (tmp_path / "roles.png").stat().st_size > 50_000
