"""Graphs that change: signatures that keep up, streams of events, and what changed.

Importing this package costs nothing; what a name needs is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.live.changes import change_scores
    from vnestruct.live.events import read_events
    from vnestruct.live.live_graph import LiveGraph
    from vnestruct.live.on_demand import Pending
    from vnestruct.live.period_picture import draw_periods
    from vnestruct.live.stream import Period, embed_stream
    from vnestruct.live.unusual_nodes import Anomaly, anomalies, anomaly_scores

__all__ = [
    "Anomaly",
    "LiveGraph",
    "Pending",
    "Period",
    "anomalies",
    "anomaly_scores",
    "change_scores",
    "draw_periods",
    "embed_stream",
    "read_events",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "Anomaly": "unusual_nodes",
        "LiveGraph": "live_graph",
        "Pending": "on_demand",
        "Period": "stream",
        "anomalies": "unusual_nodes",
        "anomaly_scores": "unusual_nodes",
        "change_scores": "changes",
        "draw_periods": "period_picture",
        "embed_stream": "stream",
        "read_events": "events",
    },
)
