"""Explore: one self-contained page that shows a graph, its roles and its signatures."""

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.explore.node_table import NodeTable, read_node_table
    from vnestruct.explore.page import PageSummary, write_page

__all__ = ["NodeTable", "PageSummary", "read_node_table", "write_page"]

_MODULES = {"node_table": ["NodeTable", "read_node_table"], "page": ["PageSummary", "write_page"]}
__getattr__, __dir__ = lazy_exports(__name__, {name: module for module, names in _MODULES.items() for name in names})
