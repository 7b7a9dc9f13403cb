"""Triangles on every edge, by degree order.

Every triangle is found once, from its corner u of smallest degree: mark the upward neighbours of u, then look through
the upward rows of each of them. Upward rows are short even at hubs, so the work is O(m**1.5) (Schank and Wagner 2005).
The upward arcs of u are the first ``split[u]`` of its row; ``count[a]`` belongs to the edge of upward arc a.
"""

import numpy as np

from vnestruct.kernels.machine import add_atomically, kernel
from vnestruct.types import FlagArray, IdArray, OffsetArray


@kernel
def count_triangles(
    indptr: OffsetArray, indices: IdArray, split: IdArray, first: int, last: int, mark: IdArray, local: IdArray,
    count: IdArray, alone: bool, cancel: FlagArray,
) -> None:  # fmt: skip
    """Add to `count` the triangles whose lowest corner is in first..last-1.

    `mark` (n, zeros) and `local` (longest upward row + 1) are scratch. With `alone` false other threads add to `count`
    at the same time, and additions are atomic.
    """
    for u in range(first, last):
        begin = indptr[u]
        length = split[u]
        if length < 2:
            continue
        if cancel[0] != 0:
            return
        for x in range(length):
            mark[np.uint32(indices[begin + x])] = x + 1
            local[x + 1] = 0
        for x in range(1, length):
            v = indices[begin + x]
            found = 0
            if alone:
                for b in range(indptr[v], indptr[v] + split[v]):
                    position = mark[np.uint32(indices[b])]
                    if position > 0:
                        found += 1
                        local[np.uint32(position)] += 1
                        count[b] += 1
            else:
                for b in range(indptr[v], indptr[v] + split[v]):
                    position = mark[np.uint32(indices[b])]
                    if position > 0:
                        found += 1
                        local[np.uint32(position)] += 1
                        add_atomically(count, b, np.int32(1))
            local[x + 1] += found
        for x in range(length):
            mark[np.uint32(indices[begin + x])] = 0
            if local[x + 1] > 0:
                if alone:
                    count[begin + x] += local[x + 1]
                else:
                    add_atomically(count, begin + x, local[x + 1])
