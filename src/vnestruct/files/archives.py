"""Zip archives and NumPy arrays from strangers: declared sizes are checked before memory is taken."""

from __future__ import annotations

import lzma
import math
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike, fspath
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

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
def open_archive(path: str | PathLike[str] | IO[bytes], n_bytes: int | None = None) -> Iterator[zipfile.ZipFile]:
    """Open a zip archive, or a file of `n_bytes`; raise `zipfile.BadZipFile` if it would expand to too much."""
    # Members never expand beyond their declared sizes, so it is enough to add these up.
    with zipfile.ZipFile(path if hasattr(path, "read") else fspath(path)) as archive:
        size = Path(fspath(path)).stat().st_size if n_bytes is None else n_bytes  # type: ignore[arg-type]
        members = archive.infolist()
        expanded = sum(member.file_size for member in members)
        if len(members) > MAX_MEMBERS or expanded > max(FREE_BYTES, MAX_RATIO * size):
            raise zipfile.BadZipFile(f"{len(members)} members of {expanded:,} bytes in an archive of {size:,} bytes")
        yield archive


def read_member_array(archive: zipfile.ZipFile, member: str) -> npt.NDArray[Any]:
    """Return the array of a ``.npy`` member; raise `ValueError` if it is not what it declares."""
    with archive.open(member) as stream:
        return read_array(stream, archive.getinfo(member).file_size)


def read_array(stream: IO[bytes], n_bytes: int) -> npt.NDArray[Any]:
    """Return an array in NumPy's format from a stream of at most `n_bytes`; never a pickle."""
    try:
        is_first = np.lib.format.read_magic(stream) == (1, 0)
        shape, is_fortran, dtype = (
            np.lib.format.read_array_header_1_0(stream) if is_first else np.lib.format.read_array_header_2_0(stream)
        )
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
