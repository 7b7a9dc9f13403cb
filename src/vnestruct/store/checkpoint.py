"""Finished rows on disk: a directory that an interrupted run, or another machine that takes a part, can continue from.

The directory holds ``manifest.json``, which says what is computed, and one shard per added group of rows.
Every file appears whole or not at all, so a run may be killed at any moment, and several may add rows at the same time.

A shard is little-endian: 8 bytes of magic, the number of rows and of columns (uint64), the SHA-256 of those two numbers
and of all that follows, the rows (float64, C order), their ids (int32).
"""

import json
import logging
import re
import struct
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, cast

import numpy as np

from vnestruct._version import __version__
from vnestruct.errors import CheckpointMismatchError, ParameterError
from vnestruct.files.atomic import atomic_path
from vnestruct.files.strays import is_temporary, remove_strays
from vnestruct.types import ArrayLike, BoolArray, FilePath, IdArray, ValueArray

MANIFEST = "manifest.json"
FORMAT_VERSION = 1
REMEDY = "choose another directory or delete this one"

_MAGIC = b"VNESHRD1"
_COUNTS = struct.Struct("<QQ")
_HEADER_BYTES = len(_MAGIC) + _COUNTS.size + sha256().digest_size

_logger = logging.getLogger(__name__)


class Checkpoint:
    """A directory of finished rows; create one with :meth:`open`.

    What had to be ignored while reading is logged and kept in `notes`, one sentence each.
    """

    def __init__(self, directory: Path, n_columns: int) -> None:
        self.directory, self.n_columns = directory, n_columns
        self.notes: list[str] = []

    @classmethod
    def open(
        cls, directory: FilePath, identity: Mapping[str, object], n_columns: int,
        bits: Mapping[str, object] = MappingProxyType({}),
    ) -> Self:  # fmt: skip
        """Open a checkpoint, or start one where there is none; safe when many processes do so at once.

        The directory is created if necessary; one with other files in it is refused, and so is a checkpoint of
        another `identity`: the graph's hash and every parameter that changes the rows, as JSON values. `bits` is what
        else their last bits depend on. A checkpoint of other `bits` is refused, but one that does not state them, as
        earlier versions did not, is continued with a note.
        """
        folder = Path(directory)
        wanted, stated = map(identity_as_json, (identity, bits))
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise ParameterError(f"the checkpoint {folder} is not a directory; choose another name") from error
        manifest = folder / MANIFEST
        if not manifest.exists():
            foreign = sorted(entry.name for entry in folder.iterdir() if not is_temporary(entry.name))
            # Another process may have started the checkpoint since the manifest was looked for.
            if foreign and not manifest.exists():
                wrong = f"{folder} has files in it (such as {foreign[0]}) but is not a checkpoint; choose a new or "
                raise ParameterError(wrong + "empty one")
            content = {"format": "vnestruct checkpoint", "format_version": FORMAT_VERSION}
            content |= {"package_version": __version__, "n_columns": n_columns, "identity": wanted, "bits": stated}
            # Unless another process does so first; whoever wrote it, it is compared below.
            with suppress(FileExistsError), atomic_path(manifest, replace=False) as temporary:
                temporary.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        unstated = compare_manifest(manifest, wanted, n_columns, stated)
        remove_strays(folder)
        checkpoint = cls(folder, n_columns)
        if unstated:
            origin = "were computed by another version or on another kind of machine"
            differ = f"if its rows {origin}, their last bits may differ from those to come"
            checkpoint._note(f"{folder} does not state {unstated[0]}: {differ}")
        return checkpoint

    def inner(self, n_columns: int) -> Self:
        """Return a checkpoint inside this one, of the same identity, for rows of fewer columns."""
        if n_columns == self.n_columns:
            return self
        folder = self.directory / f"columns-{n_columns}"
        folder.mkdir(exist_ok=True)
        remove_strays(folder)
        return type(self)(folder, n_columns)

    def add(self, ids: ArrayLike, rows: ArrayLike) -> None:
        """Save finished rows, numbered by `ids` in any order, also repeatedly; durable once this returns."""
        numbers, values = np.asarray(ids, dtype=np.int32), np.asarray(rows, dtype=np.float64)
        assert values.shape == (numbers.size, self.n_columns)
        if numbers.size:
            counts, ends = _COUNTS.pack(*values.shape), numbers.astype("<i4").tobytes()
            payload = values.astype("<f8").tobytes() + ends
            # The name follows from the ids, so that rows added twice are one file.
            name = f"shard-{int(numbers[0]):010d}-{sha256(ends).hexdigest()[:16]}.bin"
            with atomic_path(self.directory / name) as temporary, temporary.open("wb") as file:
                file.writelines([_MAGIC, counts, sha256(counts + payload).digest(), payload])

    def finished(self, n_rows: int) -> tuple[BoolArray, ValueArray]:
        """Return which of `n_rows` rows are saved, by this or any other process, and the rows, NaN where unfinished."""
        mask = np.zeros(n_rows, dtype=np.bool_)
        rows = np.full((n_rows, self.n_columns), np.nan)
        for path in sorted(self.directory.glob("shard-*.bin")):
            try:
                ids, values = read_shard(path, n_rows, self.n_columns)
            except BadShardError as error:
                self._discard(path, str(error))
            except FileNotFoundError:
                continue  # another process found it damaged first
            except OSError as error:
                self._note(f"ignored {path}, which cannot be read: {error.strerror}")
            else:
                mask[ids] = True
                rows[ids] = values
        return mask, rows

    @staticmethod
    def count_rows(directory: FilePath) -> int:
        """Return how many rows are saved in a directory, without reading or checking them."""
        n_rows = 0
        for path in Path(directory).rglob("shard-*.bin"):
            with suppress(OSError, struct.error), path.open("rb") as file:
                n_rows += int(_COUNTS.unpack(file.read(_HEADER_BYTES)[len(_MAGIC) :][: _COUNTS.size])[0])
        return n_rows

    def _discard(self, path: Path, reason: str) -> None:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            self._note(f"ignored {path}: {reason} (and it cannot be deleted: {error.strerror})")
        else:
            self._note(f"deleted {path}: {reason}; its rows will be recomputed")

    def _note(self, text: str) -> None:
        self.notes.append(text)
        _logger.warning("%s", text)


def identity_as_json(identity: Mapping[str, object]) -> dict[str, Any]:
    """Return an identity as JSON gives it back: tuples become lists, NumPy numbers plain ones."""
    return cast(dict[str, Any], json.loads(json.dumps(dict(identity), default=lambda number: number.tolist())))


def compare_manifest(path: Path, identity: dict[str, Any], n_columns: int, bits: dict[str, Any]) -> list[str]:
    """Refuse a manifest that says something else, naming the first difference; return the `bits` it does not state."""
    content = _read_manifest(path)
    stated = content.get("bits", {})
    there = {**content["identity"], "n_columns": content["n_columns"]}
    here = {**identity, "n_columns": n_columns}
    for key in bits.keys() & stated.keys():
        there[key], here[key] = stated[key], bits[key]
    for key in [*here, *(key for key in there if key not in here)]:
        # As JSON: 1, 1.0 and true are equal to Python, but they are different parameters.
        old, new = (
            json.dumps(side[key], sort_keys=True, ensure_ascii=False) if key in side else "absent"
            for side in (there, here)
        )
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
    return cast(dict[str, Any], content)


class BadShardError(Exception):
    """The file is not a whole, unaltered shard; never leaves the package."""


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


def parse_part(part: str | tuple[int, int]) -> tuple[int, int]:
    """Read "3/16" or (3, 16) as part 3 of 16, counted from 1; refuse other forms, and parts that do not exist."""
    text = "/".join(map(str, part)) if isinstance(part, tuple) else str(part)
    match = re.fullmatch(r"\s*([0-9]+)\s*/\s*([0-9]+)\s*", text)
    if match is None:
        raise ParameterError(f'a part is written like "3/16", part 3 of 16; not {part!r}')
    number, parts = int(match[1]), int(match[2])
    if not 1 <= number <= parts:
        raise ParameterError(f"part {number}/{parts} does not exist: parts count from 1 to their number")
    return number, parts


def part_slice(costs: ArrayLike, part: int, parts: int, *, align: int = 8) -> slice:
    """Return the positions of a work list that belong to part `part`, from 1, of `parts`, balanced by cost.

    The parts are consecutive ranges that cover the list once and begin at multiples of `align`. Sums are taken
    strictly in order, so that every machine gets the same cuts. If all costs are 0, parts have equal length.
    """
    items = np.asarray(costs, dtype=np.float64)
    n_items = items.size
    if n_items == 0:
        return slice(0, 0)
    sums = np.cumsum(items if items.any() else np.ones(n_items))
    ends = sums[np.minimum(np.arange(align, n_items + align, align), n_items) - 1]
    middles = 0.5 * (ends + np.concatenate(([0.0], ends[:-1])))
    first, last = (
        n_items if k == parts else min(n_items, align * int(np.searchsorted(middles, ends[-1] * (k / parts))))
        for k in (part - 1, part)
    )
    return slice(first, last)
