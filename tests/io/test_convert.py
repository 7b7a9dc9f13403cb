"""Every format to every other: what both can express survives, what is lost is reported."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np

from tests.cases import for_each
from tests.io.samples import small_graph
from vnestruct.graph import Graph, graph_from_ids, graph_from_pairs
from vnestruct.io import read_graph, write_graph
from vnestruct.io.registry import FORMATS

NAMES = [form.name for form in FORMATS if form.writer]
SUFFIX = {form.name: form.suffixes[0] for form in FORMATS if form.writer}

# What the formats cannot express.
NO_ISOLATED = {"edgelist", "csv", "tsv", "parquet", "feather"}
SILENT = {"edgelist", "csv", "tsv"}


def sayable(names: tuple[str, ...], *, weighted: bool, isolated: bool, directed: bool) -> Graph:
    """The small graph as far as all of these formats can say it."""
    return small_graph(weighted=weighted, isolated=isolated and not set(names) & NO_ISOLATED, directed=directed)


def read_as(path: Path, name: str, directed: bool) -> Graph:
    # Formats that do not say whether edges have a direction need to be told.
    return read_graph(path, directed=directed if name in SILENT else None)


@for_each("first", NAMES)
def test_all_pairs(first: str, tmp_path: Path) -> None:
    for weighted, isolated, directed in product([False, True], repeat=3):
        kind = {"weighted": weighted, "isolated": isolated, "directed": directed}
        graph = small_graph(**kind)
        once = tmp_path / f"once{SUFFIX[first]}"
        notes = write_graph(graph, once)
        middle = read_as(once, first, directed)
        assert middle == sayable((first,), **kind)
        for second in NAMES:
            twice = tmp_path / f"twice{SUFFIX[second]}"
            write_graph(middle, twice)
            assert read_as(twice, second, middle.directed) == sayable((first, second), **kind), (second, kind)
        assert bool(notes) == (middle != graph or (directed and first in SILENT)), notes
    assert not list(tmp_path.glob(".*")), "a partial file was left behind"


@for_each("compression", [".gz", ".bz2", ".xz", ".zst"])
def test_compressed(compression: str, tmp_path: Path) -> None:
    graph = small_graph(weighted=True, isolated=False)
    for name in NAMES:
        plain, packed = tmp_path / f"graph{SUFFIX[name]}", tmp_path / f"graph{SUFFIX[name]}{compression}"
        write_graph(graph, plain)
        write_graph(graph, packed)
        assert packed.read_bytes() != plain.read_bytes(), name
        assert read_graph(packed) == read_graph(plain), name


def test_the_same_graph_gives_the_same_bytes(tmp_path: Path) -> None:
    graph = small_graph(weighted=True, isolated=True)
    for suffix in (*SUFFIX.values(), ".txt.gz"):
        if suffix == ".npz":
            continue  # zip archives carry the time
        paths = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
        for path in paths:
            write_graph(graph, path)
        assert paths[0].read_bytes() == paths[1].read_bytes(), suffix


@for_each("name", sorted(set(NAMES) - {"vng", "npz"}))
def test_text_that_looks_like_integers_is_noted_and_kept_on_request(name: str, tmp_path: Path) -> None:
    graph = graph_from_pairs(["1", "2"], ["2", "3"])
    path = tmp_path / f"graph{SUFFIX[name]}"
    notes = write_graph(graph, path)
    if name in ("parquet", "feather"):
        assert read_graph(path) == graph
        return
    assert any(f"format='{name}+text'" in note for note in notes)
    assert read_graph(path).nodes.tolist() == [1, 2, 3]
    assert read_graph(path, format=f"{name}+text") == graph


@for_each("name", sorted(set(NAMES) - {"vng"}))
def test_labels_of_other_types_become_text_with_a_note(name: str, tmp_path: Path) -> None:
    graph = graph_from_pairs([(1, "a"), (1, "b")], [(1, "b"), 2.5])
    path = tmp_path / f"graph{SUFFIX[name]}"
    assert any("written as text" in note for note in write_graph(graph, path))
    assert read_graph(path).nodes.tolist() == ["(1, 'a')", "(1, 'b')", "2.5"]


def test_an_edge_that_looks_like_column_names_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "graph.txt"
    for columns in ((["source", "a"], ["target", "b"]), (["x", "1"], ["y", "2"])):
        graph = graph_from_pairs(*columns)
        write_graph(graph, path)
        assert read_graph(path) == graph


@for_each("name", NAMES)
def test_graphs_without_edges(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"graph{SUFFIX[name]}"
    for n_nodes in (0, 1, 3):
        graph = graph_from_ids(np.empty(0, int), np.empty(0, int), n_nodes=n_nodes, nodes=list(range(1, n_nodes + 1)))
        notes = write_graph(graph, path)
        if name in NO_ISOLATED:
            assert any("not read back" in note for note in notes)
            continue
        assert read_graph(path) == graph
