"""Malformed files that are large, binary, or not files: made when the tests run."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tests.io.malformed.binary import (
    archive,
    coo,
    first_entry,
    flip,
    half,
    lying_header,
    misplaced,
    nested_column,
    newer,
    npy,
    null_in_dictionary,
    nulls,
    unsound,
    vng,
    wild_offsets,
)
from vnestruct.files.container import MAGIC

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


def _compressed_neighbour(path: Path) -> None:
    path.with_name(f"{path.name}.gz").write_bytes(b"")


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
        "fix",
    ),
    Built(
        "late_big_number.txt",
        _bytes(EDGES + b"7 99999999999999999999\n"),
        100_001,
        "integer of 64 bits",
        "edgelist+text",
    ),
    Built("late_nul.txt", _bytes(EDGES + b"\0\n"), 100_001, "NUL byte", "`format`"),
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
    Built("zipped.txt", lambda path: archive(path, {"graph.txt": b"1 2\n"}), 1, "zip archive", "unpack it"),
    Built(
        "long_tag.graphml",
        _bytes(b"<graphml><graph><node id='" + b"a" * (40 << 20)),
        1,
        "more than 16 MiB",
        "check the program",
    ),
    Built(
        "objects.npz",
        lambda path: archive(path, coo(row=npy(np.array([{}], dtype=object)))),
        None,
        "Object arrays cannot be loaded",
        "save it again",
    ),
    Built(
        "climbing.npz",
        lambda path: archive(path, {"../../evil.npy": b""}),
        None,
        "no array 'format'",
        "save_npz",
    ),
    Built(
        "rooted.npz",
        lambda path: archive(path, {"/etc/evil.npy": b""}),
        None,
        "no array 'format'",
        "save_npz",
    ),
    Built(
        "stranger.npz",
        lambda path: archive(path, {"readme.txt": b"hi"}),
        None,
        "no array 'format'",
        "save_npz",
    ),
    Built(
        "no_rows.npz",
        lambda path: archive(path, {"data.npy": npy([1])}),
        None,
        "no array 'format'",
        "save_npz",
    ),
    Built("not_flat.npz", lambda path: archive(path, coo(shape=npy([2, 2, 2]))), None, "(2, 2, 2)", "save it again"),
    Built(
        "huge_size.npz",
        lambda path: archive(path, coo(shape=npy([10**11, 10**11]))),
        None,
        "100000000000 nodes",
        "correct the size",
    ),
    Built(
        "past_the_size.npz",
        lambda path: archive(path, coo(row=npy([5]))),
        None,
        "index 5 exceeds",
        "save it again",
    ),
    Built("lying_header.npz", lying_header, None, "not a sparse matrix", "save it again"),
    Built(
        "uneven.npz",
        lambda path: archive(path, coo(row=npy([0, 1]))),
        None,
        "same length",
        "save it again",
    ),
    Built("other_form.npz", lambda path: archive(path, coo(format=npy(b"dia"))), None, "offsets", "COO form"),
    Built("cut.npz", lambda path: half(path, "npz"), None, "not a zip file", "save it again"),
    Built(
        "cut.parquet",
        lambda path: half(path, "parquet"),
        None,
        "damaged or in another format",
        "write it again",
    ),
    Built(
        "cut.feather",
        lambda path: half(path, "feather"),
        None,
        "damaged or in another format",
        "write it again",
    ),
    Built("nulls.parquet", nulls, None, "missing value in row 2", "delete the row"),
    Built("wild.feather", wild_offsets, None, "damaged or in another format", "write it again"),
    Built("null_word.feather", null_in_dictionary, None, "missing value in row 2", "delete the row"),
    Built("lists.feather", nested_column, None, "holds List", "integers or texts"),
    Built("cut.vng", lambda path: half(path, "vng"), None, "checksum", "copy or write the file again"),
    Built("cut_header.vng", _bytes(MAGIC + b"\0\4\0\0"), None, "checksum of its header", "write the file again"),
    Built("header.vng", lambda path: vng(path, flip(40)), None, "checksum of its header", "write the file again"),
    Built("newer.vng", lambda path: vng(path, newer), None, "format 2 is newer", "upgrade vnestruct"),
    Built("array.vng", lambda path: vng(path, first_entry), None, "checksum of array 'indptr'", "write the file again"),
    Built("unsound.vng", lambda path: vng(path, unsound), None, "indices", "write the file again"),
    Built("misplaced.vng", lambda path: vng(path, misplaced), None, "array 'indices'", "write the file again"),
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
