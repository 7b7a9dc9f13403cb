"""Checks of parameters: an error names the parameter, its value and what it may be."""

from collections.abc import Iterable
from operator import index as as_index

from vnestruct.errors import ParameterError


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
