"""The golden values again: what may not change when the code becomes simpler."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.embedding.expected import assert_close, signatures
from tests.golden import values
from vnestruct import embed

FAST_ROLES = [name for name in values.ROLES_MADE if not name.startswith("accounts")]


def golden(group: str, *, to_the_bit: bool = True) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((values.FOLDER / f"{group}.json").read_text(encoding="utf-8"))
    if to_the_bit and content["logarithms"] != values.logarithms():
        pytest.skip("the last bits of this machine's logarithms differ from those of the golden values")
    wanted: dict[str, Any] = content["values"]
    return wanted


def needs(path: Path) -> None:
    if not path.is_file():
        pytest.skip(f"{path} is missing")


def assert_same(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Compare two tables of tables, and show no more than the cells that differ."""
    assert found.keys() == wanted.keys()
    for name, cells in found.items():
        assert cells.keys() == wanted[name].keys(), name
        different = {cell: (value, wanted[name][cell]) for cell, value in cells.items() if value != wanted[name][cell]}
        assert not different, name


def test_rows_of_the_zoo() -> None:
    assert_same(values.rows_of_zoo(), golden("zoo"))


def test_rows_of_radius_1_of_a_real_graph() -> None:
    needs(values.DATA / "graphs" / "ca-GrQc.txt.gz")
    wanted = golden("real")["ca-GrQc.txt.gz"]
    found = values.rows_of_file("ca-GrQc.txt.gz", " 1$")
    assert len(found) > 10
    assert_same({"radius 1": found}, {"radius 1": {name: wanted[name] for name in found}})


@pytest.mark.full
@pytest.mark.parametrize("name", values.REAL)
def test_rows_of_real_graphs(name: str) -> None:
    needs(values.DATA / "graphs" / name)
    wanted = golden("real")[name]
    assert_same({name: values.rows_of_file(name)}, {name: wanted})


@pytest.mark.full
@pytest.mark.parametrize("weighted", [False, True])
def test_exact_kinds_of_the_zoo(weighted: bool) -> None:
    kinds = ("exact", "normalized", "punctured")
    for name, edges, n_nodes in values.zoo():
        graph = values.graph_of(edges, n_nodes, weighted=weighted)
        found = embed(graph, 2, kind=kinds, weighted=weighted)
        wanted = signatures(graph, 2, weighted=weighted, kinds=kinds)
        assert_close(found, np.hstack([wanted[kind] for kind in kinds]), name)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in FAST_ROLES else pytest.mark.full) for name in values.ROLES]
)
def test_roles(name: str) -> None:
    needs(values.DATA / values.ROLES[name])
    assert_same({name: values.roles_of(name)}, {name: golden("roles")[name]})


def test_hashes() -> None:
    assert_same(values.hashes(), golden("hashes", to_the_bit=False))


def test_errors_of_malformed_files() -> None:
    """Class, line, exit code and place; the words may change."""
    wanted = golden("malformed", to_the_bit=False)
    found = values.malformed()
    assert_same(*({name: values.promises_of(one) for name, one in errors.items()} for errors in (found, wanted)))
