"""One shard of a checkpoint: some finished rows in one checked binary file.

Layout, little-endian: 8 bytes of magic, the number of rows and of columns (uint64), the SHA-256 of those two
numbers and of all that follows, the rows (float64, C order), their ids (int32).
"""

from __future__ import annotations

import struct
from hashlib import sha256
from pathlib import Path

import numpy as np

from vnestruct.files.atomic import atomic_path
from vnestruct.types import IdArray, ValueArray

_MAGIC = b"VNESHRD1"
_COUNTS = struct.Struct("<QQ")
_HEADER_BYTES = len(_MAGIC) + _COUNTS.size + sha256().digest_size


class BadShardError(Exception):
    """The file is not a whole, unaltered shard; never leaves the package."""


def shard_name(ids: IdArray) -> str:
    """Name a shard by its ids, so that the same rows added twice are one file."""
    return f"shard-{int(ids[0]):010d}-{sha256(ids.astype('<i4').tobytes()).hexdigest()[:16]}.bin"


def write_shard(path: Path, ids: IdArray, rows: ValueArray) -> None:
    """Write rows and their ids atomically."""
    counts = _COUNTS.pack(*rows.shape)
    payload = rows.astype("<f8").tobytes() + ids.astype("<i4").tobytes()
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        file.write(_MAGIC + counts + sha256(counts + payload).digest())
        file.write(payload)


def read_shard(path: Path, n_rows: int, n_columns: int) -> tuple[IdArray, ValueArray]:
    """Read ids and rows, bit for bit as written.

    Raises
    ------
    BadShardError
        If anything is wrong with the content: length, checksum, number of columns, ids outside 0..n_rows-1.
    OSError
        If the file cannot be read.
    """
    content = path.read_bytes()
    if content[: len(_MAGIC)] != _MAGIC or len(content) < _HEADER_BYTES:
        raise BadShardError("it is not a shard")
    counts = content[len(_MAGIC) : len(_MAGIC) + _COUNTS.size]
    count, columns = _COUNTS.unpack(counts)
    payload = memoryview(content)[_HEADER_BYTES:]
    if len(payload) != count * (8 * columns + 4):
        raise BadShardError("it is truncated or too long")
    digest = sha256(counts)
    digest.update(payload)
    if digest.digest() != content[_HEADER_BYTES - digest.digest_size : _HEADER_BYTES]:
        raise BadShardError("its checksum does not match")
    if not count:
        raise BadShardError("it has no rows")
    if columns != n_columns:
        raise BadShardError(f"it has {columns} columns, not {n_columns}")
    rows = np.frombuffer(payload, "<f8", count * columns).reshape(count, columns).astype(np.float64, copy=False)
    ids = np.frombuffer(payload, "<i4", count, offset=8 * count * columns).astype(np.int32, copy=False)
    if not (ids.min() >= 0 and ids.max() < n_rows):
        raise BadShardError(f"it has row ids outside 0..{n_rows - 1}")
    return ids, rows
