"""Sums over the balls of all nodes at once, estimated from a sample: which balls hold a sampled edge, wedge or star.

A line is 512 bits per node, eight words. A bit stands for a sampled node, and is set in row v once that node is in the
ball of v. Row v of radius r is the union of the rows of v and its neighbours of radius r - 1, so a round over all arcs
takes the balls of all nodes one step further. A sampled edge has two bits, one per end, and lies in the balls where
both are set. How the bits of a line belong together depends on what was sampled:

- `EDGES`: bits i and 256 + i are the ends of edge i.
- `WEDGES`: bit i is a centre; 128 + i, 256 + i and 384 + i are neighbours of it, drawn with replacement. A ball holds
  each of the three pairs or not. Over all pairs of neighbours of all nodes, the number held is the sum of d**2.
- `STAR`: bit 0 is a hub, the others are neighbours of it, all different: how many a ball holds gives the hub's degree.

Counts are integers, so their sum depends neither on the order of the lines nor on who counts them.
"""

import numpy as np

from vnestruct.kernels.machine import count_ones, inlined, kernel
from vnestruct.kernels.vector import WIDTH, either, load, store
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray, WordArray

BITS = 64 * WIDTH  # bits of a line
EDGES, WEDGES, STAR = range(3)

_POLL = 4096  # rows after which a round looks whether it is cancelled
_STEPS, _CLOSE = 30, 1e-6  # steps at most, and relative change at which to stop, for a star's eigenvalue


@kernel
def mark_sample(indptr: OffsetArray, indices: IdArray, nodes: IdArray, words: WordArray) -> None:
    """Set up a line of radius 1: bit j is set in the rows of ``nodes[j]`` and its neighbours; -1 stands for no node."""
    words[:] = 0
    bits = np.uint64(0)
    for j in range(nodes.size):
        u = np.int64(nodes[j])
        bits |= np.uint64(1) << np.uint64(j & 63)
        if (j + 1) & 63 and nodes[j + 1] == u:
            # Edges are sorted by their hub, whose long row is read once for all of them.
            continue
        if u >= 0:
            word = j >> 6
            words[u * WIDTH + word] |= bits
            for a in range(indptr[u], indptr[u + 1]):
                words[np.int64(indices[a]) * WIDTH + word] |= bits
        bits = np.uint64(0)


@kernel
def next_round(
    indptr: OffsetArray, indices: IdArray, before: ValueArray, after: ValueArray, words: WordArray, kind: int,
    counts: IdArray, cancel: FlagArray,
) -> None:  # fmt: skip
    """Take a line from one radius to the next, and add to `counts` what each ball now holds of the sample.

    `before` and `after` hold bits as float64, which lanes are loaded from; `words` is the memory of `after`.
    """
    for v in range(counts.size):
        if v % _POLL == 0 and cancel[0] != 0:
            return
        row = load(before, v)
        for a in range(indptr[v], indptr[v + 1]):
            row = either(row, load(before, np.uint32(indices[a])))
        store(after, v, row)
        counts[v] += _held(words[v * WIDTH : (v + 1) * WIDTH], kind)


@inlined
def _held(words: WordArray, kind: int) -> int:
    count = np.int64(0)
    if kind == EDGES:
        for i in range(4):
            count += count_ones(words[i] & words[i + 4])
    elif kind == WEDGES:
        for i in range(2):
            x = words[i] & words[i + 2]
            y = words[i] & words[i + 4]
            z = words[i] & words[i + 6]
            count += count_ones(x & y) + count_ones(x & z) + count_ones(y & z)
    elif words[0] & np.uint64(1):
        count = np.int64(-1)
        for i in range(8):
            count += count_ones(words[i])
    return count


@kernel
def star_eigenvalues(indptr: OffsetArray, indices: IdArray) -> ValueArray:
    """Estimate the largest eigenvalue that each node h would give a ball as its hub.

    The eigenvector is taken to live on h and its neighbours, of which each sees h alone: the eigenvalue is the root of
    x = d_h + sum over the neighbours u of 1 / (x - d_u), with denominators of at least 1.
    """
    n = indptr.size - 1
    values = np.zeros(n)
    for h in range(n):
        degree = np.float64(indptr[h + 1] - indptr[h])
        x = degree + 1.0
        for _ in range(_STEPS if degree > 0.0 else 0):
            root = degree
            for a in range(indptr[h], indptr[h + 1]):
                u = np.uint32(indices[a])
                root += 1.0 / max(x - (indptr[u + 1] - indptr[u]), 1.0)
            change = abs(root - x)
            x = 0.5 * (x + root)
            if change < _CLOSE * x:
                break
        values[h] = x
    return values


@kernel
def largest_around(indptr: OffsetArray, indices: IdArray, values: ValueArray) -> ValueArray:
    """Return the largest of the values of each node and its neighbours."""
    largest = values.copy()
    for v in range(values.size):
        for a in range(indptr[v], indptr[v + 1]):
            largest[v] = max(largest[v], values[np.uint32(indices[a])])
    return largest
