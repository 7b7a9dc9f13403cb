"""Explore: one self-contained page that shows a graph, its roles and its signatures.

Importing this package costs nothing; Bokeh and igraph are imported when a page is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.explore.page import PageSummary, write_page

__all__ = ["PageSummary", "write_page"]

__getattr__, __dir__ = lazy_exports(__name__, dict.fromkeys(__all__, "page"))
