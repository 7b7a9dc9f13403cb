"""What presets are judged by, against scikit-learn; and that the preset is the one that was found."""

from __future__ import annotations

import json

import numpy as np
import pytest
from experiments.preset_anneal import LARGEST, POOL, changed, make_pool, path_of
from experiments.preset_search import RESULTS, Search, make_columns, weighted
from experiments.preset_trials import ALL, MAIN, Setting, Trial, make_graph
from sklearn.cluster import AgglomerativeClustering
from sklearn.metrics import accuracy_score, f1_score, v_measure_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import KNeighborsClassifier

from vnestruct.roles import PRESETS, preset_signature


def test_scores_are_those_of_scikit_learn() -> None:
    setting = Setting("houses", "rewired", 5)
    trial = Trial([setting], [3])
    _, roles = make_graph(setting, 3)
    # Random columns: no ties, so that their order plays no part.
    values = np.random.default_rng(0).random((roles.size, 2)) + 0.5 * roles[:, None]
    accuracies, scores = [], []
    for train, test in StratifiedKFold(10, shuffle=True, random_state=3).split(values, roles):
        found = KNeighborsClassifier(4).fit(values[train], roles[train]).predict(values[test])
        accuracies.append(accuracy_score(roles[test], found))
        scores.append(f1_score(roles[test], found, average="macro", zero_division=0.0))
    clusters = AgglomerativeClustering(6).fit_predict(values)
    expected = [np.mean(accuracies), np.mean(scores), v_measure_score(roles, clusters)]
    np.testing.assert_allclose(trial.scores(values)[0, 0], expected, atol=1e-9)


def test_perfect_and_useless_signatures() -> None:
    trial = Trial(MAIN[:1], [0, 1])
    roles = np.concatenate([make_graph(MAIN[0], seed)[1] for seed in (0, 1)]).astype(float)
    assert (trial.scores(roles[:, None]) > 1 - 1e-9).all()
    assert trial.scores(np.zeros((roles.size, 1)))[..., :2].max() < 0.5


def test_settings() -> None:
    assert len(set(map(str, ALL))) == 24
    assert set(MAIN) <= set(ALL)
    graph, roles = make_graph(Setting("varied", "added", 0.1), 0)
    assert (graph.n_nodes, graph.n_edges, roles.max()) == (260, 374, 12)
    assert make_graph(Setting("houses", "rewired", 5), 7)[0].n_edges == 120


def test_a_search_climbs_and_stops() -> None:
    trial = Trial(MAIN[:1], [0])
    columns = make_columns(trial.graph)
    steps = Search(trial, columns, ["h1", "size", "mean h1"]).run({"h1": 1.0})
    values = [step["value"] for step in steps]
    assert values == sorted(values)
    assert values[-1] == pytest.approx(trial.scores(weighted(columns, steps[-1]["weights"])).mean())


def test_scores_without_clusters() -> None:
    trial = Trial(MAIN[:2], [0])
    values = preset_signature(trial.graph, n_jobs=1)
    np.testing.assert_array_equal(trial.scores(values, clusters=False), trial.scores(values)[..., :2])


def test_the_preset_is_what_the_search_found() -> None:
    content = json.loads(RESULTS.read_text())
    # The earlier stages start where the one before ended.
    assert content["couple"]["steps"][0]["weights"] == content["balance"]["steps"][-1]["weights"]
    assert content["balance"]["steps"][0]["weights"] == content["refine"]["steps"][-1]["weights"]
    found = content["anneal"]["weights"]
    assert {column.name: column.weight for column in PRESETS["noisy"]} == {
        "_".join(path_of(name)): weight for name, weight in found.items()
    }
    assert set(found) <= set(POOL)
    trial = Trial(MAIN, [0])
    ours, theirs = preset_signature(trial.graph, n_jobs=1), weighted(make_pool(trial.graph), found)
    np.testing.assert_allclose(np.sort(ours, axis=1), np.sort(theirs, axis=1), atol=1e-12)


def test_columns_of_both_pools_agree() -> None:
    trial = Trial(MAIN[:1], [0])
    before, now = make_columns(trial.graph), make_pool(trial.graph)
    for name in ("h1", "mean size", "max collision", "std mean least", "mean mean h1"):
        np.testing.assert_allclose(before[name], now[name], atol=1e-12)


def test_changed_weights_are_candidates() -> None:
    generator = np.random.default_rng(0)
    weights, spread = {"h1": 1.0, "part size": 2.0}, dict.fromkeys(POOL, 1.0)
    for _ in range(300):
        weights = changed(weights, spread, generator)
        assert 0 < len(weights) <= LARGEST
        assert set(weights) <= set(POOL)
        assert min(weights.values()) > 0
