"""Measured tables in documents agree with the results."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from benchmarks.harness import RESULTS, render, seconds

from benchmarks import tables
from tests.documents.pages import ROOT


def test_tables_are_up_to_date() -> None:
    for name in tables.DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "<!-- table: " in text, f"{name} has no table"
        assert tables.filled(text) == text, f"{name} differs from the results; run: {tables.COMMAND}"


def test_every_page_with_a_table_is_updated_and_every_table_is_used() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    names = {
        str(page.relative_to(ROOT)): re.findall(r"<!-- table: ([a-z-]+) -->", page.read_text(encoding="utf-8"))
        for page in pages
    }
    assert {name for name, found in names.items() if found} == set(tables.DOCUMENTS)
    assert {table for found in names.values() for table in found} == set(tables.TABLES)


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_benchmark_reports_are_up_to_date(path: Path) -> None:
    results = json.loads(path.read_text(encoding="utf-8"))
    assert results.keys() == {"benchmark", "commit", "date", "machine", "settings", "targets", "tables"}
    assert path.with_suffix(".md").read_text(encoding="utf-8") == render(results), f"{path.stem}.md is out of date"


def test_a_changed_number_is_updated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "README.md"
    (tmp_path / "results").mkdir()
    for name in ("core", "variants"):
        results = json.loads((RESULTS / f"{name}.json").read_text())
        if name == "core":
            results["tables"]["radius_1_and_triangles_in_igraph"][0]["ours_s"] = 0.0777
        (tmp_path / "results" / f"{name}.json").write_text(json.dumps(results))
    page.write_text("before\n<!-- table: speed -->\nold\n<!-- end of table -->\nafter\n")
    monkeypatch.setattr(tables, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(tables, "ROOT", tmp_path)
    monkeypatch.setattr(tables, "DOCUMENTS", ("README.md",))
    assert tables.write_documents() == [page]
    text = page.read_text()
    assert text.startswith("before\n<!-- table: speed -->\n| graph |")
    assert text.endswith("<!-- end of table -->\nafter\n")
    assert "| 78 ms |" in text
    assert "old" not in text
    assert tables.write_documents() == []


def test_a_missing_heading_is_named(tmp_path: Path) -> None:
    (tmp_path / "REPORT.md").write_text("# Title\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n| c |\n| --- |\n| 3 |\n")
    found = tables.report_tables(tmp_path / "REPORT.md", "Title")
    assert found == [[["a", "b"], ["1", "2"]], [["c"], ["3"]]]
    with pytest.raises(ValueError, match="no heading 'Cost'"):
        tables.report_tables(tmp_path / "REPORT.md", "Cost")


def test_times_have_two_digits() -> None:
    times = {0.0118: "12 ms", 0.0021: "2.1 ms", 0.14: "0.14 s", 99.4: "99 s", 480: "8 min", 16_900: "4.7 h"}
    times |= {3e5: "3.5 days", 4e8: "13 years"}
    for value, text in times.items():
        assert seconds(value) == text
