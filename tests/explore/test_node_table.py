"""Names and attributes of nodes: found by the column that matches, or refused with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from vnestruct.errors import GraphFormatError
from vnestruct.explore import read_node_table

TABLE = 'id,code,city,"size, runways"\n1,GRU,São Paulo,4\n2,LIS,"Lisbon ""Humberto""",1\n3,XXX,Nowhere,0\n'


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "airports.csv"
    path.write_text("\ufeff" + TABLE, "utf-8")
    return path


def test_the_column_of_nodes_is_the_one_that_matches(table: Path) -> None:
    found = read_node_table(table, ["LIS", "GRU", "FCO"], name="city")
    assert found.n_found == 2
    assert found.name == "city"
    assert found.columns == {
        "id": ["2", "1", ""], "city": ['Lisbon "Humberto"', "São Paulo", ""], "size, runways": ["1", "4", ""],
    }  # fmt: skip
    numbers = read_node_table(table, [3, 2, 7])
    assert numbers.columns["code"] == ["XXX", "LIS", ""]


def test_other_separators_and_names_that_are_the_nodes(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("node\tkind\na\tx, y\nb\tz\n")
    assert read_node_table(path, ["a", "b"], name="node").columns == {"node": ["a", "b"], "kind": ["x, y", "z"]}


def test_refusals(table: Path) -> None:
    for text, name, complaint in (
        (TABLE, "town", "there is no column 'town'; the first line has 'id', 'code', 'city'"),
        ("a,b\n", None, "the table has no rows"),
        ("a,b\n1\n", None, "the row of '1' has 1 fields, and the first line 2"),
        ("a,b\nx,y\n", None, "no column has nodes of the graph, such as 'LIS'"),
    ):
        table.write_text(text, "utf-8")
        with pytest.raises(GraphFormatError, match=complaint):
            read_node_table(table, ["LIS", "GRU"], name=name)
