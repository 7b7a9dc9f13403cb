"""`VNEstruct` as scikit-learn knows its transformers."""

from __future__ import annotations

import inspect
import pickle
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
from sklearn import config_context
from sklearn.base import clone

from tests import generators as synthetic
from tests.cases import for_each
from tests.graphs import directed_copy
from tests.oracles import KINDS
from vnestruct import VNEstruct, embed, embedding_frame

HOUSES, _ = synthetic.ring_of_shapes(30, [synthetic.house_shape()] * 10)
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
    for copy in (clone(model).fit(graph), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(copy.transform(graph), expected)
    assert model.get_feature_names_out().shape == (expected.shape[1],)


def test_parameters_are_those_of_embed() -> None:
    asked = set(inspect.signature(embed).parameters) - {"g", "nodes", "part", "progress"}
    given = VNEstruct().get_params()
    assert given.pop("graph") is None
    assert set(given) == asked
    for name, value in given.items():
        assert value == inspect.signature(embed).parameters[name].default


def test_nodes_name_the_rows() -> None:
    graph = nx.Graph([((0, 1), "x"), ("x", 7)])
    model = VNEstruct().fit(graph)
    assert model.nodes_.tolist() == [(0, 1), "x", 7]
    assert np.array_equal(model.transform(graph), embed(graph, nodes=model.nodes_.tolist()))


@for_each(
    ("options", "names"),
    [
        ({"radius": 3}, ["h1", "h2", "h3"]),
        ({"radius": 2, "kind": "exact"}, ["h1_exact", "h2_exact"]),
        ({"radius": 1, "kind": ["approx", "punctured"]}, ["h1", "h1_punctured"]),
        ({"radius": 2, "direction": "out"}, ["h1_out", "h2_out"]),
        (
            {"radius": 1, "kind": ["approx", "sizes", "unscaled"]},
            ["h1", "nodes1", "edges1", "squares1", "quadratic1", "largest1", "h1_unscaled"],
        ),
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
    # Nothing is learnt: any graph is embedded as if it had been fitted.
    assert model.transform([(5, 6), (6, 7)]).index.tolist() == [5, 6, 7]
    assert model.transform(nx.grid_2d_graph(1, 2)).index.tolist() == [(0, 0), (0, 1)]


def test_output_by_global_configuration() -> None:
    with config_context(transform_output="pandas"):
        assert isinstance(VNEstruct().fit_transform(FEW), pd.DataFrame)
    with config_context(transform_output="polars"):
        frame = VNEstruct().fit_transform(FEW)
    assert isinstance(frame, pl.DataFrame)
    assert frame.columns == ["h1", "h2"]
    assert isinstance(VNEstruct().fit_transform(FEW), np.ndarray)
