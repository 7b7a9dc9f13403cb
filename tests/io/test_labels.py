"""Labels that text formats, terminals and spreadsheets stumble over: each format keeps them, or names one that does."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.cases import for_each
from vnestruct import ParameterError, read_graph
from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.io import write_graph
from vnestruct.io.registry import FORMATS
from vnestruct.store import read_embedding, write_embedding

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
}

TEXT_FORMATS = [form for form in FORMATS if form.writer and form.name not in ("mtx", "metis")]
"""Formats with labels; the others number nodes from 1, and say so."""


def labelled(label: str) -> Graph:
    return graph_from_pairs([label, "x", "y"], ["x", "y", "z"], nodes=[label, "x", "y", "z"])


def edges_of(graph: Graph) -> set[frozenset[str]]:
    names = graph.nodes.tolist()
    owner = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    return {frozenset((names[u], names[v])) for u, v in zip(owner, graph.indices, strict=True)}


def assert_kept_or_refused(write: object, read: object, label: str, formats: set[str]) -> bool:
    """Round-trip, or an error that shows the label and names a format that keeps it."""
    try:
        lost = write()  # type: ignore[operator]
    except ParameterError as error:
        message = str(error)
        assert repr(label) in message or (not label and "empty label" in message), message
        named = set(re.findall(r"\.(\w+)", message.rpartition("use ")[2]))
        assert named & formats, f"names no other format: {message}"
        return False
    found = read()  # type: ignore[operator]
    if label in found:
        return True
    assert lost, f"{label!r} was read as {found} without a note"
    return True


@for_each("name", LABELS)
def test_graphs(name: str, tmp_path: Path) -> None:
    label = LABELS[name]
    graph = labelled(label)
    kept = set()
    for form in TEXT_FORMATS:
        path = tmp_path / f"graph{form.suffixes[0]}"

        def write(path: Path = path) -> list[str]:
            return write_graph(graph, path)

        def read(path: Path = path) -> list[str]:
            found = read_graph(path)
            lost = edges_of(found) != edges_of(graph)
            return [] if lost else found.nodes.tolist()

        if assert_kept_or_refused(write, read, label, {"vng", "json", "csv", "npz"}):
            kept.add(form.name)
        else:
            assert not path.exists()
    # What is named as the way out keeps every label.
    assert read_graph(tmp_path / "graph.vng").nodes.tolist()[0] == label
    assert "vng" in kept


@for_each("name", LABELS)
def test_embeddings(name: str, tmp_path: Path) -> None:
    label = LABELS[name]
    kept = set()
    for suffix in ("csv", "tsv", "emb", "npz", "parquet", "feather"):
        path = tmp_path / f"rows.{suffix}"

        def write(path: Path = path) -> None:
            write_embedding(path, [label, "x"], [[0.5], [0.25]], ["h1"])

        def read(path: Path = path) -> list[str]:
            found = read_embedding(path)
            assert found.values.tolist() == [[0.5], [0.25]]
            assert found.nodes is not None
            return found.nodes.tolist()

        if assert_kept_or_refused(write, read, label, {"csv", "tsv", "npz", "npy", "parquet", "feather"}):
            kept.add(suffix)
        else:
            assert not path.exists()
    if name != "lone surrogate":
        assert kept & {"parquet", "npz"}


@pytest.mark.parametrize("name", ["formula", "formula with plus", "formula with minus", "formula with at"])
def test_formulas_are_written_as_they_are(name: str, tmp_path: Path) -> None:
    """Changing a label would lose the node. The documentation says how to open such a table in a spreadsheet."""
    label = LABELS[name]
    write_embedding(tmp_path / "rows.csv", [label], [[0.5]], ["h1"])
    quoted = f'"{label}"' if "," in label or '"' in label else label
    assert (tmp_path / "rows.csv").read_text() == f"node,h1\n{quoted},0.5\n"
    write_graph(labelled(label), tmp_path / "graph.csv")
    assert label in (tmp_path / "graph.csv").read_text()


def test_the_documentation_says_that_formulas_are_not_changed(root: Path) -> None:
    text = " ".join((root / "docs" / "formats.md").read_text().split())
    assert "`=1+1`" in text
    assert "spreadsheet" in text
