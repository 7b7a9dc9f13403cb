"""Makers of malformed binary files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.io.samples import small_graph
from vnestruct.io import write_graph
from vnestruct.io.vng import checksum_of, header_bytes, read_header


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


def rewritten(data: bytearray, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the header together with its checksum, as no accident would."""
    header, stop = read_header(bytes(data))
    change(header)
    data[:stop] = header_bytes(header)


def newer(data: bytearray) -> None:
    rewritten(data, lambda header: header.update(version=2))


def unsound(data: bytearray) -> None:
    header, start = read_header(bytes(data))
    kind, offset, length, _ = header["arrays"]["indices"]
    data[start + offset] = 200
    part = bytes(data[start + offset : start + offset + 4 * length])
    stored = kind, offset, length, checksum_of(part)
    rewritten(data, lambda header: header["arrays"].update(indices=stored))


def misplaced(data: bytearray) -> None:
    rewritten(data, lambda header: header["arrays"]["indices"].__setitem__(1, 1 << 40))


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
