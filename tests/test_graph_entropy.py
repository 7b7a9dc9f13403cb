"""Entropies of whole graphs, and bounds on how much they change when the graph changes."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import generators, oracles
from tests.cases import for_each
from tests.graphs import ZOO, directed_copy, from_edges, graph_strategy, tied_hubs, weighted_copy
from vnestruct import (
    Graph,
    Interval,
    ParameterError,
    TooLargeError,
    continuity_bound,
    entropy,
    graph_entropy,
    stochastic_entropy,
)
from vnestruct.graph import graph_from_ids, graph_from_pairs, synthetic

WHOLE = ("approx", "exact", "quadratic", "normalized")
FAR = {f"{leaves}, {apart}": tied_hubs(leaves, apart) for leaves in (3, 5, 8, 20) for apart in (4, 6, 8, 10, 12)}


@for_each("name", [*ZOO, *FAR])
def test_the_definition(name: str) -> None:
    graph = (ZOO | FAR)[name]
    copies = [graph, weighted_copy(graph, seed=1), directed_copy(graph, seed=1), directed_copy(graph, 1, weighted=True)]
    for copy in copies[: 4 if name in ZOO else 1]:
        for kind in WHOLE:
            found = entropy(copy, kind, weighted=copy.weights is not None)
            assert abs(found - oracles.entropy(copy, kind, copy.weights is not None)) <= 1e-9, kind
            assert math.copysign(1.0, found) > 0


PAIRS = 2 * np.arange(3_000)
TRIANGLES = np.arange(2_000)[:, np.newaxis] * 3 + [0, 1, 2]


def star_entropy(leaves: int) -> float:
    shares = np.array([leaves + 1, *[1] * (leaves - 1)]) / (2 * leaves)
    return float(-(shares * np.log(shares)).sum())


def path_entropy(n: int) -> float:
    """Of a path whose largest eigenvalues differ in the eighth digit: 2 - 2 cos(pi (n - 1) / n) is the last."""
    largest, trace = 2 - 2 * math.cos(math.pi * (n - 1) / n), 2 * (n - 1)
    return -(1 - (4 * (n - 2) + 2 + trace) / trace**2) * math.log(largest / trace)


@for_each(
    ("graph", "kind", "expected"),
    [
        (synthetic.clique(12), "exact", math.log(11)),
        (synthetic.clique(12), "approx", (1 - 1 / 11) * math.log(11)),
        (synthetic.star(5), "quadratic", 1 - (25 + 5 + 10) / 100),
        (synthetic.star(5), "approx", -0.6 * math.log(6 / 10)),
        (synthetic.cycle(4), "exact", 1.5 * math.log(2)),
        (synthetic.path(20_000), "approx", path_entropy(20_000)),
        # A star of 9,000 leaves has three different eigenvalues, and no component of the other two is large.
        (synthetic.star(9_000), "exact", star_entropy(9_000)),
        (graph_from_pairs(PAIRS, PAIRS + 1), "exact", math.log(3_000)),
        (graph_from_pairs(TRIANGLES.ravel(), TRIANGLES[:, [1, 2, 0]].ravel()), "normalized", math.log(4_000)),
        (nx.karate_club_graph(), "approx", 2.031),
        (nx.karate_club_graph(), "exact", 3.154),
        *((from_edges([], n), kind, 0.0) for n in (0, 1, 7) for kind in WHOLE),
    ],
)
def test_known_values(graph: Graph, kind: str, expected: float) -> None:
    assert entropy(graph, kind) == pytest.approx(expected, abs=5e-4 if isinstance(graph, nx.Graph) else 1e-9)
    assert entropy(graph, kind, interval=True) == Interval(*[entropy(graph, kind)] * 3)


CHORD_RING = nx.cycle_graph(4_001)
APART = synthetic.cycle(2_500), graph_from_pairs(np.arange(2_400, 4_900), np.arange(2_401, 4_901))


@for_each(
    ("compute", "graphs", "options", "error", "named"),
    [
        *((entropy, [[(0, 1)]], {"kind": kind}, ParameterError, "'exact'") for kind in ("punctured", None)),
        (entropy, [[(0, 1), (1, 2)]], {"weighted": True}, ParameterError, "weights"),
        (entropy, [CHORD_RING], {"kind": "exact"}, TooLargeError, r"4,001.*`interval=True`.*`kind='approx'`"),
        (entropy, [CHORD_RING], {"kind": "normalized"}, TooLargeError, r"4,001.*`interval=True`.*`kind='approx'`"),
        (continuity_bound, APART, {}, TooLargeError, "4,901"),
    ],
)
def test_what_cannot_be_computed(compute: Any, graphs: Any, options: Any, error: type[Exception], named: str) -> None:
    with pytest.raises(error, match=named):
        compute(*graphs, **options)


def drawn_graphs(number: int, smallest: int, largest: int) -> list[Graph]:
    sizes = np.random.default_rng(0).integers(smallest, largest + 1, number).tolist()
    draw = [
        lambda n, seed: generators.barabasi_albert(n, 2, seed),
        lambda n, seed: generators.watts_strogatz(n, 6, 0.1, seed),
        lambda n, seed: generators.erdos_renyi(n, 4 / n, seed),
        lambda n, seed: generators.power_law(n, 2.3, seed=seed),
    ]
    return [draw[seed % 4](n, seed) for seed, n in enumerate(sizes)]


@pytest.mark.parametrize(
    ("number", "smallest", "largest"), [(20, 300, 600), pytest.param(40, 2_000, 4_000, marks=pytest.mark.full)]
)
@pytest.mark.parametrize(("kind", "weighted"), [("exact", False), ("normalized", False), ("exact", True)])
def test_intervals_hold_the_value(
    kind: str, weighted: bool, number: int, smallest: int, largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphs = drawn_graphs(number, smallest, largest)
    graphs = [weighted_copy(graph, seed=1) for graph in graphs] if weighted else graphs
    expected = [entropy(graph, kind, weighted=weighted) for graph in graphs]
    monkeypatch.setattr(graph_entropy, "EXACT_LIMIT", 0)
    held = 0
    for seed, (graph, value) in enumerate(zip(graphs, expected, strict=True)):
        found = entropy(graph, kind, weighted=weighted, interval=True, random_state=seed)
        assert found.low <= found.value <= found.high
        assert found.low < found.high
        held += found.low <= value <= found.high
    assert held >= 0.9 * number


def test_brackets_hold_for_each_vector() -> None:
    """Gauss and Gauss-Radau quadrature, at whatever step they are looked at, enclose v' M ln(M) v."""
    matrix = oracles.laplacian(oracles.adjacency(generators.power_law(120, 2.2, seed=4)))
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


def test_the_same_interval_for_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_entropy, "EXACT_LIMIT", 0)
    graph, found = generators.barabasi_albert(400, 3, seed=2), set()
    for n_threads in (1, 2, 5):
        monkeypatch.setattr(stochastic_entropy, "resolve_n_jobs", lambda n=n_threads: n)
        found.add(entropy(graph, "exact", interval=True, random_state=7))
    assert len(found) == 1
    assert entropy(graph, "exact", interval=True, random_state=8) not in found


def test_weights_of_any_size() -> None:
    weights = np.array([1.0, 2.0, 3.0, 0.5, 1.5])
    ends = np.array([0, 1, 2, 0, 3]), np.array([1, 2, 3, 3, 4])
    for kind in WHOLE:
        plain, *scaled = (
            entropy(graph_from_ids(*ends, scale * weights, n_nodes=5), kind, weighted=True)
            for scale in (1.0, 1e-160, 1e-100, 1e100, 1e160)
        )
        assert np.abs(np.array(scaled) - plain).max() <= 1e-9, kind


RING = [(i, (i + 1) % 200) for i in range(200)]
CHORDS = [(0, 20), (0, 40), (0, 60), (0, 80)]
HOUSE = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("a", "c")]
OTHER_NAMES = [(u + "'", v + "'") for u, v in HOUSE]


@for_each(
    ("first", "second", "difference", "bound"),
    [
        (RING, RING + CHORDS, 0.0001, 0.197),
        # The same edges in another order have no distance, a copy under other names the largest: ln(n - 1).
        (HOUSE, HOUSE[::-1], 0, 0),
        (HOUSE, OTHER_NAMES, 0, math.log(7)),
        # The trace distance is 1/2.
        (from_edges([(0, 1), (2, 3)], 4), from_edges([(0, 1)], 4), math.log(2), 0.5 * math.log(3) + math.log(2)),
        # A graph without edges has entropy 0 and distance 1 from any other.
        (synthetic.clique(10), from_edges([], 10), math.log(9), math.log(9)),
        (from_edges([], 0), from_edges([], 0), 0, 0),
        (from_edges([], 3), from_edges([], 3), 0, 0),
    ],
)
def test_known_bounds(first: Any, second: Any, difference: float, bound: float) -> None:
    assert continuity_bound(first, second) == pytest.approx((difference, bound), abs=5e-4)


def test_chords_move_the_approximation_further_than_the_bound() -> None:
    assert abs(entropy(RING) - entropy(RING + CHORDS)) > continuity_bound(RING, RING + CHORDS)[1]


@settings(max_examples=200, derandomize=True)
@given(graph_strategy(max_nodes=14, weighted=None), graph_strategy(max_nodes=14, weighted=None), st.booleans())
def test_the_bound_holds(first: Graph, second: Graph, weighted: bool) -> None:
    """For any two graphs, also without edges."""
    weighted = weighted and first.weights is not None and second.weights is not None
    difference, bound = continuity_bound(first, second, weighted=weighted)
    assert difference <= bound + 1e-9
    assert (difference, bound) == pytest.approx(continuity_bound(second, first, weighted=weighted), abs=1e-12)
    whole = [oracles.exact(oracles.adjacency(graph, weighted)) for graph in (first, second)]
    assert difference == pytest.approx(abs(whole[0] - whole[1]), abs=1e-9)
