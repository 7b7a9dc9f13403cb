"""Measured tables in documents are those of the results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import readme
from tests.documents.pages import ROOT


@pytest.mark.parametrize("name", readme.DOCUMENTS)
def test_tables_are_up_to_date(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "<!-- table: " in text
    assert readme.filled(text) == text, f"{name} differs from the results; run: {readme.COMMAND}"


def test_a_number_that_changes_is_noticed_and_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "README.md"
    (tmp_path / "results").mkdir()
    for name in ("core", "variants"):
        results = json.loads((readme.RESULTS / f"{name}.json").read_text())
        if name == "core":
            results["graphs"][0]["igraph"]["ours"]["best_s"] = 0.0777
        (tmp_path / "results" / f"{name}.json").write_text(json.dumps(results))
    page.write_text("before\n<!-- table: speed -->\nold\n<!-- end of table -->\nafter\n")
    monkeypatch.setattr(readme, "RESULTS", tmp_path / "results")
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


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.0118, "12 ms"), (0.0021, "2.1 ms"), (0.14, "0.14 s"), (99.4, "99 s"), (480, "8 min"), (16_900, "4.7 h")],
)
def test_times_in_two_digits(value: float, words: str) -> None:
    assert readme.seconds(value) == words
