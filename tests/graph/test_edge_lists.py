"""Arrays, lists, dicts and matrices: what is an edge, what is ambiguous, what is wrong."""

from __future__ import annotations

from typing import Any

import networkx
import numpy as np
import pytest
from scipy import sparse

from tests.cases import for_each
from vnestruct.errors import NotAGraphError, ParameterError
from vnestruct.graph import graph_from_object, graph_from_pairs

PAIRS = np.empty(2, dtype=object)
PAIRS[:] = [("a", "b"), ("b", "c")]
COMPLEX = sparse.csr_array(np.array([[0, 1j], [1j, 0]]))


@for_each(
    ("edges", "nodes", "weights"),
    [
        (np.array([[7, 3], [3, 9], [9, 9]]), [7, 3, 9], None),
        (np.array([[7, 3, 0.5], [3, 9, 1.5], [7, 9, 2], [9, 1, 1]]), [7, 3, 9, 1], [0.5, 2, 0.5, 1.5, 2, 1.5, 1, 1]),
        ([(1.0, 2.0), (2.0, 3.0)], [1.0, 2.0, 3.0], None),
        ([("a", 0.5)], ["a", 0.5], None),
        (np.array([["a", "b"], ["b", "c"]]), ["a", "b", "c"], None),
        (np.array([["a", "b", 1.5], ["b", "c", 2]]), ["a", "b", "c"], [1.5, 1.5, 2, 2]),
        (np.array([["a", "b", 1.5], ["b", 3, 2]], dtype=object), ["a", "b", 3], [1.5, 1.5, 2, 2]),
        (PAIRS, ["a", "b", "c"], None),
        ([("a", "b", {"weight": 2}), ("b", "c", {})], ["a", "b", "c"], [2, 2, 1, 1]),
        ({"a": ["b", "c"], "b": ("d",)}, ["a", "b", "c", "d"], None),
        ({1: np.array([2, 3])}, [1, 2, 3], None),
        ({"a": {"b": 2.5}, "b": {"a": 2.5}}, ["a", "b"], [2.5, 2.5]),
        ({"a": ["b", "c"], "b": ["a"], "c": ["a"], "d": []}, ["a", "b", "c", "d"], None),
    ],
)
def test_edges_are_read(edges: Any, nodes: list[Any], weights: list[float] | None) -> None:
    graph = graph_from_object(edges)
    assert graph.nodes.tolist() == nodes
    assert [type(label) for label in graph.nodes.tolist()] == list(map(type, nodes))
    assert (None if graph.weights is None else graph.weights.tolist()) == weights
    assert graph.report.parallel_merged == 0


@for_each("empty", [[], (), np.empty((0, 2)), np.empty((0, 3), int), np.array([]), {}, iter(())])
def test_no_edges(empty: Any) -> None:
    assert graph_from_object(empty).n_nodes == 0


@for_each(
    ("edges", "named"),
    [
        (np.eye(3), r"\(3, 3\).*scipy.sparse.coo_array\(a\)"),
        (np.ones((2, 7), int), r"\(2, 7\).*pass a.T"),
        (np.array([[0, 1, 2], [1, 2, 0]]), r"\(2, 3\).*pass a.T"),
        (np.ones((4, 5)), r"\(4, 5\)"),
        (np.ones((2, 2, 2)), r"\(2, 2, 2\)"),
        (np.array([[0.0, 2.0**53], [1, 2], [2, 3]]), "edge 0 "),
        (np.array([[0, np.nan], [1, 2], [2, 3]]), "nan"),
        (np.array([["a", "b", "x"]] * 4), "third column"),
        ([(1, 2), (3, 4), (5,)], r"edge 2 is \(5,\)"),
        ([(1, 2, 1.0), (3, 4)], r"edge 1 is \(3, 4\)"),
        ([[0] * 4] * 4, r"scipy.sparse.coo_array\(a\)"),
        ([(1, 2), 7], "edge 1 is 7"),
        (range(5), "edge 0 is 0"),
        ({"a": {"b": -1}}, r"\('a', 'b'\) is -1"),
        (sparse.coo_array(np.ones(3)), r"\(3,\)"),
        (COMPLEX, "complex128"),
        (sparse.csr_array(np.array([[0, -2], [-2, 0]])), r"\(0, 1\) is -2"),
    ],
)
def test_bad_edges_are_named(edges: Any, named: str) -> None:
    with pytest.raises(ParameterError, match=named):
        graph_from_object(edges)


@for_each(
    ("thing", "named"),
    [
        (np.array([[1.5, 2.0], [2.0, 3.0]]), "1.5"),
        (np.array([[1.0, 2.5, 1.0]]), "2.5"),
        ([(0.25, 0.5), (1.0, 0.5)], "0.25"),
        ({"a": "bc"}, "'a' maps to 'bc'"),
        ({("a", "b"): 3}, r"\[\(u, v, w\) for \(u, v\), w in d.items\(\)\]"),
    ],
)
def test_what_holds_no_edges_is_no_graph(thing: Any, named: str) -> None:
    with pytest.raises(NotAGraphError, match=named):
        graph_from_object(thing)


def test_dicts_of_networkx() -> None:
    club = networkx.karate_club_graph()
    graph = graph_from_object(club)
    assert graph_from_object(networkx.to_dict_of_dicts(club)) == graph
    assert graph_from_object(club.edges(data=True)).n_edges == graph.n_edges == 78
    assert graph_from_object(networkx.to_dict_of_lists(club)) == graph_from_object(club, weight=False)
    assert graph_from_object({1: {2}, 2: {1}}, directed=True).n_arcs == 2


@for_each(
    ("matrix", "weights", "arcs"),
    [
        ([[1, 2, 0], [2, 0, 3], [0, 3, 0]], [2, 2, 3, 3], [2, 2, 3, 3]),
        ([[0, 2, 0], [0, 0, 3], [0, 0, 0]], [2, 2, 3, 3], [2, 0, 3, 0]),
        ([[0, 2], [5, 0]], [7, 7], [2, 5]),
    ],
)
def test_sparse_matrices(matrix: list[list[int]], weights: list[int], arcs: list[int]) -> None:
    # A symmetric matrix, up to rounding, holds every edge twice.
    noisy = sparse.csr_array(np.array(matrix, float))
    noisy.data[1] *= 1 + 1e-15
    graph = graph_from_object(noisy)
    assert graph.weights == pytest.approx(weights)
    assert graph.report.parallel_merged == (weights == [7, 7])
    assert graph_from_object(noisy, directed=True).weights == pytest.approx(arcs)


def test_sparse_patterns_are_unweighted() -> None:
    ones = sparse.csr_array(np.array([[0, 1], [1, 0]]))
    stored_zero = sparse.csr_array(([1.0, 1.0, 0.0], [1, 0, 1], [0, 1, 3]), shape=(2, 2))
    for matrix, options in ((ones, {}), (ones.astype(bool), {}), (ones * 2, {"weight": False}), (stored_zero, {})):
        assert graph_from_object(matrix, **options) == graph_from_pairs([0], [1], bipartite=False)
    assert stored_zero.nnz == 3
    repeated = graph_from_object(sparse.coo_array(([1, 1], ([0, 0], [1, 1])), shape=(2, 2)))
    assert np.array_equal(repeated.weights, [2, 2])  # type: ignore[arg-type]
