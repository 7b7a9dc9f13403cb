"""Rows of a plain graph from its edges, against sets of neighbours."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vnestruct.kernels import edge_sort

IDS = st.integers(0, 6) | st.integers(0, 700)


@settings(deadline=None)
@given(st.lists(st.tuples(IDS, IDS), min_size=1, max_size=60), st.integers(1, 5), st.integers(1, 12))
@example([(3, 3)], 4, 12)
@example([(0, 1)] * 9 + [(1, 0)] * 9, 3, 1)
@example([(0, other) for other in range(1, 40)], 2, 2)
def test_rows_are_the_sorted_neighbours(edges: list[tuple[int, int]], n_threads: int, digit_bits: int) -> None:
    """Whatever the number of threads and of digits."""
    neighbours: list[set[int]] = [set() for _ in range(1 + max(map(max, edges)))]
    for tail, head in edges:
        if tail != head:
            neighbours[tail].add(head)
            neighbours[head].add(tail)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_sort, "_DIGIT_BITS", digit_bits)
        pairs = np.array(edges, np.int32)
        indptr, indices, n_loops = edge_sort.symmetric_rows(pairs, len(neighbours), n_threads)
    assert [indices[a:b].tolist() for a, b in pairwise(indptr)] == list(map(sorted, neighbours))
    assert indptr[0] == 0
    assert indptr[-1] == indices.size
    assert n_loops == sum(tail == head for tail, head in edges)
    assert (indptr.dtype, indices.dtype) == (np.int64, np.int32)
