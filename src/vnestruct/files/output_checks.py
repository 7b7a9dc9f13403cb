"""Refuse, before any work, an output that could not be written after it."""

import errno
import os
from importlib.util import find_spec
from os import PathLike, fspath
from pathlib import Path

from vnestruct.errors import MissingExtraError, ParameterError

STANDARD_OUTPUT = "-"  # standard output, where a file is expected
PICTURE_SUFFIXES = (".png", ".svg", ".pdf")


def check_place(path: str | PathLike[str]) -> None:
    """Raise an error unless a file can be written at `path`; standard output, ``-``, always can."""
    if path == STANDARD_OUTPUT:
        return
    name = fspath(path)
    target = Path(os.path.realpath(name))
    if target.is_dir():
        raise ParameterError(f"{name} is a folder; name a file in it")
    if not target.parent.is_dir():
        raise ParameterError(f"{name}: there is no folder {target.parent}; create it first")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), name)


def check_picture(path: str | PathLike[str]) -> None:
    """Raise an error unless `path` has the suffix of a picture and Matplotlib is installed."""
    if Path(path).suffix.lower() not in PICTURE_SUFFIXES:
        raise ParameterError(f"{fspath(path)}: pictures are {', '.join(PICTURE_SUFFIXES)} files; choose one of these")
    if find_spec("matplotlib") is None:
        raise MissingExtraError('pictures need Matplotlib: pip install "vnestruct[plot]"')
