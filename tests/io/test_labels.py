"""Labels that text formats, terminals and spreadsheets stumble over: each format keeps them, or names one that does."""

from __future__ import annotations

import re
from pathlib import Path

from tests.cases import for_each
from vnestruct import ParameterError, read_graph
from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.io import write_graph
from vnestruct.io.registry import FORMATS
from vnestruct.store import write_embedding

LABELS = {
    "lone surrogate": "caf\udce9",
    "zero character": "a\0b",
    "zero character at the end": "a\0",
    "right to left": "שלום",
    "override of direction": "abc\u202egpj.exe",
    "zero width": "a\u200bb",
    "zero width at the ends": "\u200bab\u200d",
    "byte order mark": "\ufeffab",
    "combining": "e\u0301",
    "beyond the basic plane": "🦑",
    "not a character": "a\uffffb",
    "line separator": "a\u2028b",
    "next line": "a\x85b",
    "no-break space": "a\u00a0b",
    "line feed": "a\nb",
    "carriage return": "a\rb",
    "tab": "a\tb",
    "escape": "a\x1b[31mb",
    "delete": "a\x7fb",
    "blank inside": "a b",
    "blanks at the ends": " ab ",
    "empty": "",
    "formula": "=1+1",
    "formula with plus": "+1+1",
    "formula with minus": "-2+3+cmd|' /C calc'!A0",
    "formula with at": "@SUM(1+1)",
    "comment": "#1",
    "comment of a matrix": "%1",
    "quoted": '"ab"',
    "separators": "a,b;c|d",
    "markup": "<b>&amp;</b>",
    "path": "//path",
    "backslash": "back\\slash",
    "braces": "{}",
}
"""Formats with labels; the others number nodes from 1, and say so."""


def labelled(label: str) -> Graph:
    return graph_from_pairs([label, "x", "y"], ["x", "y", "z"], nodes=[label, "x", "y", "z"])


@for_each("name", LABELS)
def test_every_label_is_kept_or_refused_with_a_format_that_keeps_it(name: str, tmp_path: Path) -> None:
    label = LABELS[name]
    graph = labelled(label)
    for suffix in (form.suffixes[0] for form in FORMATS if form.writer):
        path = tmp_path / f"graph{suffix}"
        refusal, lost = "", []
        try:
            lost = write_graph(graph, path)
        except ParameterError as error:
            refusal = str(error)
        if refusal:
            assert repr(label) in refusal
            assert re.search(r"use .*\.(vng|csv|npz)\b", refusal)
            assert not path.exists()
            continue
        again = read_graph(path)
        assert again.n_edges == graph.n_edges
        assert lost or set(again.nodes) == set(graph.nodes), suffix
    # What is named as the way out keeps every label.
    assert read_graph(tmp_path / "graph.vng").nodes.tolist()[0] == label


@for_each("label", [label for name, label in LABELS.items() if name.startswith("formula")])
def test_formulas_are_written_as_they_are(label: str, tmp_path: Path) -> None:
    """Changing a label would lose the node. The documentation says how to open such a table in a spreadsheet."""
    write_embedding(tmp_path / "rows.csv", [label], [[0.5]], ["h1"])
    assert label in (tmp_path / "rows.csv").read_text()
    write_graph(labelled(label), tmp_path / "graph.csv")
    assert label in (tmp_path / "graph.csv").read_text()
