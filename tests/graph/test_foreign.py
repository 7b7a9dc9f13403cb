"""The same graph through every library gives the identical CSR, and what is no graph is refused by name."""

from __future__ import annotations

import subprocess
import sys
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
from vnestruct.graph import Graph, GraphSet, graph_from_object, graph_from_pairs, without_directions

TRIANGLE = [("a", "b"), ("b", "c"), ("c", "a")]


def arc_columns(graph: Graph) -> tuple[list[int], list[int], list[float] | None]:
    """Arcs of a directed graph, edges u < v of an undirected one, with weights."""
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    flags = graph.directions
    keep = rows < graph.indices if flags is None else (flags & 1).astype(bool)
    weights = None if graph.weights is None else graph.weights[keep].tolist()
    return rows[keep].tolist(), graph.indices[keep].tolist(), weights


def to_networkx(graph: Graph) -> Any:
    source, target, weights = arc_columns(graph)
    built = networkx.DiGraph() if graph.directed else networkx.Graph()
    built.add_nodes_from(range(graph.n_nodes))
    if weights is None:
        built.add_edges_from(zip(source, target, strict=True))
    else:
        built.add_weighted_edges_from(zip(source, target, weights, strict=True))
    return built


def to_igraph(graph: Graph) -> Any:
    source, target, weights = arc_columns(graph)
    built = igraph.Graph(graph.n_nodes, list(zip(source, target, strict=True)), directed=graph.directed)
    if weights is not None:
        built.es["weight"] = weights
    return built


def to_sparse(graph: Graph) -> Any:
    source, target, weights = arc_columns(graph)
    shape = (graph.n_nodes, graph.n_nodes)
    matrix = sparse.coo_array((np.ones(len(source)) if weights is None else weights, (source, target)), shape=shape)
    return matrix.tocsr() if graph.directed else (matrix + matrix.T).tocsr()


def columns_of(graph: Graph) -> dict[str, Any]:
    source, target, weights = arc_columns(graph)
    columns: dict[str, Any] = {"source": np.array(source, int), "target": np.array(target, int)}
    return columns if weights is None else {**columns, "weight": np.array(weights, float)}


@given(graph_strategy(weighted=None, directed=None))
def test_round_trip_through_libraries_that_keep_isolated_nodes(graph: Graph) -> None:
    # An edgeless graph has no edge to carry a weight.
    expected = graph if graph.n_edges else graph_from_pairs([], [], nodes=graph.nodes, directed=graph.directed)
    assert graph_from_object(to_networkx(graph)) == expected
    assert graph_from_object(to_igraph(graph)) in (graph, expected)
    assert graph_from_object(graph) is graph
    matrix = to_sparse(graph)
    weights = arc_columns(graph)[2]
    if weights is None or set(weights) - {1.0}:
        for form in (
            matrix,
            matrix.tocoo(),
            matrix.tocsc(),
            sparse.lil_matrix(matrix),
            sparse.csr_matrix(matrix),
        ):
            assert graph_from_object(form, directed=graph.directed) in (graph, expected)


@given(graph_strategy(weighted=None, directed=None, min_nodes=2))
def test_round_trip_through_columns(graph: Graph) -> None:
    columns = columns_of(graph)
    expected = graph_from_pairs(*columns.values(), directed=graph.directed)
    for frame in (pandas.DataFrame(columns), polars.DataFrame(columns), pyarrow.table(columns)):
        assert graph_from_object(frame, directed=graph.directed) == expected
    rows = list(zip(*(column.tolist() for column in columns.values()), strict=True))
    if rows:
        assert graph_from_object(rows, directed=graph.directed) == expected
        assert graph_from_object((row for row in rows), directed=graph.directed) == expected
        assert graph_from_object(tuple(list(row) for row in rows), directed=graph.directed) == expected
    if len(rows) > 3:
        assert graph_from_object(np.array(rows), directed=graph.directed) == expected


@given(graph_strategy(weighted=None, directed=True))
def test_directions_can_be_dropped_and_added(graph: Graph) -> None:
    undirected = without_directions(graph)
    source, target, weights = arc_columns(graph)
    rebuilt = graph_from_pairs(source, target, weights, nodes=graph.nodes)
    assert np.array_equal(undirected.indices, rebuilt.indices)
    if rebuilt.weights is not None and undirected.weights is not None:
        assert undirected.weights == pytest.approx(rebuilt.weights, rel=1e-15)
    assert graph_from_object(graph, directed=False) == undirected
    both_ways = graph_from_object(undirected, directed=True)
    assert both_ways.n_arcs == 2 * undirected.n_edges
    if graph.weights is None:
        assert graph_from_object(both_ways, directed=False) == undirected
        assert graph_from_object(to_networkx(graph), directed=False) == undirected
        assert graph_from_object(to_igraph(graph), directed=False) == undirected


def test_karate_club_keeps_order_and_weights() -> None:
    club = networkx.karate_club_graph()
    graph = graph_from_object(club)
    assert graph.nodes.tolist() == list(club.nodes)
    assert (graph.n_nodes, graph.n_edges) == (34, 78)
    assert graph.weights is not None
    assert graph.weights.sum() == 2 * club.size(weight="weight")
    assert graph_from_object(club, weight=False).weights is None


def test_networkx_kinds() -> None:
    multi = networkx.MultiGraph()
    multi.add_node("alone")
    multi.add_edge("x", "y", weight=2)
    multi.add_edge("y", "x")
    multi.add_edge("x", "x")
    graph = graph_from_object(multi)
    assert graph.nodes.tolist() == ["alone", "x", "y"]
    assert graph.weights is not None
    assert graph.weights.tolist() == [3, 3]
    assert (graph.report.parallel_merged, graph.report.self_loops_dropped) == (1, 1)
    arcs = networkx.MultiDiGraph([(1, 2), (2, 1), (1, 2)])
    assert graph_from_object(arcs).n_arcs == 2
    assert graph_from_object(arcs, directed=False).n_edges == 1
    costs = networkx.Graph()
    costs.add_edge(0, 1, cost=4)
    costs.add_edge(1, 2)
    by_cost = graph_from_object(costs, weight="cost")
    assert by_cost.weights is not None
    assert by_cost.weights.tolist() == [4, 4, 1, 1]
    assert graph_from_object(costs).weights is None
    with pytest.raises(ParameterError, match="no edge has the attribute 'price'"):
        graph_from_object(costs, weight="price")
    assert graph_from_object(networkx.path_graph(4).subgraph([1, 2])).nodes.tolist() == [1, 2]
    assert graph_from_object(networkx.Graph()).n_nodes == 0


def test_networkx_bad_weight_names_the_edge() -> None:
    bad = networkx.Graph()
    bad.add_edge("u", "v", weight=-3)
    with pytest.raises(ParameterError, match=r"edge \('u', 'v'\) is -3.0"):
        graph_from_object(bad)
    assert graph_from_object(bad, weight=False).n_edges == 1


def test_igraph_names_and_weights() -> None:
    named = igraph.Graph.TupleList([("b", "a", 2.0), ("a", "c", 3.0)], weights=True)
    graph = graph_from_object(named)
    assert graph.nodes.tolist() == ["b", "a", "c"]
    assert graph.weights is not None
    assert graph.weights.tolist() == [2, 2, 3, 3]
    named.es[0]["weight"] = None
    partly = graph_from_object(named).weights
    assert partly is not None
    assert partly.tolist() == [1, 1, 3, 3]
    with pytest.raises(ParameterError, match="no edge has the attribute 'cost'"):
        graph_from_object(named, weight="cost")
    named.es["weight"] = [1, float("nan")]
    with pytest.raises(ParameterError, match=r"edge \('a', 'c'\) is nan"):
        graph_from_object(named)
    named.vs["name"] = ["a", "a", "b"]
    with pytest.raises(ParameterError, match="'a' occurs twice"):
        graph_from_object(named, weight=False)
    assert graph_from_object(igraph.Graph(3)).n_nodes == 3


class Data(SimpleNamespace):
    """Stands for PyTorch Geometric's class of this name: same module, same attributes."""


Data.__module__ = "torch_geometric.data.data"


def test_torch_geometric_attributes() -> None:
    both_ways = np.array([[0, 1, 1, 2], [1, 0, 2, 1]])
    graph = graph_from_object(Data(edge_index=both_ways, num_nodes=4))
    assert repr(graph) == "Graph(4 nodes, 2 edges)"
    one_way = Data(edge_index=both_ways[:, ::2], num_nodes=None, edge_attr=np.ones((2, 5)))
    assert repr(graph_from_object(one_way)) == "Graph(3 nodes, 2 edges, directed with 2 arcs)"
    assert repr(graph_from_object(one_way, directed=False)) == "Graph(3 nodes, 2 edges)"
    weighted = Data(edge_index=both_ways, num_nodes=3, edge_weight=np.array([2, 2, 5, 5]))
    values = graph_from_object(weighted).weights
    assert values is not None
    assert values.tolist() == [2, 2, 5, 5]
    assert graph_from_object(weighted, weight=False).weights is None
    uneven = Data(edge_index=both_ways, num_nodes=3, edge_attr=np.array([2, 1, 5, 5]))
    assert graph_from_object(uneven).n_arcs == 4
    with pytest.raises(ParameterError, match="no one-dimensional 'cost'"):
        graph_from_object(weighted, weight="cost")
    with pytest.raises(ParameterError, match=r"edge_index has shape \(4, 2\)"):
        graph_from_object(Data(edge_index=both_ways.T, num_nodes=3))
    with pytest.raises(NotAGraphError, match="has no edge_index"):
        graph_from_object(Data(edge_index=None, num_nodes=3))


def test_torch_geometric_itself() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is an extra")
    data = pytest.importorskip("torch_geometric.data", reason="PyTorch Geometric is an extra")
    edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    plain = data.Data(edge_index=edge_index, num_nodes=4)
    assert repr(graph_from_object(plain)) == "Graph(4 nodes, 2 edges)"
    for arcs in (edge_index, edge_index[:, ::2], edge_index[:, :3]):
        one = data.Data(edge_index=arcs, num_nodes=3)
        assert graph_from_object(one).directed != one.is_undirected()
    weighted = data.Data(edge_index=edge_index, edge_attr=torch.tensor([2.0, 2, 5, 5]), num_nodes=3)
    weights = graph_from_object(weighted).weights
    assert weights is not None
    assert weights.tolist() == [2, 2, 5, 5]
    batch = data.Batch.from_data_list([plain, plain])
    assert repr(graph_from_object(batch)) == "Graph(8 nodes, 4 edges)"
    mixed = data.HeteroData()
    mixed["a"].num_nodes = 2
    mixed["a", "to", "a"].edge_index = torch.tensor([[0], [1]])
    with pytest.raises(NotAGraphError, match="to_homogeneous"):
        graph_from_object(mixed)
    assert graph_from_object(torch.tensor([[0, 1], [1, 2], [2, 3]])).n_edges == 3


@for_each("thing", [5, None, 2.5, object(), len, True, np.int64(3), "a.txt", b"a"])
def test_no_graph_is_refused_by_type(thing: Any) -> None:
    with pytest.raises(NotAGraphError, match="is not a graph; accepted are an edge array") as caught:
        graph_from_object(thing)
    assert type(thing).__name__ in str(caught.value)


def test_misplaced_options_are_refused() -> None:
    with pytest.raises(ParameterError, match="`source='a'` names a column, but a list has no columns"):
        graph_from_object(TRIANGLE, source="a")
    with pytest.raises(ParameterError, match="`weight='w'` names a column or attribute, but a list has none"):
        graph_from_object(TRIANGLE, weight="w")
    with pytest.raises(ParameterError, match="`directed` is 'yes'"):
        graph_from_object(TRIANGLE, directed="yes")  # type: ignore[arg-type]
    with pytest.raises(NotAGraphError, match="pass one of them"):
        graph_from_object(GraphSet.from_graphs([TRIANGLE]))


def test_weights_can_be_left_out() -> None:
    triples = [("a", "b", 2), ("b", "c", -1)]
    assert graph_from_object(triples, weight=False).weights is None
    graph = graph_from_object([("a", "b", 2)])
    assert graph_from_object(graph, weight=False) == graph_from_object([("a", "b")])


def test_nothing_heavy_is_imported() -> None:
    heavy = ["networkx", "igraph", "pandas", "polars", "pyarrow", "torch", "sklearn", "matplotlib", "ray"]
    heavy += ["numba", "scipy"]
    code = (
        "import sys; from vnestruct.graph import graph_from_object, GraphSet, synthetic\n"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
