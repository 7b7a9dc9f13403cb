"""Nearest signatures, in one graph and of two, against plain loops over all pairs."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from tests.generators import power_law
from vnestruct import ParameterError, UnknownNodeError, embed, match_nodes, similar_nodes
from vnestruct.graph.synthetic import star

FRUCHT = nx.frucht_graph()
"""Three edges at every node, and no symmetry but the identity."""


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=25), st.integers(1, 30))
def test_exact_where_many_are_equally_near(rows: list[tuple[int, int]], k: int) -> None:
    labels = list("zyxwvutsrqponmlkjihgfedcba")[: len(rows)]  # equally near nodes come in their order
    for place, (x, y) in enumerate(rows):
        away = np.round([np.hypot(x - a, y - b) for a, b in rows], 8).tolist()
        order = sorted((distance, other) for other, distance in enumerate(away) if other != place)
        expected = [(labels[other], distance) for distance, other in order[:k]]
        assert similar_nodes(np.array(rows, float), labels[place], k, nodes=labels) == expected


def test_a_graph_is_described_by_its_profile_unless_a_kind_is_named() -> None:
    graph = power_law(200, 2.4, seed=1)
    for options in ({}, {"kind": ["exact", "approx"], "radius": 1, "aggregate": "mean"}):
        values = embed(graph, **{"kind": "profile"} | options)
        assert similar_nodes(graph, 7, **options) == similar_nodes(values, 7, nodes=graph.nodes), options
    assert match_nodes(star(3), star(4)) == match_nodes(star(3), star(4), kind="profile")


@for_each(
    ("call", "error", "value"),
    [
        (lambda: similar_nodes([[1.0], [2.0]], "q", nodes=["a", "b"]), UnknownNodeError, "'q'"),
        (lambda: similar_nodes([[1.0], [2.0]], 0, 0), ParameterError, "`k`.* 0"),
        (lambda: similar_nodes([[1.0], [2.0]], "a", nodes=["a"]), ParameterError, "1 node labels for 2"),
        (lambda: similar_nodes([], "a"), ParameterError, "no nodes"),
        (lambda: match_nodes(FRUCHT, FRUCHT, k=0), ParameterError, "`k`"),
        (lambda: match_nodes(FRUCHT, FRUCHT, seeds={0: 1, 2: 1}), ParameterError, "two seeds"),
        (lambda: match_nodes(FRUCHT, FRUCHT, seeds={0: 99}), UnknownNodeError, "99"),
        (lambda: match_nodes([("a", 1), ("b", 1)], FRUCHT, kind="roles"), ParameterError, "bipartite=False"),
    ],
)
def test_bad_input(call: Any, error: type[Exception], value: str) -> None:
    with pytest.raises(error, match=value):
        call()


def renamed(graph: nx.Graph) -> tuple[nx.Graph, dict[Any, str]]:
    """A copy with other labels, and the label of each node in it."""
    order = np.random.default_rng(0).permutation(len(graph)).tolist()
    names = {node: f"n{place}" for node, place in zip(graph, order, strict=True)}
    return nx.relabel_nodes(graph, names), names


def test_a_renamed_copy_is_matched_where_signatures_differ() -> None:
    graph = nx.barabasi_albert_graph(60, 2, seed=3)
    copy, names = renamed(graph)
    rows = embed(graph, kind="profile").round(8)
    unique = {node for node, row in zip(graph, rows, strict=True) if (rows == row).all(axis=1).sum() == 1}
    assert len(unique) > 40
    matches = match_nodes(graph, copy)
    assert list(matches) == list(graph)
    for node in unique:
        assert matches[node] == [(names[node], 0.0), *matches[node][1:]]
    # Without symmetry every node is found by what is around it.
    copy, names = renamed(FRUCHT)
    exact = match_nodes(FRUCHT, copy, 1, kind="exact", radius=3, aggregate=["mean", "std"])
    assert exact == {node: [(names[node], 0.0)] for node in FRUCHT}


def test_mutual_candidates_have_each_other() -> None:
    left, right = nx.barabasi_albert_graph(30, 2, seed=1), nx.barabasi_albert_graph(40, 2, seed=2)
    there, back = match_nodes(left, right, k=3), match_nodes(right, left, k=3)
    kept = {node: [pair for pair in found if node in dict(back[pair[0]])] for node, found in there.items()}
    expected = {node: found for node, found in kept.items() if found}
    assert match_nodes(left, right, k=3, mutual=True) == expected
    assert 0 < len(expected) < 30


def test_seeds_break_symmetry() -> None:
    ring = nx.cycle_graph(9)
    copy, names = renamed(ring)
    assert [found[0][0] for found in match_nodes(ring, copy).values()] == [next(iter(copy))] * 9
    matched = match_nodes(ring, copy, 1, seeds={0: names[0], 1: names[1]})
    assert matched == {node: [(names[node], 0.0)] for node in ring}
    # Nodes more than 8 hops from all seeds are equally far, as are those in other components.
    rings = nx.disjoint_union(nx.cycle_graph(30), nx.cycle_graph(9))
    found = match_nodes(rings, rings, 39, seeds={0: 0})
    assert {node for node, distance in found[12] if distance == 0.0} == {*range(9, 22), *range(30, 39)}
