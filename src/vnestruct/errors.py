"""The exceptions that vnestruct raises on purpose, all under one root.

Those about values, types, keys and imports also derive from the built-in that a Python user would expect, so that
``except ValueError`` and the like still work.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import index as as_index
from os import PathLike, fspath


class VNEstructError(Exception):
    """Root of every exception raised on purpose by vnestruct."""


class ParameterError(VNEstructError, ValueError):
    """A parameter has a value that makes no sense; the message names it and the remedy."""


class GraphFormatError(VNEstructError, ValueError):
    """A file is not the graph it claims to be.

    Parameters
    ----------
    message : str
        What is wrong and how to fix it.
    path : path-like, optional
        The offending file.
    line : int, optional
        Its line, counted from 1.
    """

    def __init__(self, message: str, path: str | PathLike[str] | None = None, line: int | None = None) -> None:
        self.path = None if path is None else fspath(path)
        self.line = line
        where = "" if self.path is None else self.path + ("" if line is None else f", line {line}") + ": "
        super().__init__(f"{where}{message}")


class NotAGraphError(VNEstructError, TypeError):
    """The object cannot be read as a graph."""


class UnknownNodeError(VNEstructError, KeyError):
    """A node label does not occur in the graph."""

    def __str__(self) -> str:
        # KeyError shows the repr of its argument, which would quote the whole sentence.
        return str(self.args[0]) if self.args else ""


class TooLargeError(VNEstructError):
    """The request would need more memory or time than the method allows."""


class MissingExtraError(VNEstructError, ImportError):
    """An optional library is not installed; the message names the extra that brings it."""


class CheckpointMismatchError(VNEstructError):
    """A checkpoint belongs to another graph or to other parameters."""


class EngineError(VNEstructError):
    """An engine could not finish some blocks; the message names their node ranges."""


def one_of(name: str, value: object, known: Iterable[str]) -> None:
    """Refuse a word that is not known."""
    words = tuple(known)
    if not isinstance(value, str) or value not in words:
        raise ParameterError(f"`{name}` must be one of {listed(words)}, not {value!r}")


def whole_number(name: str, value: object, least: int, otherwise: str = "") -> int:
    """Return a whole number that is large enough, or refuse it."""
    try:
        number = None if isinstance(value, bool) else as_index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or number < least:
        wanted = f"a whole number of at least {least}{otherwise and f' {otherwise}'}"
        raise ParameterError(f"`{name}` must be {wanted}, not {value!r}")
    return number


def listed(words: Iterable[str]) -> str:
    """Return words in quotes, separated by commas."""
    return ", ".join(map(repr, words))
