"""Results on disk: checkpoints of unfinished runs, and embeddings in the formats other programs read."""

from typing import TYPE_CHECKING

from vnestruct.lazy import lazy_exports

if TYPE_CHECKING:
    from vnestruct.store.audit import Audit
    from vnestruct.store.checkpoint import Checkpoint, parse_part, part_slice
    from vnestruct.store.formats import embedding_format, holds_embedding, read_embedding, write_embedding
    from vnestruct.store.tables import Embedding

__all__ = [
    "Audit", "Checkpoint", "Embedding", "embedding_format", "holds_embedding", "parse_part", "part_slice",
    "read_embedding", "write_embedding",
]  # fmt: skip

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "Audit": "audit", "Checkpoint": "checkpoint", "Embedding": "tables", "embedding_format": "formats",
        "holds_embedding": "formats", "parse_part": "checkpoint", "part_slice": "checkpoint",
        "read_embedding": "formats", "write_embedding": "formats",
    },
)  # fmt: skip
