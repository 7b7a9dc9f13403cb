"""Roles: structurally similar nodes, found, described, compared with known labels, and drawn.

Importing this package costs nothing; scikit-learn and Matplotlib are imported where they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.roles.agreement_scores import Agreement, agreement
    from vnestruct.roles.clusterer import RoleClusterer
    from vnestruct.roles.explanation import Explanation, explain
    from vnestruct.roles.matching import match_nodes
    from vnestruct.roles.presets import PRESETS, preset_signature
    from vnestruct.roles.profile_estimator import EntropyProfile
    from vnestruct.roles.quality import RoleQuality
    from vnestruct.roles.role_files import read_labels
    from vnestruct.roles.role_picture import draw_roles
    from vnestruct.roles.similar import SignatureIndex, similar_nodes
    from vnestruct.roles.summary import RoleSummary, summarise_roles

__all__ = [
    "PRESETS", "Agreement", "EntropyProfile", "Explanation", "RoleClusterer", "RoleQuality", "RoleSummary",
    "SignatureIndex", "agreement", "draw_roles", "explain", "match_nodes", "preset_signature", "read_labels",
    "similar_nodes", "summarise_roles",
]  # fmt: skip

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "Agreement": "agreement_scores",
        "EntropyProfile": "profile_estimator",
        "Explanation": "explanation",
        "PRESETS": "presets",
        "RoleClusterer": "clusterer",
        "RoleQuality": "quality",
        "RoleSummary": "summary",
        "SignatureIndex": "similar",
        "agreement": "agreement_scores",
        "draw_roles": "role_picture",
        "explain": "explanation",
        "match_nodes": "matching",
        "preset_signature": "presets",
        "read_labels": "role_files",
        "similar_nodes": "similar",
        "summarise_roles": "summary",
    },
)
