"""Compressed streams, zip archives and NumPy arrays from strangers.

Compression is recognised by the first bytes, not by names; declared sizes are checked before memory is taken.
"""

import bz2
import gzip
import lzma
import math
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from os import fspath
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, cast

import numpy as np

from vnestruct.errors import MissingExtraError
from vnestruct.types import Array, FilePath

SUFFIXES = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "zstandard"}
"""What each suffix of a compressed file stands for."""

DAMAGE = (EOFError, zlib.error, lzma.LZMAError, OSError)  # what the decompressors raise on damaged data
FIRST_BYTES = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstandard"}

FREE_BYTES = 256 << 20  # expanded size that every archive may have
MAX_RATIO = 100  # times its own size that a larger archive may expand to
MAX_MEMBERS = 10_000

UNREADABLE = (
    ValueError, LookupError, TypeError, EOFError, OSError, OverflowError, RuntimeError, struct.error,
    zipfile.BadZipFile, zlib.error, lzma.LZMAError,
)  # fmt: skip
"""What reading a damaged archive or array raises."""


def is_plausible(n_rows: int, n_bytes: int) -> bool:
    """Tell whether a table of `n_bytes` may have so many rows: runs of one value take no room, but not that little."""
    return n_rows <= max(10_000_000, 10_000 * n_bytes)


class ObjectArrayError(ValueError):
    """An array holds Python objects, which can run code when they are loaded."""


@contextmanager
def open_archive(path: FilePath | IO[bytes], n_bytes: int | None = None) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive, or a file of `n_bytes`; raise `zipfile.BadZipFile` if it would expand to too much."""
    # Members never expand beyond their declared sizes, so it is enough to add these up.
    with zipfile.ZipFile(path if hasattr(path, "read") else fspath(path)) as archive:
        size = Path(fspath(path)).stat().st_size if n_bytes is None else n_bytes  # type: ignore[arg-type]
        members = archive.infolist()
        expanded = sum(member.file_size for member in members)
        if len(members) > MAX_MEMBERS or expanded > max(FREE_BYTES, MAX_RATIO * size):
            raise zipfile.BadZipFile(f"{len(members)} members of {expanded:,} bytes in an archive of {size:,} bytes")
        yield archive


def read_member_array(archive: zipfile.ZipFile, member: str) -> Array:
    """Return the array of a ``.npy`` member; raise `ValueError` if it is not what it declares."""
    with archive.open(member) as stream:
        return read_array(stream, archive.getinfo(member).file_size)


def read_array(stream: IO[bytes], n_bytes: int) -> Array:
    """Return an array in NumPy's format from a stream of at most `n_bytes`; never a pickle."""
    try:
        is_first = np.lib.format.read_magic(stream) == (1, 0)
        read_header = np.lib.format.read_array_header_1_0 if is_first else np.lib.format.read_array_header_2_0
        shape, is_fortran, dtype = read_header(stream)
    except (SyntaxError, TypeError, RecursionError, MemoryError) as error:
        raise ValueError(f"no array: {error}") from None
    if dtype.hasobject:
        raise ObjectArrayError("an array of Python objects, which can run code when loaded")
    length = math.prod(shape) * dtype.itemsize
    if min(shape, default=0) < 0 or length > n_bytes:
        raise ValueError(f"an array of shape {shape} in {n_bytes:,} bytes")
    content = np.empty(length, np.uint8)
    filled = 0
    while filled < length and (count := stream.readinto(content[filled:].data)):  # type: ignore[attr-defined]
        filled += count
    if filled < length:
        raise ValueError(f"an array that ends after {filled:,} of {length:,} bytes")
    return content.view(dtype).reshape(shape, order="F" if is_fortran else "C")


def open_compressed(stream: IO[bytes], compression: str, mode: str) -> IO[bytes]:
    """Return a stream of the plain bytes behind a compressed one, to be read ("rb") or written ("wb")."""
    if compression == "gzip":
        # No name and no time in the header: the same graph gives the same bytes.
        return gzip.GzipFile(filename="", fileobj=stream, mode=mode, mtime=0)  # type: ignore[return-value]
    openers: dict[str, Any] = {"bzip2": bz2.BZ2File, "xz": lzma.LZMAFile, "zstandard": _zstandard}
    return cast(IO[bytes], openers[compression](stream, mode))


def _zstandard(stream: IO[bytes], mode: str) -> Any:
    module = _first_of("compression.zstd", "zstandard", "pyarrow")
    if module is None:
        raise MissingExtraError("zstandard files need another library: pip install 'vnestruct[parquet]', or zstandard")
    if module.__name__ == "compression.zstd":
        return module.ZstdFile(stream, mode)
    if module.__name__ == "zstandard" and mode == "rb":
        return module.ZstdDecompressor().stream_reader(stream, read_across_frames=True, closefd=False)
    if module.__name__ == "zstandard":
        return module.ZstdCompressor().stream_writer(stream, closefd=False)
    # Arrow closes what it is given, while its owner still needs it open.
    methods = {name: getattr(stream, name, None) for name in ("read", "write", "flush")}
    lent = module.PythonFile(SimpleNamespace(**methods, close=lambda: None, closed=False), mode[0])
    return module.CompressedInputStream(lent, "zstd") if mode == "rb" else module.CompressedOutputStream(lent, "zstd")


def _first_of(*names: str) -> Any:
    for name in names:
        with suppress(ImportError):
            return import_module(name)
    return None
