"""Malformed files that are large, binary, or not files: made when the tests run."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow

from tests.io.malformed.binary import (
    archive,
    arrow,
    body_of,
    coo,
    flipped,
    lying_header,
    misplaced,
    npy,
    rewritten,
    unsound,
    wild_offsets,
    written,
)
from vnestruct.files.container import MAGIC

EDGES = b"".join(b"%d %d\n" % (number, number + 1) for number in range(100_000))


@dataclass(frozen=True)
class Built:
    """A file, by its content or what makes it, and its error, as in `Case`."""

    name: str
    content: bytes | Callable[[Path], object]
    line: int | None
    word: str = ""

    def make(self, path: Path) -> None:
        if callable(self.content):
            self.content(path)
        else:
            path.write_bytes(self.content)


NULL_WORD = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1]), pyarrow.array(["a", None]))

BUILT = [
    Built("late_letter.txt", EDGES + b"7 x8\n1 2\n", 100_001, "'x8'"),
    Built(
        "late_weight.csv",
        b"source,target,weight\n" + EDGES.replace(b" ", b",").replace(b"\n", b",1\n") + b"7,8,q\n",
        100_002,
        "'q'",
    ),
    Built("late_column.txt.gz", gzip.compress(EDGES + b"7\n"), 100_001, "1 column"),
    Built("late_big_number.txt", EDGES + b"7 99999999999999999999\n", 100_001, "integer of 64 bits"),
    Built("late_nul.txt", EDGES + b"\0\n", 100_001, "NUL"),
    Built(
        "late_entry.mtx",
        b"%%MatrixMarket matrix coordinate pattern general\n9 9 100001\n" + b"1 2\n" * 100_000 + b"10 1\n",
        100_003,
        "entry 10",
    ),
    Built("cut.txt.gz", gzip.compress(EDGES)[:-100], None),
    Built("cut.txt.bz2", bz2.compress(EDGES)[:-100], None, "bzip2 data are damaged or cut short"),
    Built("cut.txt.xz", lzma.compress(EDGES)[:-100], None),
    Built("flipped.txt.gz", gzip.compress(EDGES)[:-8] + b"\0" * 8, None),
    Built("empty.txt.gz", gzip.compress(b""), None),
    Built("zipped.txt", archive({"graph.txt": b"1 2\n"}), 1),
    Built("long_tag.graphml", b"<graphml><graph><node id='" + b"a" * (40 << 20), 1, "more than 16 MiB"),
    Built("objects.npz", coo(row=npy(np.array([{}], dtype=object))), None),
    Built("climbing.npz", archive({"../../evil.npy": b""}), None, "'format'"),
    Built("rooted.npz", archive({"/etc/evil.npy": b""}), None, "'format'"),
    Built("stranger.npz", archive({"readme.txt": b"hi"}), None, "'format'"),
    Built("no_rows.npz", archive({"data.npy": npy([1])}), None, "'format'"),
    Built("not_flat.npz", coo(shape=npy([2, 2, 2])), None, "(2, 2, 2)"),
    Built("huge_size.npz", coo(shape=npy([10**11, 10**11])), None, "100000000000"),
    Built("past_the_size.npz", coo(row=npy([5])), None, "index 5 exceeds"),
    Built("lying_header.npz", lying_header(), None),
    Built("uneven.npz", coo(row=npy([0, 1])), None),
    Built("other_form.npz", coo(format=npy(b"dia")), None),
    Built("cut.npz", written("npz")[:-40], None),
    Built("cut.parquet", written("parquet")[:-40], None),
    Built("cut.feather", written("feather")[:-40], None),
    Built("nulls.parquet", arrow("parquet", ["a", None], ["b", "c"]), None, "missing value in row 2"),
    Built("wild.feather", wild_offsets(), None),
    Built("null_word.feather", arrow("feather", NULL_WORD, ["b", "c"]), None, "missing value in row 2"),
    Built("lists.feather", arrow("feather", [[1]], [[2]]), None),
    Built("cut.vng", written("vng")[:-40], None),
    Built("cut_header.vng", MAGIC + b"\0\4\0\0", None),
    Built("header.vng", flipped(lambda _: 40), None),
    Built("newer.vng", rewritten(lambda header, _: header.update(format_version=2)), None, "format 2 is newer"),
    Built("array.vng", flipped(lambda data: body_of(data) + 9), None, "'indptr'"),
    Built("unsound.vng", rewritten(unsound), None),
    Built(
        "misplaced.vng",
        rewritten(misplaced),
        None,
        "'indices'",
    ),
    Built("folder.txt", lambda path: path.mkdir(), None),
    Built("missing.txt", lambda path: None, None),
    Built("nearly.txt", lambda path: path.with_name(f"{path.name}.gz").write_bytes(b""), None),
    Built("dangling.txt", lambda path: path.symlink_to("nowhere"), None),
]


def long_line(path: Path, size: int = 300 << 20) -> None:
    """Write one line of 300 MB without holding it."""
    with path.open("wb") as stream:
        for _ in range(size >> 20):
            stream.write(b"1 2 3 4 " * (1 << 17))
