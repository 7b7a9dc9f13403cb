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
TEXT = st.text("abc", min_size=1, max_size=2)
INTEGERS = st.integers(0, 9)
WIDE = st.sampled_from([-(2**63), -5, 0, 2**40, 2**63 - 1])
MIXED = st.sampled_from(["1", 1, (1, 2), 2.5, "x"])


def arcs_of(graph: Graph) -> dict[tuple[Any, Any], float]:
    """Arcs by label with their weights (1 if unweighted), one way per edge of an undirected graph's two."""
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees).tolist()
    found = {}
    for entry, (u, v) in enumerate(zip(rows, graph.indices.tolist(), strict=True)):
        if graph.directions is not None and not graph.directions[entry] & 1:
            assert graph.weights is None or graph.weights[entry] == 0
            continue
        ends = (graph.nodes.tolist()[u], graph.nodes.tolist()[v])
        found[ends] = 1.0 if graph.weights is None else float(graph.weights[entry])
    return found


def model(rows: Rows, weighted: bool, directed: bool) -> dict[tuple[Any, Any], float]:
    arcs: dict[tuple[Any, Any], float] = defaultdict(float)
    for u, v, weight in rows:
        if u != v and (weight or not weighted):
            for ends in [(u, v)] if directed else [(u, v), (v, u)]:
                arcs[ends] = arcs[ends] + weight if weighted else 1.0
    return dict(arcs)


def rows_of(labels: st.SearchStrategy[Any]) -> st.SearchStrategy[Rows]:
    return st.lists(st.tuples(labels, labels, st.sampled_from([0.0, 0.25, 1.0, 3.5])), max_size=25)


@given(rows_of(INTEGERS) | rows_of(TEXT) | rows_of(WIDE) | rows_of(MIXED), st.booleans(), st.booleans())
def test_built_graph_is_the_model(rows: Rows, weighted: bool, directed: bool) -> None:
    source, target, weights = ([row[i] for row in rows] for i in range(3))
    graph = graph_from_pairs(source, target, weights if weighted else None, directed=directed)
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


@given(rows_of(INTEGERS) | rows_of(WIDE), st.booleans(), st.booleans())
def test_few_and_many_labels_are_numbered_the_same(rows: Rows, weighted: bool, directed: bool) -> None:
    source, target, weights = ([row[i] for row in rows] for i in range(3))
    columns = source, target, weights if weighted else None
    few = graph_from_pairs(*columns, directed=directed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(labels, "_FEW_LABELS", 0)
        patch.setattr(labels, "_CHUNK", 2)
        many = graph_from_pairs(*columns, directed=directed)
    assert many == few
    assert many.report == few.report


@given(rows_of(INTEGERS), st.booleans(), st.booleans())
def test_ids_and_labels_agree(rows: Rows, weighted: bool, directed: bool) -> None:
    source, target, weights = ([row[i] for row in rows] for i in range(3))
    values = weights if weighted else None
    by_ids = graph_from_ids(source, target, values, n_nodes=10, directed=directed)
    by_labels = graph_from_pairs(source, target, values, nodes=range(10), directed=directed)
    assert by_ids == by_labels
    assert by_ids.report == by_labels.report


@given(rows_of(INTEGERS))
def test_every_route_for_integers_gives_the_same_graph(rows: Rows) -> None:
    source = np.array([row[0] for row in rows], dtype=np.int64)
    target = np.array([row[1] for row in rows], dtype=np.int64)
    dense = graph_from_pairs(source, target)
    for scale in (-1, 2**40, -(2**40)):
        scaled = graph_from_pairs(source * scale, target * scale)
        assert np.array_equal(scaled.indices, dense.indices)
        assert np.array_equal(scaled.nodes, dense.nodes * scale)
    boxed = graph_from_pairs(source.astype(object), target.astype(object))
    assert boxed == dense
    assert boxed.nodes.dtype == np.int64


def test_given_nodes_come_first_and_others_follow() -> None:
    graph = graph_from_pairs(["c", "a"], ["d", "b"], nodes=["b", "z"])
    assert graph.nodes.tolist() == ["b", "z", "c", "d", "a"]
    assert graph.report.isolated_nodes == 1
    numbered = graph_from_pairs([3, 1], [4, 2], nodes=[2, 99])
    assert numbered.nodes.tolist() == [2, 99, 3, 4, 1]
    assert graph_from_pairs([3], [4], nodes=["a"]).nodes.tolist() == ["a", 3, 4]


def test_labels_keep_their_types() -> None:
    text = graph_from_pairs(np.array(["a", "b"]), np.array(["b", "c"]))
    assert [type(label) for label in text.nodes] == [str] * 3
    assert graph_from_pairs([np.str_("a")], ["b"]).nodes.tolist() == ["a", "b"]
    assert type(graph_from_pairs([np.str_("a")], ["b"]).nodes[0]) is str
    assert [type(label) for label in graph_from_pairs(np.array([1.0]), np.array([2.0])).nodes] == [float] * 2
    assert [type(label) for label in graph_from_pairs([True], [False]).nodes] == [bool] * 2
    assert graph_from_pairs([np.int8(1)], [2]).nodes.dtype == np.int64
    assert graph_from_pairs([2**64], [1]).nodes.tolist() == [2**64, 1]
    assert graph_from_pairs(np.array([2**63], np.uint64), [1]).nodes.tolist() == [2**63, 1]
    assert graph_from_pairs([(1, 2)], [(3, 4)]).nodes.tolist() == [(1, 2), (3, 4)]
    dates = np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[ns]")
    assert type(graph_from_pairs(dates[:1], dates[1:]).nodes[0]) is np.datetime64

    class Colour(IntEnum):
        RED = 1

    assert graph_from_pairs([Colour.RED], [2]).nodes[0] is Colour.RED


def test_parallel_weights_add_up_independently_of_other_edges() -> None:
    generator = np.random.default_rng(0)
    weights = 10.0 ** generator.uniform(-8, 8, 50)
    alone = graph_from_pairs([0] * 50, [1] * 50, weights).weights
    others = generator.integers(2, 40, (500, 2))
    place = np.sort(generator.choice(550, 50, replace=False))
    source, target, values = np.zeros(550, int), np.ones(550, int), np.ones(550)
    between = np.setdiff1d(np.arange(550), place)
    source[between], target[between], values[place] = others[:, 0], others[:, 1], weights
    graph = graph_from_ids(source, target, values, n_nodes=40)
    assert alone is not None
    assert graph.weights is not None
    assert graph.weights[0] == alone[0]
    assert alone[0] == pytest.approx(weights.sum(), rel=1e-15)


def test_mutual_arcs_stay_two_arcs_of_one_pair() -> None:
    graph = graph_from_pairs(["a", "b"], ["b", "a"], [2, 3], directed=True)
    assert (graph.n_edges, graph.n_arcs, graph.report.parallel_merged) == (1, 2, 0)
    assert graph.directions is not None
    assert graph.weights is not None
    assert graph.directions.tolist() == [3, 3]
    assert graph.weights.tolist() == [2, 3]


@for_each("directed", [False, True])
@for_each("weight", [None, []])
def test_empty(directed: bool, weight: list[float] | None) -> None:
    graph = graph_from_pairs([], [], weight, directed=directed)
    assert (graph.n_nodes, graph.n_edges, graph.n_arcs, graph.directed) == (0, 0, 0, directed)
    isolated = graph_from_ids([], [], weight, n_nodes=3, directed=directed)
    assert isolated.degrees.tolist() == [0, 0, 0]


@for_each(
    ("arguments", "message"),
    [
        ({"source": ["a", "b"], "target": ["b"]}, "source has 2 labels, but target has 1"),
        ({"source": "ab", "target": "bc"}, "sequence of node labels, got 'ab'"),
        ({"source": 5, "target": 6}, "sequence of node labels, got 5"),
        ({"source": [[1], [2]], "target": [1, 2]}, r"\[1\] is a list, which is not hashable"),
        ({"source": [None, "a"], "target": ["b", "c"]}, "None is a missing value"),
        ({"source": np.array([np.nan]), "target": np.array([1.0])}, "nan is a missing value"),
        ({"source": np.zeros((2, 2)), "target": [1, 2]}, r"shape \(2, 2\)"),
        ({"nodes": ["a", "a"]}, "'a' occurs twice"),
        ({"weight": [1, float("nan")]}, r"edge \('b', 'c'\) is nan"),
        ({"weight": [1, float("inf")]}, r"edge \('b', 'c'\) is inf"),
        ({"weight": [-2, 1]}, r"edge \('a', 'b'\) is -2.0; weights must be finite and not negative"),
        ({"weight": [1, "2"]}, r"edge \('b', 'c'\) is '2', which is not a number"),
        ({"weight": [1, None]}, r"edge \('b', 'c'\) is None, which is not a number"),
        ({"weight": [1, [2]]}, r"edge \('b', 'c'\) is \[2\], which is not a number"),
        ({"weight": [1, 2j]}, r"which is not a number"),
        ({"weight": [1, 2, 3]}, r"weight has shape \(3,\); it must hold one number for each of 2 edges"),
        ({"weight": 7}, "weight is 7"),
        ({"source": ["a"] * 2, "target": ["b"] * 2, "weight": [1e308, 1e308]}, "add up to infinity"),
    ],
)
def test_bad_pairs_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        graph_from_pairs(**{"source": ["a", "b"], "target": ["b", "c"], **arguments})


@for_each(
    ("arguments", "message"),
    [
        ({"n_nodes": -1}, "n_nodes is -1"),
        ({"n_nodes": 2.5}, "n_nodes is 2.5"),
        ({"n_nodes": 2**31}, "n_nodes is 2147483648"),
        ({"n_nodes": 2}, r"target_ids\[1\] is 2; ids range from 0 to n_nodes - 1 = 1"),
        ({"source_ids": [0, -1]}, r"source_ids\[1\] is -1"),
        ({"source_ids": [0.0, 1.0]}, "1-D array of integers"),
        ({"source_ids": [0]}, "source_ids has 1 entries, but target_ids has 2"),
        ({"nodes": ["a", "b"]}, "nodes has 2 labels, but n_nodes is 3"),
        ({"nodes": ["a", "b", "a"]}, "'a' occurs twice"),
        ({"nodes": ["a", "b", "c"], "weight": [1, -1]}, r"edge \('b', 'c'\) is -1.0"),
        ({"weight": [1, -1]}, r"edge \(1, 2\) is -1.0"),
    ],
)
def test_bad_ids_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        graph_from_ids(**{"source_ids": [0, 1], "target_ids": [1, 2], "n_nodes": 3, **arguments})


def test_weight_on_a_generator_and_on_a_self_loop() -> None:
    graph = graph_from_pairs(["a", "b"], ["b", "b"], (w for w in (2, 0)))
    assert graph.report.self_loops_dropped == 1
    assert graph.report.zero_weight_dropped == 0
    with pytest.raises(ParameterError, match=r"\('a', 'a'\) is -1"):
        graph_from_pairs(["a"], ["a"], [-1])


@pytest.mark.parametrize("wide", [False, True])
def test_memory_stays_within_three_times_the_result(wide: bool) -> None:
    generator = np.random.default_rng(0)
    n_nodes, n_edges = 200_000, 2_000_000
    labels = generator.integers(0, 2**62, n_nodes) if wide else np.arange(n_nodes)
    source, target = (labels[generator.integers(0, n_nodes, n_edges)] for _ in range(2))
    graph_from_pairs([0], [1])
    tracemalloc.start()
    graph = graph_from_pairs(source, target)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # Chunks of a million rows weigh more in a graph this small than in the large ones that matter.
    chunks = 40_000_000
    assert peak <= 3 * (graph.indptr.nbytes + graph.indices.nbytes) + chunks
