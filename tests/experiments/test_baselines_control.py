"""The degree control and the graph structure that the baselines share, against networkx and plain loops."""

import networkx as nx
import numpy as np
import pytest
from experiments.baselines import METHODS, control, method
from experiments.baselines.structure import adjacency, neighbour_mean, neighbour_sum, triangle_counts
from tests.cases import for_each

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph, graph_from_ids


def as_graph(graph: nx.Graph) -> Graph:
    edges = np.array(graph.edges, dtype=np.int64).reshape(-1, 2)
    return graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=len(graph))


GRAPHS = {
    "karate": nx.convert_node_labels_to_integers(nx.karate_club_graph()),
    "random with isolated nodes": nx.gnp_random_graph(60, 0.04, seed=1),
    "hubs": nx.barabasi_albert_graph(80, 3, seed=2),
    "clique": nx.complete_graph(6),
    "star": nx.star_graph(7),
    "no edges": nx.empty_graph(3),
}


@for_each("name", GRAPHS)
def test_triangles_are_those_of_networkx(name):
    graph = GRAPHS[name]
    expected = [nx.triangles(graph, node) for node in range(len(graph))]
    assert triangle_counts(as_graph(graph)).tolist() == expected


@for_each("name", GRAPHS)
def test_neighbour_sums_and_means(name):
    graph = GRAPHS[name]
    values = np.random.default_rng(0).random((len(graph), 2))
    for node in graph:
        rows = values[list(graph[node])]
        np.testing.assert_allclose(neighbour_sum(as_graph(graph), values)[node], rows.sum(axis=0), atol=1e-12)
        mean = rows.mean(axis=0) if len(rows) else np.zeros(2)
        np.testing.assert_allclose(neighbour_mean(as_graph(graph), values)[node], mean, atol=1e-12)


def test_adjacency_is_the_matrix_of_the_graph():
    graph = GRAPHS["karate"]
    expected = nx.to_numpy_array(graph, nodelist=range(len(graph)), weight=None)
    np.testing.assert_array_equal(adjacency(as_graph(graph)).toarray(), expected)


@for_each("name", GRAPHS)
def test_control_is_its_definition(name):
    graph = GRAPHS[name]
    embedding = control.embed(as_graph(graph))
    for node in graph:
        around = [np.log(1 + graph.degree(neighbour)) for neighbour in graph[node]] or [0.0]
        expected = [
            np.log(1 + graph.degree(node)),
            np.mean(around),
            np.std(around),
            np.log(1 + nx.triangles(graph, node)),
        ]
        np.testing.assert_allclose(embedding[node], expected, atol=1e-12)


def test_every_method_is_named_and_a_wrong_name_is_refused():
    for name in METHODS:
        assert callable(method(name))
    with pytest.raises(ParameterError, match="method is 'rolz'; choose one of control, refex"):
        method("rolz")


@for_each("name", ["control", "refex", "rolx", "graphwave"])
@for_each("graph", [nx.empty_graph(1), nx.empty_graph(4), nx.path_graph(2), GRAPHS["star"]])
def test_degenerate_graphs_give_finite_vectors(name, graph):
    embedding = method(name)(as_graph(graph))
    assert embedding.shape[0] == len(graph)
    assert np.isfinite(embedding).all()
