"""Entropies of whole graphs, and bounds on how much they change when the graph changes."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import generators, oracles
from tests.graphs import ZOO, directed_copy, from_edges, graph_strategy, random_graphs, tied_hubs, weighted_copy
from vnestruct import (
    Graph,
    Interval,
    ParameterError,
    TooLargeError,
    continuity_bound,
    embed,
    entropy,
    graph_entropy,
    stochastic_entropy,
)
from vnestruct.graph import graph_from_ids, graph_from_pairs, synthetic

WHOLE = ("approx", "exact", "quadratic", "normalized")


def check(graph: Graph, what: str, *, weighted: bool = False) -> None:
    for kind in WHOLE:
        found = entropy(graph, kind, weighted=weighted)
        assert isinstance(found, float)
        assert abs(found - oracles.entropy(graph, kind, weighted)) <= 1e-9, (what, kind)
        assert not math.copysign(1.0, found) < 0, (what, kind)


def test_zoo() -> None:
    for name, graph in ZOO.items():
        check(graph, name)
        check(weighted_copy(graph, seed=1), name, weighted=True)
        check(directed_copy(graph, seed=1), name)
        check(directed_copy(graph, seed=1, weighted=True), name, weighted=True)


def test_random_graphs() -> None:
    for name, graph in random_graphs(50, seed=55):
        check(graph, name)


def test_equal_hubs_far_apart() -> None:
    for distance in (4, 6, 8, 10, 12):
        for leaves in (3, 5, 8, 20):
            check(tied_hubs(leaves, distance), f"{leaves} leaves, {distance} apart")


def test_karate_club() -> None:
    """Edge weights of networkx are used only if requested."""
    club = nx.karate_club_graph()
    assert round(entropy(club, "exact"), 3) == 3.154
    assert round(entropy(club), 3) == 2.031
    assert entropy(club, weighted=True) != entropy(club)


def test_known_values() -> None:
    for graph, kind, expected in (
        (synthetic.clique(12), "exact", math.log(11)),
        (synthetic.clique(12), "quadratic", 1 - 1 / 11),
        (synthetic.clique(12), "approx", (1 - 1 / 11) * math.log(11)),
        (synthetic.star(5), "quadratic", 1 - (25 + 5 + 10) / 100),
        (synthetic.star(5), "approx", -0.6 * math.log(6 / 10)),
        (synthetic.cycle(4), "exact", 1.5 * math.log(2)),
        (synthetic.clique(6), "normalized", math.log(5)),
        (synthetic.path(2), "exact", 0.0),
    ):
        assert entropy(graph, kind) == pytest.approx(expected, abs=2e-11), (graph, kind)


def test_a_ball_that_is_everything_has_the_entropy_of_the_graph() -> None:
    graph = ZOO["petersen"]
    for kind in WHOLE:
        assert np.abs(embed(graph, 2, kind=kind)[:, 1] - entropy(graph, kind)).max() <= 1e-9


def test_a_long_path() -> None:
    """20,000 nodes whose largest eigenvalues differ in the eighth digit: 2 - 2 cos(pi (n - 1) / n) is the last."""
    n = 20_000
    largest = 2 - 2 * math.cos(math.pi * (n - 1) / n)
    trace = 2 * (n - 1)
    quadratic = 1 - (4 * (n - 2) + 2 + trace) / trace**2
    expected = -quadratic * math.log(largest / trace)
    assert abs(entropy(synthetic.path(n)) - expected) <= 1e-9


def test_edgeless_graphs() -> None:
    for n_nodes in (0, 1, 7):
        graph = from_edges([], n_nodes)
        assert {kind: entropy(graph, kind) for kind in WHOLE} == dict.fromkeys(WHOLE, 0.0)
    assert continuity_bound(from_edges([], 0), from_edges([], 0)) == (0.0, 0.0)
    assert continuity_bound(from_edges([], 3), from_edges([], 3)) == (0.0, 0.0)


def test_unknown_kind() -> None:
    for kind in ("punctured", "spectral", "", None, ["exact"]):
        with pytest.raises(ParameterError) as caught:
            entropy([(0, 1)], kind)  # type: ignore[arg-type]
        assert repr(kind) in str(caught.value)
        assert "'exact'" in str(caught.value)


def test_weighted_without_weights() -> None:
    with pytest.raises(ParameterError, match="no weights"):
        entropy([(0, 1), (1, 2)], weighted=True)


def test_too_large_for_its_spectrum() -> None:
    for kind in ("exact", "normalized"):
        with pytest.raises(TooLargeError, match=r"4,001 nodes.*4,000.*interval=True.*kind='approx'"):
            entropy(synthetic.cycle(4_001), kind)
    assert entropy(synthetic.cycle(4_001)) > 0


def test_twins_and_components_count_apart() -> None:
    """A star of 9,000 leaves has three different eigenvalues, and no component of the other graph is large."""
    n = 9_000
    shares = np.array([n + 1, *[1] * (n - 1)]) / (2 * n)
    assert entropy(synthetic.star(n), "exact") == pytest.approx(-(shares * np.log(shares)).sum(), abs=1e-9)
    pairs = 2 * np.arange(3_000)
    assert entropy(graph_from_pairs(pairs, pairs + 1), "exact") == pytest.approx(math.log(3_000), abs=1e-9)
    triangle_ends = np.arange(2_000)[:, np.newaxis] * 3 + [0, 1, 2]
    triangles = graph_from_pairs(triangle_ends.ravel(), triangle_ends[:, [1, 2, 0]].ravel())
    assert entropy(triangles, "normalized") == pytest.approx(math.log(4_000), abs=1e-9)


@pytest.fixture
def _nothing_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_entropy, "EXACT_LIMIT", 0)


def covered(graphs: list[Graph], kind: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many intervals hold the value."""
    expected = [entropy(graph, kind) for graph in graphs]
    monkeypatch.setattr(graph_entropy, "EXACT_LIMIT", 0)
    found = [entropy(graph, kind, interval=True, random_state=seed) for seed, graph in enumerate(graphs)]
    assert all(interval.low <= interval.value <= interval.high for interval in found)
    assert all(interval.low < interval.high for interval in found)
    return sum(one.low <= value <= one.high for one, value in zip(found, expected, strict=True))


def drawn_graphs(number: int, smallest: int, largest: int) -> list[Graph]:
    sizes = np.random.default_rng(0).integers(smallest, largest + 1, number).tolist()
    draw = [
        lambda n, seed: generators.barabasi_albert(n, 2, seed),
        lambda n, seed: generators.watts_strogatz(n, 6, 0.1, seed),
        lambda n, seed: generators.erdos_renyi(n, 4 / n, seed),
        lambda n, seed: generators.power_law(n, 2.3, seed=seed),
    ]
    return [draw[seed % 4](n, seed) for seed, n in enumerate(sizes)]


@pytest.mark.parametrize("kind", ["exact", "normalized"])
def test_intervals_hold_the_value(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert covered(drawn_graphs(20, 300, 600), kind, monkeypatch) >= 18


@pytest.mark.full
@pytest.mark.parametrize("kind", ["exact", "normalized"])
def test_intervals_of_larger_graphs_hold_the_value(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert covered(drawn_graphs(40, 2_000, 4_000), kind, monkeypatch) >= 36


@pytest.mark.usefixtures("_nothing_is_small")
def test_closed_forms_are_inside_narrow_intervals() -> None:
    """Where every vector gives the same value, the interval closes around it."""
    for graph, kind, expected in (
        (synthetic.clique(50), "exact", math.log(49)),
        (synthetic.clique(50), "normalized", math.log(49)),
        (generators.hypercube(6), "exact", None),
    ):
        found = entropy(graph, kind, interval=True)
        value = oracles.entropy(graph, kind) if expected is None else expected
        assert found.low - 1e-9 <= value <= found.high + 1e-9, (graph, kind)
        if expected is not None:
            assert found.high - found.low <= 1e-9, (graph, kind)


@pytest.mark.usefixtures("_nothing_is_small")
def test_brackets_hold_for_each_vector() -> None:
    """Gauss and Gauss-Radau quadrature, at whatever step they are looked at, enclose v' M ln(M) v."""
    graph = generators.power_law(120, 2.2, seed=4)
    matrix = oracles.laplacian(oracles.adjacency(graph))
    matrix /= np.trace(matrix)
    values, basis = np.linalg.eigh(matrix)
    logs = np.where(values > 1e-14, values * np.log(np.maximum(values, 1e-300)), 0.0)
    signs = np.random.default_rng(1).integers(0, 2, (120, 6)) * 2.0 - 1.0
    signs -= basis[:, values < 1e-12] @ (basis[:, values < 1e-12].T @ signs)
    expected = ((basis.T @ signs) ** 2 * logs[:, np.newaxis]).sum(axis=0)
    for precision in (1.0, 1e-3, 1e-9):
        low, high = stochastic_entropy._brackets(matrix, signs, precision)
        assert (low <= expected + 1e-12).all()
        assert (expected <= high + 1e-12).all()
        assert (high - low).mean() <= precision * np.abs(low.mean())


@pytest.mark.usefixtures("_nothing_is_small")
def test_the_same_interval_for_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = generators.barabasi_albert(400, 3, seed=2)
    found = []
    for n_threads in (1, 2, 5):
        monkeypatch.setattr(stochastic_entropy, "resolve_n_jobs", lambda n=n_threads: n)
        found.append(entropy(graph, "exact", interval=True, random_state=7))
    assert found[0] == found[1] == found[2]
    assert found[0] != entropy(graph, "exact", interval=True, random_state=8)


def test_weighted_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = [weighted_copy(graph, seed=1) for graph in drawn_graphs(8, 200, 300)]
    expected = [entropy(graph, "exact", weighted=True) for graph in graphs]
    monkeypatch.setattr(graph_entropy, "EXACT_LIMIT", 0)
    found = [entropy(graph, "exact", weighted=True, interval=True) for graph in graphs]
    assert sum(one.low <= value <= one.high for one, value in zip(found, expected, strict=True)) >= 7


def test_an_interval_of_what_is_known() -> None:
    for kind in WHOLE:
        value = entropy(ZOO["barbell"], kind)
        assert entropy(ZOO["barbell"], kind, interval=True) == Interval(value, value, value)


def test_too_large_together() -> None:
    first, second = synthetic.cycle(2_500), graph_from_pairs(np.arange(2_400, 4_900), np.arange(2_401, 4_901))
    with pytest.raises(TooLargeError, match="4,901"):
        continuity_bound(first, second)


def test_weights_of_any_size() -> None:
    weights = np.array([1.0, 2.0, 3.0, 0.5, 1.5])
    source, target = np.array([0, 1, 2, 0, 3]), np.array([1, 2, 3, 3, 4])
    for kind in WHOLE:
        plain, *scaled = (
            entropy(graph_from_ids(source, target, scale * weights, n_nodes=5), kind, weighted=True)
            for scale in (1.0, 1e-160, 1e-100, 1e100, 1e160)
        )
        assert np.abs(np.array(scaled) - plain).max() <= 1e-9, kind


RING = [(i, (i + 1) % 200) for i in range(200)]
CHORDS = [(0, 20), (0, 40), (0, 60), (0, 80)]


def test_chords_on_a_ring() -> None:
    """The bound holds for the exact entropy; its approximation moves three times as far."""
    difference, bound = continuity_bound(RING, RING + CHORDS)
    assert round(difference, 4) == 0.0001
    assert round(bound, 3) == 0.197
    moved = abs(entropy(RING) - entropy(RING + CHORDS))
    assert round(moved, 3) == 0.589
    assert difference < bound < moved


def test_difference_is_that_of_the_exact_entropies() -> None:
    one, other = ZOO["barbell"], ZOO["lollipop"]
    expected = abs(oracles.exact(oracles.adjacency(one)) - oracles.exact(oracles.adjacency(other)))
    assert continuity_bound(one, other)[0] == pytest.approx(expected, abs=1e-12)


def test_nodes_are_matched_by_label() -> None:
    """The same edges in another order have no distance, a copy under other names the largest."""
    edges = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c")]
    assert continuity_bound(edges, edges[::-1]) == pytest.approx((0.0, 0.0), abs=1e-12)
    other = [(u + "'", v + "'") for u, v in edges]
    difference, bound = continuity_bound(edges, other)
    assert difference == pytest.approx(0.0, abs=1e-12)
    # Nothing in common: the trace distance is 1, and the bound is ln(n - 1) for 8 nodes.
    assert bound == pytest.approx(math.log(7), abs=1e-12)


def test_trace_distance_by_hand() -> None:
    """Two disjoint edges against one of them: T = 1/2."""
    difference, bound = continuity_bound(from_edges([(0, 1), (2, 3)], 4), from_edges([(0, 1)], 4))
    assert difference == pytest.approx(math.log(2), abs=1e-12)
    assert bound == pytest.approx(0.5 * math.log(3) + math.log(2), abs=1e-12)


def test_weights_are_used_if_requested() -> None:
    one = graph_from_ids(np.array([0, 1]), np.array([1, 2]), np.array([1.0, 1.0]), n_nodes=3)
    other = graph_from_ids(np.array([0, 1]), np.array([1, 2]), np.array([1.0, 9.0]), n_nodes=3)
    assert continuity_bound(one, other) == (0.0, 0.0)
    difference, bound = continuity_bound(one, other, weighted=True)
    assert 0 < difference < bound


@settings(max_examples=200, derandomize=True)
@given(graph_strategy(max_nodes=14), graph_strategy(max_nodes=14))
def test_the_bound_holds(first: Graph, second: Graph) -> None:
    """For any two graphs, also without edges."""
    difference, bound = continuity_bound(first, second)
    assert difference <= bound + 1e-9
    again = continuity_bound(second, first)
    assert (difference, bound) == pytest.approx(again, abs=1e-12)


@settings(max_examples=100, derandomize=True)
@given(
    graph_strategy(max_nodes=12, min_nodes=2, weighted=True, directed=None),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), min_size=1, max_size=3),
)
def test_the_bound_holds_for_small_changes(graph: Graph, pairs: list[tuple[int, int]]) -> None:
    """After adding a few weighted edges, the entropies are as close as the bound says."""
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    kept = rows < graph.indices
    matrix = oracles.adjacency(graph, weighted=True)
    source, target = rows[kept], graph.indices[kept].astype(np.int64)
    extra = np.array([(u % graph.n_nodes, v % graph.n_nodes) for u, v in pairs])
    one = graph_from_ids(source, target, matrix[source, target], n_nodes=graph.n_nodes)
    other = graph_from_ids(
        np.concatenate([source, extra[:, 0]]),
        np.concatenate([target, extra[:, 1]]),
        np.concatenate([matrix[source, target], np.full(len(extra), 0.5)]),
        n_nodes=graph.n_nodes,
    )
    difference, bound = continuity_bound(one, other, weighted=True)
    assert difference <= bound + 1e-9


def test_a_clique_against_nothing() -> None:
    """An edgeless graph has entropy 0 and no density matrix; the bound must still hold."""
    difference, bound = continuity_bound(synthetic.clique(10), from_edges([], 10))
    assert difference == pytest.approx(math.log(9))
    assert difference <= bound + 1e-9
