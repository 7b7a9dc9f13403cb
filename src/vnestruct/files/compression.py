"""Compressed streams, archives and tables from strangers: recognised by their first bytes, bounded in size."""

import bz2
import gzip
import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import IO, Any, cast

import numpy as np

from vnestruct.errors import VNEstructError
from vnestruct.types import Array

SUFFIXES = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstandard"}
"""What each suffix of a compressed file stands for."""

DAMAGE = (EOFError, zlib.error, lzma.LZMAError, OSError)  # what the decompressors raise on damaged data
FIRST_BYTES = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstandard"}

UNREADABLE = (
    ValueError, LookupError, TypeError, SyntaxError, EOFError, OSError, OverflowError, RuntimeError, MemoryError,
    struct.error, zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip
"""What reading a damaged archive or array raises."""

# What Arrow raises on damaged files besides its own exceptions, for instance on names that are not UTF-8.
ARROW_DAMAGE = (OSError, ValueError, LookupError, OverflowError, TypeError, NotImplementedError)

FREE_BYTES = 256 << 20  # expanded size that every file may have
MAX_RATIO = 200  # times its own size that a larger file may expand to: edge lists reach 20
MAX_MEMBERS = 10_000


def expands_too_far(n_packed: int, n_expanded: int) -> bool:
    """Tell whether a file of `n_packed` bytes claims to hold far more than honest data of its size."""
    return n_expanded > max(FREE_BYTES, MAX_RATIO * n_packed)


@contextmanager
def open_archive(file: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive; raise `zipfile.BadZipFile` if it would expand to too much."""
    size = file.seek(0, os.SEEK_END)
    # Members never expand beyond their declared sizes, so it is enough to add these up.
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        expanded = sum(member.file_size for member in members)
        if len(members) > MAX_MEMBERS or expands_too_far(size, expanded):
            raise zipfile.BadZipFile(f"{len(members)} members of {expanded:,} bytes in an archive of {size:,} bytes")
        yield archive


def read_arrays(file: IO[bytes]) -> dict[str, Array]:
    """Return the arrays of an ``.npz`` or ``.npy`` (named "") file; raise `ValueError` for anything else."""
    read = partial(np.lib.format.read_array, allow_pickle=False)
    try:
        is_archive = file.read(2) == b"PK"
        file.seek(0)
        if not is_archive:
            return {"": read(file)}
        with open_archive(file) as archive:
            return {name.removesuffix(".npy"): read(archive.open(name)) for name in archive.namelist()}
    except UNREADABLE as error:
        raise ValueError(str(error)) from error


def open_compressed(stream: IO[bytes], compression: str, mode: str) -> IO[bytes]:
    """Return a stream of the plain bytes behind a compressed one, to be read ("rb") or written ("wb")."""
    if compression == "gzip":
        # No name and no time in the header: the same graph gives the same bytes.
        return gzip.GzipFile(filename="", fileobj=stream, mode=mode, mtime=0)  # type: ignore[return-value]
    openers: dict[str, Any] = {"bzip2": bz2.BZ2File, "xz": lzma.LZMAFile, "zstandard": _zstandard}
    return cast(IO[bytes], openers[compression](stream, mode))


def _zstandard(stream: IO[bytes], mode: str) -> Any:
    import pyarrow

    # Arrow closes what it is given, while its owner still needs it open.
    methods = {name: getattr(stream, name, None) for name in ("read", "write", "flush")}
    lent = pyarrow.PythonFile(SimpleNamespace(**methods, close=lambda: None, closed=False), mode[0])
    return (pyarrow.CompressedInputStream if mode == "rb" else pyarrow.CompressedOutputStream)(lent, "zstd")


def read_table(
    file: Any, n_bytes: int, kind: str, choose: Callable[[Any], Sequence[str] | None] = lambda schema: None
) -> Any:
    """Return a "parquet" or "feather" file, or the columns `choose` names; `ValueError` if it is damaged."""
    import pyarrow
    from pyarrow import feather, parquet

    try:
        if kind == "parquet":
            opened = parquet.ParquetFile(file, memory_map=True)
            if expands_too_far(n_bytes, opened.metadata.num_rows):
                raise ValueError(f"{opened.metadata.num_rows} rows are declared in a file too small for them")
            table = opened.read(choose(opened.schema_arrow))
        else:
            table = feather.read_table(file, memory_map=True)
            names = choose(table.schema)
            table = table if names is None else table.select(names)
        # Arrow trusts offsets and dictionary codes in a file; wrong ones would crash the process.
        table.validate(full=True)
    except VNEstructError:
        raise
    except (pyarrow.ArrowException, *ARROW_DAMAGE) as problem:
        reason = " ".join(str(problem).split())[:120]
        raise ValueError(f"not a readable {kind.capitalize()} file ({reason})") from None
    return table


def write_table(table: Any, file: Any, kind: str, compression: str | None = None) -> None:
    """Write a table to a file or stream that can seek."""
    from pyarrow import feather, parquet

    if kind == "parquet":
        parquet.write_table(table, file)
    else:
        feather.write_feather(table, file, compression=compression)
