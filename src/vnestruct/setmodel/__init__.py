"""Graphs as sets of node vectors [X || H]: classification without message passing.

Importing this package costs nothing; PyTorch and scikit-learn are imported where they are used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vnestruct.setmodel.classifier import DeepSetsClassifier
    from vnestruct.setmodel.evaluation import Evaluation, cross_validate
    from vnestruct.setmodel.features import NodeFeatures
    from vnestruct.setmodel.loading import load_classifier
    from vnestruct.setmodel.signature import GraphSignature
    from vnestruct.setmodel.signature_classifier import SignatureClassifier

_HOMES = {
    "DeepSetsClassifier": "classifier",
    "Evaluation": "evaluation",
    "GraphSignature": "signature",
    "NodeFeatures": "features",
    "SignatureClassifier": "signature_classifier",
    "cross_validate": "evaluation",
    "load_classifier": "loading",
}

__all__ = [
    "DeepSetsClassifier",
    "Evaluation",
    "GraphSignature",
    "NodeFeatures",
    "SignatureClassifier",
    "cross_validate",
    "load_classifier",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"vnestruct.setmodel.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'vnestruct.setmodel' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
