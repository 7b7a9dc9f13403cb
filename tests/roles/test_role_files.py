from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from vnestruct import ParameterError, RoleClusterer
from vnestruct.roles import read_labels
from vnestruct.roles.labels import role_table_path, write_roles
from vnestruct.roles.views import role_rows


def roles_of(nodes: list[Any]) -> RoleClusterer:
    return RoleClusterer(2).fit_signatures([[float(place % 2)] for place in range(len(nodes))], nodes)


def test_labels_of_roles_come_back(tmp_path: Path) -> None:
    for suffix in [".csv", ".tsv"]:
        file = tmp_path / f"roles{suffix}"
        for labels in (["plain", "with, comma", "with\ttab", 'with "quotes"', "é"], [30, 10]):
            model = roles_of(labels)
            write_roles(file, model)
            assert read_labels(file) == dict(zip(labels, model.labels_.tolist(), strict=True)), suffix


def test_names_and_exceptional_nodes_have_columns(tmp_path: Path) -> None:
    model = RoleClusterer().fit(nx.les_miserables_graph())
    write_roles(tmp_path / "roles.csv", model, role_rows(model, None))
    with (tmp_path / "roles.csv").open(newline="") as file:
        rows = {row["node"]: row for row in csv.DictReader(file)}
    assert list(rows) == model.nodes_.tolist()
    assert [row["name"] for row in rows.values()] == [model.names_[role] for role in model.labels_]
    assert [row["exceptional"] == "1" for row in rows.values()] == model.exceptional_.tolist()
    assert rows["Valjean"]["exceptional"] == "1"
    with role_table_path(tmp_path / "roles.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [row["description"] for row in table] == [role.description for role in model.describe()]
    assert [row["exceptional"].split() for row in table] == [role.exceptional for role in model.describe()]


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"a \.csv or \.tsv file"):
        write_roles(tmp_path / "roles.txt", roles_of(["a", "b"]))
    with pytest.raises(ParameterError, match="would both be written as 1"):
        write_roles(tmp_path / "roles.csv", roles_of([1, "1"]))
    assert list(tmp_path.iterdir()) == []
