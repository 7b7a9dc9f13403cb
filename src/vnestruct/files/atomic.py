"""Files that appear whole or not at all, even when the disk fills, Ctrl-C is pressed or the power fails."""

import csv
import errno
import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from vnestruct.errors import VNEstructError
from vnestruct.files.output_checks import STANDARD_OUTPUT, check_place
from vnestruct.files.strays import create_locked, remove_strays, temporary_name


@contextmanager
def atomic_path(path: str | os.PathLike[str], *, replace: bool = True) -> Iterator[Path]:
    """Give a temporary path to write to; move it to `path` when the block ends well.

    The temporary file is in the directory of `path`, gets the permissions that ``open(path, "w")`` would give, and is
    removed on any exception; what killed processes left there is removed, too. Links are followed. A pipe or device is
    written to directly: it cannot be replaced, and must not be. Without `replace`, `FileExistsError` is raised if there
    is a file, even if it appears meanwhile. An `OSError` of the file system names `path`.
    """
    mode = None
    with suppress(FileNotFoundError):
        mode = Path(path).stat().st_mode
    if mode is not None and stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    if mode is not None and not replace:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fspath(path))
    if mode is not None and not stat.S_ISREG(mode):
        yield Path(path)
        return

    try:
        target = Path(path).resolve()
    except RuntimeError as error:  # what Python before 3.13 makes of a loop of links
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), os.fspath(path)) from error
    remove_strays(target.parent, once=True)
    temporary = target.parent / temporary_name()
    descriptor = None
    try:
        descriptor = create_locked(temporary)
        if mode is not None and hasattr(os, "fchmod"):  # not on Windows
            os.fchmod(descriptor, stat.S_IMODE(mode))
        yield temporary
        os.fsync(descriptor)
        if replace:
            temporary.replace(target)
        else:
            _move_without_replacing(temporary, target)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno and str(error.filename) in ("None", str(temporary)):
            # The user knows their own path, not our temporary name.
            raise OSError(error.errno, error.strerror, os.fspath(path)) from error
        raise
    finally:
        if descriptor is not None:
            with suppress(OSError):
                os.close(descriptor)
    _sync_directory(target.parent)


@contextmanager
def atomic_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a binary file as `atomic_path` does; failures are raised as `VNEstructError` and say what to do."""
    try:
        check_place(path)
        with atomic_path(path) as temporary, temporary.open("wb") as stream:
            yield stream
    except OSError as error:
        wrong = f"{os.fspath(path)}: writing failed ({error.strerror or error}); "
        raise VNEstructError(wrong + "free some space or choose another place") from error


def write_rows(path: str | os.PathLike[str], rows: Iterable[Iterable[Any]], delimiter: str = ",") -> None:
    """Write rows as CSV to a file that appears whole or not at all, or to standard output for ``-``."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    if os.fspath(path) == STANDARD_OUTPUT:
        sys.stdout.write(text.getvalue())
        return
    with atomic_path(path) as temporary:
        temporary.write_bytes(text.getvalue().encode())


def _move_without_replacing(temporary: Path, target: Path) -> None:
    try:
        os.link(temporary, target)
    except FileExistsError as error:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from error
    except OSError as error:
        # File systems without hard links; of two writers at the same instant the later one wins.
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
        temporary.replace(target)
        return
    temporary.unlink()


def _sync_directory(directory: Path) -> None:
    """Make the new name durable; not every file system can, and the file itself is already in place."""
    try:
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EACCES, errno.EBADF, errno.ENOTSUP, errno.EOPNOTSUPP):
            raise
