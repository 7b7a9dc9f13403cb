"""The numerical kernels: arrays in, arrays out, one kernel per file.

Compiled code is cached in a folder named after the contents of these files. Numba notices an edit in a function's own
file but not in a callee of another file, and would run stale code.
"""

import atexit
import hashlib
import logging
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path


def _sources_digest() -> str:
    digest = hashlib.blake2b(digest_size=8)
    for source in sorted(Path(__file__).parent.rglob("*")):
        if source.suffix in (".py", ".cu", ".cuh"):
            digest.update(source.read_bytes())
    return digest.hexdigest()


DIGEST = _sources_digest()  # fingerprint of the sources: compiled code is kept under this name


def _cache_folder() -> Path:
    root = Path(os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    folder = root / "vnestruct" / DIGEST
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except (OSError, RuntimeError):
        pass
    # Nowhere to keep compiled code: each process compiles for itself.
    folder = Path(tempfile.mkdtemp(prefix="vnestruct-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


FOLDER = _cache_folder()
"""Where compiled code is kept."""

_SECONDS = 15  # what the kernels of a first run take to compile on a core of 2.8 GHz


@cache
def announce() -> None:
    """Say that kernels are about to be compiled, unless there are some in the cache."""
    if not any(FOLDER.rglob("*.nbi")):
        message = "Compiling kernels for this machine, about %d s, once"
        logging.getLogger(__name__).warning(message, _SECONDS)


__all__ = ["DIGEST", "FOLDER", "announce"]
