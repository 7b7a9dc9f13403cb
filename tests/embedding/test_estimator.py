"""`VNEstruct` as scikit-learn knows its transformers."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

from tests import generators as synthetic
from tests.cases import for_each
from tests.graphs import ZOO, directed_copy, weighted_copy
from tests.oracles import KINDS
from vnestruct import GraphSet, VNEstruct, as_graph, embed, embedding_frame

HOUSES, ROLES = synthetic.ring_of_shapes(30, [synthetic.house_shape()] * 10)
FEW = [("a", "b"), ("b", "c"), ("c", "d"), ("b", "d")]

OPTIONS: list[dict[str, Any]] = [
    {},
    {"radius": 1},
    {"radius": 4, "kind": "exact"},
    {"radius": 3, "kind": ["approx", "normalized"]},
    {"radius": 2, "kind": KINDS, "aggregate": ("mean", "std")},
    {"radius": 2, "direction": "out+in", "aggregate": "mean"},
]


@for_each("options", OPTIONS)
def test_transform_is_embed(options: dict[str, Any]) -> None:
    graph = directed_copy(HOUSES, seed=3)
    expected = embed(graph, **options)
    model = VNEstruct(**options)
    assert np.array_equal(model.fit_transform(graph), expected)
    assert np.array_equal(model.fit(graph).transform(graph), expected)
    assert model.get_feature_names_out().shape == (expected.shape[1],)


def test_fit_returns_the_estimator_and_leaves_its_parameters_alone() -> None:
    kinds = ["exact", "approx"]
    model = VNEstruct(np.int64(3), kind=kinds, aggregate="mean")
    before = model.get_params()
    assert model.fit(FEW) is model
    assert model.get_params() == before
    assert model.kind is kinds


def test_parameters_are_those_of_embed() -> None:
    asked = set(inspect.signature(embed).parameters) - {"g", "nodes", "part", "progress"}
    given = VNEstruct().get_params()
    assert given.pop("graph") is None
    assert set(given) == asked
    for name, value in given.items():
        assert value == inspect.signature(embed).parameters[name].default


def test_clone_and_set_params() -> None:
    model = VNEstruct(3, kind="exact", n_jobs=1, tol=1e-8).fit(FEW)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "nodes_")
    assert copy.set_params(radius=1, kind="quadratic") is copy
    assert np.array_equal(copy.fit_transform(FEW), embed(FEW, 1, kind="quadratic"))
    with pytest.raises(ValueError, match="rings"):
        copy.set_params(rings=2)
    assert "radius=3" in repr(model)


def test_parameters_are_checked_in_fit_not_before() -> None:
    model = VNEstruct(radius=0)
    with pytest.raises(ValueError, match="`radius` must be"):
        model.fit(FEW)


def test_pickle() -> None:
    model = VNEstruct(2, kind="exact").fit(FEW)
    restored = pickle.loads(pickle.dumps(model))
    assert np.array_equal(restored.transform(FEW), model.transform(FEW))
    assert restored.nodes_.tolist() == ["a", "b", "c", "d"]


def test_not_fitted() -> None:
    with pytest.raises(NotFittedError, match="VNEstruct"):
        VNEstruct().transform(FEW)


def test_nodes_name_the_rows() -> None:
    graph = nx.Graph([((0, 1), "x"), ("x", 7)])
    model = VNEstruct().fit(graph)
    assert model.nodes_.tolist() == [(0, 1), "x", 7]
    assert np.array_equal(model.transform(graph), embed(graph, nodes=model.nodes_.tolist()))


def test_an_unseen_graph() -> None:
    """Nothing is learnt: a graph of other nodes and of another size is embedded as if it had been fitted."""
    model = VNEstruct(3).fit(FEW)
    for name in ("barbell", "grid", "empty", "one node", "disconnected"):
        assert np.array_equal(model.transform(ZOO[name]), embed(ZOO[name], 3))
    assert model.nodes_.tolist() == ["a", "b", "c", "d"]


def test_a_set_of_graphs_is_one_graph_of_many_components() -> None:
    parts = [ZOO["barbell"], ZOO["star"], ZOO["cycle"]]
    found = VNEstruct(3).fit_transform(GraphSet.from_graphs(parts))
    assert np.abs(found - np.vstack([embed(part, 3) for part in parts])).max() <= 1e-9


@for_each(
    ("options", "names"),
    [
        ({"radius": 3}, ["h1", "h2", "h3"]),
        ({"radius": 2, "kind": "exact"}, ["h1_exact", "h2_exact"]),
        ({"radius": 1, "kind": ["approx", "punctured"]}, ["h1", "h1_punctured"]),
        ({"radius": 2, "direction": "out"}, ["h1_out", "h2_out"]),
        ({"radius": 2, "direction": "out+in"}, ["h1_out", "h2_out", "h1_in", "h2_in"]),
        ({"radius": 1, "aggregate": ("mean", "std")}, ["h1", "h1_mean", "h1_std"]),
        (
            {"radius": 1, "kind": "exact", "direction": "in", "aggregate": "std"},
            ["h1_exact_in", "h1_exact_in_std"],
        ),
    ],
)
def test_names_of_columns(options: dict[str, Any], names: list[str]) -> None:
    assert VNEstruct(**options).get_feature_names_out().tolist() == names
    frame = embedding_frame(directed_copy(HOUSES, seed=3), **options)
    assert list(frame.columns) == ["node", *names]


def test_pandas_output_is_indexed_by_node() -> None:
    model = VNEstruct(2).set_output(transform="pandas")
    frame = model.fit_transform(FEW)
    assert isinstance(frame, pd.DataFrame)
    assert frame.index.tolist() == ["a", "b", "c", "d"]
    assert frame.index.name == "node"
    assert frame.columns.tolist() == ["h1", "h2"]
    assert np.array_equal(frame.to_numpy(), embed(FEW, 2))
    assert model.transform([(5, 6), (6, 7)]).index.tolist() == [5, 6, 7]


def test_pandas_output_keeps_labels_that_are_tuples() -> None:
    frame = VNEstruct().set_output(transform="pandas").fit_transform(nx.grid_2d_graph(2, 2))
    assert frame.index.tolist() == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_pandas_output_of_a_frame_of_edges() -> None:
    """The index of the edge table has nothing to say about nodes."""
    edges = pd.DataFrame({"source": [1, 2, 3], "target": [2, 3, 4]}, index=[10, 20, 30])
    frame = VNEstruct().set_output(transform="pandas").fit_transform(edges)
    assert frame.index.tolist() == [1, 2, 3, 4]


def test_pandas_and_polars_output_by_global_configuration() -> None:
    with config_context(transform_output="pandas"):
        assert VNEstruct().fit_transform(FEW).index.tolist() == ["a", "b", "c", "d"]
    with config_context(transform_output="polars"):
        frame = VNEstruct().fit_transform(FEW)
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == ["h1", "h2"]
    assert isinstance(VNEstruct().fit_transform(FEW), np.ndarray)


def test_pipeline_to_clusters() -> None:
    model = Pipeline(
        [
            ("embed", VNEstruct(3)),
            ("scale", StandardScaler()),
            ("cluster", KMeans(n_clusters=len(set(ROLES.tolist())), n_init=10, random_state=0)),
        ]
    )
    assert adjusted_rand_score(ROLES, model.fit_predict(HOUSES)) == 1.0


def test_pipeline_to_a_classifier_of_nodes() -> None:
    """Learnt on one ring of houses, applied to another one: roles carry over."""
    model = make_pipeline(VNEstruct(3), StandardScaler(), LogisticRegression(C=1e4, max_iter=5_000))
    model.fit(HOUSES, ROLES)
    longer, roles = synthetic.ring_of_shapes(60, [synthetic.house_shape()] * 20)
    assert model.score(longer, roles) == 1.0
    assert model[:-1].get_feature_names_out().tolist() == ["h1", "h2", "h3"]


def test_pipeline_with_pandas_output() -> None:
    model = make_pipeline(VNEstruct(2), StandardScaler()).set_output(transform="pandas")
    frame = model.fit_transform(FEW)
    assert frame.index.tolist() == ["a", "b", "c", "d"]
    assert frame.columns.tolist() == ["h1", "h2"]


def test_union_of_two_signatures() -> None:
    both = FeatureUnion([("near", VNEstruct(1)), ("exact", VNEstruct(2, kind="exact"))])
    found = both.fit_transform(as_graph(FEW))
    assert np.array_equal(found, np.hstack([embed(FEW, 1), embed(FEW, 2, kind="exact")]))
    assert both.get_feature_names_out().tolist() == ["near__h1", "exact__h1_exact", "exact__h2_exact"]


def mean_signatures(graphs: list[Any], model: VNEstruct) -> np.ndarray:
    return np.array([model.fit_transform(graph).mean(axis=0) for graph in graphs])


def test_grid_search_over_the_radius_on_a_list_of_graphs() -> None:
    """A graph is one sample: its signature is the mean over its nodes."""
    graphs = [synthetic.cycle(12 + i) for i in range(8)] + [synthetic.path(12 + i) for i in range(8)]
    labels = [0] * 8 + [1] * 8
    model = make_pipeline(
        FunctionTransformer(mean_signatures, kw_args={"model": VNEstruct(1)}),
        StandardScaler(),
        LogisticRegression(C=1e4, max_iter=5_000),
    )
    grid = {"functiontransformer__kw_args": [{"model": VNEstruct(radius)} for radius in (1, 2, 3)]}
    search = GridSearchCV(model, grid, cv=2).fit(graphs, labels)
    assert search.best_score_ == 1.0
    assert len(search.cv_results_["params"]) == 3


def test_weights_of_a_graph_object() -> None:
    graph = weighted_copy(ZOO["barbell"], seed=4)
    found = VNEstruct(2, weighted=True).fit_transform(graph)
    assert np.array_equal(found, embed(graph, 2, weighted=True))
    assert not np.array_equal(found, embed(graph, 2))
