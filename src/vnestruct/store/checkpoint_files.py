"""The files of a checkpoint: a manifest that says what is computed, and shards of finished rows.

A shard is little-endian: 8 bytes of magic, the number of rows and of columns (uint64), the SHA-256 of those two numbers
and of all that follows, the rows (float64, C order), their ids (int32).
"""

import json
import struct
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from vnestruct._version import __version__
from vnestruct.errors import CheckpointMismatchError
from vnestruct.files.atomic import atomic_path
from vnestruct.types import IdArray, ValueArray

FORMAT_VERSION = 1
REMEDY = "choose another directory or delete this one"

_ABSENT = object()
_MAGIC = b"VNESHRD1"
_COUNTS = struct.Struct("<QQ")
_HEADER_BYTES = len(_MAGIC) + _COUNTS.size + sha256().digest_size


def identity_as_json(identity: Mapping[str, object]) -> dict[str, Any]:
    """Return an identity as JSON gives it back: tuples become lists, NumPy numbers plain ones."""
    plain: dict[str, Any] = json.loads(json.dumps(dict(identity), default=lambda number: number.tolist()))
    return plain


def create_manifest(path: Path, identity: dict[str, Any], n_columns: int, bits: dict[str, Any]) -> None:
    """Write a manifest unless another process did so first; compare afterwards."""
    content = {"format": "vnestruct checkpoint", "format_version": FORMAT_VERSION, "package_version": __version__}
    content |= {"n_columns": n_columns, "identity": identity, "bits": bits}
    with suppress(FileExistsError), atomic_path(path, replace=False) as temporary:
        temporary.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def compare_manifest(path: Path, identity: dict[str, Any], n_columns: int, bits: dict[str, Any]) -> list[str]:
    """Refuse a manifest that says something else, naming the first difference; return the `bits` it does not state."""
    content = _read_manifest(path)
    stated = content.get("bits", {})
    there = {**content["identity"], "n_columns": content["n_columns"]}
    here = {**identity, "n_columns": n_columns}
    for key in bits.keys() & stated.keys():
        there[key], here[key] = stated[key], bits[key]
    for key in [*here, *(key for key in there if key not in here)]:
        old, new = (_as_text(side.get(key, _ABSENT)) for side in (there, here))
        if old != new:
            wrong = f"the checkpoint {path.parent} belongs to another computation: "
            raise CheckpointMismatchError(wrong + f"{key} is {old} there and {new} here; {REMEDY}")
    return [key for key in bits if key not in stated]


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        content = None
    version = content.get("format_version") if isinstance(content, dict) else None
    # The version is checked first: only its place is the same in all later formats.
    if isinstance(version, int) and version > FORMAT_VERSION:
        wrong = f"{path} has format {version} and this version of vnestruct reads up to {FORMAT_VERSION}; "
        raise CheckpointMismatchError(wrong + f"upgrade vnestruct, or {REMEDY}")
    has_parts = isinstance(content, dict) and isinstance(content.get("identity"), dict) and "n_columns" in content
    if version != FORMAT_VERSION or not has_parts or not isinstance(content.get("bits", {}), dict):
        raise CheckpointMismatchError(f"{path} is not the manifest of a checkpoint; {REMEDY}")
    checked: dict[str, Any] = content
    return checked


def _as_text(value: object) -> str:
    """Write a value as JSON: 1, 1.0 and true are equal to Python, but they are different parameters."""
    return "absent" if value is _ABSENT else json.dumps(value, sort_keys=True, ensure_ascii=False)


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
        file.writelines([_MAGIC, counts, sha256(counts + payload).digest(), payload])


def rows_of_shard(path: Path) -> int:
    """Return the number of rows that a shard says it has; 0 if it cannot be read."""
    try:
        with path.open("rb") as file:
            return int(_COUNTS.unpack(file.read(_HEADER_BYTES)[len(_MAGIC) :][: _COUNTS.size])[0])
    except (OSError, struct.error):
        return 0


def read_shard(path: Path, n_rows: int, n_columns: int) -> tuple[IdArray, ValueArray]:
    """Return ids and rows, bit for bit as written; raise `BadShardError` if anything is wrong with the content."""
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
