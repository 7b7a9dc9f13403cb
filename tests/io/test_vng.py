"""The binary graph: everything is kept, mapped, checked, and old files are read for ever."""

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
from tests.io.samples import small_graph
from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph import Graph, graph_from_ids, graph_from_pairs, synthetic
from vnestruct.io import read_graph, read_vng, write_graph
from vnestruct.io.vng import ALIGNMENT, HEADER_BYTES, read_header, write_vng_rows

DATA = Path(__file__).parent / "data"

VERSION_1 = {
    "text": (
        graph_from_pairs(
            ["ann", "bob", "ann", "zoë"],
            ["bob", "zoë", "zoë", "ann"],
            [1.5, 2.0, 0.25, 3.0],
            nodes=["ann", "bob", "zoë", "lone"],
            directed=True,
        ),
        "fe067fa6ce461d05e4e0911f2104ef64",
    ),
    "integers": (graph_from_pairs([10, 20, 30, 30], [20, 30, 10, 30]), "018185ac1c4e29cb28523eb147c9a80e"),
    "tuples": (graph_from_pairs([(1, "a"), 2.5], [2.5, ("b", (3,))], [1.0, 4.0]), "88d44c18cc04f2ebe4105eab7eb18501"),
    "plain": (graph_from_pairs([0, 1], [1, 2]), "94b9d5d18d75d64db1766cf57c186eea"),
}


@pytest.mark.parametrize("name", VERSION_1)
def test_files_of_version_1_can_still_be_read(name: str) -> None:
    expected, digest = VERSION_1[name]
    graph = read_vng(DATA / f"version1_{name}.vng", verify=True)
    assert graph.hash == digest
    assert graph.nodes.tolist() == expected.nodes.tolist()
    np.testing.assert_array_equal(graph.indptr, expected.indptr)
    np.testing.assert_array_equal(graph.indices, expected.indices)
    for ours, theirs in ((graph.weights, expected.weights), (graph.directions, expected.directions)):
        assert (ours is None) == (theirs is None)
        if ours is not None:
            np.testing.assert_array_equal(ours, theirs)
    assert graph.report == expected.report


@for_each("name", VERSION_1)
def test_version_1_is_still_what_is_written(name: str, tmp_path: Path) -> None:
    path = tmp_path / "graph.vng"
    assert write_graph(VERSION_1[name][0], path) == []
    assert path.read_bytes() == (DATA / f"version1_{name}.vng").read_bytes()


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
        again = read_vng(path, verify=True)
        assert again == graph
        assert [*map(repr, again.nodes)] == [*map(repr, graph.nodes)]
        assert again.report == graph.report
    finally:
        path.unlink(missing_ok=True)


def test_arrays_are_mapped_aligned_and_read_only(tmp_path: Path) -> None:
    path = tmp_path / "graph.vng"
    write_graph(small_graph(weighted=True, isolated=True, directed=True), path)
    header, first_byte = read_header(path.read_bytes())
    assert all((first_byte + offset) % ALIGNMENT == 0 for _, offset, _, _ in header["arrays"].values())
    assert first_byte + header["bytes"] == path.stat().st_size
    graph = read_vng(path)
    assert graph.weights is not None
    assert graph.directions is not None
    for array in (graph.indptr, graph.indices, graph.weights, graph.directions, graph.nodes):
        assert not array.flags.writeable
        assert array.flags.aligned
    for array in (graph.indptr, graph.indices, graph.weights, graph.directions):
        assert not array.flags.owndata


def test_labels_are_decoded_only_when_used(tmp_path: Path) -> None:
    path = tmp_path / "graph.vng"
    graph = small_graph(weighted=False, isolated=True)
    write_graph(graph, path)
    mapped = read_vng(path, verify=False)
    assert "_labels" not in mapped.__dict__
    assert mapped.hash == graph.hash
    assert mapped.n_edges == graph.n_edges
    assert "_labels" not in mapped.__dict__
    assert mapped.position("zoë") == graph.position("zoë")
    assert mapped == graph


def test_a_mapped_graph_pickles_and_outlives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "graph.vng"
    graph = small_graph(weighted=True, isolated=True)
    write_graph(graph, path)
    mapped = read_vng(path, verify=False)
    path.unlink()
    again = pickle.loads(pickle.dumps(mapped))
    assert again == graph == mapped
    assert again.nodes.tolist() == graph.nodes.tolist()


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
    data[HEADER_BYTES + 8 * (n_nodes + 1) + 200] ^= 1
    path.write_bytes(data)
    assert read_vng(path).n_nodes == n_nodes
    with pytest.raises(GraphFormatError, match="'indices' is damaged"):
        read_vng(path, verify=True)


def test_every_single_damaged_byte_is_found(tmp_path: Path) -> None:
    path = tmp_path / "graph.vng"
    write_graph(small_graph(weighted=True, isolated=True, directed=True), path)
    good = path.read_bytes()
    padding = set(range(len(good)))
    header, first_byte = read_header(good)
    for kind, offset, length, _ in header["arrays"].values():
        padding -= set(range(first_byte + offset, first_byte + offset + length * np.dtype(kind).itemsize))
    padding -= set(range(first_byte))
    for place in range(0, len(good), 3):
        if place in padding:
            continue
        data = bytearray(good)
        data[place] ^= 0x11
        path.write_bytes(data)
        with pytest.raises(GraphFormatError):
            read_vng(path)


@for_each("size", [0, 1, 8, 100, HEADER_BYTES - 1, HEADER_BYTES, HEADER_BYTES + 1, -1])
def test_every_truncation_is_found(size: int, tmp_path: Path) -> None:
    path = tmp_path / "graph.vng"
    write_graph(small_graph(weighted=True, isolated=True), path)
    path.write_bytes(path.read_bytes()[:size])
    for verify in (None, False, True):
        with pytest.raises(GraphFormatError):
            read_vng(path, verify=verify)


def test_options_of_reading(tmp_path: Path) -> None:
    path = tmp_path / "graph.vng"
    graph = small_graph(weighted=True, isolated=True, directed=True)
    write_graph(graph, path)
    assert read_graph(path, weight=False).weights is None
    assert read_graph(path, weight=False) == small_graph(weighted=False, isolated=True, directed=True)
    assert read_graph(path, directed=False) == small_graph(weighted=True, isolated=True)
    write_graph(small_graph(weighted=False, isolated=True), path)
    assert read_graph(path, directed=True).n_arcs == 8
    with pytest.raises(GraphFormatError, match="no weights"):
        read_graph(path, weight=True)


def test_labels_that_cannot_be_stored(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"frozenset.*use numbers, texts or tuples"):
        write_graph(graph_from_pairs([frozenset({1})], ["a"]), tmp_path / "graph.vng")


def test_the_empty_graph(tmp_path: Path) -> None:
    path = tmp_path / "graph.vng"
    graph = Graph([0], [])
    write_graph(graph, path)
    assert read_vng(path, verify=True) == graph


def test_rows_in_pieces_give_the_file_of_the_whole_graph(tmp_path: Path) -> None:
    for graph in (synthetic.barabasi_albert(200, 3, seed=2), synthetic.path(1)):
        for pieces in (1, 2, 7):
            write_graph(graph, tmp_path / "whole.vng")
            write_vng_rows(tmp_path / "rows.vng", graph.indptr, np.array_split(graph.indices, pieces))
            again = read_vng(tmp_path / "rows.vng", verify=True)
            assert again == graph, pieces
            assert again.report.isolated_nodes == np.count_nonzero(graph.degrees == 0)
            if graph.has_plain_labels and graph.report.edges_read == graph.n_edges:
                assert (tmp_path / "rows.vng").read_bytes() == (tmp_path / "whole.vng").read_bytes()


def test_too_few_rows(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="indices has 1 entries, but indptr says 2"):
        write_vng_rows(tmp_path / "rows.vng", np.array([0, 1, 2]), [np.array([1], np.int32)])
    assert not list(tmp_path.iterdir())


@for_each("names", [None, ("user", "item"), ("it\u00e9m", "\ud800")])
def test_sides_come_back(names: tuple[str, str] | None, tmp_path: Path) -> None:
    edges = graph_from_pairs(["a", "b", "b"], ["x", "x", "y"], [1.0, 2.0, 3.0], names, directed=True)
    assert write_graph(edges, tmp_path / "sides.vng") == []
    for verify in (False, True):
        graph = read_vng(tmp_path / "sides.vng", verify=verify)
        assert graph == edges
        assert graph.sides is not None
        assert graph.sides.tolist() == [0, 1, 0, 1]
        assert not graph.sides.flags.writeable
        assert graph.side_names == names
    assert read_graph(tmp_path / "sides.vng", bipartite=False) == graph_from_pairs(
        ["a", "b", "b"], ["x", "x", "y"], [1.0, 2.0, 3.0], directed=True, bipartite=False
    )


def test_wrong_sides_in_a_file_are_found(tmp_path: Path) -> None:
    path = tmp_path / "sides.vng"
    write_graph(graph_from_pairs(["a", "b"], ["x", "x"], column_names=("user", "item")), path)
    data = bytearray(path.read_bytes())
    header, first_byte = read_header(bytes(data))
    data[first_byte + header["arrays"]["sides"][1]] ^= 1
    path.write_bytes(data)
    with pytest.raises(GraphFormatError, match="'sides' is damaged"):
        read_vng(path, verify=True)
