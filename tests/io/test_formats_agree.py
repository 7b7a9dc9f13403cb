"""The same small graph in every format, as other programs write it, is the same arrays."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import numpy as np
import pytest

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


def expected_of(name: str) -> Graph:
    _, weighted, isolated, directed, labels = TEXTS[name]
    return small_graph(weighted=weighted, isolated=isolated, directed=directed, labels=labels)


@for_each("name", TEXTS)
def test_text_format(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(TEXTS[name][0], encoding="utf-8")
    assert_same(read_graph(path), expected_of(name))


def test_every_text_format_has_a_sample() -> None:
    sampled = {Path(name).suffix for name in TEXTS}
    # Groups hold bipartite graphs only, and have tests of their own.
    other = {"vng", "parquet", "feather", "npz", "groups"}
    for form in FORMATS:
        assert form.name in other or sampled & set(form.suffixes), form.name


def test_content_tells_the_format_where_the_name_does_not(tmp_path: Path) -> None:
    # Tables need their suffix: as edge lists they differ in what may be a comment only.
    path = tmp_path / "graph.unknown"
    for name in TEXTS:
        if not name.endswith((".graph", ".metis", ".adjlist")):
            path.write_text(TEXTS[name][0], encoding="utf-8")
            assert read_graph(path) == expected_of(name), name


def test_compression_is_seen_without_its_suffix(tmp_path: Path) -> None:
    path = tmp_path / "blanks.txt"
    path.write_bytes(gzip.compress(TEXTS["blanks.txt"][0].encode()))
    assert_same(read_graph(path), expected_of("blanks.txt"))
    plain = tmp_path / "plain.csv.gz"
    plain.write_text(TEXTS["plain.csv"][0])
    assert_same(read_graph(plain), expected_of("plain.csv"))


def test_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text(TEXTS["plain.csv"][0], encoding="utf-8-sig")
    assert_same(read_graph(path), expected_of("plain.csv"))


@for_each("name", ["weights.edgelist", "graph.gexf", "nodes.json", "matrix.mtx"])
@for_each("compress", [bytes, gzip.compress])
def test_standard_input(name: str, compress: object, monkeypatch: pytest.MonkeyPatch) -> None:
    data = compress(TEXTS[name][0].encode())  # type: ignore[operator]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert_same(read_graph("-"), expected_of(name))


def test_every_format_on_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for form in (form for form in FORMATS if form.writer):
        for suffix in ("", ".gz", ".bz2", ".xz", ".zst"):
            path = tmp_path / f"graph{form.suffixes[0]}{suffix}"
            write_graph(small_graph(weighted=True, isolated=True), path)
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
            assert read_graph("-", format=form.name) == read_graph(path), path.name


@for_each("weighted", [False, True])
@for_each("suffix", [".parquet", ".feather"])
def test_arrow_tables(suffix: str, weighted: bool, tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    feather = pytest.importorskip("pyarrow.feather")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns: dict[str, object] = {
        "year": [1, 2, 3, 4],
        "src": SOURCE,
        "dst": pyarrow.array(TARGET).dictionary_encode(),
    }
    if weighted:
        columns["weight"] = pyarrow.array(WEIGHT, type=pyarrow.float32())
    path = tmp_path / f"table{suffix}"
    if suffix == ".parquet":
        parquet.write_table(pyarrow.table(columns), path, row_group_size=3)
    else:
        feather.write_feather(pyarrow.table(columns), path, chunksize=3)
    assert_same(read_graph(path), small_graph(weighted=weighted, isolated=False))


@for_each("form", ["csr", "csc", "coo"])
@for_each("weighted", [False, True])
def test_scipy(form: str, weighted: bool, tmp_path: Path) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    rows, columns = np.array([0, 1, 0, 2]), np.array([1, 2, 2, 3])
    matrix = sparse.coo_array((WEIGHT if weighted else np.ones(4), (rows, columns)), shape=(5, 5))
    path = tmp_path / "matrix.npz"
    sparse.save_npz(path, (matrix + matrix.T).asformat(form))
    graph = read_graph(path)
    expected = small_graph(weighted=weighted, isolated=True, labels=False)
    assert graph.nodes.tolist() == list(range(5))
    np.testing.assert_array_equal(graph.indices, expected.indices)
    np.testing.assert_array_equal(graph.indptr, expected.indptr)
    if weighted:
        np.testing.assert_array_equal(graph.weights, expected.weights)
    else:
        assert graph.weights is None
    # A matrix that is not symmetric is directed only if the caller says so.
    sparse.save_npz(path, matrix.asformat(form))
    assert read_graph(path).n_edges == 4
    assert read_graph(path, directed=True).n_arcs == 4


def test_directed_on_request(tmp_path: Path) -> None:
    path = tmp_path / "weights.edgelist"
    path.write_text(TEXTS["weights.edgelist"][0])
    assert_same(read_graph(path, directed=True), small_graph(weighted=True, isolated=False, directed=True))
    path = tmp_path / "directed.graphml"
    path.write_text(TEXTS["directed.graphml"][0])
    assert_same(read_graph(path, directed=False), small_graph(weighted=False, isolated=True))


def test_mixed_directions_make_a_directed_graph(tmp_path: Path) -> None:
    path = tmp_path / "mixed.net"
    path.write_text("*Vertices 3\n*Arcs\n1 2\n*Edges\n2 3\n")
    graph = read_graph(path)
    assert graph.directed
    assert graph.n_arcs == 3
    assert graph.nodes.tolist() == [1, 2, 3]
