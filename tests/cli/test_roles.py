"""`vnestruct roles`: a table people can read, files programs can read, a picture, and errors before any work."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import vnestruct
from tests.cli.conftest import Invoke
from tests.generators.rings import house_shape, ring_of_shapes
from vnestruct.cli.commands.roles import print_roles
from vnestruct.graph.synthetic import barbell, star
from vnestruct.io import write_graph
from vnestruct.roles import RoleClusterer, read_labels, summarise_roles


@pytest.fixture
def barbell_file(tmp_path: Path) -> Path:
    path = tmp_path / "barbell.csv"
    write_graph(barbell(10, 7), path)
    return path


@pytest.fixture
def expected(barbell_file: Path) -> RoleClusterer:
    return RoleClusterer(radius=3).fit(vnestruct.read_graph(barbell_file))


def test_the_table_says_what_roles_are(barbell_file: Path, invoke: Invoke) -> None:
    shown = invoke("roles", barbell_file, "-r", 3)
    assert shown.code == 0
    lines = shown.out.splitlines()
    header = "role name nodes share degree (range) clustering stability examples compared with all other nodes"
    assert lines[0].split() == header.split()
    assert lines[2].split()[:7] == ["0", "clique", "members", "18", "67%", "9", "1.00"]
    assert "neighbours more often linked to each other" in " ".join(shown.out.split())
    assert not any(line.endswith(" ") for line in lines)
    assert "5 roles chosen among 2 to 5 by silhouette (1.000)" in shown.err
    scores = [line.split() for line in lines[-3:]]
    assert scores[0] == ["these", "roles", scores[0][2], "1.000"]
    assert scores[1][:3] == ["split", "by", "degree"]


def test_the_largest_number_tried_is_reported(barbell_file: Path, invoke: Invoke) -> None:
    shown = invoke("roles", barbell_file, "-r", 3, "--max-roles", 4)
    assert "4 roles, the largest number tried, describe the graph best; try more with a larger --max-roles" in shown.err


def test_roles_of_nodes_go_to_a_file_or_to_standard_output(
    barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path
) -> None:
    out = tmp_path / "roles.csv"
    assert invoke("roles", barbell_file, "-r", 3, "-o", out).code == 0
    with out.open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["node", "role", "name"]
    assert [(int(node), int(role)) for node, role, _ in rows[1:]] == list(
        zip(expected.nodes_.tolist(), expected.labels_.tolist(), strict=True)
    )
    summaries = summarise_roles(expected.graph_, expected)
    assert {(int(role), name) for _, role, name in rows[1:]} == {(one.role, one.name) for one in summaries}
    shown = invoke("roles", barbell_file, "-r", 3, "-o", "-", "-q")
    assert shown.out == out.read_text()
    tabbed = tmp_path / "roles.tsv"
    assert invoke("roles", barbell_file, "-r", 3, "-o", tabbed).code == 0
    assert list(csv.reader(tabbed.read_text().splitlines(), delimiter="\t")) == rows
    assert (
        read_labels(out)
        == read_labels(tabbed)
        == dict(zip(expected.nodes_.tolist(), expected.labels_.tolist(), strict=True))
    )


def test_what_is_known_of_roles_goes_to_a_second_file(
    barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path
) -> None:
    out = tmp_path / "roles.csv"
    shown = invoke("roles", barbell_file, "-r", 3, "-o", out)
    assert f"and what is known of each role to {tmp_path / 'roles.summary.csv'}" in shown.err
    with (tmp_path / "roles.summary.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    quality = expected.quality()
    for row, one in zip(rows, summarise_roles(expected.graph_, expected), strict=False):
        assert (int(row["role"]), row["name"], row["sentence"]) == (one.role, one.name, one.sentence)
        assert float(row["stability"]) == one.stability
        for name, entry in one.evidence.items():
            found = [float(row[column]) for column in (name, f"{name}_others", f"{name}_effect")]
            assert found == [entry["role"], entry["others"], entry["effect"]]
    whole, by_degree = rows[-2:]
    assert (whole["role"], by_degree["role"], len(rows)) == ("all", "split by degree", 7)
    assert [float(whole[name]) for name in ("stability", "separation")] == [quality.stability, quality.separation]
    assert float(by_degree["separation"]) == quality.degree_separation


def test_json_holds_everything(barbell_file: Path, expected: RoleClusterer, invoke: Invoke, tmp_path: Path) -> None:
    saved = tmp_path / "model.roles"
    shown = invoke("roles", barbell_file, "-r", 3, "--json", "-q", "--save", saved, "--method", "average")
    result = json.loads(shown.out)
    assert shown.err == ""
    assert result["n_roles"] == 5
    assert result["columns"] == ["h1", "h2", "h3"]
    assert result["method"] == "average"
    assert [one["size"] for one in result["roles"]] == np.bincount(expected.labels_).tolist()
    assert result["roles"][0]["degree_range"] == [9, 9]
    assert result["agreement"] is None
    assert result["quality"]["separation"] == pytest.approx(1.0)
    assert len(result["quality"]["role_stability"]) == 5
    assert len({one["name"] for one in result["roles"]}) == 5
    assert result["roles"][0]["evidence"]["degree"]["role"] == 9.0
    loaded = RoleClusterer.load(saved)
    assert loaded.predict(barbell(10, 7)).tolist() == expected.labels_.tolist()


def test_known_labels_are_scored(invoke: Invoke, tmp_path: Path) -> None:
    graph, roles = ring_of_shapes(30, [house_shape()] * 10)
    edges, known = tmp_path / "ring.csv", tmp_path / "known.txt"
    write_graph(graph, edges)
    known.write_text("node label\n" + "".join(f"{node} {role}\n" for node, role in enumerate(roles.tolist())))
    shown = invoke("roles", edges, "--roles", 6, "--labels", known, "-q")
    assert "Agreement with 6 known classes, on all 80 nodes" in shown.out
    ours, by_degree = (line.split() for line in shown.out.splitlines()[-3:-1])
    assert ours[-5:] == ["1.000"] * 5
    assert by_degree[:3] == ["split", "by", "degree"]
    assert float(by_degree[-1]) < 0.7
    partly = tmp_path / "partly.csv"
    partly.write_text("id,name,rank\n" + "".join(f"{node},x,{roles[node]}\n" for node in range(40)))
    result = json.loads(
        invoke("roles", edges, "--roles", 6, "--labels", partly, "--label-column", "rank", "--json", "-q").out
    )
    assert result["agreement"]["n_nodes"] == 40
    assert result["agreement"]["homogeneity"] == pytest.approx(1.0)
    assert result["degree_split_agreement"]["homogeneity"] < 0.9
    assert invoke("roles", edges, "--labels", partly, "--label-column", "3", "--json", "-q").code == 0
    absent = tmp_path / "absent.txt"
    absent.write_text("zed 1\n")
    assert "none of the 80 nodes has a known label" in invoke("roles", edges, "--labels", absent, "-q").error


def test_a_picture_is_drawn(barbell_file: Path, invoke: Invoke, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    picture = tmp_path / "roles.svg"
    shown = invoke("roles", barbell_file, "-r", 3, "--plot", picture)
    assert shown.code == 0
    assert "Drew" in shown.err
    text = picture.read_text()
    assert "5 structural roles" in text
    assert "clique members" in text


def test_the_preset(barbell_file: Path, invoke: Invoke) -> None:
    result = json.loads(invoke("roles", barbell_file, "--preset", "noisy", "--json", "-q").out)
    model = RoleClusterer(preset="noisy").fit(vnestruct.read_graph(barbell_file))
    assert result["columns"] == model.columns_
    assert [one["size"] for one in result["roles"]] == np.bincount(model.labels_).tolist()


def test_a_checkpoint_is_used(barbell_file: Path, invoke: Invoke, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    first = invoke("roles", barbell_file, "--checkpoint", kept, "-q")
    assert kept.is_dir()
    assert invoke("roles", barbell_file, "--checkpoint", kept, "-q").out == first.out


MISTAKES = [
    (["--roles", "few"], "--roles is 'few'; it must be a number of roles, or auto"),
    (["--roles", "0"], "--roles must be a whole number of at least 1"),
    (["--roles", "40"], "only 5 distinct signatures exist"),
    (["--method", "median"], "method must be one of 'ward', 'single', 'average', 'kmeans', not 'median'"),
    (["--scaling", "log"], "scaling must be one of"),
    (["--preset", "loud"], "preset must be one of 'noisy', 'profile', not 'loud'"),
    (["--preset", "noisy", "--kind", "exact"], "--radius, --kind"),
    (["--preset", "profile", "--aggregate", "mean"], "leave out --radius, --kind and --aggregate"),
    (["-o", "roles.xlsx"], "a .csv or .tsv file"),
    (["-o", "no/such/roles.csv"], "there is no folder"),
    (["--plot", "roles.bmp"], "pictures are .png, .svg, .pdf files"),
    (["-o", "-", "--json"], "name a file with -o"),
    (["--labels", "absent.txt"], "no such file"),
    (["--kind", "precomputed"], "kind must be one of"),
]


def test_mistakes_are_one_line(
    barbell_file: Path, invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words, message in MISTAKES:
        shown = invoke("roles", barbell_file, "-q", "-r", 2 if "--preset" in words else 3, *words)
        assert shown.code == 2, words
        assert message in shown.error, words
        assert [path.name for path in tmp_path.iterdir()] == ["barbell.csv"], words


def test_narrow_terminals_get_fewer_words(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("vnestruct.cli.commands.roles._width", lambda: 78)
    graph = star(12)
    print_roles(summarise_roles(graph, RoleClusterer().fit(graph)))
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
