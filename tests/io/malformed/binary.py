"""Makers of malformed binary files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.io.samples import small_graph
from vnestruct.files.container import ALIGNMENT, MAGIC, checksum
from vnestruct.io import write_graph


def archive(path: Path, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def npy(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asanyarray(array), allow_pickle=True)
    return stream.getvalue()


def coo(**changes: bytes) -> dict[str, bytes]:
    arrays = {"row": [0], "col": [1], "data": [1.0], "shape": [2, 2], "format": b"coo"}
    return {f"{name}.npy": changes.get(name, npy(array)) for name, array in arrays.items()}


def lying_header(path: Path) -> None:
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<i8", "fortran_order": False, "shape": (100_000_000_000,)})
    archive(path, coo(row=stream.getvalue() + b"\0" * 8))


def vng(path: Path, change: Callable[[bytearray], None]) -> None:
    write_graph(small_graph(weighted=True, isolated=True), path)
    data = bytearray(path.read_bytes())
    change(data)
    path.write_bytes(data)


def flip(place: int) -> Callable[[bytearray], None]:
    def change(data: bytearray) -> None:
        data[place] ^= 0x40

    return change


def body_of(data: bytes) -> int:
    """Where the arrays of a container start."""
    stop = 32 + int.from_bytes(data[8:16], "little")
    return stop + -stop % ALIGNMENT


def rewritten(data: bytearray, change: Callable[[dict[str, Any], bytearray], object]) -> None:
    """Change the header, and the body, together with the header's checksum, as no accident would."""
    start = body_of(data)
    header, body = json.loads(data[32:start].rstrip(b"\0")), data[start:]
    change(header, body)
    text = json.dumps(header).encode()
    data[:] = MAGIC + len(text).to_bytes(8, "little") + checksum(text) + text
    data += b"\0" * (-len(data) % ALIGNMENT) + body


def newer(data: bytearray) -> None:
    rewritten(data, lambda header, _: header.update(format_version=2))


def first_entry(data: bytearray) -> None:
    data[body_of(data) + 9] ^= 0x40


def unsound(data: bytearray) -> None:
    def change(header: dict[str, Any], body: bytearray) -> None:
        _, (length,), place, _ = entry = header["arrays"]["indices"]
        body[place] = 200
        entry[3] = checksum(body[place : place + 4 * length]).hex()

    rewritten(data, change)


def misplaced(data: bytearray) -> None:
    rewritten(data, lambda header, _: header["arrays"]["indices"].__setitem__(2, 1 << 40))


def nulls(path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"source": ["a", None], "target": ["b", "c"]}), path)


def nested_column(path: Path) -> None:
    import pyarrow
    import pyarrow.feather

    pyarrow.feather.write_feather(pyarrow.table({"source": [[1]], "target": [[2]]}), path)


def wild_offsets(path: Path) -> None:
    """Text whose second offset points far outside the file, which Arrow itself follows into a crash."""
    import pyarrow
    import pyarrow.feather

    table = pyarrow.table({"source": ["a" * 7, "b" * 7], "target": ["c" * 5, "d" * 5]})
    pyarrow.feather.write_feather(table, path, compression="uncompressed")
    data, good = path.read_bytes(), np.array([0, 7, 14], dtype="<i4").tobytes()
    assert data.count(good) == 1
    path.write_bytes(data.replace(good, np.array([0, 2**31 - 9, 14], dtype="<i4").tobytes()))


def null_in_dictionary(path: Path) -> None:
    import pyarrow
    import pyarrow.feather

    words = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1]), pyarrow.array(["a", None]))
    pyarrow.feather.write_feather(pyarrow.table({"source": words, "target": ["b", "c"]}), path)


def half(path: Path, suffix: str) -> None:
    write_graph(small_graph(weighted=True, isolated=False), path, format=suffix)
    path.write_bytes(path.read_bytes()[:-40])
