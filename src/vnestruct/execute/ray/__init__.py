"""The engine for clusters: blocks as tasks of Ray, on this machine or on many."""

from vnestruct.execute.ray.cluster import check_cluster
from vnestruct.execute.ray.engine import RayEngine

__all__ = ["RayEngine", "check_cluster"]
