"""Graphs that change: signatures that keep up, streams of events, and what changed.

Importing this package costs nothing; what a name needs is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.live.live_graph import LiveGraph
    from vnestruct.live.on_demand import Pending

__all__ = ["LiveGraph", "Pending"]

__getattr__, __dir__ = lazy_exports(__name__, {"LiveGraph": "live_graph", "Pending": "on_demand"})
