"""The binary graph: everything is kept, mapped and checked."""

from __future__ import annotations

import os
import pickle
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import for_each
from tests.io.malformed.binary import body_of
from tests.io.samples import small_graph
from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.container import ALIGNMENT
from vnestruct.graph import Graph, graph_from_ids, graph_from_pairs, synthetic
from vnestruct.io import read_graph, read_vng, write_graph
from vnestruct.io.vng import write_vng_rows

DATA = Path(__file__).parent / "data"
FULL = small_graph(weighted=True, isolated=True, directed=True)
SIDED = graph_from_pairs(["a", "b", "b"], ["x", "x", "y"], [1.0, 2.0, 3.0], ("it\u00e9m", "\ud800"), directed=True)

VERSION_1 = {
    "text": FULL,
    "integers": graph_from_pairs([10, 20, 30, 30], [20, 30, 10, 30]),
    "tuples": graph_from_pairs([(1, "a"), 2.5], [2.5, ("b", (3,))], [1.0, 4.0]),
    "plain": graph_from_pairs([0, 1], [1, 2]),
}


def assert_same(graph: Graph, expected: Graph) -> None:
    assert graph == expected
    assert [*map(repr, graph.nodes)] == [*map(repr, expected.nodes)]
    assert (graph.report, graph.side_names) == (expected.report, expected.side_names)


@for_each("name", VERSION_1)
def test_files_of_version_1_can_be_read(name: str) -> None:
    assert_same(read_vng(DATA / f"version1_{name}.vng", verify=True), VERSION_1[name])


LABELS = st.recursive(
    st.one_of(st.integers(), st.text(max_size=5), st.floats(allow_nan=False), st.booleans()),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=4,
)


@given(st.lists(LABELS, min_size=2, max_size=8, unique=True), st.booleans(), st.booleans(), st.data())
@settings(max_examples=100, deadline=None)
def test_any_graph_comes_back(labels: list[object], weighted: bool, directed: bool, data: st.DataObject) -> None:
    n_nodes = len(labels)
    ends = st.lists(st.integers(0, n_nodes - 1), min_size=6, max_size=6)
    weight = [0.5, 1, 2, 3, 4, 5] if weighted else None
    graph = graph_from_ids(data.draw(ends), data.draw(ends), weight, n_nodes=n_nodes, nodes=labels, directed=directed)
    path = Path(os.environ.get("TMPDIR", "/tmp"), f"vnestruct-test-{os.getpid()}.vng")
    try:
        write_graph(graph, path)
        assert_same(read_vng(path, verify=True), graph)
    finally:
        path.unlink(missing_ok=True)


def test_a_mapped_graph_is_aligned_and_read_only_decodes_labels_late_pickles_and_outlives_its_file(
    tmp_path: Path,
) -> None:
    path = tmp_path / "graph.vng"
    for expected in (FULL, SIDED):
        assert write_graph(expected, path) == []
        graph = read_vng(path, verify=False)
        path.unlink()
        assert (graph.hash, graph.n_edges) == (expected.hash, expected.n_edges)
        assert "_labels" not in graph.__dict__
        for array in (graph.indptr, graph.indices, graph.weights, graph.directions, graph.sides):
            if array is not None:
                assert not array.flags.writeable
                assert not array.flags.owndata
                assert array.ctypes.data % ALIGNMENT == 0
        assert [graph.position(label) for label in expected.nodes] == list(range(expected.n_nodes))
        assert not graph.nodes.flags.writeable
        assert_same(pickle.loads(pickle.dumps(graph)), expected)
        assert_same(graph, expected)


def test_opening_does_not_read_the_arrays(tmp_path: Path) -> None:
    n_nodes = 3_000_000
    path = tmp_path / "graph.vng"
    ends = np.arange(n_nodes - 1)
    write_graph(graph_from_ids(ends, ends + 1, n_nodes=n_nodes), path)
    assert path.stat().st_size > 32 << 20
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        graph = read_graph(path)
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.02
    assert graph.n_edges == n_nodes - 1
    # A flipped bit in an unread array is found on request.
    data = bytearray(path.read_bytes())
    data[-200] ^= 1
    path.write_bytes(data)
    assert read_vng(path).n_nodes == n_nodes
    with pytest.raises(GraphFormatError, match="'indices'"):
        read_vng(path, verify=True)


def test_every_single_damaged_byte_and_every_truncation_is_found(tmp_path: Path) -> None:
    path = tmp_path / "graph.vng"
    write_graph(SIDED, path)
    good = path.read_bytes()
    for place in range(0, len(good), 3):
        data = bytearray(good)
        data[place] ^= 0x11
        path.write_bytes(data)
        try:
            assert read_vng(path) == SIDED, "only padding may change"
            assert good[place] == 0
        except GraphFormatError:
            pass
    for size in (0, 1, 8, 100, body_of(good) - 1, body_of(good), body_of(good) + 1, len(good) - 1):
        path.write_bytes(good[:size])
        for verify in (None, False, True):
            with pytest.raises(GraphFormatError):
                read_vng(path, verify=verify)


def test_options_of_reading(tmp_path: Path) -> None:
    path = tmp_path / "graph.vng"
    write_graph(FULL, path)
    assert read_graph(path, weight=False) == small_graph(weighted=False, isolated=True, directed=True)
    assert read_graph(path, directed=False) == small_graph(weighted=True, isolated=True)
    write_graph(small_graph(weighted=False, isolated=True), path)
    assert read_graph(path, directed=True).n_arcs == 8
    with pytest.raises(GraphFormatError, match="no weights"):
        read_graph(path, weight=True)


def test_rows_in_pieces_give_the_file_of_the_whole_graph(tmp_path: Path) -> None:
    for graph in (synthetic.barabasi_albert(200, 3, seed=2), synthetic.path(1), Graph([0], [])):
        for pieces in (1, 2, 7):
            write_vng_rows(tmp_path / "rows.vng", graph.indptr, np.array_split(graph.indices, pieces))
            again = read_vng(tmp_path / "rows.vng", verify=True)
            assert again == graph
            assert again.report.isolated_nodes == np.count_nonzero(graph.degrees == 0)
    with pytest.raises(ParameterError, match="indices has 1 entries, but indptr says 2"):
        write_vng_rows(tmp_path / "few.vng", np.array([0, 1, 2]), [np.array([1], np.int32)])
    assert not (tmp_path / "few.vng").exists()
