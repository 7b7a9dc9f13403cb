"""Graph files: one reader and one writer per format behind one registry."""

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.io.read import as_graph, read_graph
    from vnestruct.io.vng import read_vng
    from vnestruct.io.write import write_graph

__all__ = ["as_graph", "read_graph", "read_vng", "write_graph"]

__getattr__, __dir__ = lazy_exports(
    __name__, {"as_graph": "read", "read_graph": "read", "read_vng": "vng", "write_graph": "write"}
)
