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
    """A file that a function makes in a folder, and its error, as in `Case`."""

    name: str
    make: Callable[[Path], None]
    line: int | None
    word: str = ""


def _bytes(data: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(data)

    return make


def _compressed_neighbour(path: Path) -> None:
    path.with_name(f"{path.name}.gz").write_bytes(b"")


BUILT = [
    Built("late_letter.txt", _bytes(EDGES + b"7 x8\n1 2\n"), 100_001, "'x8'"),
    Built(
        "late_weight.csv",
        _bytes(b"source,target,weight\n" + EDGES.replace(b" ", b",").replace(b"\n", b",1\n") + b"7,8,q\n"),
        100_002,
        "'q'",
    ),
    Built("late_column.txt.gz", _bytes(gzip.compress(EDGES + b"7\n")), 100_001, "1 column"),
    Built("late_big_number.txt", _bytes(EDGES + b"7 99999999999999999999\n"), 100_001, "integer of 64 bits"),
    Built("late_nul.txt", _bytes(EDGES + b"\0\n"), 100_001, "NUL"),
    Built(
        "late_entry.mtx",
        _bytes(b"%%MatrixMarket matrix coordinate pattern general\n9 9 100001\n" + b"1 2\n" * 100_000 + b"10 1\n"),
        100_003,
        "entry 10",
    ),
    Built("cut.txt.gz", _bytes(gzip.compress(EDGES)[:-100]), None),
    Built("cut.txt.bz2", _bytes(bz2.compress(EDGES)[:-100]), None, "bzip2 data are damaged or cut short"),
    Built("cut.txt.xz", _bytes(lzma.compress(EDGES)[:-100]), None),
    Built("flipped.txt.gz", _bytes(gzip.compress(EDGES)[:-8] + b"\0" * 8), None),
    Built("empty.txt.gz", _bytes(gzip.compress(b"")), None),
    Built("zipped.txt", lambda path: archive(path, {"graph.txt": b"1 2\n"}), 1),
    Built("long_tag.graphml", _bytes(b"<graphml><graph><node id='" + b"a" * (40 << 20)), 1, "more than 16 MiB"),
    Built("objects.npz", lambda path: archive(path, coo(row=npy(np.array([{}], dtype=object)))), None),
    Built("climbing.npz", lambda path: archive(path, {"../../evil.npy": b""}), None, "'format'"),
    Built("rooted.npz", lambda path: archive(path, {"/etc/evil.npy": b""}), None, "'format'"),
    Built("stranger.npz", lambda path: archive(path, {"readme.txt": b"hi"}), None, "'format'"),
    Built("no_rows.npz", lambda path: archive(path, {"data.npy": npy([1])}), None, "'format'"),
    Built("not_flat.npz", lambda path: archive(path, coo(shape=npy([2, 2, 2]))), None, "(2, 2, 2)"),
    Built("huge_size.npz", lambda path: archive(path, coo(shape=npy([10**11, 10**11]))), None, "100000000000"),
    Built("past_the_size.npz", lambda path: archive(path, coo(row=npy([5]))), None, "index 5 exceeds"),
    Built("lying_header.npz", lying_header, None),
    Built("uneven.npz", lambda path: archive(path, coo(row=npy([0, 1]))), None),
    Built("other_form.npz", lambda path: archive(path, coo(format=npy(b"dia"))), None),
    Built("cut.npz", lambda path: half(path, "npz"), None),
    Built("cut.parquet", lambda path: half(path, "parquet"), None),
    Built("cut.feather", lambda path: half(path, "feather"), None),
    Built("nulls.parquet", nulls, None, "missing value in row 2"),
    Built("wild.feather", wild_offsets, None),
    Built("null_word.feather", null_in_dictionary, None, "missing value in row 2"),
    Built("lists.feather", nested_column, None),
    Built("cut.vng", lambda path: half(path, "vng"), None),
    Built("cut_header.vng", _bytes(MAGIC + b"\0\4\0\0"), None),
    Built("header.vng", lambda path: vng(path, flip(40)), None),
    Built("newer.vng", lambda path: vng(path, newer), None, "format 2 is newer"),
    Built("array.vng", lambda path: vng(path, first_entry), None, "'indptr'"),
    Built("unsound.vng", lambda path: vng(path, unsound), None),
    Built("misplaced.vng", lambda path: vng(path, misplaced), None, "'indices'"),
    Built("folder.txt", lambda path: path.mkdir(), None),
    Built("missing.txt", lambda path: None, None),
    Built("nearly.txt", _compressed_neighbour, None),
    Built("dangling.txt", lambda path: path.symlink_to("nowhere"), None),
]


def long_line(path: Path, size: int = 300 << 20) -> None:
    """Write one line of 300 MB without holding it."""
    with path.open("wb") as stream:
        for _ in range(size >> 20):
            stream.write(b"1 2 3 4 " * (1 << 17))
