"""Finished rows on disk: a directory that an interrupted run, or another machine that takes a part, can continue from.

The directory holds ``manifest.json``, which says what is computed, and one shard per added group of rows: an ``.npz``
archive of ``ids`` and ``rows``. Every file appears whole or not at all, so a run may be killed at any moment, and
several may add rows at the same time.
"""

import json
import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Self

import numpy as np

from vnestruct._version import __version__
from vnestruct.errors import CheckpointMismatchError, ParameterError
from vnestruct.files.atomic import atomic_path, is_temporary
from vnestruct.files.compression import read_arrays
from vnestruct.types import ArrayLike, BoolArray, FilePath, ValueArray

MANIFEST = "manifest.json"
BITS_VERSION = 1  # to be raised with every change of these files, or that gives rows other last bits
REMEDY = "choose another directory or delete this one"

_logger = logging.getLogger(__name__)


class Checkpoint:
    """A directory of finished rows; create one with :meth:`open`. Damaged files are logged and computed again."""

    def __init__(self, directory: Path, n_columns: int) -> None:
        self.directory, self.n_columns = directory, n_columns

    @classmethod
    def open(cls, directory: FilePath, identity: Mapping[str, object], n_columns: int) -> Self:
        """Open a checkpoint, or start one where there is none; safe when many processes do so at once.

        The directory is created if necessary; one with other files in it is refused, and so is a checkpoint of
        another `identity`: the graph's hash and every parameter that changes the rows, as JSON values.
        """
        folder = Path(directory)
        stated = {**identity, "n_columns": n_columns, "bits": BITS_VERSION}
        # As JSON gives it back: tuples become lists, NumPy numbers plain ones.
        wanted = json.loads(json.dumps(stated, default=lambda number: number.tolist()))
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
            content = {"package_version": __version__, "identity": wanted}
            # Unless another process does so first; whoever wrote it, it is compared below.
            with suppress(FileExistsError), atomic_path(manifest, replace=False) as temporary:
                temporary.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        _compare(manifest, wanted)
        return cls(folder, n_columns)

    def inner(self, n_columns: int) -> Self:
        """Return a checkpoint inside this one, of the same identity, for rows of fewer columns."""
        if n_columns == self.n_columns:
            return self
        folder = self.directory / f"columns-{n_columns}"
        folder.mkdir(exist_ok=True)
        return type(self)(folder, n_columns)

    def add(self, ids: ArrayLike, rows: ArrayLike) -> None:
        """Save finished rows, numbered by `ids` in any order, also repeatedly; durable once this returns."""
        numbers, values = np.asarray(ids, dtype=np.int32), np.asarray(rows, dtype=np.float64)
        assert values.shape == (numbers.size, self.n_columns)
        if numbers.size:
            # The name follows from the ids, so that rows added twice are one file.
            name = f"shard-{numbers[0]:010d}-{numbers.size}-{sha256(numbers.tobytes()).hexdigest()[:16]}.npz"
            with atomic_path(self.directory / name) as temporary, temporary.open("wb") as file:
                np.savez(file, ids=numbers, rows=values)

    def finished(self, n_rows: int) -> tuple[BoolArray, ValueArray]:
        """Return which of `n_rows` rows are saved, by this or any other process, and the rows, NaN where unfinished."""
        mask = np.zeros(n_rows, dtype=np.bool_)
        rows = np.full((n_rows, self.n_columns), np.nan)
        for path in sorted(self.directory.glob("shard-*.npz")):
            try:
                arrays = read_arrays(BytesIO(path.read_bytes()))
                ids, values = arrays["ids"], arrays["rows"]
                are_rows = ids.dtype == np.int32 and values.dtype == np.float64
                if not are_rows or values.shape != (*ids.shape, self.n_columns) or ids.min(initial=0) < 0:
                    raise ValueError("it is not a shard")
                # Ids that are too large are an error of NumPy.
                rows[ids] = values
                mask[ids] = True
            except (ValueError, LookupError) as error:
                _logger.warning("%s is damaged and deleted (%s); its rows will be recomputed", path, error)
                with suppress(OSError):
                    path.unlink()
            except FileNotFoundError:
                continue  # another process found it damaged first
            except OSError as error:
                _logger.warning("ignored %s, which cannot be read: %s", path, error.strerror)
        return mask, rows

    @staticmethod
    def count_rows(directory: FilePath) -> int:
        """Return how many rows are saved in a directory, by the names of its files."""
        names = (path.name.split("-") for path in Path(directory).rglob("shard-*-*-*.npz"))
        return sum(int(count) for _, _, count, _ in names)


def _compare(path: Path, wanted: dict[str, Any]) -> None:
    """Refuse a manifest that says something else, naming the first difference."""
    try:
        there = dict(json.loads(path.read_text(encoding="utf-8"))["identity"])
    except (ValueError, RecursionError, LookupError, TypeError):
        raise CheckpointMismatchError(f"{path} is not the manifest of a checkpoint; {REMEDY}") from None
    for key in [*wanted, *(key for key in there if key not in wanted)]:
        # As JSON: 1, 1.0 and true are equal to Python, but they are different parameters.
        old, new = (
            json.dumps(side[key], sort_keys=True, ensure_ascii=False) if key in side else "absent"
            for side in (there, wanted)
        )
        if old != new:
            wrong = f"the checkpoint {path.parent} belongs to another computation: "
            raise CheckpointMismatchError(wrong + f"{key} is {old} there and {new} here; {REMEDY}")


def parse_part(part: str | tuple[int, int]) -> tuple[int, int]:
    """Read "3/16" or (3, 16) as part 3 of 16, counted from 1; refuse other forms, and parts that do not exist."""
    text = "/".join(map(str, part)) if isinstance(part, tuple) else str(part)
    match = re.fullmatch(r"\s*([0-9]+)\s*/\s*([0-9]+)\s*", text)
    if match is None:
        raise ParameterError(f'a part is written like "3/16", part 3 of 16; not {part!r}')
    number, parts = int(match[1]), int(match[2])
    if not 1 <= number <= parts:
        raise ParameterError(f"part {number}/{parts} does not exist: K must be between 1 and N")
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
