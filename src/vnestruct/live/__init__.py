"""Graphs that change: signatures that keep up, streams of events, and what changed.

Importing this package costs nothing; what a name needs is imported when it is first used.
"""

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.live.events import read_events
    from vnestruct.live.live_graph import LiveGraph
    from vnestruct.live.on_demand import Pending
    from vnestruct.live.period_files import draw_periods
    from vnestruct.live.stream import Period, embed_stream
    from vnestruct.live.unusual import Anomaly, anomalies, anomaly_scores, change_scores

__all__ = [
    "Anomaly", "LiveGraph", "Pending", "Period", "anomalies", "anomaly_scores", "change_scores", "draw_periods",
    "embed_stream", "read_events",
]  # fmt: skip

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "Anomaly": "unusual", "LiveGraph": "live_graph", "Pending": "on_demand", "Period": "stream",
        "anomalies": "unusual", "anomaly_scores": "unusual", "change_scores": "unusual",
        "draw_periods": "period_files", "embed_stream": "stream", "read_events": "events",
    },
)  # fmt: skip
