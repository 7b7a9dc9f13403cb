"""Collections by name: where they are searched for, checked downloads, messages without a network."""

from __future__ import annotations

import io
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest

from tests.datasets.test_tu import TINY, write
from vnestruct import GraphSet
from vnestruct.datasets import as_collection, catalogue, load, names, read_tu
from vnestruct.datasets.catalogue import cache_folder
from vnestruct.errors import NotAGraphError, ParameterError, VNEstructError


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the folders of the test, and no network."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("VNESTRUCT_DATA", raising=False)

    def offline(*_: Any, **__: Any) -> None:
        raise urllib.error.URLError("no network in tests")

    monkeypatch.setattr(urllib.request, "urlopen", offline)


def archive() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as file:
        for part, text in TINY.items():
            file.writestr(f"TINY/TINY_{part}.txt", text)
    return content.getvalue()


def respond_with(content: bytes, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    asked: list[str] = []

    def urlopen(address: str, timeout: float) -> io.BytesIO:
        asked.append(address)
        return io.BytesIO(content)

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    return asked


def test_folders_are_searched_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "TINY", TINY)
    (tmp_path / "environment" / "tu").mkdir(parents=True)
    (tmp_path / "environment" / "tu" / "TINY.zip").write_bytes(archive())
    monkeypatch.setenv("VNESTRUCT_DATA", str(tmp_path / "environment"))
    assert len(load("TINY")) == 3
    (tmp_path / "TINY" / "TINY_graph_labels.txt").write_text("1\n1\n1\n1\n")
    assert len(load("TINY", data_dir=tmp_path)) == 4
    assert len(load(tmp_path / "TINY")) == 4


def test_a_download_is_checked_and_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    expected = catalogue.content_checksum(read_tu(write(tmp_path / "TINY", TINY)))
    monkeypatch.setitem(catalogue.CHECKSUMS, "TINY", expected)
    asked = respond_with(archive(), monkeypatch)
    assert len(load("TINY")) == len(load("TINY")) == 3
    assert asked == ["https://www.chrsmrrs.com/graphkerneldatasets/TINY.zip"]
    assert (cache_folder() / "TINY.zip").is_file()
    for content in (archive(), b"<html>not found</html>"):
        respond_with(content, monkeypatch)
        with pytest.raises(VNEstructError, match=r"checksum|neither a folder nor a readable zip"):
            load("MUTAG")
        assert not (cache_folder() / "MUTAG.zip").exists()


def test_what_cannot_be_found_is_named_with_the_remedy(tmp_path: Path) -> None:
    for name, folder, error, words in (
        ("MUTAG", None, VNEstructError, r"MUTAG\.zip cannot be reached .*no network.*VNESTRUCT_DATA"),
        ("MUTAGG", None, ParameterError, "known are MUTAG"),
        (tmp_path / "nowhere", None, ParameterError, "no such file or folder"),
        ("MUTAG", tmp_path / "nowhere", ParameterError, "which is not a folder"),
    ):
        with pytest.raises(error, match=words):
            load(name, data_dir=folder)
    assert "PROTEINS" in names()


def test_checksums_ignore_names_of_classes() -> None:
    path, star = [(0, 1), (1, 2)], [(0, 1), (0, 2), (0, 3)]
    one, same, other, swapped = (
        catalogue.content_checksum(as_collection(graphs, labels=labels))
        for graphs, labels in (
            ([path, star], [1, -1]),
            ([path, star], "ab"),
            ([path, star], [1, 1]),
            ([star, path], "ab"),
        )
    )
    assert one == same
    assert len({one, other, swapped}) == 3


def test_collections_of_other_libraries() -> None:
    water = networkx.Graph([(0, 1), (0, 2)])
    networkx.set_node_attributes(water, {0: 8, 1: 1, 2: 1}, "label")
    assert as_collection([water]).node_types is not None
    assert as_collection([water, networkx.path_graph(3)]).node_types is None
    own: Any = as_collection(GraphSet.from_graphs([[(0, 1)]], labels=["x"], node_attributes=[np.ones((2, 3))]))
    assert own.node_attributes.shape == (2, 3)
    assert as_collection(own, ["y"]).labels is not None
    for thing, words in (("MUTAG", r"datasets\.load"), (7, "is not a collection")):
        with pytest.raises(NotAGraphError, match=words):
            as_collection(thing)


def test_features_and_labels_of_a_pytorch_geometric_data_set() -> None:
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    edges = torch.tensor([[0, 1], [1, 0]])
    members = [data.Data(x=torch.eye(2), edge_index=edges, y=torch.tensor([place])) for place in (3, 5)]
    graphs: Any = as_collection(members)
    assert graphs.labels.tolist() == [3, 5]
    assert graphs.node_attributes.tolist() == [[1, 0], [0, 1]] * 2
