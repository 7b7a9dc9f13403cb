"""Embeddings as pandas and polars frames."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from vnestruct import ParameterError, embed, embedding_frame

EDGES = [("ann", "bob"), ("bob", "cat"), ("cat", "ann"), ("cat", "dan")]


def test_pandas_frame_has_the_rows_and_labels():
    frame = embedding_frame(EDGES, radius=2, kind=["approx", "exact"])
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["node", "h1", "h2", "h1_exact", "h2_exact"]
    assert frame["node"].tolist() == ["ann", "bob", "cat", "dan"]
    assert np.array_equal(frame.iloc[:, 1:].to_numpy(), embed(EDGES, 2, kind=["approx", "exact"]))


def test_the_kind_of_frame_follows_the_input():
    edges = pl.DataFrame({"source": [e[0] for e in EDGES], "target": [e[1] for e in EDGES]})
    frame = embedding_frame(edges, radius=1)
    assert isinstance(frame, pl.DataFrame)
    assert frame["node"].to_list() == ["ann", "bob", "cat", "dan"]
    assert isinstance(embedding_frame(edges, radius=1, library="pandas"), pd.DataFrame)


def test_chosen_nodes_in_their_order():
    frame = embedding_frame(EDGES, radius=2, nodes=["dan", "ann"])
    assert frame["node"].tolist() == ["dan", "ann"]
    assert np.array_equal(frame[["h1", "h2"]].to_numpy(), embed(EDGES, 2)[[3, 0]])


def test_joining_back_onto_a_table_of_nodes():
    people = pd.DataFrame({"node": ["dan", "cat"], "age": [50, 40]})
    joined = people.merge(embedding_frame(EDGES, radius=1), on="node")
    assert joined["h1"].tolist() == embed(EDGES, 1)[[3, 2], 0].tolist()


def test_unknown_library():
    with pytest.raises(ParameterError, match="dask"):
        embedding_frame(EDGES, library="dask")
