from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics

from vnestruct import GraphFormatError, ParameterError
from vnestruct.roles import agreement, read_labels


def test_scores_are_those_of_scikit_learn() -> None:
    generator = np.random.default_rng(0)
    known, roles = generator.integers(4, size=200), generator.integers(5, size=200)
    values = generator.random((200, 3)) + roles[:, None]
    scores = agreement(known, roles, values)
    assert scores.homogeneity == pytest.approx(metrics.homogeneity_score(known, roles))
    assert scores.completeness == pytest.approx(metrics.completeness_score(known, roles))
    assert scores.v_measure == pytest.approx(metrics.v_measure_score(known, roles))
    assert scores.adjusted_rand == pytest.approx(metrics.adjusted_rand_score(known, roles))
    assert scores.silhouette == pytest.approx(metrics.silhouette_score(values, roles), abs=1e-6)
    assert (scores.n_nodes, scores.n_classes, scores.n_roles) == (200, 4, 5)


def test_names_do_not_matter() -> None:
    scores = agreement(["x", "x", 7, 7, None], [3, 3, 0, 0, 9])
    assert (scores.homogeneity, scores.completeness, scores.adjusted_rand) == (1.0, 1.0, 1.0)
    assert scores.silhouette is None


def test_homogeneity_and_completeness_are_not_the_same() -> None:
    finer = agreement([0, 0, 1, 1], [0, 1, 2, 2])
    assert finer.homogeneity == pytest.approx(1.0)
    assert finer.completeness == pytest.approx(2 / 3)


def test_a_mapping_names_the_nodes_it_knows() -> None:
    known = {"1": "hub", "2": "leaf", "99": "leaf"}
    scores = agreement(known, [0, 1, 1], [[0.0], [1.0], [5.0]], nodes=[1, 2, 3])
    assert (scores.n_nodes, scores.n_roles, scores.homogeneity) == (2, 2, 1.0)
    with pytest.raises(ParameterError, match=r"none of the 2 nodes has a known label; .* such as 'x'"):
        agreement({"x": 1}, [0, 1])
    with pytest.raises(ParameterError, match="3 nodes for 2 roles"):
        agreement({0: 1}, [0, 1], nodes=[0, 1, 2])
    with pytest.raises(ParameterError, match="1 known labels for 2 roles"):
        agreement([1], [0, 1])
    with pytest.raises(ParameterError, match="no nodes"):
        agreement([], [])


def test_label_files(tmp_path: Path) -> None:
    for text, expected in [
        ("node label\n0 0\n1 3\n", {0: 0, 1: 3}),
        ("0 0\n1 3\n", {0: 0, 1: 3}),
        ("ann boss\nbob clerk\n", {"ann": "boss", "bob": "clerk"}),
        ("# made by hand\n\nann\tthe boss\nbob\ta clerk\n", {"ann": "the boss", "bob": "a clerk"}),
        ("person,position\n7,CEO\n9,Trader\n", {7: "CEO", 9: "Trader"}),
        ("name;rank\nann;1\nbob;2\n", {"ann": 1, "bob": 2}),
        ("airport,activity\nGRU,1\nSDU,2\n", {"GRU": 1, "SDU": 2}),
        ('node,label\n"a, b",x\n', {"a, b": "x"}),
        ("\ufeffid,label\r\n1,x\r\n", {1: "x"}),
        ("01 5\n1 6\n", {"01": 5, "1": 6}),
    ]:
        plain, packed = tmp_path / "labels.txt", tmp_path / "labels.txt.gz"
        plain.write_text(text, encoding="utf-8", newline="")
        packed.write_bytes(gzip.compress(text.encode()))
        for file in (plain, packed):
            found = read_labels(file)
            assert found == expected, (text, expected)
            assert [*map(type, found)] == [*map(type, expected)], (text, expected)


def test_columns_by_name_and_number(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("id,person,position,role\n0,Ann,CEO,a\n1,Bob,Clerk,b\n")
    assert read_labels(file, label="role") == {0: "a", 1: "b"}
    assert read_labels(file, label=3) == {0: "CEO", 1: "Clerk"}
    assert read_labels(file, node="person", label="id") == {"Ann": 0, "Bob": 1}
    with pytest.raises(GraphFormatError, match="no column 'rank'; the first line has 'id', 'person'"):
        read_labels(file, label="rank")
    with pytest.raises(ParameterError, match="label is 0"):
        read_labels(file, label=0)


def test_bad_label_files(tmp_path: Path) -> None:
    for text, line, words in [
        ("", None, "has no labels"),
        ("# nothing\n", None, "has no labels"),
        ("a x\nb\n", 2, "expected a node and its label"),
        ("a,x\nb,\n", 2, "expected a node and its label"),
        ("a x\nb y\na z\n", 3, "node 'a' already has a label"),
        ('node,label\n"a,x\n', 2, "quotes"),
    ]:
        file = tmp_path / "labels.txt"
        file.write_text(text)
        with pytest.raises(GraphFormatError, match=words) as caught:
            read_labels(file)
        assert caught.value.line == line, (text, line, words)
        assert caught.value.path == str(file), (text, line, words)


def test_undecodable_and_missing_files(tmp_path: Path) -> None:
    file = tmp_path / "labels.txt"
    file.write_bytes(b"a x\n\xff\xfe y\n")
    with pytest.raises(GraphFormatError, match="UTF-8"):
        read_labels(file)
    with pytest.raises(GraphFormatError, match="no such file"):
        read_labels(tmp_path / "absent.txt")


def test_the_airports(data_folder: Path) -> None:
    labels = read_labels(data_folder / "roles" / "labels-brazil-airports.txt")
    assert len(labels) == 131
    assert sorted(np.bincount(list(labels.values())).tolist()) == [32, 32, 32, 35]
    enron = read_labels(data_folder / "roles" / "enron" / "enron143_labels.csv", label="role7")
    assert len(enron) == 143
