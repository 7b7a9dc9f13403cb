"""struc2vec against breadth-first search, plain dynamic programming, and exact transition probabilities."""

from functools import cache
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from experiments.baselines import multilayer, rings, struc2vec
from scipy.stats import chi2
from tests.cases import for_each

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph, graph_from_ids

Runs = list[tuple[int, int]]


def as_graph(graph: nx.Graph) -> Graph:
    edges = np.array(graph.edges, dtype=np.int64).reshape(-1, 2)
    return graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=len(graph))


GRAPHS = {
    "karate": nx.convert_node_labels_to_integers(nx.karate_club_graph()),
    "sparse": nx.gnp_random_graph(30, 0.12, seed=4),
    "path": nx.path_graph(7),
    "star": nx.star_graph(6),
    "two components": nx.disjoint_union(nx.cycle_graph(4), nx.barbell_graph(3, 1)),
}


def ring_by_search(graph: nx.Graph, node: int, k: int) -> list[int]:
    distance = nx.single_source_shortest_path_length(graph, node)
    return sorted(graph.degree(other) for other, d in distance.items() if d == k)


def unit_runs(degrees: list[int]) -> Runs:
    return [(degree, 1) for degree in degrees]


def joined_runs(degrees: list[int]) -> Runs:
    return [(degree, degrees.count(degree)) for degree in sorted(set(degrees))]


def alignment_cost(first: Runs, second: Runs) -> float:
    """The cheapest of all alignments, by their recursive definition."""

    def cost(i: int, j: int) -> float:
        (a, m), (b, n) = first[i], second[j]
        return (max(a, b) / min(a, b) - 1) * max(m, n)

    @cache
    def best(i: int, j: int) -> float:
        if i == 0 and j == 0:
            return cost(0, 0)
        before = [(i - 1, j), (i, j - 1), (i - 1, j - 1)]
        return cost(i, j) + min(best(a, b) for a, b in before if a >= 0 and b >= 0)

    return best(len(first) - 1, len(second) - 1)


@for_each("name", GRAPHS)
def test_rings_are_those_of_breadth_first_search(name):
    graph = GRAPHS[name]
    for compress, runs_of in ((True, joined_runs), (False, unit_runs)):
        found = rings.degree_rings(as_graph(graph), compress=compress)
        for node in graph:
            lengths = nx.single_source_shortest_path_length(graph, node)
            assert found.n_rings[node] == max(lengths.values()) + 1
            for k in range(found.n_rings[node]):
                assert found.ring(node, k) == runs_of(ring_by_search(graph, node, k))


def test_rings_stop_at_the_last_layer():
    found = rings.degree_rings(as_graph(GRAPHS["path"]), max_layer=2)
    assert found.n_rings.tolist() == [3] * 7


def random_degrees(rng: np.random.Generator) -> list[int]:
    return sorted(rng.integers(1, 9, rng.integers(1, 12)).tolist())


@for_each("seed", range(20))
def test_warping_is_the_cheapest_alignment(seed):
    rng = np.random.default_rng(seed)
    first, second = random_degrees(rng), random_degrees(rng)
    plain = alignment_cost(unit_runs(first), unit_runs(second))
    joined = alignment_cost(joined_runs(first), joined_runs(second))
    assert rings.warping_cost(unit_runs(first), unit_runs(second)) == pytest.approx(plain)
    assert rings.warping_cost(joined_runs(first), joined_runs(second)) == pytest.approx(joined)
    assert rings.warping_cost(joined_runs(second), joined_runs(first)) == pytest.approx(joined)
    # An alignment of runs is one of their members, so joining can only cost.
    assert joined >= plain - 1e-12


def test_joining_is_free_where_runs_match_one_to_one():
    first, second = [2, 2, 5, 5, 5], [3, 3, 3, 5]
    expected = 3 * (3 / 2 - 1)
    assert rings.warping_cost(joined_runs(first), joined_runs(second)) == pytest.approx(expected)
    assert rings.warping_cost(unit_runs(first), unit_runs(second)) == pytest.approx(expected)


def test_zero_degrees_and_the_offset():
    assert rings.warping_cost([(0, 1)], [(0, 1)]) == 0
    assert rings.warping_cost([(0, 1)], [(3, 1)]) == np.inf
    assert rings.warping_cost([(0, 1)], [(3, 1)], offset=0.5) == pytest.approx(3.5 / 0.5 - 1)


@for_each("compress", [True, False])
@for_each("name", ["sparse", "path", "two components"])
def test_distances_add_up_over_common_rings(name, compress):
    graph = GRAPHS[name].subgraph(node for node, degree in GRAPHS[name].degree if degree)
    graph = nx.convert_node_labels_to_integers(graph)
    left, right = struc2vec.all_pairs(len(graph))
    distances = rings.structural_distances(rings.degree_rings(as_graph(graph), compress=compress), left, right)
    runs_of = joined_runs if compress else unit_runs
    for pair, (u, v) in enumerate(combinations(graph, 2)):
        total = 0.0
        for k in range(distances.shape[0]):
            first, second = ring_by_search(graph, u, k), ring_by_search(graph, v, k)
            if first and second:
                total += alignment_cost(runs_of(first), runs_of(second))
                assert distances[k, pair] == pytest.approx(total)
            else:
                assert np.isnan(distances[k, pair])


def test_mirror_images_are_at_distance_zero():
    graph = nx.barbell_graph(5, 4)
    left = np.array([0, 4, 5, 6], dtype=np.int32)
    right = np.array([13, 9, 8, 7], dtype=np.int32)
    distances = rings.structural_distances(rings.degree_rings(as_graph(graph)), left, right)
    assert np.nanmax(distances) == 0


def test_multilayer_weights_by_hand():
    # The path 0-1-2-3: degrees 1 2 2 1; rings 0: own degree; ring 1: {2}, {1, 2}, ...; ring 2: {2}, {1}, ...
    graph = as_graph(nx.path_graph(4))
    left, right = struc2vec.all_pairs(4)
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    distances = rings.structural_distances(rings.degree_rings(graph), left, right)
    # Layer 0: ends against middles differ by 2/1 - 1. Layer 1: an end's ring is {2}, a middle's {1, 2}:
    # aligning 2 with 1 costs 1, 2 with 2 nothing. Layer 2: an end's ring is {2}, a middle's {1}. Layer 3:
    # ends only.
    np.testing.assert_allclose(
        distances,
        [[1, 1, 0, 0, 1, 1], [2, 2, 0, 0, 2, 2], [3, 3, 0, 0, 3, 3], [np.nan, np.nan, 0, np.nan, np.nan, np.nan]],
    )
    layers = multilayer.multilayer(distances, left, right, 4)
    assert layers.top.tolist() == [3, 2, 2, 3]
    for k in range(3):
        similar, other = 1.0, np.exp(-(k + 1))
        total = similar + 2 * other
        # Node 0 meets 1, 2, 3 in order; node 1 meets 0, 2, 3.
        own = slice(layers.offsets[0], layers.offsets[1])
        assert layers.neighbours[own].tolist() == [1, 2, 3]
        np.testing.assert_allclose(layers.cumulative[k, own], np.cumsum([other, other, similar]) / total)
        own = slice(layers.offsets[1], layers.offsets[2])
        np.testing.assert_allclose(layers.cumulative[k, own], np.cumsum([other, similar, other]) / total)
        # Every node has one edge above the average (1 + 1 + 4 other) / 6: the one to its equal.
        up = np.log(np.e + 1)
        np.testing.assert_allclose(layers.ascent[k], up / (up + 1))
    own = slice(layers.offsets[0], layers.offsets[1])
    np.testing.assert_allclose(layers.cumulative[3, own], [0, 0, 1])
    np.testing.assert_allclose(layers.cumulative[3, layers.offsets[1] : layers.offsets[2]], 0)
    # In the last layer the only edge is the average itself, so none is heavier: ln(e + 0) against 1.
    np.testing.assert_allclose(layers.ascent[3], 0.5)


def test_heavy_edges_are_counted_against_the_layers_own_average():
    rng = np.random.default_rng(0)
    left, right = struc2vec.all_pairs(12)
    distances = rng.exponential(2, left.size)
    distances[rng.random(left.size) < 0.3] = np.nan
    weights = {
        (u, v): np.exp(-d) for u, v, d in zip(left.tolist(), right.tolist(), distances, strict=True) if not np.isnan(d)
    }
    average = np.mean(list(weights.values()))
    expected = [sum(w > average for pair, w in weights.items() if node in pair) for node in range(12)]
    assert multilayer.heavy_edges(distances, left, right, 12).tolist() == expected


def test_far_nodes_still_have_neighbours():
    # exp(-5000) is 0 in floating point; the probabilities are not.
    left, right = struc2vec.all_pairs(3)
    layers = multilayer.multilayer(np.array([[5000.0, 5000.0 + np.log(3), 9000.0]]), left, right, 3)
    np.testing.assert_allclose(layers.cumulative[0, :2], [0.75, 1.0])


def next_node_probabilities(layers: multilayer.Multilayer, start: int, stay: float) -> np.ndarray:
    """Exact distribution of the node after `start`, by solving for the layer in which that is left."""
    n_layers, n_nodes = layers.ascent.shape
    change = np.zeros((n_layers, n_layers))
    for k in range(layers.top[start] + 1):
        change[k, min(k + 1, layers.top[start])] += layers.ascent[k, start]
        change[k, max(k - 1, 0)] += 1 - layers.ascent[k, start]
    left_in = stay * np.linalg.inv(np.eye(n_layers) - (1 - stay) * change)[0]
    own = slice(layers.offsets[start], layers.offsets[start + 1])
    steps = np.diff(layers.cumulative[:, own], axis=1, prepend=0.0)
    probabilities = np.zeros(n_nodes)
    probabilities[layers.neighbours[own]] = left_in @ steps
    return probabilities


@for_each("stay", [1.0, 0.3])
@for_each("by_degree", [False, True])
def test_walks_follow_the_multilayer_transition_probabilities(stay, by_degree):
    graph = nx.lollipop_graph(5, 4)
    layers = struc2vec.similarity_graph(as_graph(graph), by_degree=by_degree)
    rng = np.random.default_rng(7)
    starts = np.repeat(np.arange(9, dtype=np.int32), 3000)
    walks = multilayer.multilayer_walks(
        layers.offsets, layers.neighbours, layers.cumulative, layers.ascent, layers.top, starts, 2, stay, rng
    )
    statistic, freedom = 0.0, 0
    for start in range(9):
        counts = np.bincount(walks[starts == start, 1], minlength=9)
        expected = 3000 * next_node_probabilities(layers, start, stay)
        assert expected.sum() == pytest.approx(3000)
        assert (counts[expected == 0] == 0).all()
        likely = expected > 5
        groups = np.append(counts[likely], counts[~likely].sum())
        wanted = np.append(expected[likely], expected[~likely].sum())
        groups, wanted = groups[wanted > 1], wanted[wanted > 1]
        statistic += ((groups - wanted) ** 2 / wanted).sum()
        freedom += wanted.size - 1
    assert chi2.sf(statistic, freedom) > 1e-3


def test_nearest_in_order_are_nearest_in_value():
    ascending = np.sort(np.random.default_rng(1).integers(1, 60, 40))
    nearest = struc2vec._nearest_in_order(ascending, 9)
    for place, chosen in enumerate(nearest.tolist()):
        assert place not in chosen
        assert len(set(chosen)) == 9
        gaps = np.sort(np.abs(np.delete(ascending, place) - ascending[place]))
        assert sorted(np.abs(ascending[chosen] - ascending[place])) == gaps[:9].tolist()


def test_candidates_by_degree_are_the_nearest():
    degree = np.random.default_rng(0).integers(1, 40, 50)
    left, right = struc2vec.degree_pairs(degree)
    pairs = set(zip(left.tolist(), right.tolist(), strict=True))
    assert len(pairs) == left.size
    assert (left < right).all()
    n_nearest = 2 * 6  # 2 ceil(log2 50)
    for node in range(50):
        gaps = np.abs(degree - degree[node])
        nearest = np.sort(np.delete(gaps, node))[:n_nearest]
        joined = sorted(gaps[[b if a == node else a for a, b in pairs if node in (a, b)]])
        # Its own choice is among its pairs, and pairs may come from the other side too.
        assert len(joined) >= n_nearest
        assert joined[:n_nearest] == nearest.tolist()


def test_small_graphs_by_degree_are_complete():
    graph = as_graph(GRAPHS["path"])
    full, by_degree = struc2vec.similarity_graph(graph), struc2vec.similarity_graph(graph, by_degree=True)
    np.testing.assert_array_equal(full.neighbours, by_degree.neighbours)
    np.testing.assert_array_equal(full.cumulative, by_degree.cumulative)


def test_vectors_know_roles_and_repeat_by_seed():
    graph = as_graph(nx.barbell_graph(6, 4))
    options = {"dimension": 16, "n_walks": 20, "length": 30, "window": 5}
    vectors = struc2vec.embed(graph, seed=1, **options)
    np.testing.assert_array_equal(vectors, struc2vec.embed(graph, seed=1, **options))
    assert (vectors != struc2vec.embed(graph, seed=2, **options)).any()
    # Members of the two cliques, far apart, are nearer to one another than to the path between.
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cliques, path = [*range(5), *range(11, 16)], [6, 7, 8, 9]
    assert (unit[:5] @ unit[11:].T).mean() > (unit[cliques] @ unit[path].T).mean() + 0.1


def test_isolated_nodes_meet_only_each_other():
    graph = nx.disjoint_union(nx.path_graph(4), nx.empty_graph(2))
    layers = struc2vec.similarity_graph(as_graph(graph))
    for node in (4, 5):
        own = slice(layers.offsets[node], layers.offsets[node + 1])
        steps = np.diff(layers.cumulative[0, own], prepend=0.0)
        assert dict(zip(layers.neighbours[own].tolist(), steps, strict=True))[9 - node] == pytest.approx(1.0)
    alone = struc2vec.embed(as_graph(nx.disjoint_union(nx.path_graph(3), nx.empty_graph(1))), dimension=4)
    assert np.isfinite(alone).all()


def test_bad_parameters_are_named():
    graph = as_graph(GRAPHS["path"])
    with pytest.raises(ParameterError, match="stay is 0; it must be above 0"):
        struc2vec.embed(graph, stay=0)
    with pytest.raises(ParameterError, match="max_layer is -1"):
        struc2vec.embed(graph, max_layer=-1)
