"""Files of roles: labels come back, names and descriptions stand beside them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from tests.cases import for_each
from vnestruct import ParameterError, RoleClusterer
from vnestruct.roles import read_labels
from vnestruct.roles.labels import role_table_path, write_roles
from vnestruct.roles.views import role_rows


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
    assert [row["node"] for row in nodes] == model.nodes_.tolist()
    assert [row["name"] for row in nodes] == [model.names_[role] for role in model.labels_]
    assert [row["exceptional"] == "1" for row in nodes] == model.exceptional_.tolist()
    assert [row["description"] for row in roles] == [role.description for role in model.describe()]
    assert [row["exceptional"].split() for row in roles] == [role.exceptional for role in model.describe()]


def test_errors_leave_no_file(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"\.csv or \.tsv"):
        write_roles(tmp_path / "roles.txt", roles_of(["a", "b"]))
    with pytest.raises(ParameterError, match="both be written as 1"):
        write_roles(tmp_path / "roles.csv", roles_of([1, "1"]))
    assert list(tmp_path.iterdir()) == []
