"""What a kernel over balls is told: the fields of ``job.cuh``, and the memory a block needs."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

FIELDS = (
    "indptr", "indices", "weights", "search_indptr", "search_indices", "first", "component", "component_size",
    "n_nodes", "wide_rank", "long_rank",
    "work", "rows", "radius", "smallest", "approximate", "tolerance", "by_component",
    "queue", "queue_length", "taken", "too_large", "too_large_length", "cancel", "counters",
    "scratch", "scratch_bytes", "most_nodes", "most_arcs", "most_steps", "near_entries", "words_near",
)  # fmt: skip
"""The fields, eight bytes each, in order."""

_CHUNK_ARCS = 512
"""Room for rows that a warp takes at a time; what is left of it at the end is lost."""


def pack_job(values: dict[str, Any]) -> npt.NDArray[np.uint64]:
    """Return the fields as the kernel reads them; arrays become addresses, fields left out 0."""
    unknown = values.keys() - set(FIELDS)
    assert not unknown, unknown
    packed = []
    for name in FIELDS:
        value = values.get(name)
        if isinstance(value, float):
            packed.append(struct.pack("d", value))
        else:
            number = 0 if value is None else value if isinstance(value, int) else int(value.data.ptr)
            packed.append(struct.pack("q", number))
    return np.frombuffer(b"".join(packed), np.uint64)


@dataclass(frozen=True)
class Scratch:
    """How large a ball a block has room for, and where its arrays are."""

    n_nodes: int
    most_nodes: int
    most_arcs: int
    column_bytes: int
    weighted: bool
    near_entries: int
    words_near: bool

    @property
    def most_steps(self) -> int:
        """Steps of an iteration, at most."""
        return min(2 * self.most_nodes + 64, 1 << 14)

    @property
    def words(self) -> int:
        """Bytes of the set of visited nodes."""
        return 2 * _padded(4 * ((self.n_nodes + 31) // 32))

    @property
    def shared(self) -> int:
        """Bytes of shared memory."""
        return _padded(8 * self.near_entries) + (self.words if self.words_near else 0)

    @property
    def bytes(self) -> int:
        """Bytes of device memory, as ``make_space`` lays them out."""
        nodes = 4 * _padded(4 * self.most_nodes) + _padded(8 * (self.most_nodes + 1)) + _padded(8 * self.most_nodes)
        steps = 2 * _padded(8 * self.most_steps)
        arcs = _padded(self.column_bytes * self.most_arcs)
        if self.weighted:
            nodes += _padded(8 * self.most_nodes)
            arcs += _padded(8 * self.most_arcs)
        return nodes + steps + arcs + (0 if self.words_near else self.words)


def padded_arcs(n_nodes: int, n_arcs: int, threads: int) -> int:
    """Return room for rows that is enough for any ball of a graph."""
    # Of a chunk, a quarter at most is lost.
    return (n_arcs + 3 * n_nodes) * 4 // 3 + (threads // 32) * _CHUNK_ARCS + 8


def _padded(size: int) -> int:
    return (size + 15) & ~15
