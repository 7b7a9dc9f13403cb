"""Sets of graphs: the union holds every graph unchanged."""

from __future__ import annotations

import pickle
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.graphs import graph_strategy
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph, GraphSet, graph_from_pairs, synthetic

EDGE, PATH = [("a", "b")], [(0, 1), (1, 2)]


@given(st.booleans(), st.booleans(), st.data())
def test_every_graph_comes_back(weighted: bool, directed: bool, data: st.DataObject) -> None:
    strategy = graph_strategy(max_nodes=6, weighted=weighted, directed=directed)
    graphs = data.draw(st.lists(strategy, max_size=5))
    together = GraphSet.from_graphs(graphs)
    assert len(together) == len(graphs)
    assert list(together) == graphs
    union = together.graph
    assert (union.n_nodes, union.n_arcs) == (sum(map(len, graphs)), sum(graph.n_arcs for graph in graphs))
    for place, graph in enumerate(graphs):
        assert (together.membership[together.slice(place)] == place).all()
        assert together[place - len(graphs)] == graph
    assert list(pickle.loads(pickle.dumps(together))) == graphs
    Graph(union.indptr, union.indices, union.weights, None, union.directed, directions=union.directions)


def test_labels_of_nodes_are_kept_per_graph() -> None:
    graphs = GraphSet.from_graphs([EDGE, PATH, networkx.path_graph(["x", "y"])])
    assert [graph.nodes.tolist() for graph in graphs] == [["a", "b"], [0, 1, 2], ["x", "y"]]
    assert graphs.graph.nodes.tolist() == list(range(7))


@for_each(
    ("directed", "expected"),
    [(False, [2.5, 2.5, 1, 1]), (True, [2.5, 0, 1, 0])],
)
def test_unweighted_edges_weigh_one_among_weighted_ones(directed: bool, expected: list[float]) -> None:
    members = [graph_from_pairs(["a"], ["b"], weight, directed=directed) for weight in ([2.5], None)]
    assert np.array_equal(GraphSet.from_graphs(members).graph.weights, expected)


@for_each(
    ("attributes", "expected"),
    [
        ([[1, 2], [3, 4, 5]], [[1], [2], [3], [4], [5]]),
        ([np.zeros((2, 2)), np.ones((3, 2))], [[0, 0]] * 2 + [[1, 1]] * 3),
        (np.arange(10).reshape(5, 2), np.arange(10).reshape(5, 2)),
    ],
)
def test_attributes(attributes: Any, expected: Any) -> None:
    graphs = GraphSet.from_graphs([EDGE, PATH], [0, 1], attributes)
    assert graphs.node_attributes is not None
    assert np.array_equal(graphs.node_attributes, expected)
    assert np.array_equal(graphs.node_attributes[graphs.slice(1)], expected[2:])
    with pytest.raises(ValueError, match="read-only"):
        graphs.node_attributes[0, 0] = 1


def test_subset_keeps_labels_and_attributes() -> None:
    graphs = GraphSet.from_graphs([EDGE, PATH, EDGE], ["x", "y", "z"], [[1, 2], [3, 4, 5], [6, 7]])
    some = graphs.subset([2, 1])
    assert np.array_equal(some.labels, ["z", "y"])  # type: ignore[arg-type]
    assert np.array_equal(some.node_attributes, [[6], [7], [3], [4], [5]])  # type: ignore[arg-type]
    assert list(some) == [graphs[2], graphs[1]]
    assert len(graphs.subset([])) == 0


@for_each(
    ("arguments", "named"),
    [
        ({"labels": [1]}, r"\(1,\).* 2"),
        ({"node_attributes": [[1, 2]]}, "1 .* 2"),
        ({"node_attributes": [np.ones((2, 2)), np.ones((3, 1))]}, "graph 1 .* 1 .* graph 0 .* 2"),
        ({"node_attributes": [["a", "b"], [1, 2, 3]]}, "graph 0"),
        ({"node_attributes": [[1, 2], [3, np.nan, 5]]}, r"graph 1\[1, 0\] is nan"),
        ({"node_attributes": np.ones(4)}, r"\(4, 1\).* 5"),
        ({"node_attributes": np.array(["a"] * 5)}, "node_attributes"),
        ({"node_types": np.ones(5)}, "node_types .*float64"),
        ({"node_types": [1, 2]}, r"node_types .*\(2, 1\).* 5"),
        ({"graphs": [PATH, graph_from_pairs([0], [1], directed=True)]}, "graph 1"),
    ],
)
def test_bad_sets(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(ParameterError, match=named):
        GraphSet.from_graphs(**{"graphs": [EDGE, PATH], **arguments})


@for_each("offsets", [[0, 2], [1, 4], [0, 3, 2, 4], [], [0.0, 4.0], [0, 2, 4]])
def test_bad_offsets(offsets: list[Any]) -> None:
    with pytest.raises(ParameterError):
        GraphSet(synthetic.path(4), offsets)


def test_bad_indices() -> None:
    graphs = GraphSet.from_graphs([EDGE, PATH])
    with pytest.raises(IndexError, match="graph 2 "):
        graphs[2]
    with pytest.raises(ParameterError, match="'a'"):
        graphs["a"]  # type: ignore[index]
