"""Triangles on every edge, by one thread or several, and radius 1 from them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import sparse

from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, random_graphs
from vnestruct import Graph
from vnestruct.embedding.plan import rank_graph
from vnestruct.embedding.tasks import output_codes
from vnestruct.graph import synthetic
from vnestruct.kernels import closed_form
from vnestruct.kernels.workspace import RankedGraph, UpwardRows

GRAPHS = {**ZOO, **dict(random_graphs(15, seed=4))}
every_graph = for_each("graph", GRAPHS.values(), ids=list(GRAPHS))


def counted(rows: RankedGraph, pieces: int, exclusive: bool, cancel: bool = False) -> np.ndarray:
    """Counts per arc, the nodes cut into pieces that as many threads work on at once."""
    n, upward, flag = rows.split.size, UpwardRows(*rows[:3]), np.full(1, cancel, np.uint8)
    count, edges = np.zeros(rows.indices.size, np.int32), np.linspace(0, rows.split.size, pieces + 1).astype(int)

    def work(first: int, last: int) -> np.ndarray:
        mark, local = np.zeros(n, np.int32), np.zeros(int(rows.split.max(initial=0)) + 1, np.int32)
        closed_form.count_triangles(upward, first, last, mark, local, count, exclusive, flag)
        return mark

    with ThreadPoolExecutor(pieces) as pool:
        assert not any(mark.any() for mark in pool.map(work, edges[:-1].tolist(), edges[1:].tolist()))
    return count


def ball_sums(rows: RankedGraph, count: np.ndarray) -> np.ndarray:
    n, upward = rows.split.size, UpwardRows(*rows[:3])
    sums, atomically = np.zeros((2, n), np.int64), np.zeros((2, n), np.int64)
    closed_form.add_ball_sums(upward, count, 0, n, True, *sums)
    for first, last in ((0, n // 3), (n // 3, n)):
        closed_form.add_ball_sums(upward, count, first, last, False, *atomically)
    assert np.array_equal(atomically, sums)
    return sums


def common_neighbours(rows: RankedGraph) -> np.ndarray:
    """The same counts from set intersections; 0 for arcs to smaller degree, which are not used."""
    members = [set(rows.indices[a:b].tolist()) for a, b in zip(rows.indptr[:-1], rows.indptr[1:], strict=True)]
    count = np.zeros(rows.indices.size, np.int32)
    for u in range(rows.split.size):
        for a in range(rows.indptr[u], rows.indptr[u] + rows.split[u]):
            count[a] = len(members[u] & members[rows.indices[a]])
    return count


@every_graph
@for_each("exclusive", [True, False])
def test_counts(graph: Graph, exclusive: bool) -> None:
    rows = rank_graph(graph).graph
    assert np.array_equal(counted(rows, 1, exclusive), common_neighbours(rows))


def test_counts_by_threads_that_add_to_one_array() -> None:
    rows = rank_graph(synthetic.barabasi_albert(3_000, 20, seed=2)).graph
    expected = counted(rows, 1, True)
    for pieces in (2, 2, 2, 3):
        assert np.array_equal(counted(rows, pieces, False), expected)
    # Each triangle is counted on its three edges.
    matrix = sparse.csr_array((np.ones(rows.indices.size), rows.indices, rows.indptr))
    assert expected.sum() == (matrix @ matrix).multiply(matrix).sum() / 2


def test_a_set_flag_stops_the_count() -> None:
    assert not counted(rank_graph(synthetic.clique(30)).graph, 1, True, cancel=True).any()


@every_graph
def test_radius_one_from_counts(graph: Graph) -> None:
    plan = rank_graph(graph)
    rows = plan.graph
    sums = ball_sums(rows, counted(rows, 1, True))
    degrees = np.diff(rows.indptr)
    degrees.flags.writeable = False
    values = np.empty((rows.split.size, len(closed_form.OUTPUTS)))
    closed_form.radius_one(degrees, *sums, output_codes(closed_form.OUTPUTS), values)
    for column, output in zip(values.T, closed_form.OUTPUTS, strict=True):
        expected = oracles.signature(graph, 1, output)[:, 0]
        assert np.abs(column[plan.rank] - expected).max(initial=0.0) <= 1e-12, output


def test_sums_beyond_32_bits() -> None:
    """A clique of 3,000: the squares of its degrees add up to 2.7e10."""
    rows = rank_graph(synthetic.clique(3_000)).graph
    total, squares = ball_sums(rows, np.full(rows.indices.size, 2_998, np.int32))
    assert set(total.tolist()) == {2_999 * 2_998}
    assert set(squares.tolist()) == {2_999 * 2_999**2}


@for_each(
    ("trace", "squares", "largest", "expected"),
    [
        (0.0, 0.0, 0.0, 0.0),
        (2.0, 4.0, 2.0, 0.0),
        (2.0, 4.0 + 1e-15, 2.0, 0.0),
        (6.0, 18.0, 3.0, 0.5 * np.log(2.0)),
        (6.0, 18.0, 6.0 + 1e-15, 0.0),
    ],
)
def test_entropy_from_traces(trace: float, squares: float, largest: float, expected: float) -> None:
    found = closed_form.approximate_entropy(trace, squares, largest)
    assert found == pytest.approx(expected, abs=1e-15)
    assert not np.signbit(found)
