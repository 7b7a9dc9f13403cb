"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from vnestruct.errors import ParameterError, VNEstructError


@contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file for writing that takes its place only once it is complete and on disk.

    Parameters
    ----------
    path : path-like
        The file to write. On any error it is left as it was, and nothing else is left behind.
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise ParameterError(f"{path} is a folder; name a file in it")
    if not target.parent.is_dir():
        raise ParameterError(f"{path}: there is no folder {target.parent}; create it first")
    try:
        if target.exists() and not target.is_file():
            # A pipe or a device cannot be replaced, only written to.
            with target.open("wb") as stream:
                yield stream
            return
        partial = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.part")
        try:
            with partial.open("xb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            partial.replace(target)
        except BaseException:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise
        _sync_folder(target.parent)
    except OSError as problem:
        raise VNEstructError(
            f"{path}: writing failed ({problem.strerror or problem}); free some space or choose another place"
        ) from problem


def _sync_folder(folder: Path) -> None:
    # Without this a crash may lose the new name; some file systems do not offer it.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
