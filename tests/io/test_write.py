"""Writing: whole files or none, clear errors, standard output."""

from __future__ import annotations

import errno
import io
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cases import for_each
from tests.io.samples import small_graph
from vnestruct.errors import ParameterError, VNEstructError
from vnestruct.graph import Graph, graph_from_object, graph_from_pairs
from vnestruct.io import read_graph, write_graph

GRAPH = small_graph(weighted=True, isolated=False)


@for_each("suffix", [".txt", ".txt.gz", ".vng", ".graphml"])
def test_a_label_that_cannot_be_written_leaves_nothing(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"graph{suffix}"
    label = frozenset({1}) if suffix == ".vng" else "\x01\n"
    graph = graph_from_pairs(["a"], [label], bipartite=False)
    with pytest.raises(ParameterError, match="use "):
        write_graph(graph, path)
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_reported_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(VNEstructError, match="No space left on device") as caught:
        write_graph(GRAPH, tmp_path / "graph.vng")
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="is a folder"):
        write_graph(GRAPH, tmp_path, format="csv")
    with pytest.raises(ParameterError, match="create it first"):
        write_graph(GRAPH, tmp_path / "no" / "graph.csv")
    with pytest.raises(ParameterError, match=r"cannot tell the format.*`format`"):
        write_graph(GRAPH, tmp_path / "graph.what")
    with pytest.raises(ParameterError, match="unknown format 'what'"):
        write_graph(GRAPH, tmp_path / "graph.csv", format="what")


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


@for_each("suffix", [".txt", ".csv", ".tsv", ".parquet", ".feather", ".vng"])
def test_sides_are_read_back(suffix: str, tmp_path: Path) -> None:
    # In the structure, item 1 comes before users 2 and 3.
    graph = graph_from_pairs([0, 2, 3, 3], [1, 1, 1, 4])
    assert write_graph(graph, tmp_path / f"graph{suffix}") == []
    assert read_graph(tmp_path / f"graph{suffix}") == graph
    assert graph.sides is not None
    swapped = Graph(graph.indptr, graph.indices, sides=1 - graph.sides)
    assert write_graph(swapped, tmp_path / f"graph{suffix}") == []
    again = read_graph(tmp_path / f"graph{suffix}")
    assert again.sides is not None
    assert dict(zip(again.nodes.tolist(), again.sides.tolist(), strict=True)) == {0: 1, 1: 0, 2: 1, 3: 1, 4: 0}


@for_each("suffix", [".graphml", ".npz"])
def test_sides_that_a_format_cannot_express_are_noted(suffix: str, tmp_path: Path) -> None:
    graph = graph_from_pairs([0, 2, 3], [1, 1, 1])
    assert "sides are lost" in write_graph(graph, tmp_path / f"graph{suffix}")
    again = read_graph(tmp_path / f"graph{suffix}")
    assert again.sides is None
    assert np.array_equal(again.indices, graph.indices)


def test_sides_that_reading_would_find_or_miss_are_noted(tmp_path: Path) -> None:
    star = graph_from_pairs(["hub", "a"], ["a", "hub"])
    assert star.sides is None
    path = tmp_path / "graph.csv"
    assert write_graph(star, path) == [
        "the two columns share no label and are read as sides: read the file with `bipartite=False`"
    ]
    assert read_graph(path, source="source", target="target").sides is not None
    assert read_graph(path, source="source", target="target", bipartite=False) == star
    backwards = graph_from_object(graph_from_pairs(["a", "b"], ["x", "x"]), directed=True)
    assert "sides are lost: some edges lead from side 1 to side 0" in write_graph(backwards, path)
    assert read_graph(path, directed=True).sides is None
