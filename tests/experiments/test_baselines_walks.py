"""DeepWalk and node2vec: where walks go, against exact probabilities, and what skip-gram makes of them."""

from collections import Counter
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from experiments.baselines import deepwalk, node2vec, skipgram
from experiments.baselines.walks import start_nodes
from scipy.stats import chi2

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph, graph_from_ids


def as_graph(graph: nx.Graph) -> Graph:
    edges = np.array(graph.edges, dtype=np.int64).reshape(-1, 2)
    return graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=len(graph))


def assert_follows(counts: np.ndarray, probabilities: np.ndarray) -> None:
    """Pearson's test of rows of counts against rows of probabilities, all rows at once."""
    counts, probabilities = np.atleast_2d(counts), np.atleast_2d(probabilities)
    assert (counts[probabilities == 0] == 0).all()
    expected = counts.sum(axis=1, keepdims=True) * probabilities
    possible = probabilities > 0
    assert expected[possible].min() > 5, "too few walks for the test to mean anything"
    statistic = ((counts - expected)[possible] ** 2 / expected[possible]).sum()
    freedom = possible.sum() - counts.shape[0]
    assert chi2.sf(statistic, freedom) > 1e-3


HOUSE = nx.Graph([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3), (4, 0), (4, 1), (4, 5)])


def transition_matrix(graph: nx.Graph) -> np.ndarray:
    adjacency = nx.to_numpy_array(graph, nodelist=range(len(graph)))
    return adjacency / adjacency.sum(axis=1, keepdims=True)


def test_starts_pass_over_all_nodes_in_fresh_orders():
    starts = start_nodes(20, 3, np.random.default_rng(0)).reshape(3, 20)
    assert (np.sort(starts, axis=1) == np.arange(20)).all()
    assert len({tuple(order) for order in starts.tolist()}) == 3


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_deepwalk_positions_follow_powers_of_the_transition_matrix(steps):
    walks = deepwalk.random_walks(as_graph(HOUSE), n_walks=3000, length=6, seed=steps)
    counts = np.zeros((6, 6))
    np.add.at(counts, (walks[:, 0], walks[:, steps]), 1)
    assert_follows(counts, np.linalg.matrix_power(transition_matrix(HOUSE), steps))


def test_deepwalk_forgets_its_start_and_visits_by_degree():
    walks = deepwalk.random_walks(as_graph(HOUSE), n_walks=2000, length=60, seed=1)
    degree = np.array([HOUSE.degree(node) for node in range(6)])
    assert_follows(np.bincount(walks[:, -1], minlength=6), degree / degree.sum())


@pytest.mark.parametrize(("p", "q"), [(1.0, 1.0), (0.25, 4.0), (4.0, 0.5)])
def test_node2vec_transitions_are_of_second_order(p, q):
    walks = node2vec.biased_walks(as_graph(HOUSE), p=p, q=q, n_walks=2000, length=10, seed=3)
    triples = Counter(
        (t, v, x) for walk in walks.tolist() for t, v, x in zip(walk[:-2], walk[1:-1], walk[2:], strict=True)
    )
    counts, probabilities = [], []
    for t, v in [*HOUSE.edges, *((v, u) for u, v in HOUSE.edges)]:
        weights = np.zeros(6)
        for x in HOUSE[v]:
            weights[x] = 1 / p if x == t else 1.0 if HOUSE.has_edge(t, x) else 1 / q
        counts.append([triples[t, v, x] for x in range(6)])
        probabilities.append(weights / weights.sum())
    assert_follows(np.array(counts), np.array(probabilities))


def test_the_first_step_of_node2vec_is_uniform():
    walks = node2vec.biased_walks(as_graph(HOUSE), p=0.1, q=10.0, n_walks=2000, length=2, seed=4)
    counts = np.zeros((6, 6))
    np.add.at(counts, (walks[:, 0], walks[:, 1]), 1)
    assert_follows(counts, transition_matrix(HOUSE))


@pytest.mark.parametrize(
    "walks_of",
    [
        lambda graph, seed: deepwalk.random_walks(graph, n_walks=4, length=12, seed=seed),
        lambda graph, seed: node2vec.biased_walks(graph, p=0.5, q=2.0, n_walks=4, length=12, seed=seed),
    ],
)
def test_walks_follow_edges_stop_when_alone_and_repeat_by_seed(walks_of):
    graph = nx.disjoint_union(nx.barabasi_albert_graph(30, 2, seed=0), nx.empty_graph(2))
    walks = walks_of(as_graph(graph), 5)
    for walk in walks.tolist():
        if walk[0] >= 30:
            assert walk == [walk[0]] + [-1] * 11
        else:
            assert all(graph.has_edge(u, v) for u, v in pairwise(walk))
    np.testing.assert_array_equal(walks, walks_of(as_graph(graph), 5))
    assert (walks != walks_of(as_graph(graph), 6)).any()


def partner_walks(n_pairs: int, seed: int = 0) -> np.ndarray:
    """Walks in which node i is only ever seen with node n_pairs + i; low ids are rarer."""
    rng = np.random.default_rng(seed)
    pair = rng.choice(n_pairs, 4000, p=np.arange(1, n_pairs + 1) / np.arange(1, n_pairs + 1).sum())
    side = rng.integers(0, 2, (4000, 8))
    return (pair[:, None] + n_pairs * side).astype(np.int32)


@pytest.mark.parametrize(("hierarchical", "negative"), [(True, 0), (False, 5)])
def test_skipgram_rows_belong_to_their_nodes(hierarchical, negative):
    vectors = skipgram.train(
        partner_walks(6),
        12,
        dimension=16,
        window=3,
        epochs=5,
        hierarchical=hierarchical,
        negative=negative,
        seed=1,
    )
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    similarity = unit @ unit.T - 2 * np.eye(12)
    assert similarity.argmax(axis=1).tolist() == [*range(6, 12), *range(6)]


@pytest.mark.parametrize("embed", [deepwalk.embed, node2vec.embed])
def test_vectors_know_communities_and_repeat_by_seed(embed):
    graph = as_graph(nx.barbell_graph(8, 0))
    vectors = embed(graph, seed=2, dimension=16, n_walks=30, length=20, epochs=3)
    np.testing.assert_array_equal(vectors, embed(graph, seed=2, dimension=16, n_walks=30, length=20, epochs=3))
    assert (vectors != embed(graph, seed=3, dimension=16, n_walks=30, length=20, epochs=3)).any()
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    similarity = unit @ unit.T
    inside = np.concatenate([similarity[:8, :8][np.triu_indices(8, 1)], similarity[8:, 8:][np.triu_indices(8, 1)]])
    assert inside.mean() > similarity[:8, 8:].mean() + 0.1


@pytest.mark.parametrize("embed", [deepwalk.embed, node2vec.embed])
def test_isolated_nodes_have_vectors_too(embed):
    vectors = embed(as_graph(nx.disjoint_union(nx.path_graph(3), nx.empty_graph(2))), dimension=4, n_walks=2)
    assert vectors.shape == (5, 4)
    assert np.isfinite(vectors).all()
    assert vectors.any(axis=1).all()


def test_bad_parameters_are_named():
    graph = as_graph(HOUSE)
    with pytest.raises(ParameterError, match="n_walks is 0 and length 40; both must be at least 1"):
        deepwalk.embed(graph, n_walks=0)
    with pytest.raises(ParameterError, match=r"p is 0 and q 1\.0; both must be positive"):
        node2vec.embed(graph, p=0)
    with pytest.raises(ParameterError, match="negative is 0 without hierarchical softmax"):
        node2vec.embed(graph, negative=0)
    with pytest.raises(ParameterError, match="walks have 10001 nodes; gensim reads at most 10000"):
        deepwalk.embed(graph, n_walks=1, length=10_001)
