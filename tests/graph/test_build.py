"""Building and cleaning, against a model made of Python dicts."""

from __future__ import annotations

import tracemalloc
from collections import defaultdict
from enum import IntEnum
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph, graph_from_ids, graph_from_pairs, labels

Rows = list[tuple[Any, Any, float]]
INTEGERS = st.integers(0, 9)
LABELS = {
    "text": st.text("abc", min_size=1, max_size=2),
    "integers": INTEGERS,
    "wide": st.sampled_from([-(2**63), -5, 0, 2**40, 2**63 - 1]),
    "mixed": st.sampled_from(["1", 1, (1, 2), 2.5, "x"]),
}


def rows_of(ends: st.SearchStrategy[Any]) -> st.SearchStrategy[Rows]:
    return st.lists(st.tuples(ends, ends, st.sampled_from([0.0, 0.25, 1.0, 3.5])), max_size=25)


def columns_of(rows: Rows, weighted: bool) -> tuple[Any, Any, Any]:
    source, target, weights = ([row[i] for row in rows] for i in range(3))
    return source, target, iter(weights) if weighted else None


def arcs_of(graph: Graph) -> dict[tuple[Any, Any], float]:
    """Arcs by label with their weights (1 if unweighted), one way per edge of an undirected graph's two."""
    found, names = {}, graph.nodes.tolist()
    for entry, (u, v) in enumerate(zip(graph.sources.tolist(), graph.indices.tolist(), strict=True)):
        if graph.directions is not None and not graph.directions[entry] & 1:
            assert graph.weights is None or graph.weights[entry] == 0
            continue
        found[names[u], names[v]] = 1.0 if graph.weights is None else float(graph.weights[entry])
    return found


def model(rows: Rows, weighted: bool, directed: bool) -> dict[tuple[Any, Any], float]:
    arcs: dict[tuple[Any, Any], float] = defaultdict(float)
    for u, v, weight in rows:
        if u != v and (weight or not weighted):
            for ends in [(u, v)] if directed else [(u, v), (v, u)]:
                arcs[ends] = arcs[ends] + weight if weighted else 1.0
    return dict(arcs)


@given(st.one_of(map(rows_of, LABELS.values())), st.booleans(), st.booleans())
def test_built_graph_is_the_model(rows: Rows, weighted: bool, directed: bool) -> None:
    graph = graph_from_pairs(*columns_of(rows, weighted), directed=directed)
    assert graph.nodes.tolist() == list(dict.fromkeys(end for row in rows for end in row[:2]))
    assert arcs_of(graph) == model(rows, weighted, directed)
    report = graph.report
    assert report.edges_read == len(rows)
    assert report.self_loops_dropped == sum(u == v for u, v, _ in rows)
    assert report.zero_weight_dropped == (sum(u != v and w == 0 for u, v, w in rows) if weighted else 0)
    kept = report.edges_read - report.self_loops_dropped - report.zero_weight_dropped
    assert report.parallel_merged == kept - graph.n_arcs
    assert report.isolated_nodes == np.count_nonzero(graph.degrees == 0)
    # The checked constructor finds nothing to complain about.
    Graph(graph.indptr, graph.indices, graph.weights, graph.nodes, directed, directions=graph.directions)


@given(rows_of(INTEGERS) | rows_of(LABELS["wide"]), st.booleans(), st.booleans())
def test_every_route_gives_the_same_graph(rows: Rows, weighted: bool, directed: bool) -> None:
    source, target, weights = columns_of(rows, weighted)
    weights = weights and list(weights)
    few = graph_from_pairs(source, target, weights, directed=directed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(labels, "_FEW_LABELS", 0)
        patch.setattr(labels, "_CHUNK", 2)
        many = graph_from_pairs(np.array(source, np.int64), np.array(target, np.int64), weights, directed=directed)
        patch.setattr(labels, "_SMALL_TABLE", -100)
        hashed = graph_from_pairs(source, target, weights, directed=directed)
    boxed = graph_from_pairs(np.array(source, object), np.array(target, object), weights, directed=directed)
    for graph in (many, hashed, boxed):
        assert graph == few
        assert graph.report == few.report
        assert graph.nodes.dtype == np.int64


@given(rows_of(INTEGERS), st.booleans(), st.booleans())
def test_ids_and_labels_agree(rows: Rows, weighted: bool, directed: bool) -> None:
    by_ids = graph_from_ids(*columns_of(rows, weighted), n_nodes=10, directed=directed)
    by_labels = graph_from_pairs(*columns_of(rows, weighted), nodes=range(10), directed=directed)
    assert by_ids == by_labels
    assert by_ids.report == by_labels.report


@for_each(
    ("edge", "nodes", "expected"),
    [
        ((["c", "a"], ["d", "b"]), ["b", "z"], ["b", "z", "c", "d", "a"]),
        (([3], [4]), ["a"], ["a", 3, 4]),
    ],
)
def test_given_nodes_come_first_and_others_follow(edge: Any, nodes: list[Any], expected: list[Any]) -> None:
    assert graph_from_pairs(*edge, nodes=nodes).nodes.tolist() == expected


class Colour(IntEnum):
    RED = 1


DATES = np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[ns]")


@for_each(
    ("source", "target", "kind"),
    [
        (np.array(["a", "b"]), np.array(["b", "c"]), str),
        (np.array([1.0]), np.array([2.0]), float),
        ([True], [False], bool),
        ([np.int8(1)], [2], np.int64),
        ([2**64], [1], int),
        ([(1, 2)], [(3, 4)], tuple),
        (DATES[:1], DATES[1:], np.datetime64),
        ([Colour.RED], [Colour.RED], Colour),
    ],
)
def test_labels_keep_their_types(source: Any, target: Any, kind: type) -> None:
    nodes = graph_from_pairs(source, target).nodes
    assert {type(label) for label in nodes} == {kind}
    assert list(nodes) == list(dict.fromkeys(end for pair in zip(source, target, strict=True) for end in pair))


def test_parallel_weights_add_up_independently_of_other_edges() -> None:
    generator = np.random.default_rng(0)
    weights = 10.0 ** generator.uniform(-8, 8, 550)
    ends = generator.integers(2, 40, (550, 2))
    ends[::11] = [0, 1]
    found = [graph_from_pairs(*ends[::step].T, weights[::step]).weights for step in (1, 11)]
    graph = graph_from_ids(*ends.T, weights, n_nodes=40)
    assert graph.weights is not None
    assert found[0] is not None
    assert found[1] is not None
    assert graph.weights[0] == found[0][0] == found[1][0] == pytest.approx(weights[::11].sum(), rel=1e-15)


def test_many_parallel_edges_without_weights_are_one() -> None:
    for directed in (False, True):
        assert graph_from_pairs(["a"] * 256, ["b"] * 256, directed=directed).n_edges == 1


@for_each(
    ("arguments", "named"),
    [
        ({"source": ["a", "b"], "target": ["b"]}, "2 .* 1"),
        ({"source": "ab", "target": "bc"}, "'ab'"),
        ({"source": 5, "target": 6}, "5"),
        ({"source": [[1], [2]], "target": [1, 2]}, r"\[1\] is a list"),
        ({"source": [None, "a"], "target": ["b", "c"]}, "None"),
        ({"source": np.zeros((2, 2)), "target": [1, 2]}, r"\(2, 2\)"),
        ({"nodes": ["a", "a"]}, "'a'"),
        ({"weight": [1, float("nan")]}, r"\('b', 'c'\) is nan"),
        ({"weight": [-2, 1]}, r"\('a', 'b'\) is -2.0"),
        ({"weight": [1, "2"]}, r"\('b', 'c'\) is '2'"),
        ({"weight": iter([1, [2]])}, r"\('b', 'c'\) is \[2\]"),
        ({"weight": [1, 2j]}, "2j"),
        ({"weight": [1, 2, 3]}, r"\(3,\).* 2 edges"),
        ({"weight": 7}, "7"),
        ({"source": ["a"] * 2, "target": ["b"] * 2, "weight": [1e308, 1e308]}, "infinity"),
    ],
)
def test_bad_pairs_are_named(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(ParameterError, match=named):
        graph_from_pairs(**{"source": ["a", "b"], "target": ["b", "c"], **arguments})


@for_each(
    ("arguments", "named"),
    [
        ({"n_nodes": -1}, "-1"),
        ({"n_nodes": 2.5}, "2.5"),
        ({"n_nodes": 2}, r"target_ids\[1\] is 2"),
        ({"source_ids": [0, -1]}, r"source_ids\[1\] is -1"),
        ({"source_ids": [0.0, 1.0]}, "source_ids"),
        ({"source_ids": [0]}, "1 .* 2"),
        ({"nodes": ["a", "b"]}, "2 .* 3"),
        ({"nodes": ["a", "b", "c"], "weight": [1, -1]}, r"\('b', 'c'\) is -1.0"),
    ],
)
def test_bad_ids_are_named(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(ParameterError, match=named):
        graph_from_ids(**{"source_ids": [0, 1], "target_ids": [1, 2], "n_nodes": 3, **arguments})


@pytest.mark.parametrize("wide", [False, True])
def test_memory_stays_within_three_times_the_result(wide: bool) -> None:
    generator = np.random.default_rng(0)
    n_nodes, n_edges = 200_000, 2_000_000
    names = generator.integers(0, 2**62, n_nodes) if wide else np.arange(n_nodes)
    source, target = (names[generator.integers(0, n_nodes, n_edges)] for _ in range(2))
    graph_from_pairs([0], [1])
    tracemalloc.start()
    graph = graph_from_pairs(source, target)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Chunks of a million rows weigh more in a graph this small than in the large ones that matter.
    chunks = 40_000_000
    assert peak <= 3 * (graph.indptr.nbytes + graph.indices.nbytes) + chunks
