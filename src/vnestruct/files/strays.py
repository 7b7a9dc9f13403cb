"""Temporary files and folders that a later run removes if the process that made them was killed.

Their names say which machine made them, and their owner holds a lock on them, which ends with the process. On the same
machine, what has no lock is therefore a stray. Locks do not always reach other machines that share the file system:
there, and where locks are not supported, a file is a stray once nobody has written to it for an hour, and a folder
never is.
"""

import functools
import hashlib
import os
import platform
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has no such locks: there, age decides.
    fcntl = None  # type: ignore[assignment]

STRAY_SECONDS = 3600.0

_PREFIX = ".vnestruct-"
_SUFFIX = ".tmp"

_UNFOLLOWED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Neither links nor pipes are followed, where the system can tell."""

_swept: set[Path] = set()  # folders that this process has looked through


def temporary_name() -> str:
    """Return a new name that `remove_strays` recognises."""
    return f"{_PREFIX}{_machine()}-{secrets.token_hex(8)}{_SUFFIX}"


def is_temporary(name: str) -> bool:
    """Tell whether a file of this name is one of ours, unfinished."""
    return name.startswith(_PREFIX) and name.endswith(_SUFFIX)


def create_locked(path: Path, *, folder: bool = False) -> int:
    """Create an empty file or folder that is not a stray while the returned descriptor is open."""
    while True:
        if folder:
            path.mkdir(mode=0o700)
        try:
            descriptor = os.open(path, os.O_RDONLY if folder else os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
        except OSError as error:
            if folder and isinstance(error, FileNotFoundError):
                continue
            with suppress(OSError):
                path.rmdir()
            raise
        # Another process may take it for a stray before it is locked, and remove it.
        if _lock(descriptor, wait=True) is None or os.fstat(descriptor).st_nlink:
            return descriptor
        os.close(descriptor)


@contextmanager
def temporary_folder(parent: Path) -> Iterator[Path]:
    """Give a new folder that is removed at the end of the block, or by a later run if there is no end."""
    remove_strays(parent, once=True)
    folder = parent / temporary_name()
    descriptor = create_locked(folder, folder=True)
    try:
        yield folder
    finally:
        # A failure to close the folder is raised even if errors are ignored.
        with suppress(OSError):
            shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


def remove_strays(folder: Path, *, once: bool = False) -> None:
    """Remove what killed processes have left in a folder; with `once`, the first time only that this process asks."""
    if once and folder in _swept:
        return
    _swept.add(folder)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if is_temporary(entry.name):
                # Gone already, or not ours to remove: harmless either way.
                with suppress(OSError):
                    _remove_if_stray(Path(entry.path))


def _remove_if_stray(path: Path) -> None:
    is_folder = path.is_dir() and not path.is_symlink()
    # Whoever else may write into the folder could have put a pipe there, which must not be waited for.
    descriptor = os.open(path, os.O_RDONLY if is_folder else os.O_WRONLY | _UNFOLLOWED)
    try:
        is_free = _lock(descriptor, wait=False) if path.name.startswith(f"{_PREFIX}{_machine()}-") else None
        if is_free is None:
            is_free = not is_folder and time.time() - os.fstat(descriptor).st_mtime > STRAY_SECONDS
        # What was opened may have been removed since, and its name taken again by its owner.
        is_free = is_free and os.path.samestat(os.fstat(descriptor), path.lstat())
        if is_free and is_folder:
            shutil.rmtree(path)
        elif is_free:
            path.unlink()
    finally:
        os.close(descriptor)


def _lock(descriptor: int, *, wait: bool) -> bool | None:
    """Lock an open file; return False if another process has the lock, None if there are no locks here."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


@functools.cache
def _machine() -> str:
    """Return a name of this machine since it was started: its containers share locks, and so this name."""
    try:
        name = Path("/proc/sys/kernel/random/boot_id").read_text()
    except OSError:
        name = platform.node()
    return hashlib.blake2b(name.encode(), digest_size=4).hexdigest()
