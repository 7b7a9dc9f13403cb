"""What balls hold of a sample, against balls from powers of the adjacency matrix."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests import generators as synthetic
from tests.graphs import graph_strategy
from vnestruct import Graph
from vnestruct.embedding.plan import rank_graph, read_only
from vnestruct.kernels import edge_sketch
from vnestruct.kernels.edge_sketch import BITS, EDGES, STAR, WEDGES
from vnestruct.kernels.vector import WIDTH
from vnestruct.kernels.workspace import RankedGraph, aligned

RADIUS = 4


def balls(rows: RankedGraph) -> list[np.ndarray]:
    """Return for each radius the matrix of who is in whose ball."""
    step = np.eye(rows.indptr.size - 1, dtype=int)
    step[np.repeat(np.arange(len(step)), np.diff(rows.indptr)), rows.indices] = 1
    return [np.linalg.matrix_power(step, radius) > 0 for radius in range(1, RADIUS + 1)]


def counted(rows: RankedGraph, kind: int, nodes: np.ndarray) -> list[np.ndarray]:
    n = rows.indptr.size - 1
    before, after = aligned(n * WIDTH), aligned(n * WIDTH)
    edge_sketch.mark_sample(rows.indptr, rows.indices, read_only(nodes), before.view(np.uint64))
    found = []
    for _ in range(RADIUS - 1):
        counts = np.zeros(n, np.int32)
        words = after.view(np.uint64)
        edge_sketch.next_round(rows.indptr, rows.indices, before, after, words, kind, counts, np.zeros(1, np.uint8))
        found.append(counts)
        before, after = after, before
    return found


@given(graph_strategy(max_nodes=12), st.integers(0, 2**32))
def test_counts_are_those_of_the_balls(graph: Graph, seed: int) -> None:
    rows = rank_graph(graph).graph
    n = rows.indptr.size - 1
    if not n:
        return
    generator = np.random.default_rng(seed)
    number = int(generator.integers(1, 129))
    drawn = generator.integers(0, n, (4, number))
    for kind, groups in ((EDGES, 2), (WEDGES, 4)):
        line = np.full((groups, BITS // groups), -1, np.int32)
        line[:, :number] = drawn[:groups]
        for held, ball in zip(counted(rows, kind, line.ravel()), balls(rows)[1:], strict=True):
            inside = ball[:, drawn[:groups]].astype(int)
            if kind == EDGES:
                expected = inside[:, 0] * inside[:, 1]
            else:
                centre, x, y, z = (inside[:, place] for place in range(4))
                expected = centre * (x * y + x * z + y * z)
            assert held.tolist() == expected.sum(axis=1).tolist()
    hub, *others = generator.permutation(n)[: BITS - 1].tolist()
    line = np.full(BITS, -1, np.int32)
    line[: len(others) + 1] = [hub, *others]
    for held, ball in zip(counted(rows, STAR, line), balls(rows)[1:], strict=True):
        assert held.tolist() == (ball[:, hub] * ball[:, others].sum(axis=1)).tolist()


def test_eigenvalue_of_a_star_is_its_number_of_nodes() -> None:
    for leaves in (2, 7, 300):
        rows = rank_graph(synthetic.star(leaves)).graph
        values = edge_sketch.star_eigenvalues(rows.indptr, rows.indices)
        np.testing.assert_allclose(values[0], leaves + 1, rtol=1e-5)
    # A single edge.
    rows = rank_graph(synthetic.path(2)).graph
    assert edge_sketch.star_eigenvalues(rows.indptr, rows.indices).tolist() == [2.0, 2.0]


@given(graph_strategy(max_nodes=12))
def test_largest_around(graph: Graph) -> None:
    rows = rank_graph(graph).graph
    values = np.random.default_rng(1).random(rows.indptr.size - 1)
    expected = [values[ball].max() for ball in balls(rows)[0]]
    assert edge_sketch.largest_around(rows.indptr, rows.indices, values).tolist() == expected
