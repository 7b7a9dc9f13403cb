"""The union of many small graphs: its rows from their arcs, and triangles counted by bits.

A span is a run of consecutive nodes that no edge leaves, such as one of the graphs. Where it has few nodes, its rows are
a few words of 64 bits each, and the triangles on an edge are the bits that two rows have in common.
"""

from __future__ import annotations

import numpy as np

from vnestruct.kernels.machine import count_ones, kernel, load_word
from vnestruct.types import FlagArray, IdArray, OffsetArray, WordArray


@kernel
def add_span_sums(
    indptr: OffsetArray, indices: IdArray, starts: OffsetArray, begin: int, end: int, bits: WordArray,
    triangles: OffsetArray, squares: OffsetArray, cancel: FlagArray,
) -> None:  # fmt: skip
    """Add the sums of `closed_form.ball_sums` to zeros, by node, for the spans begin..end-1; `bits` is scratch."""
    for span in range(begin, end):
        if cancel[0] != 0:
            return
        first = starts[span]
        size = starts[span + 1] - first
        n_words = (size + 63) >> 6
        bits[: size * n_words] = 0
        for u in range(size):
            for a in range(indptr[first + u], indptr[first + u + 1]):
                v = np.uint32(indices[a] - first)
                bits[np.uint64(u * n_words + (v >> 6))] |= np.uint64(1) << np.uint64(v & 63)
        for u in range(size):
            own_triangles = own_squares = np.int64(0)
            a = indptr[first + u + 1] - 1
            while a >= indptr[first + u] and indices[a] > first + u:
                v = indices[a] - first
                common = np.int64(0)
                for word in range(n_words):
                    common += count_ones(load_word(bits, u * n_words + word) & load_word(bits, v * n_words + word))
                square = (1 + common) * (1 + common)
                own_triangles += common
                own_squares += square
                triangles[np.uint64(first + v)] += common
                squares[np.uint64(first + v)] += square
                a -= 1
            triangles[first + u] += own_triangles
            squares[first + u] += own_squares


@kernel
def append_rows(
    tails: OffsetArray, heads: OffsetArray, n_nodes: int, first: int, indptr: OffsetArray, indices: IdArray,
    place: OffsetArray,
) -> bool:  # fmt: skip
    """Append the rows of a graph to those of the `first` nodes of a union; `place` is scratch, one per node.

    Returns False if the arcs are not the entries of a symmetric matrix without diagonal, row by row in ascending order.
    """
    n_arcs = tails.size
    begin = indptr[first]
    a = 0
    for u in range(n_nodes):
        place[u] = a
        before = -1
        while a < n_arcs and tails[a] == u:
            v = heads[a]
            if v <= before or v == u:
                return False
            indices[begin + a] = first + v
            before = v
            a += 1
        if before >= n_nodes:
            return False
        indptr[first + u + 1] = begin + a
    if a < n_arcs:
        return False
    # Of row u, the entries before `place` have met their mirror images; the next must be above the diagonal.
    for u in range(n_nodes):
        end = indptr[first + u + 1] - begin
        if place[u] < end and heads[place[u]] < u:
            return False
        for a in range(place[u], end):
            v = np.uint32(heads[a])
            mirror = place[v]
            if mirror >= indptr[first + v + 1] - begin or heads[mirror] != u:
                return False
            place[v] = mirror + 1
    return True
