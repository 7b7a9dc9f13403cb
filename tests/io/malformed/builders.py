"""Malformed files that are large, binary, or not files: made when the tests run."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tests.io.samples import small_graph
from vnestruct.io import write_graph
from vnestruct.io.vng_header import HEADER_BYTES, checksum_of, packed, unpacked

EDGES = b"".join(b"%d %d\n" % (number, number + 1) for number in range(100_000))


@dataclass(frozen=True)
class Built:
    """A file that a function makes in a folder, and its error."""

    name: str
    make: Callable[[Path], None]
    line: int | None
    mistake: str
    remedy: str


def _bytes(data: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(data)

    return make


def _archive(path: Path, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def _npy(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.asanyarray(array), allow_pickle=True)
    return stream.getvalue()


def _coo(**changes: bytes) -> dict[str, bytes]:
    arrays = {"row": [0], "col": [1], "data": [1.0], "shape": [2, 2], "format": b"coo"}
    return {f"{name}.npy": changes.get(name, _npy(array)) for name, array in arrays.items()}


def _lying_header(path: Path) -> None:
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<i8", "fortran_order": False, "shape": (100_000_000_000,)})
    _archive(path, _coo(row=stream.getvalue() + b"\0" * 8))


def _vng(path: Path, change: Callable[[bytearray], None]) -> None:
    write_graph(small_graph(weighted=True, isolated=True), path)
    data = bytearray(path.read_bytes())
    change(data)
    path.write_bytes(data)


def _flip(place: int) -> Callable[[bytearray], None]:
    def change(data: bytearray) -> None:
        data[place] ^= 0x40

    return change


def _newer(data: bytearray) -> None:
    data[8] = 2


def _unsound(data: bytearray) -> None:
    """Change an array together with every checksum, as no accident would."""
    header = unpacked(bytes(data[:HEADER_BYTES]))
    stored = header.arrays[1]
    data[stored.offset] = 200
    part = bytes(data[stored.offset : stored.offset + 4 * stored.length])
    arrays = list(header.arrays)
    arrays[1] = replace(stored, checksum=checksum_of(part))
    data[:HEADER_BYTES] = packed(replace(header, arrays=tuple(arrays)))


def _misplaced(data: bytearray) -> None:
    header = unpacked(bytes(data[:HEADER_BYTES]))
    arrays = list(header.arrays)
    arrays[1] = replace(arrays[1], offset=1 << 40)
    data[:HEADER_BYTES] = packed(replace(header, arrays=tuple(arrays)))


def _nulls(path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.table({"source": ["a", None], "target": ["b", "c"]}), path)


def _nested_column(path: Path) -> None:
    import pyarrow
    import pyarrow.feather

    pyarrow.feather.write_feather(pyarrow.table({"source": [[1]], "target": [[2]]}), path)


def _wild_offsets(path: Path) -> None:
    """Text whose second offset points far outside the file, which Arrow itself follows into a crash."""
    import pyarrow
    import pyarrow.feather

    table = pyarrow.table({"source": ["a" * 7, "b" * 7], "target": ["c" * 5, "d" * 5]})
    pyarrow.feather.write_feather(table, path, compression="uncompressed")
    data, good = path.read_bytes(), np.array([0, 7, 14], dtype="<i4").tobytes()
    assert data.count(good) == 1
    path.write_bytes(data.replace(good, np.array([0, 2**31 - 9, 14], dtype="<i4").tobytes()))


def _null_in_dictionary(path: Path) -> None:
    import pyarrow
    import pyarrow.feather

    words = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1]), pyarrow.array(["a", None]))
    pyarrow.feather.write_feather(pyarrow.table({"source": words, "target": ["b", "c"]}), path)


def _compressed_neighbour(path: Path) -> None:
    path.with_name(f"{path.name}.gz").write_bytes(b"")


def _half(path: Path, suffix: str) -> None:
    write_graph(small_graph(weighted=True, isolated=False), path, format=suffix)
    path.write_bytes(path.read_bytes()[:-40])


BUILT = [
    Built("late_letter.txt", _bytes(EDGES + b"7 x8\n1 2\n"), 100_001, "'x8' is not an integer", "edgelist+text"),
    Built(
        "late_weight.csv",
        _bytes(b"source,target,weight\n" + EDGES.replace(b" ", b",").replace(b"\n", b",1\n") + b"7,8,q\n"),
        100_002,
        "'q' is not a number",
        "weight=0",
    ),
    Built(
        "late_column.txt.gz",
        _bytes(gzip.compress(EDGES + b"7\n")),
        100_001,
        "1 column",
        "mend",
    ),
    Built(
        "late_big_number.txt",
        _bytes(EDGES + b"7 99999999999999999999\n"),
        100_001,
        "integer of 64 bits",
        "edgelist+text",
    ),
    Built("late_nul.txt", _bytes(EDGES + b"\0\n"), 100_001, "NUL byte", "format="),
    Built(
        "late_entry.mtx",
        _bytes(b"%%MatrixMarket matrix coordinate pattern general\n9 9 100001\n" + b"1 2\n" * 100_000 + b"10 1\n"),
        100_003,
        "entry 10",
        "size",
    ),
    Built("cut.txt.gz", _bytes(gzip.compress(EDGES)[:-100]), None, "gzip data are damaged or cut short", "again"),
    Built(
        "cut.txt.bz2",
        _bytes(bz2.compress(EDGES)[:-100]),
        None,
        "bzip2 data are damaged or cut short",
        "again",
    ),
    Built("cut.txt.xz", _bytes(lzma.compress(EDGES)[:-100]), None, "xz data are damaged or cut short", "again"),
    Built(
        "flipped.txt.gz",
        _bytes(gzip.compress(EDGES)[:-8] + b"\0" * 8),
        None,
        "gzip data are damaged",
        "again",
    ),
    Built("empty.txt.gz", _bytes(gzip.compress(b"")), None, "is empty", "check the program"),
    Built("zipped.txt", lambda path: _archive(path, {"graph.txt": b"1 2\n"}), 1, "zip archive", "unpack it"),
    Built(
        "long_tag.graphml",
        _bytes(b"<graphml><graph><node id='" + b"a" * (40 << 20)),
        1,
        "more than 16 MiB",
        "check the program",
    ),
    Built(
        "objects.npz",
        lambda path: _archive(path, _coo(row=_npy(np.array([{}], dtype=object)))),
        None,
        "Python objects",
        "numbers only",
    ),
    Built(
        "climbing.npz",
        lambda path: _archive(path, {"../../evil.npy": b""}),
        None,
        "points out of the archive",
        "do not trust",
    ),
    Built(
        "rooted.npz",
        lambda path: _archive(path, {"/etc/evil.npy": b""}),
        None,
        "points out of the archive",
        "do not trust",
    ),
    Built(
        "stranger.npz",
        lambda path: _archive(path, {"readme.txt": b"hi"}),
        None,
        "is not a NumPy array",
        "unpack",
    ),
    Built(
        "no_rows.npz",
        lambda path: _archive(path, {"data.npy": _npy([1])}),
        None,
        "no array 'format'",
        "save_npz",
    ),
    Built("not_square.npz", lambda path: _archive(path, _coo(shape=_npy([2, 3]))), None, "[2, 3]", "square"),
    Built(
        "huge_size.npz",
        lambda path: _archive(path, _coo(shape=_npy([10**11, 10**11]))),
        None,
        "100000000000 nodes",
        "correct the size",
    ),
    Built(
        "past_the_size.npz",
        lambda path: _archive(path, _coo(row=_npy([5]))),
        None,
        "outside the declared size 2",
        "write it again",
    ),
    Built("lying_header.npz", _lying_header, None, "not as long as it says", "write it again"),
    Built(
        "uneven.npz",
        lambda path: _archive(path, _coo(row=_npy([0, 1]))),
        None,
        "2 rows, 1 columns",
        "write it again",
    ),
    Built("other_form.npz", lambda path: _archive(path, _coo(format=_npy(b"dia"))), None, "'dia'", "tocsr"),
    Built("cut.npz", lambda path: _half(path, "npz"), None, "archive is damaged", "write it again"),
    Built(
        "cut.parquet",
        lambda path: _half(path, "parquet"),
        None,
        "damaged or in another format",
        "write it again",
    ),
    Built(
        "cut.feather",
        lambda path: _half(path, "feather"),
        None,
        "damaged or in another format",
        "write it again",
    ),
    Built("nulls.parquet", _nulls, None, "row 2 has no 'source'", "delete the row"),
    Built("wild.feather", _wild_offsets, None, "damaged or in another format", "write it again"),
    Built("null_word.feather", _null_in_dictionary, None, "row 2 has no 'source'", "delete the row"),
    Built("lists.feather", _nested_column, None, "holds list", "integers or texts"),
    Built("cut.vng", lambda path: _half(path, "vng"), None, "cut short", "write it again"),
    Built(
        "cut_header.vng",
        _bytes(b"\x89VNG\r\n\x1a\n\1\0\0\0"),
        None,
        "ends inside its header",
        "write it again",
    ),
    Built("header.vng", lambda path: _vng(path, _flip(24)), None, "header is damaged", "write the file again"),
    Built("newer.vng", lambda path: _vng(path, _newer), None, "format version 2", "newer vnestruct"),
    Built(
        "array.vng",
        lambda path: _vng(path, _flip(HEADER_BYTES + 9)),
        None,
        "'indptr' is damaged",
        "write the file again",
    ),
    Built("unsound.vng", lambda path: _vng(path, _unsound), None, "not sound", "write the file again"),
    Built(
        "misplaced.vng",
        lambda path: _vng(path, _misplaced),
        None,
        "'indices' does not fit",
        "write the file again",
    ),
    Built("folder.txt", lambda path: path.mkdir(), None, "is a folder", "name a file in it"),
    Built("missing.txt", lambda path: None, None, "no such file", "check the name"),
    Built(
        "nearly.txt",
        _compressed_neighbour,
        None,
        "no such file",
        "did you mean",
    ),
    Built("dangling.txt", lambda path: path.symlink_to("nowhere"), None, "no such file", "check the name"),
]


def long_line(path: Path, size: int = 300 << 20) -> None:
    """Write one line of 300 MB without holding it."""
    with path.open("wb") as stream:
        for _ in range(size >> 20):
            stream.write(b"1 2 3 4 " * (1 << 17))
