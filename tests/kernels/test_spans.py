"""Unions of small graphs: sums of triangles by bits, and rows from sorted arcs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests import generators as synthetic
from tests.cases import for_each
from tests.graphs import ZOO, disjoint_union, random_graphs
from vnestruct import Graph
from vnestruct.embedding.plan import frozen
from vnestruct.kernels import closed_form, spans

GRAPHS = {**ZOO, **dict(random_graphs(10, seed=6))}
Arcs = list[tuple[int, int]]


def sums_of(graph: Graph, starts: list[int]) -> list[np.ndarray]:
    sums = [np.zeros(graph.n_nodes, np.int64) for _ in range(2)]
    spans.add_sums(graph.indptr, graph.indices, frozen(np.array(starts)), *sums)
    return sums


def expected_sums(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    nodes = np.arange(graph.n_nodes)
    return closed_form.ball_sums_of(graph.indptr, graph.indices, nodes, np.zeros(graph.n_nodes, np.uint8))


def appended(arcs: Arcs, n_nodes: int, before: Graph | None = None) -> Graph | None:
    """The union of a graph and one of these arcs, if they are accepted."""
    first, n_before = (0, 0) if before is None else (before.n_nodes, before.indices.size)
    indptr, indices = np.full(first + n_nodes + 1, -7), np.full(n_before + len(arcs), -7, np.int32)
    indptr[: first + 1] = 0 if before is None else before.indptr
    indices[:n_before] = [] if before is None else before.indices
    tails, heads = np.array(arcs, np.int64).reshape(-1, 2).T.copy()
    accepted = spans.append_rows(tails, heads, n_nodes, first, indptr, indices, np.empty(n_nodes, np.int64))
    return Graph(indptr, indices) if accepted else None


def arcs_of(graph: Graph) -> Arcs:
    return list(zip(np.repeat(np.arange(graph.n_nodes), graph.degrees).tolist(), graph.indices.tolist(), strict=True))


@for_each("graph", [graph for graph in GRAPHS.values() if graph.n_nodes], ids=list(GRAPHS))
def test_sums_of_one_span(graph: Graph) -> None:
    for found, expected in zip(sums_of(graph, [0, graph.n_nodes]), expected_sums(graph), strict=True):
        assert np.array_equal(found, expected)


def test_sums_of_many_spans() -> None:
    """Rows of one to four words, with nodes at their ends; a part of the spans leaves the others alone."""
    sizes = [63, 64, 65, 128, 1, 129, 200]
    union = disjoint_union(*(synthetic.erdos_renyi(n, 0.3, seed=n) for n in sizes))
    starts = [0, *np.cumsum(sizes).tolist()]
    expected = expected_sums(union)
    for found, right in zip(sums_of(union, starts), expected, strict=True):
        assert np.array_equal(found, right)
    for found, right in zip(sums_of(union, starts[2:5]), expected, strict=True):
        inside = slice(starts[2], starts[4])
        assert np.array_equal(found[inside], right[inside])
        assert not np.delete(found, inside).any()


@for_each("graph", GRAPHS.values(), ids=list(GRAPHS))
def test_sorted_arcs_become_rows(graph: Graph) -> None:
    assert appended(arcs_of(graph), graph.n_nodes) == graph
    before = synthetic.clique(5)
    assert appended(arcs_of(graph), graph.n_nodes, before) == disjoint_union(before, graph)


REFUSED: dict[str, tuple[Arcs, int]] = {
    "self-loop": ([(0, 0)], 1),
    "one way": ([(0, 1)], 2),
    "one way, upwards": ([(0, 1), (0, 2), (1, 0)], 3),
    "one way, downwards": ([(0, 1), (1, 0), (2, 0)], 3),
    "another mirror image": ([(0, 1), (0, 2), (1, 0), (2, 1)], 3),
    "mirror image in the next row": ([(0, 2), (1, 3), (2, 0), (3, 0)], 4),
    "as many up as down": ([(0, 1), (1, 2), (2, 0), (2, 1)], 3),
    "twice": ([(0, 1), (0, 1), (1, 0), (1, 0)], 2),
    "heads not in order": ([(0, 2), (0, 1), (1, 0), (2, 0)], 3),
    "tails not in order": ([(1, 0), (0, 1)], 2),
    "head too large": ([(0, 2), (1, 0)], 2),
    "tail too large": ([(0, 1), (1, 0), (2, 0)], 2),
    "negative head": ([(0, -1), (0, 1), (1, 0)], 2),
    "negative tail": ([(-1, 0), (0, 1), (1, 0)], 2),
    "no nodes": ([(0, 1), (1, 0)], 0),
}


@for_each(("arcs", "n_nodes"), REFUSED.values(), ids=list(REFUSED))
def test_other_arcs_are_refused(arcs: Arcs, n_nodes: int) -> None:
    assert appended(arcs, n_nodes) is None
    assert appended(arcs, n_nodes, synthetic.clique(4)) is None


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=14), st.booleans(), st.booleans())
def test_arcs_are_accepted_if_and_only_if_they_are_rows(arcs: Arcs, mirrored: bool, ordered: bool) -> None:
    if mirrored:
        arcs = arcs + [(v, u) for u, v in arcs]
    if ordered:
        arcs = sorted(set(arcs))
    are_rows = arcs == sorted({arc for arc in arcs if arc[0] != arc[1] and arc[::-1] in arcs})
    found = appended(arcs, 5)
    assert (found is not None) == are_rows
    assert found is None or arcs_of(found) == arcs
