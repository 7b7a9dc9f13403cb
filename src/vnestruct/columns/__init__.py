"""Columns of structure for the tables of users, static and at a point in time."""

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.columns.graph_features import GraphFeatures, features

__all__ = ["GraphFeatures", "features"]

__getattr__, __dir__ = lazy_exports(__name__, dict.fromkeys(__all__, "graph_features"))
