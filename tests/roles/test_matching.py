"""Matching nodes of two graphs, against plain loops over all pairs of signatures."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import for_each
from vnestruct import match_nodes, profile
from vnestruct.errors import ParameterError, UnknownNodeError
from vnestruct.graph import graph_from_ids
from vnestruct.roles.similar import _hops, _nearest

FRUCHT = nx.frucht_graph()
"""Three edges at every node, and no symmetry but the identity."""


def renamed(graph, seed=0):
    """A copy with other labels, and the label of each node in it."""
    order = np.random.default_rng(seed).permutation(len(graph)).tolist()
    names = {node: f"n{place}" for node, place in zip(graph, order, strict=True)}
    return nx.relabel_nodes(graph, names), names


def test_a_renamed_copy_is_matched_where_signatures_differ():
    graph = nx.barabasi_albert_graph(60, 2, seed=3)
    copy, names = renamed(graph)
    rows = profile(graph).round(8)
    unique = {node for node, row in zip(graph, rows, strict=True) if (rows == row).all(axis=1).sum() == 1}
    assert len(unique) > 40
    matches = match_nodes(graph, copy)
    assert list(matches) == list(graph)
    for node in unique:
        assert matches[node] == [(names[node], 0.0)]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 8), st.integers(1, 6))
def test_nearest_rows_are_those_of_a_plain_search(seed, k, n_values):
    rng = np.random.default_rng(seed)
    # Few values, so that many rows are equal.
    queries, rows = (rng.integers(0, n_values, (n, 2)).astype(float) for n in (7, 11))
    found, distances = _nearest(queries, rows, k)
    every = np.sqrt(((queries[:, np.newaxis] - rows) ** 2).sum(axis=2))
    np.testing.assert_allclose(distances, np.sort(every, axis=1)[:, :k], atol=1e-8)
    np.testing.assert_allclose(distances, np.take_along_axis(every, found, axis=1), atol=1e-8)
    assert all(len(set(row)) == k for row in found.tolist())


def test_mutual_candidates_have_each_other():
    left, right = nx.barabasi_albert_graph(30, 2, seed=1), nx.barabasi_albert_graph(40, 2, seed=2)
    there, back = match_nodes(left, right, k=3), match_nodes(right, left, k=3)
    expected = {
        node: kept
        for node, found in there.items()
        if (kept := [pair for pair in found if node in [other for other, _ in back[pair[0]]]])
    }
    assert match_nodes(left, right, k=3, mutual=True) == expected
    assert 0 < len(expected) < 30


def test_seeds_break_symmetry():
    ring = nx.cycle_graph(9)
    copy, names = renamed(ring)
    assert [found[0][0] for found in match_nodes(ring, copy).values()] == [next(iter(copy))] * 9
    matched = match_nodes(ring, copy, seeds={0: names[0], 1: names[1]})
    assert matched == {node: [(names[node], 0.0)] for node in ring}


def test_hops_are_those_of_networkx():
    graph = nx.path_graph(14)
    graph.add_node(14)
    edges = np.array(graph.edges)
    hops = _hops(graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=15), np.array([0, 3]))
    for column, seed in enumerate((0, 3)):
        lengths = nx.single_source_shortest_path_length(graph, seed)
        np.testing.assert_allclose(hops[:, column] * 8, [min(lengths.get(node, 9), 9) for node in range(15)])


def test_parameters_of_the_signature_are_used():
    copy, names = renamed(FRUCHT)
    exact = match_nodes(FRUCHT, copy, kind="exact", radius=3, aggregate=["mean", "std"])
    assert exact == {node: [(names[node], 0.0)] for node in FRUCHT}
    assert len(match_nodes(FRUCHT, copy, k=50, radius=1)[0]) == 12


@for_each("options", [{"k": 0}, {"scaling": "log"}, {"seeds": {0: 1, 2: 1}}, {"preset": "profile", "radius": 3}])
def test_wrong_parameters_are_refused(options):
    with pytest.raises(ParameterError):
        match_nodes(FRUCHT, FRUCHT, **options)


def test_an_unknown_seed_is_named():
    with pytest.raises(UnknownNodeError, match="99"):
        match_nodes(FRUCHT, FRUCHT, seeds={0: 99})
