"""Nodes near other nodes, and the graph induced on them: what a local change can reach.

`flags` are the direction bits of each entry of a symmetric CSR, or None; a search then follows the entries that have
`bit` set.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vnestruct.kernels.machine import kernel
from vnestruct.types import FlagArray, IdArray, OffsetArray


@kernel
def mark_affected(
    indptr: OffsetArray,
    indices: IdArray,
    flags: FlagArray | None,
    bit: int,
    pairs: OffsetArray,
    radius: int,
    stamps: IdArray,
    queue: IdArray,
    affected: npt.NDArray[np.bool_],
) -> None:
    """Mark the nodes whose ball holds both ends of one of `pairs`, searching backwards from the ends.

    `stamps` (zeros) and `queue` are scratch over all nodes.
    """
    for i in range(pairs.shape[0]):
        first = np.int32(2 * i + 1)
        _stamp_reach(indptr, indices, flags, bit, pairs[i, 0], radius, first, np.int32(-1), stamps, queue, affected)
        _stamp_reach(
            indptr, indices, flags, bit, pairs[i, 1], radius, np.int32(first + 1), first, stamps, queue, affected
        )


@kernel
def _stamp_reach(
    indptr: OffsetArray,
    indices: IdArray,
    flags: FlagArray | None,
    bit: int,
    source: int,
    radius: int,
    stamp: int,
    wanted: int,
    stamps: IdArray,
    queue: IdArray,
    affected: npt.NDArray[np.bool_],
) -> None:
    """Stamp all nodes within `radius` hops of `source`; those that carried the stamp `wanted` are affected."""
    if stamps[source] == wanted:
        affected[source] = True
    stamps[source] = stamp
    queue[0] = source
    head = 0
    tail = 1
    for _ in range(radius):
        end = tail
        while head < end:
            u = queue[head]
            head += 1
            for a in range(indptr[u], indptr[u + 1]):
                if flags is not None and not flags[a] & bit:
                    continue
                w = np.uint32(indices[a])
                if stamps[w] != stamp:
                    if stamps[w] == wanted:
                        affected[w] = True
                    stamps[w] = stamp
                    queue[tail] = w
                    tail += 1


@kernel
def mark_levels(
    indptr: OffsetArray,
    indices: IdArray,
    flags: FlagArray | None,
    bit: int,
    source: int,
    radius: int,
    levels: IdArray,
    queue: IdArray,
) -> int:
    """Fill `levels` (-1 before) with the hops to `source` of all nodes within `radius`; return how many are queued."""
    levels[source] = 0
    queue[0] = source
    head = 0
    tail = 1
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
def mark_balls(
    indptr: OffsetArray,
    indices: IdArray,
    flags: FlagArray | None,
    bit: int,
    sources: OffsetArray,
    radius: int,
    level: FlagArray,
    queue: IdArray,
) -> IdArray:
    """Return the nodes within `radius` hops of any of `sources`, in no special order; `level` is zeros and reset."""
    tail = 0
    for i in range(sources.size):
        level[sources[i]] = 1
        queue[tail] = sources[i]
        tail += 1
    head = 0
    for _ in range(radius):
        end = tail
        while head < end:
            u = queue[head]
            head += 1
            for a in range(indptr[u], indptr[u + 1]):
                if flags is not None and not flags[a] & bit:
                    continue
                w = np.uint32(indices[a])
                if level[w] == 0:
                    level[w] = 1
                    queue[tail] = w
                    tail += 1
    for i in range(tail):
        level[queue[i]] = 0
    return queue[:tail].copy()


@kernel
def induced_entries(
    indptr: OffsetArray, indices: IdArray, nodes: OffsetArray, place: IdArray
) -> tuple[OffsetArray, IdArray, OffsetArray]:
    """Return (indptr, indices, entries) of the graph induced on ascending `nodes`; `place` is -1 and reset.

    `entries` says where each entry stands in the whole graph, so that weights and flags can follow.
    """
    k = nodes.size
    for i in range(k):
        place[nodes[i]] = i
    ptr = np.zeros(k + 1, np.int64)
    for i in range(k):
        count = 0
        for a in range(indptr[nodes[i]], indptr[nodes[i] + 1]):
            count += place[np.uint32(indices[a])] >= 0
        ptr[i + 1] = ptr[i] + count
    columns = np.empty(ptr[k], np.int32)
    entries = np.empty(ptr[k], np.int64)
    p = 0
    for i in range(k):
        for a in range(indptr[nodes[i]], indptr[nodes[i] + 1]):
            j = place[np.uint32(indices[a])]
            if j >= 0:
                columns[p] = j
                entries[p] = a
                p += 1
    for i in range(k):
        place[nodes[i]] = -1
    return ptr, columns, entries
