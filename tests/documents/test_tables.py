"""Measured tables in documents agree with the results."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from benchmarks.harness import RESULTS, render

from benchmarks import tables
from tests.documents.pages import ROOT


@pytest.mark.parametrize("name", tables.DOCUMENTS)
def test_tables_are_up_to_date(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert tables.filled(text) == text, f"{name} differs from the results; run: {tables.COMMAND}"


def test_every_page_with_a_table_is_updated_and_every_table_is_used() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    found = {
        str(page.relative_to(ROOT)): re.findall(r"<!-- table: ([a-z-]+) -->", page.read_text(encoding="utf-8"))
        for page in pages
    }
    assert {name for name, names in found.items() if names} == set(tables.DOCUMENTS)
    assert {table for names in found.values() for table in names} == set(tables.TABLES)


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_benchmark_reports_are_up_to_date(path: Path) -> None:
    results = json.loads(path.read_text(encoding="utf-8"))
    assert results.keys() == {"benchmark", "commit", "date", "machine", "settings", "targets", "tables"}
    assert path.with_suffix(".md").read_text(encoding="utf-8") == render(results), f"{path.stem}.md is out of date"
