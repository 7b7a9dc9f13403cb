"""Roles: structurally similar nodes, found, described, compared with known labels, and drawn."""

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.roles.agreement_scores import Agreement, agreement
    from vnestruct.roles.clusterer import RoleClusterer
    from vnestruct.roles.explanation import Explanation, explain
    from vnestruct.roles.profile_estimator import EntropyProfile
    from vnestruct.roles.quality import RoleQuality
    from vnestruct.roles.role_files import read_labels
    from vnestruct.roles.signature import PRESETS, preset_signature
    from vnestruct.roles.similar import SignatureIndex, match_nodes, similar_nodes
    from vnestruct.roles.summary import RoleSummary, summarise_roles
    from vnestruct.roles.views import draw_roles

__all__ = [
    "PRESETS", "Agreement", "EntropyProfile", "Explanation", "RoleClusterer", "RoleQuality", "RoleSummary",
    "SignatureIndex", "agreement", "draw_roles", "explain", "match_nodes", "preset_signature", "read_labels",
    "similar_nodes", "summarise_roles",
]  # fmt: skip

_MODULES = {
    "agreement_scores": ["Agreement", "agreement"], "clusterer": ["RoleClusterer"],
    "explanation": ["Explanation", "explain"], "signature": ["PRESETS", "preset_signature"],
    "profile_estimator": ["EntropyProfile"], "quality": ["RoleQuality"], "role_files": ["read_labels"],
    "similar": ["SignatureIndex", "match_nodes", "similar_nodes"], "summary": ["RoleSummary", "summarise_roles"],
    "views": ["draw_roles"],
}  # fmt: skip
__getattr__, __dir__ = lazy_exports(__name__, {name: module for module, names in _MODULES.items() for name in names})
