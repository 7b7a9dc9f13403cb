"""From graph to embedding: the plan, the pipeline, the estimator."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from vnestruct.embedding.annotate import annotate
from vnestruct.embedding.embed import embed
from vnestruct.embedding.frame import embedding_frame
from vnestruct.embedding.update import Update, update

if TYPE_CHECKING:
    from vnestruct.embedding.estimator import VNEstruct

__all__ = ["Update", "VNEstruct", "annotate", "embed", "embedding_frame", "update"]


def __getattr__(name: str) -> Any:
    # scikit-learn takes a second to import, and `embed` does without it.
    if name == "VNEstruct":
        return import_module("vnestruct.embedding.estimator").VNEstruct
    raise AttributeError(f"module 'vnestruct.embedding' has no attribute {name!r}")
