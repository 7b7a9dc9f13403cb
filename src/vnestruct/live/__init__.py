"""Graphs that change: signatures that keep up, streams of events, and what changed."""

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.live.events import read_events
    from vnestruct.live.live_graph import LiveGraph
    from vnestruct.live.on_demand import Pending
    from vnestruct.live.periods import draw_periods
    from vnestruct.live.stream import Period, embed_stream
    from vnestruct.live.unusual import Anomaly, anomalies, anomaly_scores, change_scores

__all__ = [
    "Anomaly", "LiveGraph", "Pending", "Period", "anomalies", "anomaly_scores", "change_scores", "draw_periods",
    "embed_stream", "read_events",
]  # fmt: skip

_MODULES = {
    "events": ["read_events"], "live_graph": ["LiveGraph"], "on_demand": ["Pending"], "periods": ["draw_periods"],
    "stream": ["Period", "embed_stream"], "unusual": ["Anomaly", "anomalies", "anomaly_scores", "change_scores"],
}  # fmt: skip
__getattr__, __dir__ = lazy_exports(__name__, {name: module for module, names in _MODULES.items() for name in names})
