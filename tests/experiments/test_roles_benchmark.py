"""The protocol of the role survey against scikit-learn, search by hand, and that committed results are whole."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from experiments.real_graphs import labelled_graph, labelled_names
from experiments.roles_benchmark import clusters, run
from experiments.roles_benchmark.report import PATH, PUBLISHED, best_published, render
from experiments.roles_benchmark.survey import (
    TEST_SHARE,
    chosen_steps,
    liblinear_predictions,
    precision_at_five,
    predictions,
    survey_scores,
)
from experiments.storage import read_json
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.multiclass import OneVsRestClassifier


def sample(seed: int) -> tuple[np.ndarray, np.ndarray]:
    values, classes = make_classification(
        150, 8, n_informative=5, n_classes=4, flip_y=0.2, weights=[0.4, 0.3, 0.2, 0.1], random_state=seed
    )
    # Scales as different as those of raw features, and a column that is 0 in training.
    return values * np.logspace(-2, 3, 8) * (np.arange(8) != 3), classes


@pytest.mark.parametrize("seed", range(4))
def test_predictions_are_those_of_liblinear(seed: int) -> None:
    values, classes = sample(seed)
    train, test = np.split(np.random.default_rng(seed).permutation(150), [105])
    model = LogisticRegression(solver="liblinear", class_weight="balanced", tol=1e-8, max_iter=100_000)
    for standardise in (False, True):
        matrix = values
        if standardise:
            spread = values[train].std(axis=0)
            matrix = (values - values[train].mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        wanted = OneVsRestClassifier(model).fit(matrix[train], classes[train]).predict(matrix[test])
        found = predictions(values, classes, train, test, standardise=standardise)
        assert (found == wanted).mean() > 0.97


def test_liblinear_agrees_where_scales_are_similar_and_stops_early_where_they_are_not() -> None:
    values, classes = sample(5)
    train, test = np.split(np.random.default_rng(5).permutation(150), [105])
    similar = values / np.maximum(np.abs(values).max(axis=0), 1e-300)
    found = liblinear_predictions(similar, classes, train, test)
    np.testing.assert_array_equal(found, predictions(similar, classes, train, test))
    model = LogisticRegression(solver="liblinear", class_weight="balanced", max_iter=3000)
    raw = values * np.logspace(0, 5, 8)
    wanted = OneVsRestClassifier(model).fit(raw[train], classes[train]).predict(raw[test])
    found = liblinear_predictions(raw, classes, train, test)
    np.testing.assert_array_equal(found, wanted)
    assert (found != predictions(raw, classes, train, test)).any()


def test_splits_are_those_of_the_survey() -> None:
    # Its program shuffles the labelled nodes and trains on the first int(0.7 n), without regard to classes.
    for n_nodes in (131, 399, 7164, 27312):
        train, test = train_test_split(np.arange(n_nodes), test_size=TEST_SHARE, random_state=0)
        assert (len(train), len(train) + len(test)) == (int(0.7 * n_nodes), n_nodes)


def test_scores_are_means_over_splits_of_the_labelled_nodes() -> None:
    classes = np.repeat([0, 1, 2, -1], 30)
    scores = survey_scores(np.eye(4)[classes] * 9.0, classes, range(5))
    assert scores == {"micro": [1.0, 0.0], "macro": [1.0, 0.0]}
    blind = survey_scores(np.ones((120, 1)), classes, range(40))
    assert blind["micro"][0] < 0.4
    assert 0 < blind["micro"][1] < 0.03


def test_the_better_embedding_is_chosen_within_the_training_part() -> None:
    classes = np.tile([0, 1, 2], 30)
    noise = np.random.default_rng(0).standard_normal((90, 3))
    good = np.eye(3)[classes] + 0.1 * noise
    # Outside the training part the good one is spoilt, which must not matter.
    train = np.arange(60)
    good[60:] = noise[60:]
    assert chosen_steps([noise, good, noise], train, classes, 0) == 1


def test_precision_of_the_five_nearest() -> None:
    values = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 9.0])[:, None]
    classes = np.array([1, 1, 0, 1, 0, 0, 0])
    # Of node 0 the five nearest are 1..5, with two of its class; of nodes 1 and 3 likewise.
    assert precision_at_five(values, classes, 1) == pytest.approx(2 / 5)
    # All equally near: the share among all others.
    assert precision_at_five(np.zeros((11, 1)), np.array([1, 1, *[0] * 9]), 1) == pytest.approx(0.1)


def test_any_folder_of_the_same_format(tmp_path: Path) -> None:
    (tmp_path / "ring.edge").write_text("".join(f"{i} {(i + 1) % 6}\n" for i in range(6)))
    (tmp_path / "ring.lbl").write_text("0 1\n3 0\n")
    (tmp_path / "pair.edge.gz").write_bytes(gzip.compress(b"7 9\n"))
    (tmp_path / "pair.lbl.gz").write_bytes(gzip.compress(b"9 2\n"))
    (tmp_path / "air.edgelist").write_text("1 2\n2 3\n")
    (tmp_path / "labels-air.txt").write_text("node label\n2 1\n")
    assert labelled_names(tmp_path) == ["air", "pair", "ring"]
    graph, classes = labelled_graph("ring", tmp_path)
    assert (graph.n_edges, classes[graph.positions([0, 3, 4])].tolist()) == (6, [1, 0, -1])
    assert labelled_graph("pair", tmp_path)[1].tolist() == [-1, 2]
    assert labelled_graph("air", tmp_path)[1].tolist() == [-1, 1, -1]


def test_published_figures() -> None:
    best = {graph: [best_published(graph, measure) for measure in ("micro", "macro")] for graph in run.GRAPHS}
    assert best == {
        "brazil-airports": [("RESD", 0.797), ("RESD", 0.791)],
        "europe-airports": [("struc2gauss", 0.585), ("struc2gauss", 0.580)],
        "actor": [("GAS", 0.480), ("GAS", 0.466)],
        "film": [("NODE2BITS", 0.542), ("NODE2BITS", 0.428)],
    }
    assert PUBLISHED["search"]["best"] == [0.425, 0.257, 0.155, 0.475, 0.675]


def test_committed_results_are_whole() -> None:
    for graph in run.GRAPHS:
        for row in (*run.ROWS, run.CHOSEN):
            found = run.result(graph, row.name)
            assert (found is None) == (graph in row.skipped), f"{graph}, {row.name}"
            if found is not None:
                assert any(name.endswith(run.AT_MINIMUM) for name in found) == row.raw
                assert 0 < found["as it comes"]["macro"][0] < found["as it comes"]["micro"][0] + 0.02 < 1
    for graph in run.TALK:
        for row in run.ROWS:
            found = run.result(graph, row.name)
            assert (found is None) == (graph in row.skipped), f"{graph}, {row.name}"
    assert set(read_json(clusters.PATH)) == {*map(str, clusters.RINGS), *clusters.GRAPHS}


def test_the_report_is_up_to_date() -> None:
    assert PATH.read_text() == render(), "run: python -m experiments roles-benchmark"


def test_a_live_run_gives_the_committed_scores() -> None:
    try:
        graph, classes = labelled_graph("brazil-airports")
    except FileNotFoundError:
        pytest.skip("the data folder ../shared/data is absent")
    row = next(row for row in run.ROWS if row.name == run.GENERAL)
    committed = run.result("brazil-airports", run.GENERAL)["as it comes"]
    found = survey_scores(row.embed(graph), classes, run.SEEDS)
    for measure in ("micro", "macro"):
        assert found[measure] == pytest.approx(committed[measure], abs=0.005)
