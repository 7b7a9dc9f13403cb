"""Lazy exports: a package names its contents and imports them when first used, so importing it costs nothing."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_exports(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and ``__dir__`` of a package; `homes` says in which of its modules each name is."""

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return get, lambda: sorted(sys.modules[package].__all__)


def load(place: str) -> Any:
    """Import what a registry names as ``module:name``."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
