"""Results on disk: checkpoints of unfinished runs, and embeddings in the formats other programs read."""

from vnestruct.store.checkpoint import Checkpoint, parse_part, part_slice
from vnestruct.store.formats import embedding_format, holds_embedding, read_embedding, write_embedding
from vnestruct.store.tables import Audit, Embedding

__all__ = [
    "Audit", "Checkpoint", "Embedding", "embedding_format", "holds_embedding", "parse_part", "part_slice",
    "read_embedding", "write_embedding",
]  # fmt: skip
