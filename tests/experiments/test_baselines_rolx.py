"""ReFeX and RolX against networkx, plain definitions, and symmetry."""

import networkx as nx
import numpy as np
import pytest
from experiments.baselines import refex, rolx
from scipy.stats import entropy
from tests.cases import for_each

from vnestruct.errors import ParameterError
from vnestruct.graph import Graph, graph_from_ids


def as_graph(graph: nx.Graph) -> Graph:
    edges = np.array(graph.edges, dtype=np.int64).reshape(-1, 2)
    return graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=len(graph))


GRAPHS = {
    "karate": nx.convert_node_labels_to_integers(nx.karate_club_graph()),
    "isolated nodes": nx.gnp_random_graph(50, 0.05, seed=1),
    "hubs": nx.barabasi_albert_graph(80, 3, seed=2),
    "barbell": nx.barbell_graph(5, 3),
}


@for_each("name", GRAPHS)
def test_egonet_features_are_those_of_the_ego_graph(name):
    graph = GRAPHS[name]
    features = refex.egonet_features(as_graph(graph))
    for node in graph:
        ego = nx.ego_graph(graph, node)
        leaving = sum((u in ego) != (v in ego) for u, v in graph.edges)
        assert features[node].tolist() == [graph.degree(node), ego.number_of_edges(), leaving]


def bins_by_definition(values: np.ndarray, fraction: float) -> list[int]:
    remaining = sorted(values)
    upper_ends = []
    while remaining:
        last = remaining[int(np.ceil(fraction * len(remaining))) - 1]
        upper_ends.append(last)
        remaining = [value for value in remaining if value > last]
    return [next(i for i, end in enumerate(upper_ends) if value <= end) for value in values]


@pytest.mark.parametrize("fraction", [0.3, 0.5, 0.8])
def test_bins_are_those_of_the_definition(fraction):
    rng = np.random.default_rng(0)
    for values in (rng.random(101), rng.integers(0, 6, 64).astype(float), np.full(9, 2.0), rng.pareto(1, 200)):
        assert refex.logarithmic_bins(values, fraction).tolist() == bins_by_definition(values, fraction)


def test_bins_hold_half_of_what_remains():
    bins = refex.logarithmic_bins(np.random.default_rng(1).random(64))
    assert np.bincount(bins).tolist() == [32, 16, 8, 4, 2, 1, 1]


def test_rounding_does_not_split_a_tie():
    values = np.array([0.1 + 0.2, 0.3, 0.3, 0.3 - 5e-17, 1.0])
    assert refex.logarithmic_bins(values).tolist() == [0, 0, 0, 0, 1]


@for_each("name", GRAPHS)
def test_retained_features_are_what_their_names_say(name):
    graph = GRAPHS[name]
    features = refex.recursive_features(as_graph(graph))
    base = dict(zip(("degree", "inside", "leaving"), refex.egonet_features(as_graph(graph)).T, strict=True))

    def evaluate(feature: str) -> np.ndarray:
        if feature in base:
            return base[feature]
        how, inner = feature[:-1].split("(", 1)
        values = evaluate(inner)
        aggregate = {"sum": np.sum, "mean": lambda x: np.mean(x) if len(x) else 0.0}[how]
        return np.array([aggregate(values[list(graph[node])]) for node in range(len(graph))])

    for feature, generation, values, bins in zip(
        features.names, features.generations, features.values.T, features.bins.T, strict=True
    ):
        np.testing.assert_allclose(values, evaluate(feature), rtol=1e-12)
        assert feature.count("(") == generation
        assert bins.tolist() == refex.logarithmic_bins(values).tolist()


def retained_by_definition(graph: nx.Graph, tolerance: int) -> list[str]:
    """The names of the retained features, by plain loops over one generation after another."""
    base = refex.egonet_features(as_graph(graph))
    generation = {name: base[:, i] for i, name in enumerate(("degree", "inside", "leaving"))}
    retained: dict[str, np.ndarray] = {}
    recursion = 0
    while generation:
        everything = {**retained, **generation}
        bins = {name: np.array(bins_by_definition(x.round(9), 0.5)) for name, x in everything.items()}
        links = nx.Graph()
        links.add_nodes_from(everything)
        allowed = tolerance + max(recursion - 1, 0)
        links.add_edges_from(
            (a, b) for a in everything for b in generation if np.abs(bins[a] - bins[b]).max() <= allowed
        )
        novel = []
        for group in nx.connected_components(links):
            if not group & retained.keys():
                novel.append(min(group, key=list(everything).index))
        novel.sort(key=list(everything).index)
        retained.update({name: generation[name] for name in novel})
        sums = {n: np.array([retained[n][list(graph[v])].sum() for v in range(len(graph))]) for n in novel}
        count = np.array([max(graph.degree(v), 1) for v in range(len(graph))])
        generation = {f"sum({n})": sums[n] for n in novel} | {f"mean({n})": sums[n] / count for n in novel}
        recursion += 1
    return list(retained)


@for_each("tolerance", [0, 1])
@for_each("name", GRAPHS)
def test_retained_features_are_those_of_the_definition(name, tolerance):
    features = refex.recursive_features(as_graph(GRAPHS[name]), tolerance=tolerance)
    assert list(features.names) == retained_by_definition(GRAPHS[name], tolerance)


def test_pruning_links_features_through_chains():
    retained = np.array([[0, 0, 0, 0]]).T
    candidates = np.array([[1, 0, 0, 1], [2, 1, 1, 2], [5, 5, 0, 0], [5, 5, 1, 0], [9, 0, 9, 0]]).T
    # The first is next to the retained one, the second next to the first; the fourth repeats the third.
    assert refex._novel(retained, candidates, 1).tolist() == [2, 4]
    assert refex._novel(retained, candidates, 0).tolist() == [0, 1, 2, 3, 4]


def test_a_larger_tolerance_retains_no_more():
    graph = as_graph(GRAPHS["hubs"])
    counts = [len(refex.recursive_features(graph, tolerance=tolerance).names) for tolerance in range(4)]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1]


def test_generations_can_be_limited():
    graph = as_graph(GRAPHS["hubs"])
    assert max(refex.recursive_features(graph, max_generations=1).generations) == 1
    unlimited = refex.recursive_features(graph)
    assert max(unlimited.generations) > 1
    first = [name for name, g in zip(unlimited.names, unlimited.generations, strict=True) if g <= 1]
    assert list(refex.recursive_features(graph, max_generations=1).names) == first


def orbits(graph: nx.Graph) -> list[list[int]]:
    matcher = nx.isomorphism.GraphMatcher(graph, graph)
    image: dict[int, set[int]] = {node: {node} for node in graph}
    for mapping in matcher.isomorphisms_iter():
        for node, target in mapping.items():
            image[node].add(target)
    return [sorted(group) for group in {frozenset(group) for group in image.values()}]


SYMMETRIC = [nx.barbell_graph(4, 3), nx.circular_ladder_graph(5), nx.balanced_tree(2, 3), nx.lollipop_graph(4, 3)]


@for_each("graph", SYMMETRIC)
@for_each("transform", ["values", "scaled", "logarithm", "bins"])
def test_automorphic_nodes_have_equal_features_and_roles(graph, transform):
    values = refex.embed(as_graph(graph))
    found = [rolx.embed(as_graph(graph), transform=transform, n_roles=n) for n in range(1, values.shape[1] + 1)]
    found += [values, rolx.embed(as_graph(graph), transform=transform)]
    for orbit in orbits(graph):
        for embedding in found:
            assert np.ptp(embedding[orbit], axis=0).max() < 1e-8


def test_relabelling_permutes_the_features():
    graph = GRAPHS["hubs"]
    order = np.random.default_rng(3).permutation(len(graph))
    relabelled = nx.relabel_nodes(graph, dict(enumerate(order.tolist())))
    features = refex.recursive_features(as_graph(graph))
    permuted = refex.recursive_features(as_graph(relabelled))
    assert permuted.names == features.names
    np.testing.assert_allclose(permuted.values[order], features.values, rtol=1e-10)


def test_factorisation_recovers_a_matrix_of_its_rank_and_scales_roles_to_length_one():
    rng = np.random.default_rng(0)
    matrix = rng.random((40, 3)) @ rng.random((3, 8))
    memberships, definitions = rolx.factorise(matrix, 3)
    assert (memberships >= 0).all()
    assert (definitions >= 0).all()
    np.testing.assert_allclose(np.linalg.norm(definitions, axis=1), 1.0)
    assert np.linalg.norm(matrix - memberships @ definitions) < 0.01 * np.linalg.norm(matrix)


def test_quantisation_is_a_fixed_point_of_the_lloyd_max_rule():
    values = np.random.default_rng(0).pareto(2, (50, 4))
    coarse, cell = rolx.quantise(values, 6)
    levels = np.array([coarse.ravel()[cell == i][0] for i in np.unique(cell)])
    for i, level in zip(np.unique(cell), levels, strict=True):
        assert level == pytest.approx(values.ravel()[cell == i].mean())
    nearest = levels[np.abs(values.ravel()[:, None] - levels).argmin(axis=1)]
    np.testing.assert_allclose(coarse.ravel(), nearest)


def test_quantisation_of_few_distinct_values_is_exact():
    values = np.array([0.0, 0.0, 3.0, 3.0, 7.5])
    np.testing.assert_array_equal(rolx.quantise(values, 3)[0], values)


def test_huffman_code_is_as_long_as_entropy_allows():
    dyadic = np.repeat(np.arange(5), [16, 8, 4, 2, 2])
    assert rolx.huffman_bits(dyadic) == 16 * 1 + 8 * 2 + 4 * 3 + 2 * 4 + 2 * 4
    symbols = np.random.default_rng(0).geometric(0.3, 500)
    least = 500 * entropy(np.unique(symbols, return_counts=True)[1], base=2)
    assert least <= rolx.huffman_bits(symbols) < least + 500
    assert rolx.huffman_bits(np.zeros(9, dtype=np.int64)) == 0


def test_divergence_is_zero_only_at_equality():
    matrix = np.random.default_rng(0).random((6, 4)) * 5
    matrix[2, 3] = 0.0
    assert rolx.divergence(matrix, matrix) == pytest.approx(0.0, abs=1e-12)
    other = matrix + 0.3
    expected = sum(
        (v * np.log(v / m) if v else 0.0) - v + m for v, m in zip(matrix.ravel(), other.ravel(), strict=True)
    )
    assert rolx.divergence(matrix, other) == pytest.approx(expected)
    assert rolx.divergence(matrix, other) > 0


def test_description_length_is_its_parts():
    rng = np.random.default_rng(0)
    matrix, memberships, definitions = rng.random((32, 5)), rng.random((32, 2)), rng.random((2, 5))
    coarse = [rolx.quantise(factor, 5) for factor in (memberships, definitions)]  # log2(32) levels
    bits = sum(rolx.huffman_bits(codes) for _, codes in coarse)
    error = rolx.divergence(matrix, coarse[0][0] @ coarse[1][0]) / np.log(2)
    assert rolx.description_length(matrix, memberships, definitions) == pytest.approx(bits + error)


@pytest.mark.parametrize("n_roles", [2, 3, 4])
def test_planted_roles_are_counted(n_roles):
    rng = np.random.default_rng(n_roles)
    definitions = 40 * np.eye(n_roles, 6) + rng.random((n_roles, 6))
    matrix = np.repeat(definitions, 60, axis=0)
    assert rolx.choose_roles(matrix)[0].shape[1] == n_roles


def test_bad_parameters_are_named():
    graph = as_graph(GRAPHS["karate"])
    with pytest.raises(ParameterError, match=r"n_roles is 99; the graph has 34 nodes and .* between 1 and"):
        rolx.embed(graph, n_roles=99)
    with pytest.raises(ParameterError, match="transform is 'log'; choose 'values'"):
        rolx.embed(graph, transform="log")
    with pytest.raises(ParameterError, match=r"bin_fraction is 1\.0; it must lie strictly between 0 and 1"):
        refex.embed(graph, bin_fraction=1.0)
    with pytest.raises(ParameterError, match="tolerance is -1"):
        refex.embed(graph, tolerance=-1)
