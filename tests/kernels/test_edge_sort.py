"""Rows of a plain graph from its edges, against sets of neighbours."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vnestruct.kernels import edge_sort

LABELS = st.integers(-6, 6) | st.integers(-700, 700)


@settings(deadline=None)
@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=60), st.integers(1, 5), st.integers(1, 12))
@example([(3, 3)], 4, 12)
@example([(0, 1)] * 9 + [(1, 0)] * 9, 3, 1)
@example([(0, other) for other in range(1, 40)], 2, 2)
def test_rows_are_the_sorted_neighbours(edges: list[tuple[int, int]], n_threads: int, digit_bits: int) -> None:
    """Whatever the number of threads and of digits; ids are given by first appearance."""
    pairs = np.array(edges, np.int32)
    low, span = int(pairs.min()), int(np.ptp(pairs)) + 1
    table, order = np.full(span, -1, np.int32), np.empty(span, np.int32)
    n_nodes = edge_sort.number_labels(pairs, low, table, order)
    labels = list(dict.fromkeys(label for edge in edges for label in edge))
    assert (order[:n_nodes] + low).tolist() == labels
    assert table[np.array(labels) - low].tolist() == list(range(len(labels)))
    neighbours: list[set[int]] = [set() for _ in labels]
    for tail, head in edges:
        if tail != head:
            neighbours[labels.index(tail)].add(labels.index(head))
            neighbours[labels.index(head)].add(labels.index(tail))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_sort, "_DIGIT_BITS", digit_bits)
        indptr, indices, n_loops = edge_sort.symmetric_rows(pairs, low, table, n_nodes, n_threads)
    assert [indices[a:b].tolist() for a, b in pairwise(indptr)] == list(map(sorted, neighbours))
    assert indptr[0] == 0
    assert indptr[-1] == indices.size
    assert n_loops == sum(tail == head for tail, head in edges)
    assert (indptr.dtype, indices.dtype) == (np.int64, np.int32)
