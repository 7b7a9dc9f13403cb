"""From graph to embedding: parameters, the plan, the pipeline and its engines, the estimator, updates."""

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.embedding.embed_graph import embed
    from vnestruct.embedding.estimator import VNEstruct
    from vnestruct.embedding.frames import annotate, embedding_frame
    from vnestruct.embedding.update_graph import Update, update

__all__ = ["Update", "VNEstruct", "annotate", "embed", "embedding_frame", "update"]

# The command line reads parameters and registries from here, and must not wait for Numba or scikit-learn.
__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "Update": "update_graph", "VNEstruct": "estimator", "annotate": "frames", "embed": "embed_graph",
        "embedding_frame": "frames", "update": "update_graph",
    },
)  # fmt: skip
