"""GraphWave against the matrix exponential, the plain characteristic function, and symmetry."""

import networkx as nx
import numpy as np
import pytest
from experiments.baselines import graphwave
from scipy import linalg
from tests.cases import for_each

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph, graph_from_ids


def as_graph(graph: nx.Graph) -> Graph:
    edges = np.array(graph.edges, dtype=np.int64).reshape(-1, 2)
    return graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=len(graph))


GRAPHS = {
    "karate": nx.convert_node_labels_to_integers(nx.karate_club_graph()),
    "two components and isolated nodes": nx.disjoint_union(nx.gnp_random_graph(40, 0.06, seed=1), nx.path_graph(5)),
    "hubs": nx.barabasi_albert_graph(90, 3, seed=2),
    "barbell": nx.barbell_graph(5, 4),
}


def dense_laplacian(graph: nx.Graph) -> np.ndarray:
    adjacency = nx.to_numpy_array(graph, nodelist=range(len(graph)), weight=None)
    return np.diag(adjacency.sum(axis=1)) - adjacency


@for_each("name", GRAPHS)
def test_exact_wavelets_are_the_heat_kernel(name):
    graph = GRAPHS[name]
    wavelets = graphwave.exact_wavelets(graphwave.laplacian(as_graph(graph)), np.array([0.1, 2.0]))
    for scale, wavelet in zip((0.1, 2.0), wavelets, strict=True):
        np.testing.assert_allclose(wavelet, linalg.expm(-scale * dense_laplacian(graph)), atol=1e-12)


def test_normalized_laplacian_has_zero_rows_for_isolated_nodes():
    graph = nx.disjoint_union(nx.karate_club_graph(), nx.empty_graph(2))
    dense = graphwave.laplacian(as_graph(graph), "normalized").toarray()
    adjacency = nx.to_numpy_array(graph, weight=None)
    scale = 1 / np.sqrt(np.maximum(adjacency.sum(axis=1), 1))
    has_edges = adjacency.any(axis=1).astype(float)
    np.testing.assert_allclose(dense, np.diag(has_edges) - scale[:, None] * adjacency * scale, atol=1e-12)


@for_each("name", GRAPHS)
def test_spectral_bounds_are_the_extreme_non_zero_eigenvalues(name):
    spectrum = linalg.eigvalsh(dense_laplacian(GRAPHS[name]))
    expected = spectrum[spectrum > 1e-9].min(), spectrum.max()
    assert graphwave.spectral_bounds(graphwave.laplacian(as_graph(GRAPHS[name]))) == pytest.approx(expected)


def test_large_components_agree_with_the_dense_solver(monkeypatch):
    matrix = graphwave.laplacian(as_graph(nx.disjoint_union(GRAPHS["hubs"], nx.cycle_graph(80))))
    dense = graphwave.spectral_bounds(matrix)
    monkeypatch.setattr(graphwave, "_DENSE_LIMIT", 3)
    assert graphwave.spectral_bounds(matrix) == pytest.approx(dense, rel=1e-5)


def test_scales_solve_the_published_condition():
    smallest, largest = graphwave.scale_range(0.3, 7.0)
    assert np.exp(-smallest * np.sqrt(0.3 * 7.0)) == pytest.approx(0.95)
    assert np.exp(-largest * np.sqrt(0.3 * 7.0)) == pytest.approx(0.85)


@pytest.mark.parametrize(("scale", "radius"), [(0.1, 2.0), (1.0, 30.0), (5.0, 100.0)])
def test_chebyshev_series_is_the_exponential_within_its_tolerance(scale, radius):
    order = graphwave.chebyshev_order(scale, radius, 1e-9)
    points = np.linspace(0, 2 * radius, 501)
    series = np.polynomial.chebyshev.chebval(
        points / radius - 1, graphwave.chebyshev_coefficients(scale, radius, order)
    )
    assert np.abs(series - np.exp(-scale * points)).max() < 1e-9
    # One order less may no longer be promised to do.
    neglected = np.abs(graphwave.chebyshev_coefficients(scale, radius, order + 200))[order:].sum()
    assert neglected >= 1e-9


@for_each("name", GRAPHS)
def test_chebyshev_wavelets_agree_with_exact_ones(name):
    graph = as_graph(GRAPHS[name])
    matrix, scales = graphwave.laplacian(graph), np.array([0.05, 1.5])
    columns = np.array([0, 3, 17 % graph.n_nodes, 2])
    bound = graphwave._largest_eigenvalue_bound(graph)
    approximate = graphwave.chebyshev_wavelets(matrix, scales, columns, bound=bound)
    assert np.abs(approximate - graphwave.exact_wavelets(matrix, scales)[:, :, columns]).max() < 1e-8


@for_each("name", GRAPHS)
def test_the_bound_holds_the_spectrum(name):
    largest = linalg.eigvalsh(dense_laplacian(GRAPHS[name]))[-1]
    assert graphwave._largest_eigenvalue_bound(as_graph(GRAPHS[name])) >= largest - 1e-12


@for_each("kind", ["combinatorial", "normalized"])
@for_each("name", GRAPHS)
def test_both_methods_give_one_embedding(name, kind, monkeypatch):
    monkeypatch.setattr(graphwave, "_BLOCK_BYTES", 2**15)  # several blocks even on small graphs
    graph = as_graph(GRAPHS[name])
    exact = graphwave.embed(graph, laplacian_kind=kind)
    chebyshev = graphwave.embed(graph, method="chebyshev", laplacian_kind=kind)
    assert np.abs(exact - chebyshev).max() < 1e-6


def test_a_low_order_is_less_exact():
    graph = as_graph(GRAPHS["hubs"])
    exact = graphwave.embed(graph)
    errors = [np.abs(graphwave.embed(graph, method="chebyshev", order=order) - exact).max() for order in (2, 5, 30)]
    assert errors[0] > errors[1] > errors[2]


def test_characteristic_function_is_its_definition():
    wavelets = np.random.default_rng(0).normal(size=(20, 4))
    wavelets[3:6, 1] = 0.0
    points = np.linspace(0, 100, 50)
    sampled = graphwave.characteristic_function(wavelets, points[1], 50)
    expected = np.exp(1j * points[None, None, :] * wavelets[:, :, None]).mean(axis=0)
    np.testing.assert_allclose(sampled[:, 0], expected.real, atol=1e-11)
    np.testing.assert_allclose(sampled[:, 1], expected.imag, atol=1e-11)


def test_embedding_is_the_characteristic_function_of_the_heat_kernel():
    graph = GRAPHS["karate"]
    embedding = graphwave.embed(as_graph(graph), scales=(0.5, 1.0), n_points=7, last_point=12.0)
    points = np.linspace(0, 12, 7)
    for node in (0, 5, 33):
        parts = []
        for scale in (0.5, 1.0):
            heat = linalg.expm(-scale * dense_laplacian(graph))[:, node]
            sampled = np.exp(1j * points[:, None] * heat).mean(axis=1)
            parts += [sampled.real, sampled.imag]
        np.testing.assert_allclose(embedding[node], np.concatenate(parts), atol=1e-10)


@pytest.mark.parametrize("method", ["exact", "chebyshev"])
def test_automorphic_nodes_have_equal_vectors(method):
    graph = nx.barbell_graph(5, 4)
    embedding = graphwave.embed(as_graph(graph), method=method)
    for orbit in ([0, 1, 2, 3, 10, 11, 12, 13], [4, 9], [5, 8], [6, 7]):
        assert np.ptp(embedding[orbit], axis=0).max() < 1e-8
    assert np.abs(embedding[0] - embedding[4]).max() > 1e-3


def test_relabelling_permutes_the_rows():
    graph = GRAPHS["hubs"]
    order = np.random.default_rng(3).permutation(len(graph))
    relabelled = nx.relabel_nodes(graph, dict(enumerate(order.tolist())))
    np.testing.assert_allclose(
        graphwave.embed(as_graph(relabelled))[order], graphwave.embed(as_graph(graph)), atol=1e-8
    )


def test_bad_parameters_are_named():
    graph = as_graph(GRAPHS["barbell"])
    with pytest.raises(ParameterError, match="method is 'fast'; choose 'exact' or 'chebyshev'"):
        graphwave.embed(graph, method="fast")
    with pytest.raises(ParameterError, match="laplacian is 'signed'"):
        graphwave.embed(graph, laplacian_kind="signed")
    with pytest.raises(ParameterError, match="each must be positive"):
        graphwave.embed(graph, scales=(1.0, 0.0))
    with pytest.raises(ParameterError, match="n_points is 1"):
        graphwave.embed(graph, n_points=1)


def test_a_graph_without_edges_keeps_its_heat():
    embedding = graphwave.embed(as_graph(nx.empty_graph(4)), scales=(1.0,), n_points=5, last_point=4.0)
    points = np.arange(5.0)
    expected = (3 + np.exp(1j * points)) / 4  # three cold nodes and the node itself
    np.testing.assert_allclose(embedding, np.tile(np.concatenate([expected.real, expected.imag]), (4, 1)))


def test_wavelets_spread_and_keep_heat():
    matrix = graphwave.laplacian(as_graph(GRAPHS["karate"]))
    wavelets = graphwave.exact_wavelets(matrix, np.array([0.2, 1.0, 5.0]))
    np.testing.assert_allclose(wavelets.sum(axis=1), 1.0)
    at_source = np.diagonal(wavelets, axis1=1, axis2=2)
    assert (np.diff(at_source, axis=0) < 0).all()
