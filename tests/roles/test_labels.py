"""Roles in files: labels come back and agree, names and descriptions stand beside roles, bad files name the line."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from sklearn import metrics

from tests.cases import for_each
from vnestruct import GraphFormatError, ParameterError, RoleClusterer
from vnestruct.roles import agreement, read_labels
from vnestruct.roles.labels import role_table_path, write_roles
from vnestruct.roles.views import role_rows


def test_scores_are_those_of_scikit_learn() -> None:
    generator = np.random.default_rng(0)
    known, roles = generator.permutation(list("abc") * 60 + [None, 7] * 10), generator.integers(5, size=200)
    values = generator.random((200, 3)) + roles[:, None]
    scores, known = agreement(known, roles, values), known.astype(str)
    for name in ("homogeneity", "completeness", "v_measure", "adjusted_rand"):
        assert getattr(scores, name) == pytest.approx(getattr(metrics, f"{name}_score")(known, roles))
    assert scores.silhouette == pytest.approx(metrics.silhouette_score(values, roles), abs=1e-6)
    assert (scores.n_nodes, scores.n_classes, scores.n_roles) == (200, 5, 5)
    # A mapping names the nodes that it knows.
    scores = agreement({"1": "hub", "2": "leaf", "99": "leaf"}, [0, 1, 1], nodes=[1, 2, 3])
    assert (scores.n_nodes, scores.n_roles, scores.homogeneity, scores.silhouette) == (2, 2, 1.0, None)


@for_each(
    ("known", "roles", "options", "value"),
    [
        ({"x": 1}, [0, 1], {}, "'x'"),
        ({0: 1}, [0, 1], {"nodes": [0, 1, 2]}, "3 nodes for 2 roles"),
        ([1], [0, 1], {}, "1 known labels for 2 roles"),
        ([], [], {}, "0 nodes"),
        ([1], [[0]], {}, r"\(1, 1\)"),
    ],
)
def test_labels_that_do_not_fit(known: Any, roles: Any, options: dict[str, Any], value: str) -> None:
    with pytest.raises(ParameterError, match=value):
        agreement(known, roles, **options)


@for_each(
    ("text", "expected"),
    [
        ("node label\n0 0\n1 3\n", {0: 0, 1: 3}),
        ("0 0\n1 3\n", {0: 0, 1: 3}),
        ("ann boss\nbob clerk\n", {"ann": "boss", "bob": "clerk"}),
        ("# made by hand\n\nann\tthe boss\nbob\ta clerk\n", {"ann": "the boss", "bob": "a clerk"}),
        ("person,position\n7,CEO\n9,Trader\n", {7: "CEO", 9: "Trader"}),
        ("name;rank\nann;1\nbob;2\n", {"ann": 1, "bob": 2}),
        ('node,label\n"a, b",x\n', {"a, b": "x"}),
        ("\ufeffid,label\r\n1,x\r\n", {1: "x"}),
        ("01 5\n1 6\n", {"01": 5, "1": 6}),
    ],
)
def test_label_files(text: str, expected: dict[Any, Any], tmp_path: Path) -> None:
    (tmp_path / "labels.txt").write_text(text, encoding="utf-8", newline="")
    (tmp_path / "labels.txt.gz").write_bytes(gzip.compress(text.encode()))
    for file in tmp_path.iterdir():
        found = read_labels(file)
        assert [(type(node), node) for node in found] == [(type(node), node) for node in expected]
        assert found == expected


def test_columns_by_name_and_number(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("id,person,position,role\n0,Ann,CEO,a\n1,Bob,Clerk,b\n")
    assert read_labels(file, label="role") == {0: "a", 1: "b"}
    assert read_labels(file, label=3) == {0: "CEO", 1: "Clerk"}
    assert read_labels(file, node="person", label="id") == {"Ann": 0, "Bob": 1}
    with pytest.raises(GraphFormatError, match="'rank'"):
        read_labels(file, label="rank")
    with pytest.raises(ParameterError, match="0"):
        read_labels(file, label=0)


@for_each(
    ("content", "line", "value"),
    [
        (b"# nothing\n", None, "no labels"),
        (b"a x\nb\n", 2, "label"),
        (b"a,x\nb,\n", 2, "label"),
        (b"a x\nb y\na z\n", 3, "'a'"),
        (b'node,label\n"a,x\n', 2, "quotes"),
        (b"a x\n\xff\xfe y\n", 2, "UTF-8"),
        (None, None, "no such file"),
    ],
)
def test_bad_label_files(content: bytes | None, line: int | None, value: str, tmp_path: Path) -> None:
    file = tmp_path / "labels.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(GraphFormatError, match=value) as caught:
        read_labels(file)
    assert (caught.value.line, caught.value.path) == (line, str(file))


def roles_of(nodes: list[Any]) -> RoleClusterer:
    return RoleClusterer(2).fit_signatures([[float(place % 2)] for place in range(len(nodes))], nodes)


@for_each("suffix", [".csv", ".tsv"])
@for_each("labels", [["plain", "with, comma", "with\ttab", 'with "quotes"', "é"], [30, 10]])
def test_labels_of_roles_come_back(suffix: str, labels: list[Any], tmp_path: Path) -> None:
    model = roles_of(labels)
    write_roles(tmp_path / f"roles{suffix}", model)
    assert read_labels(tmp_path / f"roles{suffix}") == dict(zip(labels, model.labels_.tolist(), strict=True))


def test_names_exceptional_nodes_and_a_table_of_roles(tmp_path: Path) -> None:
    model = RoleClusterer().fit(nx.les_miserables_graph())
    write_roles(tmp_path / "roles.csv", model, role_rows(model, None))
    nodes, roles = (
        list(csv.DictReader(file.read_text().splitlines()))
        for file in (tmp_path / "roles.csv", role_table_path(tmp_path / "roles.csv"))
    )
    expected = zip(model.nodes_, model.labels_, model.exceptional_, strict=True)
    assert [list(row.values()) for row in nodes] == [
        [node, str(role), model.names_[role], str(int(one))] for node, role, one in expected
    ]
    said = [(role.description, role.exceptional) for role in model.describe()]
    assert [(row["description"], row["exceptional"].split()) for row in roles] == said


def test_errors_leave_no_file(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"\.csv or \.tsv"):
        write_roles(tmp_path / "roles.txt", roles_of(["a", "b"]))
    with pytest.raises(ParameterError, match="both be written as 1"):
        write_roles(tmp_path / "roles.csv", roles_of([1, "1"]))
    assert list(tmp_path.iterdir()) == []
