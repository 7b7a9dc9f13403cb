"""Files that appear whole or not at all, even when the disk fills, Ctrl-C is pressed or the power fails.

What is being written has a temporary name in the same folder. A killed process leaves it behind; later runs that write
to the folder remove it once nobody has touched it for a day.
"""

import csv
import errno
import io
import os
import secrets
import shutil
import stat
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from vnestruct.errors import MissingExtraError, ParameterError, VNEstructError

STANDARD_OUTPUT = "-"  # standard output, where a file is expected
PICTURE_SUFFIXES = (".png", ".svg", ".pdf")
STALE_SECONDS = 24 * 3600.0

_PREFIX, _SUFFIX = ".vnestruct-", ".tmp"
_swept: set[Path] = set()  # folders that this process has looked through
_unfinished: set[Path] = set()  # temporary files and folders of this process
_naming = threading.Lock()  # held while a file or folder gets its temporary or its final name


@contextmanager
def atomic_path(path: str | os.PathLike[str], *, replace: bool = True) -> Iterator[Path]:
    """Give a temporary path to write to; move it to `path` when the block ends well.

    The temporary file is in the directory of `path`, gets the permissions that ``open(path, "w")`` would give, and is
    removed on any exception. Links are followed. A pipe or device is written to directly: it cannot be replaced, and
    must not be. Without `replace`, `FileExistsError` is raised if there is a file, even if it appears meanwhile. An
    `OSError` of the file system names `path`.
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
    remove_stale_files(target.parent)
    temporary = target.parent / _temporary_name()
    try:
        with _naming:
            descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
            _unfinished.add(temporary)
        try:
            if mode is not None and hasattr(os, "fchmod"):  # not on Windows
                os.fchmod(descriptor, stat.S_IMODE(mode))
            yield temporary
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        with _naming:
            _move(temporary, target, replace)
    except OSError as error:
        if error.errno and str(error.filename) in ("None", str(temporary)):
            # The user knows their own path, not our temporary name.
            raise OSError(error.errno, error.strerror, os.fspath(path)) from error
        raise
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        _unfinished.discard(temporary)
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


@contextmanager
def standard_output(binary: str | None = None) -> Iterator[IO[bytes]]:
    """Give standard output as a stream of bytes; `binary` names content that terminals and text cannot show."""
    stream: Any = getattr(sys.stdout, "buffer", None)
    if binary is not None and (stream is None or sys.stdout.isatty()):
        raise ParameterError(f"standard output takes only text here and {binary} is binary; redirect it or name a file")
    sys.stdout.flush()
    if stream is None:
        yield (content := io.BytesIO())
        sys.stdout.write(content.getvalue().decode())
    elif isinstance(stream, io.RawIOBase):
        # Under python -u a write may stop before the end, and only a buffer writes the rest.
        with open(stream.fileno(), "wb", closefd=False) as buffered:
            yield buffered
    else:
        yield stream
        # A closed pipe can be reported here, but not when the interpreter ends.
        stream.flush()


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """Give a new folder that is removed at the end of the block, or by a later run if there is no end."""
    remove_stale_files(parent)
    folder = parent / _temporary_name()
    with _naming:
        folder.mkdir(mode=0o700)
        _unfinished.add(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _unfinished.discard(folder)


def write_rows(path: str | os.PathLike[str], rows: Iterable[Iterable[Any]], delimiter: str = ",") -> None:
    """Write rows as CSV to a file that appears whole or not at all, or to standard output for ``-``."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(rows)
    if os.fspath(path) == STANDARD_OUTPUT:
        sys.stdout.write(text.getvalue())
        return
    with atomic_path(path) as temporary:
        temporary.write_bytes(text.getvalue().encode())


def is_temporary(name: str) -> bool:
    """Tell whether a file of this name is one of ours, unfinished."""
    return name.startswith(_PREFIX) and name.endswith(_SUFFIX)


def abandon_files() -> None:
    """Remove what is being written, and let no other thread finish it: the process is about to end."""
    _naming.acquire()
    for path in list(_unfinished):
        shutil.rmtree(path, ignore_errors=True)
        with suppress(OSError):
            path.unlink(missing_ok=True)


def remove_stale_files(folder: Path) -> None:
    """Remove what killed processes left in a folder long ago, the first time that this process asks."""
    if folder in _swept:
        return
    _swept.add(folder)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            # Gone already, or not ours to remove: harmless either way.
            with suppress(OSError):
                age = time.time() - entry.stat(follow_symlinks=False).st_mtime
                if not is_temporary(entry.name) or age < STALE_SECONDS:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path)
                else:
                    Path(entry.path).unlink()


def _temporary_name() -> str:
    return f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"


def _move(temporary: Path, target: Path, replace: bool) -> None:
    if not replace:
        try:
            os.link(temporary, target)
            return
        except OSError as error:
            # File systems without hard links; of two writers at the same instant the later one wins.
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
                raise
    temporary.replace(target)


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


def check_place(path: str | os.PathLike[str]) -> None:
    """Raise an error unless a file can be written at `path`; standard output, ``-``, always can."""
    if path == STANDARD_OUTPUT:
        return
    name = os.fspath(path)
    target = Path(os.path.realpath(name))
    if target.is_dir():
        raise ParameterError(f"{name} is a folder; name a file in it")
    if not target.parent.is_dir():
        raise ParameterError(f"{name}: there is no folder {target.parent}; create it first")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)


def check_picture(path: str | os.PathLike[str]) -> None:
    """Raise an error unless `path` has the suffix of a picture and Matplotlib is installed."""
    if Path(path).suffix.lower() not in PICTURE_SUFFIXES:
        known = ", ".join(PICTURE_SUFFIXES)
        raise ParameterError(f"{os.fspath(path)}: pictures are {known} files; choose one of these")
    if find_spec("matplotlib") is None:
        raise MissingExtraError('pictures need Matplotlib: pip install "vnestruct[plot]"')
