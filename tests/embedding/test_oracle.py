"""Every signature against the dense oracle, to 1e-9."""

from __future__ import annotations

import numpy as np
import pytest

from tests import generators as synthetic
from tests.cases import for_each
from tests.embedding.expected import TOLERANCE, assert_clean, assert_close, signatures
from tests.graphs import (
    ZOO,
    blown_up,
    directed_copy,
    from_edges,
    nearly_tied_hubs,
    random_graphs,
    tied_hubs,
    weighted_copy,
)
from tests.oracles import KINDS, SIZES
from vnestruct import Graph, embed

OUTPUTS = (*KINDS, "unscaled", *SIZES)


def check(graph: Graph, radius: int, what: str, *, weighted: bool = False, direction: str = "all") -> None:
    """Compare all kinds at radii 1..radius, each asked for on its own."""
    ways = ("out", "in") if direction == "out+in" else (direction,)
    wanted = [signatures(graph, radius, weighted=weighted, direction=way, kinds=OUTPUTS) for way in ways]
    kinds = (*KINDS, "unscaled", "sizes")
    for largest in range(1, radius + 1):
        values = embed(graph, largest, kind=kinds, weighted=weighted, direction=direction, n_jobs=1)
        for place, (kind, way) in enumerate((kind, way) for kind in OUTPUTS for way in range(len(ways))):
            columns, expected = values[:, place * largest : (place + 1) * largest], wanted[way][kind][:, :largest]
            where = f"{what}, {kind} {ways[way]}, radius {largest}"
            # Numbers of edges and the like are as large as the graph; entropies are not.
            unit = np.maximum(np.abs(expected), 1.0) if kind not in KINDS else 1.0
            np.testing.assert_allclose(columns / unit, expected / unit, rtol=0, atol=TOLERANCE, err_msg=where)
            if kind in KINDS:
                assert_clean(columns, where)


def test_zoo() -> None:
    for name, graph in ZOO.items():
        check(graph, 4, name)


@pytest.mark.parametrize(
    "batch", [*range(8), *(pytest.param(batch, marks=pytest.mark.full) for batch in range(100, 180))]
)
def test_random_graphs_of_five_kinds(batch: int) -> None:
    for name, graph in random_graphs(25, seed=batch):
        check_around(graph, list(range(graph.n_nodes)), 5, name)


@for_each("batch", range(4))
def test_graphs_full_of_twins(batch: int) -> None:
    for number, (name, graph) in enumerate(random_graphs(25, seed=40 + batch)):
        if graph.n_nodes <= 40:
            full = blown_up(graph, seed=number)
            values = embed(full, 4, kind=("approx", "quadratic"), n_jobs=1)
            wanted = signatures(full, 4, kinds=("approx", "quadratic"))
            assert_close(values, np.hstack([wanted["approx"], wanted["quadratic"]]), name)


@pytest.mark.parametrize("largest", [15, 17, 300])
def test_twins_by_the_dozen(largest: int) -> None:
    """More of them than a byte can count, joined and not."""
    for seed in range(4):
        full = blown_up(synthetic.barabasi_albert(9, 2, seed=seed), seed, largest)
        nodes = np.random.default_rng(seed).permutation(full.n_nodes)[:20].tolist()
        check_around(full, nodes, 3, f"seed {seed}")


def test_weighted_zoo() -> None:
    for name, graph in ZOO.items():
        check(weighted_copy(graph, seed=7), 3, name, weighted=True)


@for_each("direction", ["all", "out", "in", "out+in"])
@for_each("weighted", [False, True])
def test_directed_zoo(direction: str, weighted: bool) -> None:
    for name, graph in ZOO.items():
        check(directed_copy(graph, seed=8, weighted=weighted), 3, name, weighted=weighted, direction=direction)


@for_each("name", ["barbell", "watts strogatz", "twins", "star"])
def test_weights_are_ignored_unless_asked_for(name: str) -> None:
    plain = embed(ZOO[name], 3, kind=KINDS)
    assert np.array_equal(embed(weighted_copy(ZOO[name], seed=1), 3, kind=KINDS), plain)


def check_around(graph: Graph, centres: list[int], radius: int, what: str) -> None:
    wanted = signatures(graph, radius, kinds=("approx",), nodes=centres)["approx"]
    assert_close(embed(graph, radius, nodes=centres, n_jobs=1), wanted, what)


@for_each("distance", range(2, 15))
def test_equal_hubs_far_apart(distance: int) -> None:
    """The two largest eigenvalues differ by a factor of 1 + 10**-distance or so: neither may stand for the other."""
    for leaves in (2, 3, 4, 5, 6, 8, 12, 20, 40):
        graph = tied_hubs(leaves, distance)
        check_around(graph, [distance // 2], distance // 2 + 2, f"{leaves} leaves, {distance} apart")


@for_each("leaves", [3, 5, 8, 13, 30, 60])
def test_hubs_that_differ_by_one_leaf(leaves: int) -> None:
    check_around(nearly_tied_hubs(leaves), [0, 1], 3, f"{leaves} leaves")


@pytest.mark.parametrize("copies", [2, 3, 5])
def test_hubs_around_a_centre(copies: int) -> None:
    """Several equal hubs, each with an own neighbourhood: the top eigenvalue is repeated, or nearly."""
    for leaves in (3, 6, 10):
        edges = [(0, hub + 1) for hub in range(copies)]
        first = copies + 1
        for hub in range(copies):
            edges += [(hub + 1, first + hub * leaves + leaf) for leaf in range(leaves)]
        last = first + copies * leaves
        # One leaf of one hub carries one more leaf: the tie is broken from far away.
        edges.append((last - 1, last))
        check_around(from_edges(edges, last + 1), [0, 1], 4, f"{copies} hubs of {leaves} leaves")


@pytest.mark.parametrize(
    ("graph", "radius"),
    [
        pytest.param(synthetic.path(160), 70, id="path"),
        pytest.param(synthetic.cycle(160), 70, id="cycle"),
        pytest.param(synthetic.grid(15, 20), 10, id="grid"),
        pytest.param(synthetic.grid(3, 60), 35, id="ladder"),
        pytest.param(synthetic.hypercube(7), 5, id="hypercube"),
        pytest.param(synthetic.random_regular(200, 3, seed=1), 6, id="cubic"),
        pytest.param(synthetic.random_regular(200, 8, seed=1), 3, id="regular"),
        pytest.param(synthetic.watts_strogatz(300, 6, 0.02, seed=1), 8, id="watts-strogatz"),
        pytest.param(synthetic.connected_caveman(20, 8), 12, id="caveman"),
        pytest.param(synthetic.balanced_tree(3, 5), 6, id="tree"),
        pytest.param(synthetic.barbell(40, 20), 15, id="barbell"),
    ],
)
def test_long_iterations(graph: Graph, radius: int) -> None:
    """Spectra that crowd at their upper end, where the iteration takes dozens to hundreds of steps."""
    check_around(graph, [graph.n_nodes // 2], radius, repr(graph))


def test_degrees_beyond_a_byte() -> None:
    """Degrees around 255, where counts kept in bytes would overflow."""
    for degree in (255, 256, 257):
        edges = [(0, leaf) for leaf in range(1, degree + 1)]
        graph = from_edges([*edges, (1, degree + 1), (2, 3), (degree + 1, degree + 2)], degree + 3)
        check_around(graph, [0, 1, 2, degree + 1], 3, f"degree {degree}")


def test_tolerance_is_kept_when_asked_for_less() -> None:
    """A looser tolerance may be quicker, but the error stays within it."""
    for name, graph in random_graphs(40, seed=77):
        wanted = signatures(graph, 3, kinds=("approx",))["approx"]
        for tol in (1e-3, 1e-6):
            assert_close(embed(graph, 3, tol=tol, n_jobs=1), wanted, name, tol)


def test_aggregates_are_moments_over_the_neighbours() -> None:
    for name in ("barbell", "disconnected", "barabasi albert", "star", "isolated nodes"):
        graph = ZOO[name]
        values = embed(graph, 2, aggregate=("mean", "std"))
        base = values[:, :2]
        for node in range(graph.n_nodes):
            row = graph.indices[graph.indptr[node] : graph.indptr[node + 1]]
            mean = base[row].mean(axis=0) if row.size else np.zeros(2)
            spread = base[row].std(axis=0) if row.size else np.zeros(2)
            assert np.allclose(values[node, 2:4], mean, rtol=0, atol=1e-12), name
            assert np.allclose(values[node, 4:6], spread, rtol=0, atol=1e-12), name
