"""Classify graphs as sets of node vectors [X || H], without message passing."""

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.setmodel.base import load_classifier
    from vnestruct.setmodel.deepsets_classifier import DeepSetsClassifier
    from vnestruct.setmodel.evaluation import Evaluation, cross_validate
    from vnestruct.setmodel.features import NodeFeatures
    from vnestruct.setmodel.signature import GraphSignature
    from vnestruct.setmodel.signature_classifier import SignatureClassifier
    from vnestruct.setmodel.splits import read_splits, write_folds

__all__ = [
    "DeepSetsClassifier", "Evaluation", "GraphSignature", "NodeFeatures", "SignatureClassifier", "cross_validate",
    "load_classifier", "read_splits", "write_folds",
]  # fmt: skip

_MODULES = {
    "base": ["load_classifier"], "deepsets_classifier": ["DeepSetsClassifier"], "features": ["NodeFeatures"],
    "evaluation": ["Evaluation", "cross_validate"], "signature": ["GraphSignature"],
    "signature_classifier": ["SignatureClassifier"], "splits": ["read_splits", "write_folds"],
}  # fmt: skip
__getattr__, __dir__ = lazy_exports(__name__, {name: module for module, names in _MODULES.items() for name in names})
