"""Names of a package that are imported when they are first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_exports(
    package: str, homes: Mapping[str, str], eager: tuple[str, ...] = ()
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the module functions ``__getattr__`` and ``__dir__`` of a package with lazy names.

    Parameters
    ----------
    package : str
        Name of the package, its ``__name__``.
    homes : mapping of str to str
        For each public name the submodule that defines it.
    eager : tuple of str
        Public names that the package imports itself.

    Examples
    --------
    >>> load, names = lazy_exports("vnestruct", {"Graph": "graph", "embed": "embedding"})
    >>> load("Graph").__name__, names()
    ('Graph', ['Graph', 'embed'])
    """

    def load(name: str) -> Any:
        if name in homes:
            return getattr(import_module(f"{package}.{homes[name]}"), name)
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load, lambda: sorted([*homes, *eager])
