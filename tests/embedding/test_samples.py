"""Nodes as the samples of scikit-learn, with the graph as a parameter; and graphs named by their columns."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline

from vnestruct import ParameterError, RoleClusterer, UnknownNodeError, VNEstruct, embed

CLUB = nx.karate_club_graph()
FLIGHTS = pd.DataFrame({"origin": list("aabcd"), "dest": list("bccde"), "seats": [5, 1, 1, 2, 9]})


def test_cross_validation_over_nodes() -> None:
    nodes = np.array(list(CLUB))
    degree = np.array([CLUB.degree(node) > 3 for node in nodes])
    model = make_pipeline(VNEstruct(graph=CLUB), LogisticRegression(C=100.0))
    folds = KFold(5, shuffle=True, random_state=0)
    search = GridSearchCV(model, {"vnestruct__radius": [1, 2, 3]}, cv=folds).fit(nodes, degree)
    for place, radius in enumerate((1, 2, 3)):
        alone = cross_val_score(LogisticRegression(C=100.0), embed(CLUB, radius), degree, cv=folds)
        assert search.cv_results_["mean_test_score"][place] == alone.mean()


def test_node_ids_of_a_set_graph() -> None:
    for ids in ([33, 0, 0], np.array([[33], [0], [0]]), pd.Series([33, 0, 0])):
        np.testing.assert_array_equal(VNEstruct(graph=CLUB).fit(list(CLUB)).transform(ids), embed(CLUB)[[33, 0, 0]])
    frame = VNEstruct(graph=CLUB).set_output(transform="pandas").fit_transform([5, 3])
    assert frame.index.tolist() == [5, 3]
    with pytest.raises(UnknownNodeError, match="99"):
        VNEstruct(graph=CLUB).fit([1, 99])
    with pytest.raises(ParameterError, match="one column, not in 2"):
        VNEstruct(graph=CLUB).fit(np.zeros((3, 2), int))


def test_columns_are_named() -> None:
    edges = list(zip(FLIGHTS["origin"], FLIGHTS["dest"], strict=True))
    for frame, source in (
        (FLIGHTS.reset_index(), "origin"),
        (FLIGHTS.rename(columns={"origin": "from here"}), "from here"),
    ):
        columns = {"source": source, "target": "dest"}
        np.testing.assert_array_equal(embed(frame, **columns), embed(edges))
        np.testing.assert_array_equal(VNEstruct(**columns).fit_transform(frame), embed(edges))
        assert RoleClusterer(2, **columns).fit_predict(frame).tolist() == RoleClusterer(2).fit_predict(edges).tolist()


def test_a_weight_that_does_not_count_is_mentioned() -> None:
    unweighted = embed(FLIGHTS)
    assert not np.array_equal(embed(FLIGHTS, weight="seats", weighted=True), unweighted)
    for call in (
        lambda: embed(FLIGHTS, weight="seats"),
        lambda: VNEstruct(weight="seats").fit_transform(FLIGHTS),
        lambda: RoleClusterer(2, kind="approx", weight="seats").fit(FLIGHTS).signatures_,
    ):
        with pytest.warns(UserWarning, match="seats.*weighted=True"):
            np.testing.assert_array_equal(call(), unweighted)
    np.testing.assert_array_equal(embed(FLIGHTS, weight=False), unweighted)
