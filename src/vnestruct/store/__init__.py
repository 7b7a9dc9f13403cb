"""Results on disk: checkpoints of unfinished runs, and embeddings in the formats other programs read."""

from vnestruct.store.checkpoint import Checkpoint
from vnestruct.store.formats import embedding_format
from vnestruct.store.parts import parse_part, share
from vnestruct.store.readers import read_embedding
from vnestruct.store.tables import Embedding
from vnestruct.store.writers import write_embedding

__all__ = [
    "Checkpoint",
    "Embedding",
    "embedding_format",
    "parse_part",
    "read_embedding",
    "share",
    "write_embedding",
]
