"""What must hold for the signatures of any graph."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from tests import oracles
from tests.embedding.expected import assert_clean
from tests.graphs import graph_strategy
from tests.properties.changes import (
    Arcs,
    arcs_of,
    holds_for,
    relabelled,
    reweighted,
    side_by_side,
    turned_around,
    with_edge,
)
from vnestruct import Graph, as_graph, embed
from vnestruct.embedding.parameters import KINDS as ALL_KINDS
from vnestruct.graph import synthetic
from vnestruct.types import ValueArray

TOLERANCE = 1e-9

radii = st.integers(1, 4)
kinds = st.sampled_from(oracles.KINDS)
directions = st.sampled_from(["all", "out", "in", "out+in"])
any_graph = graph_strategy(max_nodes=12, weighted=None, directed=None)


def rows(graph: Graph, radius: int, kind: str, **options: Any) -> ValueArray:
    """Signatures with the graph's weights where it has any, and always clean."""
    found = embed(graph, radius, kind=kind, weighted=graph.weights is not None, n_jobs=1, **options)
    assert_clean(found)
    return found


def assert_equal(one: ValueArray, other: ValueArray) -> None:
    assert one.shape == other.shape
    assert np.abs(one - other).max(initial=0.0) <= TOLERANCE


@holds_for(any_graph, radii, kinds, directions)
def test_any_graph_agrees_with_the_oracle(graph: Graph, radius: int, kind: str, direction: str) -> None:
    expected = oracles.signature(graph, radius, kind, graph.weights is not None, direction)
    # An undirected graph has no arcs to tell apart.
    assert_equal(rows(graph, radius, kind, direction=direction), expected)


@holds_for(any_graph, radii, kinds, directions, st.randoms(use_true_random=False))
def test_relabelling_permutes_rows(graph: Graph, radius: int, kind: str, direction: str, random: Any) -> None:
    place = list(range(graph.n_nodes))
    random.shuffle(place)
    moved = rows(relabelled(graph, place), radius, kind, direction=direction)
    assert_equal(moved[place], rows(graph, radius, kind, direction=direction))


@st.composite
def two_graphs(draw: st.DrawFn) -> tuple[Graph, Graph]:
    weighted, directed = draw(st.booleans()), draw(st.booleans())
    one = graph_strategy(max_nodes=10, weighted=weighted, directed=directed)
    return draw(one), draw(one)


@holds_for(two_graphs(), radii, kinds, directions)
def test_a_disjoint_union_stacks_rows(graphs: tuple[Graph, Graph], radius: int, kind: str, direction: str) -> None:
    both = rows(side_by_side(*graphs), radius, kind, direction=direction)
    apart = [rows(graph, radius, kind, direction=direction) for graph in graphs]
    assert_equal(both, np.vstack(apart))


@st.composite
def graph_with_a_far_part(draw: st.DrawFn) -> tuple[Graph, int, int, int, int]:
    """A graph, a radius R, a node, and two nodes more than R hops from it, at the end of a path or beyond."""
    radius = draw(radii)
    near, far = draw(two_graphs())
    assume(near.n_nodes > 0)
    assume(far.n_nodes > 1)
    node = draw(st.integers(0, near.n_nodes - 1))
    path = synthetic.path(radius)
    if near.weights is not None or near.directed:
        arcs = arcs_of(path)
        source, target, weights = arcs.source, arcs.target, None if near.weights is None else np.ones(radius - 1)
        if near.directed:
            source, target = np.append(source, target), np.append(target, source)
            weights = None if weights is None else np.append(weights, weights)
        path = Arcs(source, target, weights, radius, near.directed).graph()
    graph = side_by_side(side_by_side(near, path), far)
    first, beyond = near.n_nodes, near.n_nodes + radius
    for u, v in ((node, first), (first + radius - 1, beyond)):
        graph = with_edge(graph, u, v)
        if graph.directed and draw(st.booleans()):
            graph = with_edge(graph, v, u)
    u, v = draw(st.lists(st.integers(0, far.n_nodes - 1), min_size=2, max_size=2, unique=True))
    return graph, radius, node, beyond + u, beyond + v


@holds_for(graph_with_a_far_part(), kinds, st.sampled_from(["all", "out", "in"]), st.sampled_from([1.0, 0.3, 40.0]))
def test_an_edge_outside_the_ball_changes_nothing(
    far: tuple[Graph, int, int, int, int], kind: str, direction: str, weight: float
) -> None:
    graph, radius, node, u, v = far
    ball = oracles.ball(graph, node, radius, direction)
    assert not ball & {u, v}
    changed = with_edge(graph, u, v, weight)
    before, after = (rows(one, radius, kind, direction=direction, nodes=[node]) for one in (graph, changed))
    assert_equal(before, after)


@holds_for(
    graph_strategy(max_nodes=12, weighted=True, directed=None),
    radii,
    kinds,
    st.floats(-6, 6).map(lambda x: 10.0**x),
)
def test_the_unit_of_weights_does_not_matter(graph: Graph, radius: int, kind: str, unit: float) -> None:
    weights = arcs_of(graph).weights
    assert weights is not None
    assert_equal(rows(reweighted(graph, unit * weights), radius, kind), rows(graph, radius, kind))


@holds_for(graph_strategy(max_nodes=12), radii, kinds, st.sampled_from([2.5, 1.0, 1e-3, 7.0]))
def test_equal_weights_are_no_weights(graph: Graph, radius: int, kind: str, weight: float) -> None:
    plain = rows(graph, radius, kind)
    weighted = reweighted(graph, np.full(graph.n_edges, weight))
    assert_equal(rows(weighted, radius, kind), plain)


@holds_for(graph_strategy(max_nodes=12, weighted=None, directed=True), radii, kinds)
def test_all_directions_are_no_directions(graph: Graph, radius: int, kind: str) -> None:
    found = rows(graph, radius, kind, direction="all")
    assert_equal(found, rows(as_graph(graph, directed=False), radius, kind))
    assert_equal(found, rows(turned_around(graph), radius, kind, direction="all"))


@holds_for(graph_strategy(max_nodes=12, weighted=None, directed=True), radii, kinds)
def test_turning_all_arcs_around_swaps_out_and_in(graph: Graph, radius: int, kind: str) -> None:
    there = rows(graph, radius, kind, direction="out+in")
    back = rows(turned_around(graph), radius, kind, direction="out+in")
    assert_equal(there, np.hstack([back[:, radius:], back[:, :radius]]))
    assert np.array_equal(there[:, :radius], rows(graph, radius, kind, direction="out"))
    assert np.array_equal(there[:, radius:], rows(graph, radius, kind, direction="in"))


@holds_for(any_graph, radii, radii, kinds, directions)
def test_a_larger_radius_adds_columns_and_changes_none(
    graph: Graph, radius: int, more: int, kind: str, direction: str
) -> None:
    """To the last bit: the value of a ball depends on nothing but its nodes."""
    near, far = (rows(graph, r, kind, direction=direction) for r in (radius, radius + more))
    kept = [column for column in range(far.shape[1]) if column % (radius + more) < radius]
    assert np.array_equal(far[:, kept], near)


@holds_for(any_graph, radii, st.lists(st.sampled_from(list(ALL_KINDS)), unique=True, min_size=2), directions)
def test_several_kinds_at_once_are_the_kinds_side_by_side(
    graph: Graph, radius: int, several: list[str], direction: str
) -> None:
    options: dict[str, Any] = {"direction": direction, "weighted": graph.weights is not None, "n_jobs": 1}
    together = embed(graph, radius, kind=several, **options)
    assert np.array_equal(together, np.hstack([embed(graph, radius, kind=kind, **options) for kind in several]))


@holds_for(graph_strategy(max_nodes=12, weighted=None), radii)
def test_kinds_are_ordered(graph: Graph, radius: int) -> None:
    """Q and H_hat stay below H, and H below the logarithm of the nodes less one of the ball."""
    exact, approximate, quadratic = (rows(graph, radius, kind) for kind in ("exact", "approx", "quadratic"))
    assert (quadratic <= exact + 1e-12).all()
    assert (approximate <= exact + 1e-9).all()
    sizes = [[len(oracles.ball(graph, u, r)) for r in range(1, radius + 1)] for u in range(graph.n_nodes)]
    limit = np.log(np.maximum(np.array(sizes).reshape(exact.shape) - 1.0, 1.0))
    assert (exact <= limit + 1e-12).all()
