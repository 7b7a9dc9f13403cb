"""Finished rows on disk: a directory that an interrupted run, or another machine that takes a part, can continue from.

The directory holds ``manifest.json``, which says what is computed, and one shard per added group of rows.
Every file appears whole or not at all, so a run may be killed at any moment, and several may add rows at the same time.
"""

import logging
import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType
from typing import Self

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError
from vnestruct.files.strays import is_temporary, remove_strays
from vnestruct.store import checkpoint_files
from vnestruct.types import ValueArray

MANIFEST = "manifest.json"

_logger = logging.getLogger(__name__)


class Checkpoint:
    """A directory of finished rows; create one with :meth:`open`.

    What had to be ignored while reading is logged and kept in `notes`, one sentence each.
    """

    def __init__(self, directory: Path, n_columns: int) -> None:
        self.directory = directory
        self.n_columns = n_columns
        self.notes: list[str] = []

    @classmethod
    def open(
        cls, directory: str | PathLike[str], identity: Mapping[str, object], n_columns: int,
        bits: Mapping[str, object] = MappingProxyType({}),
    ) -> Self:  # fmt: skip
        """Open a checkpoint, or start one where there is none; safe when many processes do so at once.

        The directory is created if necessary; one with other files in it is refused, and so is a checkpoint of
        another `identity`: the graph's hash and every parameter that changes the rows, as JSON values. `bits` is what
        else their last bits depend on. A checkpoint of other `bits` is refused, but one that does not state them, as
        earlier versions did not, is continued with a note.
        """
        folder = Path(directory)
        wanted, stated = map(checkpoint_files.identity_as_json, (identity, bits))
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
            checkpoint_files.create_manifest(manifest, wanted, n_columns, stated)
        unstated = checkpoint_files.compare_manifest(manifest, wanted, n_columns, stated)
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

    def add(self, ids: npt.ArrayLike, rows: npt.ArrayLike) -> None:
        """Save finished rows, numbered by `ids` in any order, also repeatedly; durable once this returns."""
        numbers, values = np.asarray(ids, dtype=np.int32), np.asarray(rows, dtype=np.float64)
        assert values.shape == (numbers.size, self.n_columns)
        if numbers.size:
            checkpoint_files.write_shard(self.directory / checkpoint_files.shard_name(numbers), numbers, values)

    def finished(self, n_rows: int) -> tuple[npt.NDArray[np.bool_], ValueArray]:
        """Return which of `n_rows` rows are saved, by this or any other process, and the rows, NaN where unfinished."""
        mask = np.zeros(n_rows, dtype=np.bool_)
        rows = np.full((n_rows, self.n_columns), np.nan)
        for path in sorted(self.directory.glob("shard-*.bin")):
            try:
                ids, values = checkpoint_files.read_shard(path, n_rows, self.n_columns)
            except checkpoint_files.BadShardError as error:
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
    def count_rows(directory: str | PathLike[str]) -> int:
        """Return how many rows are saved in a directory, without reading or checking them."""
        return sum(map(checkpoint_files.rows_of_shard, Path(directory).rglob("shard-*.bin")))

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


def part_slice(costs: npt.ArrayLike, part: int, parts: int, *, align: int = 8) -> slice:
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
