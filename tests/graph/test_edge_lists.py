"""Arrays, lists and dicts: what is an edge, what is ambiguous, what is wrong."""

from __future__ import annotations

from typing import Any

import networkx
import numpy as np
import pytest
from scipy import sparse

from tests.cases import for_each
from vnestruct.errors import NotAGraphError, ParameterError
from vnestruct.graph import graph_from_object, graph_from_pairs


def weights_of(obj: Any, **options: Any) -> list[float]:
    weights = graph_from_object(obj, **options).weights
    assert weights is not None
    return list(weights)


def test_edge_array_of_integers() -> None:
    graph = graph_from_object(np.array([[7, 3], [3, 9], [9, 9]]))
    assert graph.nodes.tolist() == [7, 3, 9]
    assert graph.report.self_loops_dropped == 1
    assert graph_from_object(np.array([[0, 1], [1, 2]])).n_edges == 2


def test_whole_floats_become_integers() -> None:
    graph = graph_from_object(np.array([[7, 3, 0.5], [3, 9, 1.5], [7, 9, 2], [9, 1, 1]]))
    assert graph.nodes.dtype == np.int64
    assert graph.nodes.tolist() == [7, 3, 9, 1]
    assert graph_from_object([(1.0, 2.0), (2.0, 3.0)]).nodes.tolist() == [1.0, 2.0, 3.0]


def test_fractions_are_no_edges() -> None:
    for edges in (np.array([[1.5, 2.0], [2.0, 3.0]]), np.array([[1.0, 2.5, 1.0]]), [(0.25, 0.5), (1.0, 0.5)]):
        with pytest.raises(NotAGraphError, match="holds fractions, so these are no edges: convert node labels to int"):
            graph_from_object(edges)
    # Labels of which only some are fractions come from nowhere else than the user.
    assert graph_from_object([("a", 0.5)]).nodes.tolist() == ["a", 0.5]
    assert weights_of(np.array([[0, 1, 0.5], [1, 2, 2]])) == [0.5, 0.5, 2, 2]


def test_arrays_of_text_and_objects() -> None:
    graph = graph_from_object(np.array([["a", "b"], ["b", "c"]]))
    assert [type(label) for label in graph.nodes] == [str] * 3
    assert weights_of(np.array([["a", "b", 1.5], ["b", "c", 2]])) == [1.5, 1.5, 2, 2]
    assert weights_of(np.array([["a", "b", 1.5], ["b", 3, 2]], dtype=object)) == [1.5, 1.5, 2, 2]
    pairs = np.empty(2, dtype=object)
    pairs[:] = [("a", "b"), ("b", "c")]
    assert graph_from_object(pairs).nodes.tolist() == ["a", "b", "c"]


@for_each("empty", [[], (), np.empty((0, 2)), np.empty((0, 3), int), np.array([]), {}, iter(())])
def test_no_edges(empty: Any) -> None:
    assert graph_from_object(empty).n_nodes == 0


@for_each(
    ("array", "message"),
    [
        (np.eye(3), r"square array of shape \(3, 3\).*scipy.sparse.coo_array\(a\)"),
        (np.eye(5), r"square array of shape \(5, 5\).*scipy.sparse.coo_array\(a\)"),
        (np.ones((2, 7), int), r"shape \(2, 7\) holds its edges in columns; pass a.T"),
        (np.array([[0, 1, 2], [1, 2, 0]]), r"shape \(2, 3\) holds its edges in columns; pass a.T"),
        (np.ones((4, 5)), r"shape \(4, 5\) is not an edge array"),
        (np.ones((4, 1)), r"shape \(4, 1\) is not an edge array"),
        (np.ones((2, 2, 2)), r"shape \(2, 2, 2\) is not an edge array"),
        (np.arange(4), "edge 0 is 0; an edge is"),
        (np.array([[0.0, 2.0**53], [1, 2], [2, 3]]), r"edge 0 has a label above 2\*\*53"),
        (np.array([[0, np.nan], [1, 2], [2, 3]]), "nan is a missing value"),
        (np.array([[0, 1, np.nan], [1, 2, 1], [1, 4, 1], [2, 3, 1]]), r"edge \(0, 1\) is nan"),
        (np.array([[0, 1, -2.5], [1, 2, 1], [1, 4, 1], [2, 3, 1]]), r"edge \(0, 1\) is -2.5"),
        (np.array([["a", "b", "x"]] * 4), "third column of the edge array must hold weights"),
    ],
)
def test_bad_arrays(array: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        graph_from_object(array)


@for_each(
    ("edges", "message"),
    [
        ([(1, 2), (3, 4), (5,)], r"edge 2 is \(5,\); an edge is \(u, v\)"),
        ([(1, 2, 1.0), (3, 4)], r"edge 1 is \(3, 4\) with 2 items, but edge 0 has 3"),
        ([(1, 2), (1, 2, 3)], "edge 1 is"),
        ([(1,), (2,)], r"edge 0 is \(1,\); an edge is"),
        ([[0] * 4] * 4, r"pass scipy.sparse.coo_array\(a\) for an adjacency matrix"),
        ([(1, 2), 7], "edge 1 is 7; an edge is"),
        (["ab", "cd"], "edge 0 is 'ab'; an edge is"),
        ([(1, 2), None], "edge 1 is None"),
        ([(1, [2])], r"\[2\] is a list, which is not hashable"),
        ([(1, None)], "None is a missing value"),
        ([(1, 2, "heavy")], r"edge \(1, 2\) is 'heavy', which is not a number"),
        ([(1, 2, float("inf"))], r"edge \(1, 2\) is inf"),
        (range(5), "edge 0 is 0"),
    ],
)
def test_bad_edge_lists(edges: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        graph_from_object(edges)


def test_triples_with_attribute_dicts() -> None:
    club = networkx.karate_club_graph()
    assert graph_from_object(club.edges(data=True)).weights is not None
    assert graph_from_object(club.edges(data=True)).n_edges == 78
    assert weights_of([("a", "b", {"weight": 2}), ("b", "c", {})]) == [2, 2, 1, 1]
    assert graph_from_object([("a", "b", {"since": 1999})]).weights is None


def test_dict_of_neighbours() -> None:
    assert graph_from_object({"a": ["b", "c"], "b": ["a"], "c": ["a"], "d": []}) == graph_from_pairs(
        ["a", "a"], ["b", "c"], nodes=["a", "b", "c", "d"]
    )
    one_sided = graph_from_object({"a": ["b", "c"], "b": ("d",)})
    assert one_sided.nodes.tolist() == ["a", "b", "c", "d"]
    assert one_sided.n_edges == 3
    assert graph_from_object({1: {2}, 2: {1}}, directed=True).n_arcs == 2
    assert graph_from_object({1: np.array([2, 3])}).nodes.tolist() == [1, 2, 3]
    assert weights_of({"a": {"b": 2.5}, "b": {"a": 2.5}}) == [2.5, 2.5]
    assert weights_of({"a": {"b": 2, "c": 1}}) == [2, 1, 2, 1]
    club = networkx.karate_club_graph()
    assert graph_from_object(networkx.to_dict_of_dicts(club)) == graph_from_object(club)
    assert graph_from_object(networkx.to_dict_of_lists(club)) == graph_from_object(club, weight=False)


@for_each(
    ("adjacency", "error", "message"),
    [
        ({"a": 5}, NotAGraphError, "'a' maps to 5"),
        ({"a": "bc"}, NotAGraphError, "'a' maps to 'bc'"),
        ({("a", "b"): 3}, NotAGraphError, r"pass \[\(u, v, w\) for \(u, v\), w in d.items\(\)\]"),
        ({"a": {"b": -1}}, ParameterError, r"edge \('a', 'b'\) is -1"),
        ({"a": {"b": "x"}}, ParameterError, r"edge \('a', 'b'\) is 'x'"),
        ({"a": [["b"]]}, ParameterError, "not hashable"),
    ],
)
def test_bad_dicts(adjacency: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        graph_from_object(adjacency)


def test_sparse_matrix_that_is_symmetric_holds_every_edge_twice() -> None:
    matrix = sparse.csr_array(np.array([[1, 2, 0], [2, 0, 3], [0, 3, 0]]))
    graph = graph_from_object(matrix)
    assert weights_of(matrix) == [2, 2, 3, 3]
    assert (graph.report.edges_read, graph.report.self_loops_dropped) == (3, 1)
    assert graph.report.parallel_merged == 0
    noisy = matrix.astype(float)
    noisy.data[1] *= 1 + 1e-15
    assert weights_of(noisy) == pytest.approx([2, 2, 3, 3])


def test_sparse_matrix_that_is_not_symmetric() -> None:
    upper = sparse.coo_array(np.array([[0, 2, 0], [0, 0, 3], [0, 0, 0]]))
    assert weights_of(upper) == [2, 2, 3, 3]
    assert graph_from_object(upper, directed=True).n_arcs == 2
    uneven = sparse.csr_array(np.array([[0, 2], [5, 0]]))
    assert weights_of(uneven) == [7, 7]
    assert weights_of(uneven, directed=True) == [2, 5]


def test_sparse_patterns_are_unweighted() -> None:
    ones = sparse.csr_array(np.array([[0, 1], [1, 0]]))
    assert graph_from_object(ones).weights is None
    assert graph_from_object(ones.astype(bool)).weights is None
    assert graph_from_object(ones * 2, weight=False).weights is None
    stored_zero = sparse.csr_array(([1.0, 1.0, 0.0], [1, 0, 2], [0, 1, 2, 3]), shape=(3, 3))
    graph = graph_from_object(stored_zero)
    assert (graph.n_nodes, graph.n_edges, graph.weights) == (3, 1, None)
    assert stored_zero.nnz == 3
    repeated = sparse.coo_array(([1, 1], ([0, 0], [1, 1])), shape=(2, 2))
    assert weights_of(repeated) == [2, 2]


def test_bad_sparse_matrices() -> None:
    with pytest.raises(ParameterError, match=r"shape \(3,\); a matrix of edges has two dimensions"):
        graph_from_object(sparse.coo_array(np.ones(3)))
    with pytest.raises(ParameterError, match="complex128"):
        graph_from_object(sparse.csr_array(np.array([[0, 1j], [1j, 0]])))
    with pytest.raises(ParameterError, match=r"edge \(0, 1\) is -2"):
        graph_from_object(sparse.csr_array(np.array([[0, -2], [-2, 0]])))
    with pytest.raises(ParameterError, match=r"edge \(0, 1\) is nan"):
        graph_from_object(sparse.csr_array(np.array([[0, np.nan], [np.nan, 0]])))
