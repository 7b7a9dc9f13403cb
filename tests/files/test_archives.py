"""Archives and arrays that declare more than they are: refused before memory is taken."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from tests.cases import for_each
from vnestruct import GraphFormatError, read_graph
from vnestruct.datasets import read_tu
from vnestruct.errors import CheckpointMismatchError
from vnestruct.files import archives
from vnestruct.files.archives import ObjectArrayError, open_archive, read_array
from vnestruct.files.model_file import load_model
from vnestruct.io import source
from vnestruct.store import Checkpoint, read_embedding


def npy(array: np.ndarray, **changes: object) -> bytes:
    """An array as a file, with another shape or type in its header."""
    header = np.lib.format.header_data_from_array_1_0(array) | changes
    content = io.BytesIO()
    np.lib.format.write_array_header_1_0(content, header)
    return content.getvalue() + array.tobytes()


def bomb(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


@for_each("order", ["C", "F"])
@for_each("dtype", ["<f8", ">i4", "<U3", "|S2", "|b1"])
@for_each("shape", [(), (0,), (3,), (2, 3), (0, 4)])
def test_arrays_come_back(shape: tuple[int, ...], dtype: str, order: str) -> None:
    array = np.asarray(np.arange(int(np.prod(shape))).reshape(shape).astype(dtype), order=order)
    content = io.BytesIO()
    np.save(content, array)
    found = read_array(io.BytesIO(content.getvalue()), len(content.getvalue()))
    assert found.dtype == array.dtype
    assert found.flags.writeable
    np.testing.assert_array_equal(found, array)


@for_each(
    "content",
    [
        npy(np.arange(3.0), shape=(10**12,)),
        npy(np.arange(3.0), shape=(10**6, 10**6, 10**6)),
        npy(np.arange(3.0), shape=(-1,)),
        npy(np.arange(3.0), shape=(4,)),
        npy(np.arange(3.0))[:-1],
        npy(np.arange(3.0), descr="<U1000000000"),
        npy(np.arange(3.0), descr=[("a", "<f8", (10**9,))]),
        b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65535,
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff",
        b"\x93NUMPY\x09\x00",
        b"",
    ],
)
def test_arrays_that_are_not_what_they_declare(content: bytes) -> None:
    with pytest.raises(ValueError):
        read_array(io.BytesIO(content), len(content))


def test_objects_are_refused() -> None:
    content = io.BytesIO()
    np.save(content, np.array([{}], dtype=object), allow_pickle=True)
    content.seek(0)
    with pytest.raises(ObjectArrayError):
        read_array(content, 10**6)


def test_an_archive_that_expands_too_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bomb(tmp_path / "zeros.zip", {"zeros": bytes(1 << 20)})
    size = path.stat().st_size
    assert size * archives.MAX_RATIO < 1 << 20
    with open_archive(path) as archive:
        assert len(archive.read("zeros")) == 1 << 20
    monkeypatch.setattr(archives, "FREE_BYTES", (1 << 20) - 1)
    with pytest.raises(zipfile.BadZipFile, match=r"1 members of 1,048,576 bytes in an archive of"), open_archive(path):
        pass
    honest = bomb(tmp_path / "noise.zip", {"noise": np.random.default_rng(1).bytes(1 << 21)})
    with open_archive(honest) as archive:
        assert archive.namelist() == ["noise"]


def test_an_archive_of_too_many_members(tmp_path: Path) -> None:
    path = bomb(tmp_path / "many.zip", {str(number): b"" for number in range(archives.MAX_MEMBERS + 1)})
    with pytest.raises(zipfile.BadZipFile, match="10001 members"), open_archive(path):
        pass


def test_every_reader_of_archives_has_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "FREE_BYTES", 100_000)
    zeros = bytes(200_000)
    names = ("nodes", "values", "columns", "metadata", "format", "shape", "data", "indices", "indptr")
    arrays = bomb(tmp_path / "arrays.npz", {f"{name}.npy": zeros for name in names})
    model = bomb(tmp_path / "model", {"roles.json": b"{}", "x.npy": zeros})
    collection = bomb(tmp_path / "collection.zip", {"T_A.txt": zeros, "T_graph_indicator.txt": b"1\n"})
    for read in (
        lambda: read_embedding(arrays),
        lambda: read_graph(arrays),
        lambda: load_model(model, "roles", 1),
        lambda: read_tu(collection),
    ):
        with pytest.raises(GraphFormatError, match=r"members of [\d,]+ bytes in an archive of"):
            read()


def test_a_compressed_graph_that_expands_too_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip

    path = tmp_path / "graph.txt.gz"
    path.write_bytes(gzip.compress(b"1 2\n" * 200_000))
    assert read_graph(path).n_edges == 1
    monkeypatch.setattr(source, "MAX_EXPANDED_BYTES", 100_000)
    with pytest.raises(GraphFormatError, match=r"bytes of gzip data expand to more than .* unpack the file"):
        read_graph(path)


def test_deep_nesting_is_no_crash(tmp_path: Path) -> None:
    deep = "[" * 200_000
    model = bomb(tmp_path / "model", {"roles.json": deep.encode()})
    with pytest.raises(GraphFormatError, match="not a readable roles file"):
        load_model(model, "roles", 1)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "manifest.json").write_text(deep)
    with pytest.raises(CheckpointMismatchError, match="is not the manifest of a checkpoint"):
        Checkpoint.open(tmp_path / "run", {}, 1)
    (tmp_path / "graph.json").write_text('{"nodes": ' + deep)
    with pytest.raises(GraphFormatError):
        read_graph(tmp_path / "graph.json")
    header = json.dumps({"__metadata__": {"vnestruct": deep}}).encode()
    (tmp_path / "old").write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(GraphFormatError, match="not a readable classifier file"):
        load_model(tmp_path / "old", "classifier", 1)


MEASURED = """
import resource, sys
from vnestruct import GraphFormatError
from vnestruct.store import read_embedding
import pyarrow.parquet
import numpy
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read_embedding(sys.argv[1])
except GraphFormatError:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@for_each("name", ["rows.npy", "rows.npz"])
def test_refusing_takes_no_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "rows.npy":
        path.write_bytes(npy(np.arange(3.0), shape=(10**9, 2)))
    else:
        one = npy(np.zeros(3))
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for part in ("nodes", "columns", "metadata"):
                archive.writestr(f"{part}.npy", one)
            with archive.open("values.npy", "w") as member:
                for _ in range(400):
                    member.write(bytes(1 << 20))
    done = subprocess.run([sys.executable, "-c", MEASURED, path], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 50_000, "kilobytes"
