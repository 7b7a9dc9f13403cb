"""Explore: one self-contained page that shows a graph, its roles and its signatures, and lets people look around.

Importing this package costs nothing; Bokeh and igraph are imported when a page is written.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vnestruct.explore.page import PageSummary, write_page

__all__ = ["PageSummary", "write_page"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("vnestruct.explore.page"), name)
    raise AttributeError(f"module 'vnestruct.explore' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
