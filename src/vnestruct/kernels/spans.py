"""The union of many small graphs: its rows from their arcs, and triangles counted by bits.

A span is a run of consecutive nodes that no edge leaves, such as one of the graphs. Where it has few nodes, each of its
rows is a few words of 64 bits, and the triangles on an edge are the bits that two rows have in common.
"""

import numpy as np

from vnestruct.kernels.machine import count_ones, kernel
from vnestruct.types import IdArray, OffsetArray

FEW_ARCS = 100_000  # arcs below which other code is done before these kernels are compiled


@kernel
def add_sums(
    indptr: OffsetArray, indices: IdArray, starts: OffsetArray, triangles: OffsetArray, squares: OffsetArray
) -> None:
    """Add the sums of `closed_form.add_ball_sums` to zeros, by node, for all spans; the last of `starts` is an end."""
    longest = np.diff(starts).max()
    bits = np.empty(longest * ((longest + 63) >> 6), np.uint64)
    for span in range(starts.size - 1):
        first = starts[span]
        n_words = (starts[span + 1] - first + 63) >> 6
        for u in range(first, starts[span + 1]):
            row = (u - first) * n_words
            bits[row : row + n_words] = 0
            for a in range(indptr[u], indptr[u + 1]):
                place = np.uint32(indices[a] - first)
                bits[np.uint64(row + (place >> 6))] |= np.uint64(1) << np.uint64(place & 63)
            own_triangles = own_squares = np.int64(0)
            for a in range(indptr[u], indptr[u + 1]):
                v = indices[a]
                if v > u:
                    break
                other = (v - first) * n_words
                common = np.int64(0)
                for word in range(n_words):
                    common += count_ones(bits[row + word] & bits[other + word])
                square = (1 + common) * (1 + common)
                own_triangles += common
                own_squares += square
                triangles[np.uint32(v)] += common
                squares[np.uint32(v)] += square
            triangles[u] += own_triangles
            squares[u] += own_squares


@kernel
def append_rows(
    tails: OffsetArray, heads: OffsetArray, n_nodes: int, first: int, indptr: OffsetArray, indices: IdArray,
    upper: OffsetArray,
) -> bool:  # fmt: skip
    """Append the rows of a graph to those of the `first` nodes of a union; `upper` is scratch, one per node.

    Returns False if its arcs are not those of a symmetric graph without self-loops, in ascending order.
    """
    begin = indptr[first]
    a = n_lower = 0
    for u in range(n_nodes):
        before = -1
        # The next arc of each row, above the diagonal, that has not met its mirror image.
        upper[u] = a
        while a < tails.size and tails[a] == u:
            v = heads[a]
            if v <= before:
                return False
            if v < u:
                mirror = upper[v]
                if mirror >= indptr[first + v + 1] - begin or heads[mirror] != u:
                    return False
                upper[v] = mirror + 1
                upper[u] = a + 1
                n_lower += 1
            indices[begin + a] = first + v
            before = v
            a += 1
        indptr[first + u + 1] = begin + a
    # Self-loops and heads beyond the last node have no mirror image either.
    return a == tails.size and a == 2 * n_lower
