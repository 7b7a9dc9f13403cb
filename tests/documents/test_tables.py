"""Measured tables in documents agree with the results."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from benchmarks.harness import RESULTS
from benchmarks.render import render_core, render_reading, render_scale, render_variants

from benchmarks import measured_tables, readme
from tests.documents.pages import ROOT


def test_tables_are_up_to_date() -> None:
    for name in readme.DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "<!-- table: " in text, f"{name} has no table"
        assert readme.filled(text) == text, f"{name} differs from the results; run: {readme.COMMAND}"


def test_every_page_with_a_table_is_updated_and_every_table_is_used() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    names = {
        str(page.relative_to(ROOT)): re.findall(r"<!-- table: ([a-z-]+) -->", page.read_text(encoding="utf-8"))
        for page in pages
    }
    assert {name for name, tables in names.items() if tables} == set(readme.DOCUMENTS)
    assert {table for tables in names.values() for table in tables} == set(readme.TABLES)


def test_benchmark_reports_are_up_to_date() -> None:
    renderers = {"core": render_core, "reading": render_reading, "scale": render_scale, "variants": render_variants}
    for name, render in renderers.items():
        results = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
        assert (RESULTS / f"{name}.md").read_text(encoding="utf-8") == render(results), f"{name}.md is out of date"


def test_a_changed_number_is_updated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "README.md"
    (tmp_path / "results").mkdir()
    for name in ("core", "variants"):
        results = json.loads((RESULTS / f"{name}.json").read_text())
        if name == "core":
            results["graphs"][0]["igraph"]["ours"]["best_s"] = 0.0777
        (tmp_path / "results" / f"{name}.json").write_text(json.dumps(results))
    page.write_text("before\n<!-- table: speed -->\nold\n<!-- end of table -->\nafter\n")
    monkeypatch.setattr(measured_tables, "RESULTS", tmp_path / "results")
    monkeypatch.setattr(readme, "ROOT", tmp_path)
    monkeypatch.setattr(readme, "DOCUMENTS", ("README.md",))
    assert readme.write_documents() == [page]
    text = page.read_text()
    assert text.startswith("before\n<!-- table: speed -->\n| graph |")
    assert text.endswith("<!-- end of table -->\nafter\n")
    assert "| 78 ms |" in text
    assert "old" not in text
    assert readme.write_documents() == []


def test_a_missing_heading_is_named(tmp_path: Path) -> None:
    (tmp_path / "REPORT.md").write_text("# Title\n\n| a | b |\n| --- | ---: |\n| 1 | 2 |\n\n| c |\n| --- |\n| 3 |\n")
    tables = readme.report_tables(tmp_path / "REPORT.md", "Title")
    assert tables == [[["a", "b"], ["1", "2"]], [["c"], ["3"]]]
    with pytest.raises(ValueError, match="no heading 'Cost'"):
        readme.report_tables(tmp_path / "REPORT.md", "Cost")


def test_times_have_two_digits() -> None:
    times = {0.0118: "12 ms", 0.0021: "2.1 ms", 0.14: "0.14 s", 99.4: "99 s", 480: "8 min", 16_900: "4.7 h"}
    times |= {3e5: "3.5 days", 4e8: "13 years"}
    for value, text in times.items():
        assert measured_tables.seconds(value) == text
