"""The same graph through every library gives the identical CSR, and what is no graph is refused by name."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import igraph
import networkx
import numpy as np
import pandas
import polars
import pyarrow
import pytest
from hypothesis import given
from scipy import sparse

from tests.cases import for_each
from tests.graphs import graph_strategy
from vnestruct.errors import NotAGraphError, ParameterError
from vnestruct.graph import Graph, GraphSet, graph_from_object, graph_from_pairs

TRIANGLE = [("a", "b"), ("b", "c"), ("c", "a")]


def arc_columns(graph: Graph) -> dict[str, Any]:
    """Edges, or arcs of a directed graph, with weights."""
    names = ("source", "target", "weight")
    return {name: column for name, column in zip(names, graph.edges(), strict=True) if column is not None}


def to_networkx(graph: Graph) -> Any:
    built = networkx.DiGraph() if graph.directed else networkx.Graph()
    built.add_nodes_from(range(graph.n_nodes))
    source, target, *weights = (column.tolist() for column in arc_columns(graph).values())
    attributes = ({"weight": weight} for weight in weights[0]) if weights else ({} for _ in source)
    built.add_edges_from(zip(source, target, attributes, strict=True))
    return built


def to_igraph(graph: Graph) -> Any:
    source, target, *weights = (column.tolist() for column in arc_columns(graph).values())
    built = igraph.Graph(graph.n_nodes, list(zip(source, target, strict=True)), directed=graph.directed)
    if weights:
        built.es["weight"] = weights[0]
    return built


def to_sparse(graph: Graph) -> Any:
    source, target, *weights = arc_columns(graph).values()
    values = weights[0] if weights else np.ones(len(source))
    matrix = sparse.coo_array((values, (source, target)), shape=(graph.n_nodes, graph.n_nodes))
    return matrix.tocsr() if graph.directed else (matrix + matrix.T).tocsr()


@given(graph_strategy(weighted=None, directed=None))
def test_round_trip_through_libraries_that_keep_isolated_nodes(graph: Graph) -> None:
    # An edgeless graph has no edge to carry a weight.
    expected = graph if graph.n_edges else graph_from_pairs([], [], nodes=graph.nodes, directed=graph.directed)
    assert graph_from_object(to_networkx(graph)) == expected
    assert graph_from_object(to_igraph(graph)) in (graph, expected)
    assert graph_from_object(graph) is graph
    weights = arc_columns(graph).get("weight")
    if weights is None or set(weights) - {1.0}:
        matrix = to_sparse(graph)
        for form in (matrix, matrix.tocoo(), matrix.tocsc(), sparse.lil_matrix(matrix), sparse.csr_matrix(matrix)):
            assert graph_from_object(form, directed=graph.directed) in (graph, expected)


@given(graph_strategy(weighted=None, directed=None, min_nodes=2))
def test_round_trip_through_columns(graph: Graph) -> None:
    columns = arc_columns(graph)
    expected = graph_from_pairs(*columns.values(), directed=graph.directed)
    rows = list(zip(*(column.tolist() for column in columns.values()), strict=True))
    forms = [pandas.DataFrame(columns), polars.DataFrame(columns), pyarrow.table(columns)]
    forms += [rows, (row for row in rows), tuple(list(row) for row in rows)] if rows else []
    forms += [np.array(rows)] if len(rows) > 3 else []
    for form in forms:
        assert graph_from_object(form, directed=graph.directed) == expected


@given(graph_strategy(weighted=None, directed=True))
def test_directions_can_be_dropped_and_added(graph: Graph) -> None:
    undirected = graph_from_object(graph, directed=False)
    rebuilt = graph_from_pairs(*arc_columns(graph).values(), nodes=graph.nodes)
    assert np.array_equal(undirected.indices, rebuilt.indices)
    assert undirected.weights == (None if rebuilt.weights is None else pytest.approx(rebuilt.weights, rel=1e-15))
    both_ways = graph_from_object(undirected, directed=True)
    assert both_ways.n_arcs == 2 * undirected.n_edges
    if graph.weights is None:
        for form in (both_ways, to_networkx(graph), to_igraph(graph)):
            assert graph_from_object(form, directed=False) == undirected


def club_by(cost: str | None) -> Any:
    costs = networkx.Graph([("alone", "alone")])
    costs.add_edge("x", "y", **({} if cost is None else {cost: 4}))
    costs.add_edge("y", "z")
    return costs


MULTIPLE = networkx.MultiGraph([("x", "y", {"weight": 2}), ("y", "x"), ("x", "x")])
ARCS = networkx.MultiDiGraph([(1, 2), (2, 1), (1, 2)])
NAMED = igraph.Graph.TupleList([("b", "a", 2.0), ("a", "c", 3.0)], weights=True)
PARTLY = igraph.Graph.TupleList([("b", "a", None), ("a", "c", 3.0)], weights=True)


@for_each(
    ("obj", "options", "nodes", "weights"),
    [
        (MULTIPLE, {}, ["x", "y"], [3, 3]),
        (ARCS, {"directed": False}, [1, 2], None),
        (club_by("cost"), {"weight": "cost"}, ["alone", "x", "y", "z"], [4, 4, 1, 1]),
        (networkx.path_graph(4).subgraph([1, 2]), {}, [1, 2], None),
        (NAMED, {}, ["b", "a", "c"], [2, 2, 3, 3]),
        (PARTLY, {}, ["b", "a", "c"], [1, 1, 3, 3]),
        (graph_from_object([("a", "b", 2)]), {"weight": False}, ["a", "b"], None),
    ],
)
def test_labels_weights_and_options(obj: Any, options: Any, nodes: list[Any], weights: list[float] | None) -> None:
    graph = graph_from_object(obj, **options)
    assert graph.nodes.tolist() == nodes
    assert (None if graph.weights is None else graph.weights.tolist()) == weights


class Data(SimpleNamespace):
    """Stands for PyTorch Geometric's class of this name: same module, same attributes."""


Data.__module__ = "torch_geometric.data.data"
BOTH = np.array([[0, 1, 1, 2], [1, 0, 2, 1]])
COSTS = Data(edge_index=BOTH, num_nodes=3, edge_weight=np.array([2, 2, 5, 5]))


@for_each(
    ("data", "options", "shown"),
    [
        (Data(edge_index=BOTH, num_nodes=4), {}, "Graph(4 nodes, 2 edges)"),
        (
            Data(edge_index=BOTH[:, ::2], num_nodes=None, edge_attr=np.ones((2, 5))),
            {},
            "Graph(3 nodes, 2 edges, directed with 2 arcs)",
        ),
        (COSTS, {}, "Graph(3 nodes, 2 edges, weighted)"),
        (COSTS, {"weight": False}, "Graph(3 nodes, 2 edges)"),
        (
            Data(edge_index=BOTH, num_nodes=3, edge_attr=np.array([2, 1, 5, 5])),
            {},
            "Graph(3 nodes, 2 edges, directed with 4 arcs, weighted)",
        ),
    ],
)
def test_torch_geometric_attributes(data: Any, options: Any, shown: str) -> None:
    assert repr(graph_from_object(data, **options)) == shown


def test_torch_geometric_itself() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra")
    data = pytest.importorskip("torch_geometric.data", reason="PyTorch Geometric is an extra")
    weights = torch.tensor([2.0, 2, 5, 5])
    for arcs in (slice(4), slice(0, 4, 2), slice(3)):
        one = data.Data(edge_index=torch.tensor(BOTH)[:, arcs], edge_attr=weights[arcs], num_nodes=4)
        assert graph_from_object(one).directed != one.is_undirected()
        assert set(graph_from_object(one).weights.tolist()) - {0} == {2, 5}  # type: ignore[union-attr]
        assert graph_from_object(data.Batch.from_data_list([one, one])).n_nodes == 8
    with pytest.raises(NotAGraphError, match="to_homogeneous"):
        graph_from_object(data.HeteroData())
    assert graph_from_object(torch.tensor([[0, 1], [1, 2], [2, 3]])).n_edges == 3


@for_each("thing", [5, None, 2.5, object(), len, True, np.int64(3), "a.txt", b"a"])
def test_no_graph_is_refused_by_type(thing: Any) -> None:
    with pytest.raises(NotAGraphError, match=f"type {type(thing).__name__} "):
        graph_from_object(thing)


@for_each(
    ("obj", "options", "error", "named"),
    [
        (TRIANGLE, {"source": "a"}, ParameterError, "`source='a'`"),
        (TRIANGLE, {"weight": "w"}, ParameterError, "`weight='w'`"),
        (TRIANGLE, {"directed": "yes"}, ParameterError, "`directed`"),
        (GraphSet.from_graphs([TRIANGLE]), {}, NotAGraphError, "GraphSet"),
        (club_by(None), {"weight": "price"}, ParameterError, "'price'"),
        (COSTS, {"weight": "cost"}, ParameterError, "'cost'"),
        (Data(edge_index=None, num_nodes=3), {}, NotAGraphError, "edge_index"),
    ],
)
def test_what_cannot_be_read_is_named(obj: Any, options: Any, error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        graph_from_object(obj, **options)
