"""Balls around up to eight centres at once, one bit per centre.

``seen[w]`` is the set of centres that have reached node w: after level r, the r-balls of all centres. A level visits
the nodes that some centre reached on the level before and hands their new bits to their neighbours, so that neighbours
shared by several centres are scanned once. The union of the balls is kept as a bit set over the nodes with a summary
of its words, from which the members come out in ascending order without sorting.
"""

import numpy as np

from vnestruct.kernels.machine import inlined, internal, prefetch, trailing_zeros
from vnestruct.kernels.workspace import Arcs, Search
from vnestruct.types import IdArray, WordArray

AHEAD = 4  # nodes by which their rows are asked for in advance: they lie anywhere in memory
_ONE = np.uint64(1)
_SIX = np.uint64(6)
_LOW = np.uint64(63)


@inlined
def _insert(members: WordArray, summary: WordArray, node: int) -> None:
    word = np.uint64(node) >> _SIX
    if members[word] == 0:
        summary[word >> _SIX] |= _ONE << (word & _LOW)
    members[word] |= _ONE << (np.uint64(node) & _LOW)


@internal
def start_search(space: Search, centres: IdArray) -> int:
    """Mark level 0; return the length of the frontier."""
    seen = space.seen
    length = 0
    for j in range(centres.size):
        u = centres[j]
        if seen[u] == 0:
            space.frontier[length] = u
            length += 1
            _insert(space.members, space.summary, u)
        seen[u] |= np.uint8(1 << j)
        space.front[u] = seen[u]
    return length


@internal
def next_level(space: Search, arcs: Arcs, length: int, is_last: bool) -> tuple[int, int]:
    """Reach one level further; return (length of the new frontier, bit set of the centres that reached a new node).

    The frontier is replaced by the new one. With `is_last` no frontier is needed any more, which is quicker.
    """
    indptr, indices, seen, front, new = arcs.indptr, arcs.indices, space.seen, space.front, space.new
    members, summary, frontier, following = space.members, space.summary, space.frontier, space.following
    reached = np.uint8(0)
    if is_last:
        for x in range(length):
            if x + 2 * AHEAD < length:
                prefetch(indptr, np.uint32(frontier[x + 2 * AHEAD]))
            if x + AHEAD < length:
                prefetch(indices, indptr[np.uint32(frontier[x + AHEAD])])
            u = np.uint32(frontier[x])
            bits = front[u]
            for a in range(indptr[u], indptr[u + 1]):
                w = np.uint32(indices[a])
                before = seen[w]
                if before == 0:
                    # `_insert` written out: called from here, it would take as long as all the rest.
                    word = np.uint64(w) >> _SIX
                    if members[word] == 0:
                        summary[word >> _SIX] |= _ONE << (word & _LOW)
                    members[word] |= _ONE << (np.uint64(w) & _LOW)
                seen[w] = before | bits
                reached |= bits & ~before
        return 0, reached
    count = 0
    for x in range(length):
        u = np.uint32(frontier[x])
        bits = front[u]
        for a in range(indptr[u], indptr[u + 1]):
            w = np.uint32(indices[a])
            fresh = bits & ~seen[w]
            if fresh != 0:
                if new[w] == 0:
                    following[count] = w
                    count += 1
                new[w] |= fresh
    for x in range(count):
        w = np.uint32(following[x])
        if seen[w] == 0:
            _insert(members, summary, w)
        seen[w] |= new[w]
        front[w] = new[w]
        reached |= new[w]
        new[w] = 0
        frontier[x] = following[x]
    return count, reached


@internal
def list_members(space: Search) -> int:
    """Write the union of the balls in ascending order; return its size."""
    members, summary, ball = space.members, space.summary, space.ball
    k = 0
    for s in range(summary.size):
        high = summary[s]
        while high != 0:
            word = (np.uint64(s) << _SIX) + trailing_zeros(high)
            high &= high - _ONE
            low = members[word]
            while low != 0:
                ball[k] = np.int32((word << _SIX) + trailing_zeros(low))
                k += 1
                low &= low - _ONE
    return k


@internal
def clear_search(space: Search, k: int) -> None:
    """Forget the balls, at the cost of their size."""
    for i in range(k):
        u = np.uint32(space.ball[i])
        space.seen[u] = 0
        word = np.uint64(u) >> _SIX
        space.members[word] = 0
        space.summary[word >> _SIX] = 0
