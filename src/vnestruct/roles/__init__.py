"""Roles: nodes of like structure found, described, compared with known labels, and drawn.

Importing this package costs nothing; scikit-learn and matplotlib are imported where they are used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vnestruct.roles.agreement_scores import Agreement, agreement
    from vnestruct.roles.clusterer import RoleClusterer
    from vnestruct.roles.drawing import draw_roles
    from vnestruct.roles.labels import read_labels
    from vnestruct.roles.presets import PRESETS, preset_signature
    from vnestruct.roles.similar import SignatureIndex, similar_nodes
    from vnestruct.roles.summary import RoleSummary, summarise_roles

_HOMES = {
    "Agreement": "agreement_scores",
    "PRESETS": "presets",
    "RoleClusterer": "clusterer",
    "RoleSummary": "summary",
    "SignatureIndex": "similar",
    "agreement": "agreement_scores",
    "draw_roles": "drawing",
    "preset_signature": "presets",
    "read_labels": "labels",
    "similar_nodes": "similar",
    "summarise_roles": "summary",
}

__all__ = [
    "PRESETS",
    "Agreement",
    "RoleClusterer",
    "RoleSummary",
    "SignatureIndex",
    "agreement",
    "draw_roles",
    "preset_signature",
    "read_labels",
    "similar_nodes",
    "summarise_roles",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"vnestruct.roles.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'vnestruct.roles' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
