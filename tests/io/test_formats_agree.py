"""The same small graph in every format, as other programs write it, is the same arrays."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import feather, parquet
from scipy import sparse

from tests.cases import for_each
from tests.io.samples import SOURCE, TARGET, TEXTS, WEIGHT, small_graph
from vnestruct.graph import Graph
from vnestruct.io import read_graph, write_graph
from vnestruct.io.registry import FORMATS


def assert_same(graph: Graph, expected: Graph) -> None:
    assert graph.nodes.tolist() == expected.nodes.tolist()
    np.testing.assert_array_equal(graph.indptr, expected.indptr)
    np.testing.assert_array_equal(graph.indices, expected.indices)
    assert graph.directed == expected.directed
    for given, wanted in ((graph.weights, expected.weights), (graph.directions, expected.directions)):
        assert (given is None) == (wanted is None)
        if given is not None:
            np.testing.assert_array_equal(given, wanted)
    assert graph == expected


@for_each("name", TEXTS)
def test_text_format(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, weighted, isolated, directed, labels = TEXTS[name]
    expected = small_graph(weighted=weighted, isolated=isolated, directed=directed, labels=labels)
    data = text.encode()
    # Compression is seen without its suffix, and a suffix without compression does no harm.
    for file, content in ((name, data), (name, gzip.compress(data)), (f"{name}.gz", data)):
        (tmp_path / file).write_bytes(content)
        assert_same(read_graph(tmp_path / file), expected)
    if not name.endswith((".mtx", ".json", ".net")):
        (tmp_path / name).write_bytes(b"\xef\xbb\xbf" + data)
        assert_same(read_graph(tmp_path / name), expected)
    # Content tells most formats where the name does not.
    if not name.endswith((".graph", ".metis", ".adjlist")):
        (tmp_path / "graph.unknown").write_bytes(data)
        assert_same(read_graph(tmp_path / "graph.unknown"), expected)
        for given in (data, gzip.compress(data)):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
            assert_same(read_graph("-"), expected)


def test_every_format_on_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for form in (form for form in FORMATS if form.writer):
        for suffix in ("", ".gz", ".bz2", ".xz", ".zst"):
            path = tmp_path / f"graph{form.suffixes[0]}{suffix}"
            write_graph(small_graph(weighted=True, isolated=True), path)
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
            assert read_graph("-", format=form.name) == read_graph(path), path.name


@for_each("weighted", [False, True])
def test_arrow_tables(weighted: bool, tmp_path: Path) -> None:
    columns = {"year": [1, 2, 3, 4], "src": SOURCE, "dst": pyarrow.array(TARGET).dictionary_encode()}
    columns |= {"weight": pyarrow.array(WEIGHT, pyarrow.float32())} if weighted else {}
    parquet.write_table(pyarrow.table(columns), tmp_path / "table.parquet", row_group_size=3)
    feather.write_feather(pyarrow.table(columns), tmp_path / "table.feather", chunksize=3)
    for path in tmp_path.iterdir():
        assert_same(read_graph(path), small_graph(weighted=weighted, isolated=False))


@for_each("form", ["csr", "csc", "coo"])
@for_each("weighted", [False, True])
def test_scipy(form: str, weighted: bool, tmp_path: Path) -> None:
    ends = np.array([0, 1, 0, 2]), np.array([1, 2, 2, 3])
    matrix = sparse.coo_array((WEIGHT if weighted else np.ones(4), ends), shape=(5, 5))
    path = tmp_path / "matrix.npz"
    sparse.save_npz(path, (matrix + matrix.T).asformat(form))
    numbered = small_graph(weighted=weighted, isolated=True, labels=False)
    assert_same(read_graph(path), Graph(numbered.indptr, numbered.indices, numbered.weights))
    # A matrix that is not symmetric is directed only if the caller says so.
    sparse.save_npz(path, matrix.asformat(form))
    assert read_graph(path).n_edges == 4
    assert read_graph(path, directed=True).n_arcs == 4


def test_directed_on_request(tmp_path: Path) -> None:
    for name, directed in (("weights.edgelist", True), ("directed.graphml", False)):
        text, weighted, isolated, *_ = TEXTS[name]
        (tmp_path / name).write_text(text)
        expected = small_graph(weighted=weighted, isolated=isolated, directed=directed)
        assert_same(read_graph(tmp_path / name, directed=directed), expected)


def test_mixed_directions_make_a_directed_graph(tmp_path: Path) -> None:
    path = tmp_path / "mixed.net"
    path.write_text("*Vertices 3\n*Arcs\n1 2\n*Edges\n2 3\n")
    graph = read_graph(path)
    assert graph.directed
    assert graph.n_arcs == 3
    assert graph.nodes.tolist() == [1, 2, 3]
