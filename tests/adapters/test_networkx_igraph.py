"""Signatures as node attributes, with the real libraries."""

from __future__ import annotations

import igraph
import networkx as nx
import numpy as np
import pytest

from vnestruct import NotAGraphError, ParameterError, annotate, embed


def test_networkx_attributes_are_the_rows():
    graph = nx.karate_club_graph()
    H = embed(graph, 2)
    assert annotate(graph, 2) is graph
    for row, node in zip(H, graph.nodes, strict=True):
        assert [graph.nodes[node]["h1"], graph.nodes[node]["h2"]] == row.tolist()
    # What was there stays.
    assert graph.nodes[0]["club"] == "Mr. Hi"


def test_networkx_directed_with_options():
    graph = nx.gn_graph(30, seed=1)
    annotate(graph, 1, direction="out+in", prefix="vne_")
    H = embed(graph, 1, direction="out+in")
    assert [graph.nodes[5]["vne_h1_out"], graph.nodes[5]["vne_h1_in"]] == H[5].tolist()


def test_igraph_attributes_are_the_rows():
    graph = igraph.Graph.Famous("Zachary")
    H = embed(graph, 2, aggregate="mean")
    annotate(graph, 2, aggregate="mean")
    names = ["h1", "h2", "h1_mean", "h2_mean"]
    assert np.array_equal(np.column_stack([graph.vs[name] for name in names]), H)


def test_both_libraries_agree():
    graph = nx.les_miserables_graph()
    other = igraph.Graph.from_networkx(graph)
    assert np.array_equal(embed(graph, 3), embed(other, 3))


def test_other_objects_are_refused():
    with pytest.raises(NotAGraphError, match="embedding_frame"):
        annotate([(0, 1)], 1)
    with pytest.raises(ParameterError, match="radius"):
        annotate(nx.path_graph(3), 0)
