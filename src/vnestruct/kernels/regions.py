"""Nodes near other nodes: what a local change can reach.

`flags` are the direction bits of each entry of a symmetric CSR, or None; a search then follows the entries that have
`bit` set.
"""

import numpy as np

from vnestruct.kernels.machine import kernel
from vnestruct.types import BoolArray, FlagArray, IdArray, OffsetArray


@kernel
def mark_levels(
    indptr: OffsetArray, indices: IdArray, flags: FlagArray | None, bit: int, sources: OffsetArray, radius: int,
    levels: IdArray, queue: IdArray,
) -> int:  # fmt: skip
    """Fill `levels` (-1 before) with the hops from any of `sources`, up to `radius`; return how many are queued."""
    tail = 0
    for source in sources:
        levels[source] = 0
        queue[tail] = source
        tail += 1
    head = 0
    for level in range(1, radius + 1):
        end = tail
        while head < end:
            u = queue[head]
            head += 1
            for a in range(indptr[u], indptr[u + 1]):
                if flags is not None and not flags[a] & bit:
                    continue
                w = np.uint32(indices[a])
                if levels[w] < 0:
                    levels[w] = level
                    queue[tail] = w
                    tail += 1
    return tail


@kernel
def mark_affected(
    indptr: OffsetArray, indices: IdArray, flags: FlagArray | None, bit: int, pairs: OffsetArray, radius: int,
    affected: BoolArray,
) -> None:  # fmt: skip
    """Mark the nodes whose ball holds both ends of one of `pairs`, searching backwards from the ends."""
    near, levels = np.zeros(affected.size, np.int32), np.full(affected.size, -1, np.int32)
    queue = np.empty(affected.size, np.int32)
    for i in range(pairs.shape[0]):
        for end in range(2):
            count = mark_levels(indptr, indices, flags, bit, pairs[i, end : end + 1], radius, levels, queue)
            for u in queue[:count]:
                levels[u] = -1
                if end == 0:
                    near[u] = i + 1
                elif near[u] == i + 1:
                    affected[u] = True
