"""Signatures as node attributes, and as frames, with the real libraries."""

from __future__ import annotations

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest

from tests.cases import for_each
from vnestruct import NotAGraphError, ParameterError, annotate, embed, embedding_frame

EDGES = [("ann", "bob"), ("bob", "cat"), ("cat", "ann"), ("cat", "dan")]
POLARS = pl.DataFrame({"source": [e[0] for e in EDGES], "target": [e[1] for e in EDGES]})


@for_each(
    ("graph", "options", "names"),
    [
        (nx.karate_club_graph(), {"radius": 2}, ["h1", "h2"]),
        (
            nx.gn_graph(30, seed=1),
            {"radius": 1, "direction": "out+in", "prefix": "vne_"},
            ["vne_h1_out", "vne_h1_in"],
        ),
        (igraph.Graph.Famous("Zachary"), {"radius": 2, "aggregate": "mean"}, ["h1", "h2", "h1_mean", "h2_mean"]),
    ],
)
def test_attributes_are_the_rows(graph, options, names):
    expected = embed(graph, **{name: value for name, value in options.items() if name != "prefix"})
    assert annotate(graph, **options) is graph
    nodes = graph.vs if isinstance(graph, igraph.Graph) else graph.nodes.values()
    assert [[node[name] for name in names] for node in nodes] == expected.tolist()
    # What was there stays.
    assert not isinstance(graph, nx.Graph) or graph.nodes[0].get("club", "Mr. Hi") == "Mr. Hi"


@for_each(
    ("edges", "options", "library"),
    [
        (EDGES, {"radius": 2, "kind": ["approx", "exact"]}, pd.DataFrame),
        (POLARS, {"radius": 1}, pl.DataFrame),
        (POLARS, {"radius": 1, "library": "pandas"}, pd.DataFrame),
    ],
)
def test_frames_have_the_rows_and_labels(edges, options, library):
    frame = embedding_frame(edges, **options)
    assert isinstance(frame, library)
    assert list(frame["node"]) == ["ann", "bob", "cat", "dan"]
    rows = embed(EDGES, **{name: value for name, value in options.items() if name != "library"})
    assert np.array_equal(frame[list(frame.columns)[1:]].to_numpy(), rows)
    assert list(frame.columns)[:2] == ["node", "h1"]


def test_other_objects_are_refused():
    with pytest.raises(NotAGraphError, match="embedding_frame"):
        annotate([(0, 1)], 1)
    with pytest.raises(ParameterError, match="radius"):
        annotate(nx.path_graph(3), 0)
    with pytest.raises(ParameterError, match="dask"):
        embedding_frame(EDGES, library="dask")
