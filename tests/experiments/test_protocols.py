"""Evaluations, signatures and baselines of the experiments, against scikit-learn, the product, and known cases."""

import networkx as nx
import numpy as np
import pytest
from experiments.baselines import METHODS, method, refex, skipgram, struc2vec
from experiments.baselines import graphwave as waves
from experiments.continuity import at_one_node, compare
from experiments.entropy_quality import as_networkx, ball, dense_laplacian, entropies
from experiments.expressivity.run import Pairs, differ, graph_set, paired_comparison, permuted
from experiments.protocol import FOLDS, classification_scores, clustering_scores, judge, neighbour_votes
from experiments.published import readings
from experiments.published.evaluator import PRINTED, cluster_scores, evaluate, neighbour_scores
from experiments.published.programs import default_scales, graphwave, independent_features
from experiments.report.published import row_verdict, verdict
from experiments.rings import RINGS, Setting, make_graph, ring_of_shapes
from experiments.roles_benchmark.landmarks import ENTROPIES, profile, profile_rows
from experiments.roles_benchmark.survey import chosen_steps, liblinear_predictions, precision_at_five, predictions
from experiments.storage import complete_rows, read_rows
from scipy.linalg import expm
from sklearn.cluster import AgglomerativeClustering
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import completeness_score, f1_score, homogeneity_score, silhouette_score
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier
from tests.cases import for_each

from vnestruct import continuity_bound, embed, entropy
from vnestruct.graph.synthetic import barabasi_albert, barbell, cycle, star


def points(seed, n=15):
    roles = np.repeat(np.arange(4), n)
    return np.random.default_rng(seed).random((4 * n, 3)) + 0.4 * roles[:, None], roles


def test_neighbours_and_clusters_are_those_of_scikit_learn():
    values, roles = points(5)
    expected = np.zeros(3)
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=3).split(values, roles):
        found = KNeighborsClassifier(4).fit(values[train], roles[train]).predict(values[test])
        f1 = [f1_score(roles[test], found, average=average) for average in ("macro", "weighted")]
        expected += [np.mean(found == roles[test]), *f1]
    assert classification_scores(values, roles, 3) == pytest.approx(expected / FOLDS, abs=1e-9)
    clusters = AgglomerativeClustering(4).fit_predict(values)
    assert judge(values, roles, 3)["ward_silhouette"] == pytest.approx(silhouette_score(values, clusters), abs=1e-6)


def test_ties_are_decided_by_chance_and_equal_nodes_are_not_divided():
    roles = np.repeat(np.arange(2), 50)
    accuracies = [classification_scores(np.zeros((100, 1)), roles, seed)[0] for seed in range(10)]
    assert 0.4 < np.mean(accuracies) < 0.6
    assert 0.4 < neighbour_scores(np.zeros((100, 1)), roles, 0, 20)[0] < 0.55
    values = np.repeat([[0.0], [1.0], [3.0]], 4, axis=0)
    assert clustering_scores(values, np.repeat(np.arange(3), 4))[:2] == [1.0, 1.0]
    assert clustering_scores(values, np.arange(12) % 5)[1] < 1


def test_the_published_evaluation_swaps_two_measures():
    values, roles = points(3)
    clusters = AgglomerativeClustering(4, linkage="single").fit_predict(values)
    scores = evaluate(values, roles, 0, repetitions=1)
    printed = [homogeneity_score(clusters, roles), completeness_score(clusters, roles)]
    assert [scores[name] for name in PRINTED[:2]] == pytest.approx(printed, abs=1e-12)
    separate = 10.0 * roles[:, None] + np.linspace(0, 1, 60)[:, None]
    assert cluster_scores(separate, roles)["homogeneity"] == 1.0
    folds, expected = np.empty(60, np.int64), np.empty(60, np.int64)
    distances = np.linalg.norm(values[:, None] - values, axis=2)
    for number, (train, test) in enumerate(KFold(10, shuffle=True, random_state=0).split(values)):
        folds[test] = number
        expected[test] = KNeighborsClassifier(3).fit(values[train], roles[train]).predict(values[test])
    np.testing.assert_array_equal(neighbour_votes(distances, roles, folds, np.zeros(60), 3), expected)


def test_verdicts():
    assert [verdict(gap) for gap in (0.03, -0.031, 0.06, -0.07)] == ["reproduced", "nearly", "nearly", "not"]
    assert row_verdict([0.0, 0.01, -0.02, 0.03, 0.5]) == "reproduced (4 of 5 within .03)"


def test_a_table_is_completed_row_by_row(tmp_path):
    path, computed = tmp_path / "rows.csv", []

    def measure(key):
        if key["seed"] == 7:
            raise KeyboardInterrupt
        computed.append(key["seed"])
        return {"value": key["seed"] / 4}

    keys = [{"name": "a", "seed": seed} for seed in (2, 1, 7)]
    with pytest.raises(KeyboardInterrupt):
        complete_rows(path, keys, measure, lambda row: row["seed"])
    assert complete_rows(path, [*keys[:2], {"name": "b", "seed": 1}], measure, lambda row: row["seed"]) == 1
    assert computed == [2, 1, 1]
    assert [(row["name"], row["value"]) for row in read_rows(path)] == [("a", 0.25), ("b", 0.25), ("a", 0.5)]


def test_rings_and_what_perturbs_them():
    clean, roles = ring_of_shapes(RINGS["houses"], None)
    assert (clean.n_nodes, clean.n_edges, len(set(roles.tolist()))) == (80, 120, 6)
    more, _ = make_graph(Setting("houses", "added", 5), 1)
    moved, _ = make_graph(Setting("houses", "rewired", 0.1), 1)
    edges = [set(as_networkx(graph).edges) for graph in (clean, more, moved)]
    assert edges[0] < edges[1]
    assert len(edges[1]) == 125
    assert (len(edges[2]), len(edges[0] - edges[2])) == (120, 12)


@for_each("radius", [1, 2, 3])
def test_readings_and_dense_entropies_agree_with_the_product(radius):
    graph = barabasi_albert(40, 2, seed=3)
    spectra = readings.ball_spectra(graph, radius, centre=True)
    formulas = {"approx": readings.approximate, "quadratic": readings.quadratic, "exact": readings.exact}
    for kind, formula in (formulas | {"unscaled": readings.literal}).items():
        np.testing.assert_allclose(formula(spectra), embed(graph, radius, kind=kind)[:, -1], atol=1e-9)
    inside = ball(as_networkx(graph), 5, radius)
    assert entropies(dense_laplacian(inside))[2] == pytest.approx(embed(graph, radius)[5, -1], abs=1e-9)


def test_the_bound_is_that_of_the_package():
    before, after = cycle(200), at_one_node(cycle(200), 4, 0)
    found = compare(*(dense_laplacian(as_networkx(graph)) for graph in (before, after)))
    assert (found["exact_change"], found["bound"]) == pytest.approx(continuity_bound(before, after), abs=1e-9)
    assert found["approx_change"] > found["bound"] > found["exact_change"]
    assert entropy(before, "exact") == pytest.approx(entropies(dense_laplacian(as_networkx(before)))[0], abs=1e-9)


def test_the_profile_is_that_of_the_product_and_landmarks_are_appended():
    graph = barabasi_albert(300, 3, seed=1)
    np.testing.assert_allclose(profile(graph, 2), embed(graph, kind="profile"), atol=1e-12)
    rows = profile_rows(graph, 1, 10)
    assert rows.shape == (300, 3 * ENTROPIES + 10)
    assert rows[:, :ENTROPIES].var(axis=0).mean() == pytest.approx(1.0)
    assert 0 < rows[:, 3 * ENTROPIES :].min() < rows[:, 3 * ENTROPIES :].max() <= 1


def test_the_classifier_of_the_survey_is_that_of_liblinear():
    values, classes = make_classification(150, 8, n_informative=5, n_classes=4, flip_y=0.2, random_state=5)
    train, test = np.split(np.random.default_rng(5).permutation(150), [105])
    model = LogisticRegression(solver="liblinear", class_weight="balanced", tol=1e-8, max_iter=100_000)
    wanted = OneVsRestClassifier(model).fit(values[train], classes[train]).predict(values[test])
    assert (predictions(values, classes, train, test) == wanted).mean() > 0.97
    assert (liblinear_predictions(values, classes, train, test) == wanted).mean() > 0.97
    noise = np.random.default_rng(0).standard_normal((150, 4))
    assert chosen_steps([noise, np.eye(4)[classes] + 0.1 * noise], train, classes, 0) == 1


def test_precision_of_the_five_nearest():
    values, classes = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 9.0])[:, None], np.array([1, 1, 0, 1, 0, 0, 0])
    assert precision_at_five(values, classes, 1) == pytest.approx(2 / 5)
    assert precision_at_five(np.zeros((11, 1)), np.array([1, 1, *[0] * 9]), 1) == pytest.approx(0.1)


def test_multisets_of_rows_and_permuted_copies():
    rows = np.random.default_rng(0).random((6, 3))
    assert not differ(rows, rows[::-1] + 1e-8)
    assert differ(rows, rows + 1e-3)
    assert differ(np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([[0.0, 1.0], [1.0, 0.0]]))
    rook = nx.convert_node_labels_to_integers(nx.line_graph(nx.complete_bipartite_graph(4, 4)))
    steps = [(a, b, x, y) for a in range(4) for b in range(4) for x, y in ((0, 1), (1, 0), (1, 1))]
    other = nx.from_edgelist((4 * a + b, 4 * ((a + x) % 4) + (b + y) % 4) for a, b, x, y in steps)
    graphs = graph_set([rook, nx.convert_node_labels_to_integers(other)])
    pair = Pairs(graphs, ["str"])
    assert pair.separated(embed(graphs, 2)) == []
    assert pair.separated(embed(graphs, 1, kind="exact")) == [0]
    table = embed(permuted(graphs, [0, 0, 1], seed=5), 2, kind="exact")
    assert not differ(table[:16], table[16:32])
    assert differ(table[:16], table[32:])
    vectors = np.random.default_rng(0).normal(size=(32, 16)) * 1e-9
    assert not paired_comparison(vectors, vectors[::-1])
    assert paired_comparison(vectors, vectors + 0.01)


@for_each("name", METHODS)
def test_baselines_repeat_and_see_symmetry(name):
    graph = barbell(5, 1)
    fast = {"min_steps": 3, "epochs": 1} if name == "drne" else {}
    one, again = (method(name)(graph, seed=1, **fast) for _ in range(2))
    np.testing.assert_array_equal(one, again)
    assert len(one) == graph.n_nodes
    assert np.isfinite(one).all()
    if name in ("control", "refex", "rolx", "graphwave"):
        np.testing.assert_allclose(one[0], one[1], atol=1e-9)
        assert np.abs(one[0] - one[5]).max() > 1e-3


def test_wavelets_are_matrix_exponentials():
    graph = barabasi_albert(30, 2, seed=1)
    matrix, scales = waves.laplacian(graph), np.array([0.1, 2.0])
    expected = [expm(-scale * matrix.toarray()) for scale in scales]
    np.testing.assert_allclose(waves.exact_wavelets(matrix, scales), expected, atol=1e-10)
    columns = np.arange(3, 9)
    found = waves.chebyshev_wavelets(matrix, scales, columns, float(graph.degrees.max()))
    np.testing.assert_allclose(found, np.array(expected)[:, :, columns], atol=2e-9)
    assert waves.spectral_bounds(matrix)[0] == pytest.approx(np.linalg.eigvalsh(matrix.toarray())[1])
    np.testing.assert_allclose(np.exp(-default_scales(0.5)), [0.95, 0.80])
    assert np.abs(graphwave(graph) - graphwave(graph, floor=0.0)).max() < 100 * 1e-4 / 30


def test_recursive_features():
    assert refex.recursive_features(cycle(9)).values.shape == (9, 1)
    np.testing.assert_allclose(independent_features(cycle(9)), np.full((9, 3), 1 / 3))
    hub, leaf = independent_features(star(3))[:2]
    np.testing.assert_allclose(hub, [3 / 12**0.5, 1 / 2, 3 / 12**0.5, 0.0], atol=1e-15)
    np.testing.assert_allclose(leaf, [1 / 12**0.5, 1 / 2, 1 / 12**0.5, 1 / 3**0.5])


def test_walks_follow_edges_and_similar_nodes_are_near():
    graph = barbell(4, 2)
    walks = skipgram.random_walks(graph, 3, 10, 0)
    linked = dense_laplacian(as_networkx(graph)) < 0
    assert linked[walks[:, :-1], walks[:, 1:]].all()
    assert np.bincount(walks[:, 0]).tolist() == [3] * graph.n_nodes
    distances = struc2vec.structural_distances(graph)
    assert distances[0, 0, 9] == distances[0, 0, 1] == 0.0
    assert distances[0, 0, 4] == pytest.approx(3 / 2 - 1)
    cumulative, ascent, top = struc2vec.multilayer(distances)
    np.testing.assert_allclose(cumulative[0, :, -1], 1.0)
    assert ((ascent >= 0.5) & (ascent < 1)).all()
    assert top.min() > 0
