"""The TU Dortmund layout: a tiny folder, real collections, errors."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import pytest

from vnestruct.datasets import load, read_tu
from vnestruct.datasets.catalogue import CHECKSUMS, content_checksum
from vnestruct.errors import GraphFormatError

# A triangle with a tail, an edge, and a single node; the first has repeated arcs and a self-loop.
TINY = {
    "A": "1, 2\n2, 1\n2, 3\n3, 2\n1, 3\n3, 1\n3, 4\n4, 3\n1, 2\n2, 1\n4, 4\n5, 6\n6, 5\n",
    "graph_indicator": "1\n1\n1\n1\n2\n2\n3\n",
    "graph_labels": "1\n-1\n1\n",
    "node_labels": "0\n0\n3\n9\n0\n3\n3\n",
    "node_attributes": "0.5, 1\n1.5, 2\n2.5, 3\n3.5, 4\n4.5, 5\n5.5, 6\n6.5, -7e-1\n",
}


def write(folder: Path, parts: dict[str, str], name: str = "TINY") -> Path:
    folder.mkdir(exist_ok=True)
    for part, text in parts.items():
        (folder / f"{name}_{part}.txt").write_text(text)
    return folder


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return write(tmp_path / "TINY", TINY)


def test_every_file_is_read(tiny: Path) -> None:
    graphs: Any = read_tu(tiny)
    assert (graphs.name, graphs.offsets.tolist(), graphs.labels.tolist()) == ("TINY", [0, 4, 6, 7], [1, -1, 1])
    assert [graph.n_edges for graph in graphs] == [4, 1, 0]
    assert graphs[0].degrees.tolist() == [2, 2, 3, 1]
    assert graphs.node_types.ravel().tolist() == [0, 0, 3, 9, 0, 3, 3]
    assert graphs.node_attributes[6].tolist() == [6.5, -0.7]


def test_a_zip_is_the_same_as_its_folder(tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "tiny.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in tiny.iterdir():
            # Some archives in circulation have two slashes.
            archive.write(file, f"TINY//{file.name}")
    assert content_checksum(read_tu(path)) == content_checksum(read_tu(tiny))


def test_optional_files_may_be_missing_and_graphs_without_nodes_keep_their_place(tmp_path: Path) -> None:
    parts = {"A": "1, 2\n", "graph_indicator": "2\n2\n"}
    graphs = read_tu(write(tmp_path / "BARE", parts, "BARE"))
    assert (graphs.labels, graphs.node_types, graphs.node_attributes) == (None, None, None)
    graphs = read_tu(write(tmp_path / "GAPS", {**parts, "graph_labels": "0\n1\n0\n"}, "GAPS"))
    assert graphs.offsets.tolist() == [0, 0, 2, 2]


def test_errors_name_file_and_line(tiny: Path) -> None:
    for part, text, message, line in (
        ("A", "1, 2\n2, x\n", "2, x", 2),
        ("A", "1, 2\n2\n3, 1, 1\n", "2 integers", 2),
        ("A", "1, 2\n2, 8\n", "counted from 1 to 7", 2),
        ("A", "1, 2\n4, 5\n", "from graph 1 to graph 2", 2),
        ("graph_indicator", "1\n2\n1\n2\n2\n2\n3\n", "in the order of their graphs", 3),
        ("graph_indicator", "0\n1\n1\n1\n2\n2\n3\n", "counted from 1", 1),
        ("graph_labels", "1\n-1\n", "mentions graph 3", None),
        ("node_labels", "1\n-1\n", "2 lines for 7 nodes", None),
        ("node_attributes", "1, 2\n" * 6 + "1, nan\n", "1, nan", 7),
    ):
        (tiny / f"TINY_{part}.txt").write_text(text)
        with pytest.raises(GraphFormatError, match=message) as caught:
            read_tu(tiny)
        assert caught.value.line == line, message
        assert f"TINY_{part}.txt" in str(caught.value), message
        (tiny / f"TINY_{part}.txt").write_text(TINY[part])


def test_missing_and_foreign_files_are_refused(tiny: Path, tmp_path: Path) -> None:
    (tiny / "TINY_graph_indicator.txt").unlink()
    with pytest.raises(GraphFormatError, match=r"no TINY_graph_indicator\.txt"):
        read_tu(tiny)
    write(tiny, {"A": "1, 2\n"}, "OTHER")
    with pytest.raises(GraphFormatError, match="2 of them: OTHER, TINY"):
        read_tu(tiny)
    (tmp_path / "not.zip").write_bytes(b"PK\x03\x04 cut short")
    with pytest.raises(GraphFormatError, match="neither a folder nor a readable zip"):
        read_tu(tmp_path / "not.zip")
    with pytest.raises(GraphFormatError, match="no such file or folder"):
        read_tu(tmp_path / "nowhere")


@pytest.mark.parametrize("name", CHECKSUMS)
def test_real_collections(name: str, data_folder: Path) -> None:
    path = data_folder / "tu" / f"{name}.zip"
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    assert content_checksum(load(name, data_dir=data_folder)) == CHECKSUMS[name]
