"""Archives and arrays that declare more than they are: refused before memory is taken."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from tests.cases import for_each
from vnestruct import GraphFormatError, read_graph
from vnestruct.datasets import read_tu
from vnestruct.files import compression
from vnestruct.files.compression import open_archive, open_compressed, read_arrays
from vnestruct.store import read_embedding


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


def objects() -> bytes:
    content = io.BytesIO()
    np.save(content, np.array([{}], dtype=object), allow_pickle=True)
    return content.getvalue()


@for_each(
    "content",
    [
        npy(np.arange(3.0), shape=(10**12,)),
        npy(np.arange(3.0), shape=(-1,)),
        npy(np.arange(3.0))[:-1],
        npy(np.arange(3.0), descr="<U1000000000"),
        npy(np.arange(3.0), descr=[("a", "<f8", (10**9,))]),
        b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65535,
        b"PK\x03\x04 cut short",
        objects(),
        b"",
    ],
)
def test_arrays_that_are_not_what_they_declare(content: bytes, tmp_path: Path) -> None:
    for packed in (False, True):
        whole = bomb(tmp_path / "packed", {"x.npy": content}).read_bytes() if packed else content
        with pytest.raises(ValueError):
            read_arrays(io.BytesIO(whole))


def test_archives_that_expand_too_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zeros = bomb(tmp_path / "zeros.zip", {"zeros": bytes(1 << 20)})
    many = bomb(tmp_path / "many.zip", {str(number): b"" for number in range(compression.MAX_MEMBERS + 1)})
    honest = bomb(tmp_path / "noise.zip", {"noise": np.random.default_rng(1).bytes(1 << 21)})
    for free, path, refused in ((1 << 20, zeros, False), (0, honest, False), (0, zeros, True), (0, many, True)):
        monkeypatch.setattr(compression, "FREE_BYTES", free)
        wanted = pytest.raises(zipfile.BadZipFile, match="members of") if refused else nullcontext()
        with path.open("rb") as file, wanted, open_archive(file) as archive:
            assert sum(len(archive.read(name)) for name in archive.namelist()) >= 1 << 20


def test_every_reader_of_archives_has_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "FREE_BYTES", 100_000)
    zeros = bytes(200_000)
    names = ("nodes", "values", "columns", "metadata", "format", "shape", "data", "indices", "indptr")
    arrays = bomb(tmp_path / "arrays.npz", {f"{name}.npy": zeros for name in names})
    collection = bomb(tmp_path / "collection.zip", {"T_A.txt": zeros, "T_graph_indicator.txt": b"1\n"})
    for read, path in ((read_embedding, arrays), (read_graph, arrays), (read_tu, collection)):
        with pytest.raises(GraphFormatError, match=r"members of [\d,]+ bytes in an archive of"):
            read(path)


MEASURED = """
import resource, sys
from vnestruct import GraphFormatError
from vnestruct.store import read_embedding
import pyarrow.parquet
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
        bomb(path, {"nodes.npy": npy(np.arange(3.0), shape=(10**9, 2)), "values.npy": bytes(400 << 20)})
    done = subprocess.run([sys.executable, "-c", MEASURED, path], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 50_000, "kilobytes"


@for_each("name", compression.SUFFIXES.values())
def test_streams_come_back_and_stay_open_below(name: str) -> None:
    plain, packed = b"1 2\n" * 1000, io.BytesIO()
    with open_compressed(packed, name, "wb") as stream:
        stream.write(plain)
    content = packed.getvalue()
    assert len(content) < 200
    assert [kind for first, kind in compression.FIRST_BYTES.items() if content.startswith(first)] == [name]
    packed.seek(0)
    with open_compressed(packed, name, "rb") as stream:
        assert stream.read() == plain
    assert not packed.closed
    with pytest.raises(compression.DAMAGE), open_compressed(io.BytesIO(content[:-9]), name, "rb") as stream:
        stream.read()
