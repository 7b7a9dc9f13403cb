"""Writing every format: what two formats both express survives, what is lost is reported, files appear whole or not."""

from __future__ import annotations

import errno
import io
import os
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.cases import for_each
from tests.io.samples import small_graph
from vnestruct.errors import ParameterError, VNEstructError
from vnestruct.graph import Graph, graph_from_ids, graph_from_object, graph_from_pairs
from vnestruct.io import read_graph, write_graph
from vnestruct.io.registry import FORMATS

SUFFIX = {form.name: form.suffixes[0] for form in FORMATS if form.writer}
SILENT = {"edgelist", "csv", "tsv"}  # these do not say whether edges have a direction
NO_ISOLATED = SILENT | {"parquet", "feather"}
GRAPH = small_graph(weighted=True, isolated=False)


@for_each("first", SUFFIX)
def test_all_pairs(first: str, tmp_path: Path) -> None:
    for weighted, isolated, directed in product([False, True], repeat=3):
        graph = small_graph(weighted=weighted, isolated=isolated, directed=directed)
        once = tmp_path / f"once{SUFFIX[first]}"
        notes = write_graph(graph, once)
        middle = read_graph(once, directed=directed if first in SILENT else None)
        for second in (first, *SUFFIX):
            left = isolated and not {first, second} & NO_ISOLATED
            twice = tmp_path / f"twice{SUFFIX[second]}"
            write_graph(middle, twice)
            again = read_graph(twice, directed=directed if second in SILENT else None)
            assert again == small_graph(weighted=weighted, isolated=left, directed=directed), second
        assert bool(notes) == (middle != graph or (directed and first in SILENT)), notes
    assert not list(tmp_path.glob(".*")), "a partial file was left behind"


@for_each("name", SUFFIX)
def test_the_same_graph_gives_the_same_bytes_also_compressed(name: str, tmp_path: Path) -> None:
    for compression in ("", ".gz", ".bz2", ".xz", ".zst"):
        paths = [tmp_path / f"{number}{SUFFIX[name]}{compression}" for number in range(2)]
        for path in paths:
            write_graph(GRAPH, path)
        plain = (tmp_path / f"0{SUFFIX[name]}").read_bytes()
        assert (paths[0].read_bytes() == plain) == (compression == "")
        assert read_graph(paths[0]) == read_graph(tmp_path / f"0{SUFFIX[name]}")
        # Zip archives carry the time.
        assert name == "npz" or paths[0].read_bytes() == paths[1].read_bytes()


@for_each("name", sorted(set(SUFFIX) - {"vng"}))
def test_labels_that_are_read_as_other_labels_are_noted(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"graph{SUFFIX[name]}"
    graph = graph_from_pairs(["1", "2"], ["2", "3"])
    notes = write_graph(graph, path)
    if name in ("parquet", "feather", "npz"):
        assert read_graph(path) == graph
    else:
        assert any(f"format='{name}+text'" in note for note in notes)
        assert read_graph(path).nodes.tolist() == [1, 2, 3]
        assert read_graph(path, format=f"{name}+text") == graph
    graph = graph_from_pairs([(1, "a"), (1, "b")], [(1, "b"), 2.5])
    assert any("written as text" in note for note in write_graph(graph, path))
    assert read_graph(path).nodes.tolist() == ["(1, 'a')", "(1, 'b')", "2.5"]


def test_an_edge_that_looks_like_column_names_is_not_lost(tmp_path: Path) -> None:
    for columns in ((["source", "a"], ["target", "b"]), (["x", "1"], ["y", "2"])):
        graph = graph_from_pairs(*columns)
        write_graph(graph, tmp_path / "graph.txt")
        assert read_graph(tmp_path / "graph.txt") == graph


@for_each("name", SUFFIX)
@for_each("n_nodes", [0, 1, 3])
def test_graphs_without_edges(name: str, n_nodes: int, tmp_path: Path) -> None:
    path = tmp_path / f"graph{SUFFIX[name]}"
    graph = graph_from_ids([], [], n_nodes=n_nodes, nodes=list(range(1, n_nodes + 1)))
    notes = write_graph(graph, path)
    assert any("not read back" in note for note in notes) if name in NO_ISOLATED else read_graph(path) == graph


UNFIT = graph_from_pairs(["a"], ["\x01\n"], bipartite=False)


@for_each(
    ("graph", "name", "options", "named"),
    [
        *((UNFIT, name, {}, "use ") for name in ("g.txt", "g.txt.gz", "g.graphml")),
        (graph_from_pairs(["a"], [frozenset({1})]), "g.vng", {}, "frozenset"),
        (GRAPH, "", {"format": "csv"}, "is a folder"),
        (GRAPH, "no/g.csv", {}, "create it first"),
        (GRAPH, "g.what", {}, "`format`"),
        (GRAPH, "g.csv", {"format": "what"}, "'what'"),
        (GRAPH, "g.txt", {"format": "groups"}, "'groups' .* vng, parquet"),
    ],
)
def test_what_cannot_be_written_leaves_nothing(
    graph: Graph, name: str, options: dict[str, Any], named: str, tmp_path: Path
) -> None:
    with pytest.raises(ParameterError, match=named):
        write_graph(graph, tmp_path / name, **options)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_reported_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(VNEstructError, match="No space left on device") as caught:
        write_graph(GRAPH, tmp_path / "graph.vng")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    caught = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(caught))
    write_graph(GRAPH, "-", format="csv")
    assert caught.getvalue().decode().splitlines()[:2] == ["source,target,weight", "ann,bob,1.5"]
    with pytest.raises(ParameterError, match="`format`"):
        write_graph(GRAPH, "-")


def test_the_format_given_wins_over_the_suffix(tmp_path: Path) -> None:
    path = tmp_path / "graph.txt"
    write_graph(GRAPH, path, format="vng")
    assert path.read_bytes().startswith(b"\x89VNE")
    assert read_graph(path, format="vng") == GRAPH


@for_each("name", SUFFIX)
def test_sides_are_read_back_or_noted(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"graph{SUFFIX[name]}"
    # In the structure, item 1 comes before users 2 and 3.
    graph = graph_from_pairs([0, 2, 3, 3], [1, 1, 1, 4])
    assert graph.sides is not None
    for sides in (graph.sides, 1 - graph.sides):
        notes = write_graph(Graph(graph.indptr, graph.indices, sides=sides), path)
        again = read_graph(path)
        assert again.n_edges == graph.n_edges
        if name in ("graphml", "npz"):
            assert (notes, again.sides) == (["sides are lost"], None)
        else:
            assert notes == []
            assert again.sides is not None
            assert dict(zip(again.nodes.tolist(), again.sides, strict=True)) == dict(enumerate(sides))


def test_sides_that_reading_would_find_or_miss_are_noted(tmp_path: Path) -> None:
    path, ends = tmp_path / "graph.csv", {"source": "source", "target": "target"}
    star = graph_from_pairs(["hub", "a"], ["a", "hub"])
    [note] = write_graph(star, path)
    assert "`bipartite=False`" in note
    assert read_graph(path, **ends).sides is not None
    assert read_graph(path, **ends, bipartite=False) == star
    backwards = graph_from_object(graph_from_pairs(["a", "b"], ["x", "x"]), directed=True)
    assert "sides are lost: some edges lead from side 1 to side 0" in write_graph(backwards, path)
    assert read_graph(path, directed=True).sides is None
