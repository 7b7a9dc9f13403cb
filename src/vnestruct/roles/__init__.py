"""Roles: structurally similar nodes, found, described, compared with known labels, and drawn."""

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.roles.clusterer import RoleClusterer
    from vnestruct.roles.describe import RoleSummary
    from vnestruct.roles.explanation import Explanation, explain
    from vnestruct.roles.labels import Agreement, agreement, read_labels
    from vnestruct.roles.quality import RoleQuality
    from vnestruct.roles.similar import match_nodes, similar_nodes
    from vnestruct.roles.views import draw_roles

__all__ = [
    "Agreement", "Explanation", "RoleClusterer", "RoleQuality", "RoleSummary", "agreement", "draw_roles", "explain",
    "match_nodes", "read_labels", "similar_nodes",
]  # fmt: skip

_MODULES = {
    "clusterer": ["RoleClusterer"], "describe": ["RoleSummary"], "explanation": ["Explanation", "explain"],
    "labels": ["Agreement", "agreement", "read_labels"], "quality": ["RoleQuality"],
    "similar": ["match_nodes", "similar_nodes"], "views": ["draw_roles"],
}  # fmt: skip
__getattr__, __dir__ = lazy_exports(__name__, {name: module for module, names in _MODULES.items() for name in names})
