"""Contents of malformed binary files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow
from pyarrow import feather, parquet

from tests.io.samples import small_graph
from vnestruct.files.container import ALIGNMENT, MAGIC, checksum
from vnestruct.io.registry import format_named


def archive(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def npy(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asanyarray(array), allow_pickle=True)
    return stream.getvalue()


def coo(**changes: bytes) -> bytes:
    arrays = {"row": [0], "col": [1], "data": [1.0], "shape": [2, 2], "format": b"coo"}
    return archive({f"{name}.npy": changes.get(name, npy(array)) for name, array in arrays.items()})


def lying_header() -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<i8", "fortran_order": False, "shape": (100_000_000_000,)})
    return coo(row=stream.getvalue() + b"\0" * 8)


def written(name: str, *, isolated: bool = False) -> bytearray:
    """A graph in some format."""
    stream = io.BytesIO()
    format_named(name)[0].load_writer()(small_graph(weighted=True, isolated=isolated), stream)
    return bytearray(stream.getvalue())


def flipped(find: Callable[[bytes], int]) -> bytes:
    data = written("vng", isolated=True)
    data[find(data)] ^= 0x40
    return bytes(data)


def body_of(data: bytes) -> int:
    """Where the arrays of a container start."""
    stop = 32 + int.from_bytes(data[8:16], "little")
    return stop + -stop % ALIGNMENT


def rewritten(change: Callable[[dict[str, Any], bytearray], object]) -> bytes:
    """A graph with header and body changed together with the header's checksum, as by no accident."""
    data = written("vng", isolated=True)
    start = body_of(data)
    header, body = json.loads(data[32:start].rstrip(b"\0")), data[start:]
    change(header, body)
    text = json.dumps(header).encode()
    head = MAGIC + len(text).to_bytes(8, "little") + checksum(text) + text
    return head + b"\0" * (-len(head) % ALIGNMENT) + body


def unsound(header: dict[str, Any], body: bytearray) -> None:
    _, (length,), place, _ = entry = header["arrays"]["indices"]
    body[place] = 200
    entry[3] = checksum(body[place : place + 4 * length]).hex()


def misplaced(header: dict[str, Any], _: bytearray) -> None:
    header["arrays"]["indices"][2] = 1 << 40


def arrow(kind: str, source: Any, target: Any) -> bytes:
    stream, table = io.BytesIO(), pyarrow.table({"source": source, "target": target})
    if kind == "parquet":
        parquet.write_table(table, stream)
    else:
        feather.write_feather(table, stream, compression="uncompressed")
    return stream.getvalue()


def wild_offsets() -> bytes:
    """Text whose second offset points far outside the file, which Arrow itself follows into a crash."""
    data = arrow("feather", ["a" * 7, "b" * 7], ["c" * 5, "d" * 5])
    good, bad = (np.array([0, offset, 14], dtype="<i4").tobytes() for offset in (7, 2**31 - 9))
    assert data.count(good) == 1
    return data.replace(good, bad)
