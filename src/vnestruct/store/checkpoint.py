"""Finished rows on disk: a directory that an interrupted run, or another machine, can continue from.

The directory holds ``manifest.json``, which says what is computed, and one shard per added group of rows.
Every file appears whole or not at all, so a run may be killed at any moment, and several may add rows at the same time.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError
from vnestruct.files.strays import is_temporary, remove_strays
from vnestruct.store.checkpoint_files import (
    BadShardError,
    compare_manifest,
    create_manifest,
    identity_as_json,
    read_shard,
    rows_of_shard,
    shard_name,
    write_shard,
)
from vnestruct.types import ValueArray

MANIFEST = "manifest.json"

_logger = logging.getLogger(__name__)


class Checkpoint:
    """A directory of finished rows; create one with :meth:`open`.

    What had to be ignored while reading is logged and kept in `notes`, one sentence each.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = tempfile.TemporaryDirectory()
    >>> checkpoint = Checkpoint.open(Path(folder.name) / "run", {"graph": "5ad1", "radius": 2}, n_columns=2)
    >>> checkpoint.add([4, 1], [[0.5, 0.25], [1.0, 2.0]])
    >>> mask, rows = checkpoint.finished(6)
    >>> mask.tolist()
    [False, True, False, False, True, False]
    >>> rows[4].tolist()
    [0.5, 0.25]
    >>> folder.cleanup()
    """

    def __init__(self, directory: Path, n_columns: int) -> None:
        self.directory = directory
        self.n_columns = n_columns
        self.notes: list[str] = []

    def __repr__(self) -> str:
        return f"Checkpoint({str(self.directory)!r}, n_columns={self.n_columns})"

    @classmethod
    def open(
        cls,
        directory: str | PathLike[str],
        identity: Mapping[str, object],
        n_columns: int,
        bits: Mapping[str, object] = MappingProxyType({}),
    ) -> Checkpoint:
        """Open a checkpoint, or start one where there is none; safe when many processes do so at once.

        The directory is created if necessary; one with other files in it is refused, and so is a checkpoint of
        another `identity`: the graph's hash and every parameter that changes the rows, as JSON values. `bits` is what
        else their last bits depend on. A checkpoint of other `bits` is refused, but one that does not state them, as
        earlier versions did not, is continued with a note.
        """
        folder = Path(directory)
        if n_columns < 1:
            raise ParameterError(f"n_columns must be a positive integer, not {n_columns!r}")
        wanted, stated = identity_as_json(identity), identity_as_json(bits)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise ParameterError(f"the checkpoint {folder} is not a directory; choose another name") from error
        manifest = folder / MANIFEST
        if not manifest.exists():
            _refuse_foreign_files(folder)
            create_manifest(manifest, wanted, n_columns, stated)
        unstated = compare_manifest(manifest, wanted, n_columns, stated)
        remove_strays(folder)
        checkpoint = cls(folder, n_columns)
        if unstated:
            checkpoint._note(
                f"{folder} does not state {unstated[0]}: if its rows were computed by another version or on another "
                "kind of machine, their last bits may differ from those to come"
            )
        return checkpoint

    def inner(self, n_columns: int) -> Checkpoint:
        """Return a checkpoint inside this one, of the same identity, for rows of fewer columns."""
        if n_columns == self.n_columns:
            return self
        folder = self.directory / f"columns-{n_columns}"
        folder.mkdir(exist_ok=True)
        remove_strays(folder)
        return Checkpoint(folder, n_columns)

    def add(self, ids: npt.ArrayLike, rows: npt.ArrayLike) -> None:
        """Save finished rows, numbered by `ids` in any order; durable once this returns.

        Rows that were added before may be added again.
        """
        numbers = np.asarray(ids)
        values = np.asarray(rows, dtype=np.float64)
        if numbers.ndim != 1 or values.shape != (len(numbers), self.n_columns):
            raise ParameterError(
                f"rows must have one row of {self.n_columns} columns per id: shape {values.shape} does not "
                f"fit ids of shape {numbers.shape}"
            )
        if not len(numbers):
            return
        if numbers.dtype.kind not in "iu" or numbers.min() < 0 or numbers.max() > np.iinfo(np.int32).max:
            raise ParameterError("ids must be integers from 0 to 2**31 - 1")
        numbers = numbers.astype(np.int32)
        write_shard(self.directory / shard_name(numbers), numbers, values)

    def finished(self, n_rows: int) -> tuple[npt.NDArray[np.bool_], ValueArray]:
        """Return which of `n_rows` rows are saved, by this or any other process, and the rows, NaN where unfinished.

        A damaged shard is deleted, its rows count as unfinished, and `notes` says so.
        """
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
    def count_rows(directory: str | PathLike[str]) -> int:
        """Return how many rows are saved in a directory, without reading or checking them."""
        return sum(map(rows_of_shard, Path(directory).rglob("shard-*.bin")))

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


def _refuse_foreign_files(folder: Path) -> None:
    foreign = sorted(entry.name for entry in folder.iterdir() if not is_temporary(entry.name))
    # Another process may have started the checkpoint since the manifest was looked for.
    if foreign and not (folder / MANIFEST).exists():
        raise ParameterError(
            f"{folder} has files in it (such as {foreign[0]}) but is not a checkpoint; choose a new or empty one"
        )
