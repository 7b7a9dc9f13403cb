"""The largest eigenvalue by Lanczos, one ball or eight at once, against numpy.linalg.eigvalsh."""

from __future__ import annotations

import numpy as np
import pytest

from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, random_graphs, tied_hubs, weighted_copy
from tests.kernels.calls import add_noise, lanczos_lanes, second_bounds, start_vector
from tests.kernels.local import Union, groups, union_of_balls
from vnestruct import Graph
from vnestruct.graph import synthetic
from vnestruct.kernels.lanczos import lanczos_one
from vnestruct.kernels.vector import WIDTH
from vnestruct.kernels.workspace import LARGEST, NODES

TOLERANCE = 0.25e-9

ALL = {
    **{name: graph for name, graph in ZOO.items() if graph.n_edges},
    **{name: graph for name, graph in random_graphs(20, seed=31) if graph.n_edges},
    "scale-free": synthetic.barabasi_albert(150, 2, seed=1),
    "wide grid": synthetic.grid(12, 30),
    "long cycle": synthetic.cycle(200),
}
every_graph = for_each("name", ALL)
every_kind = for_each("kind", ["plain", "weights", "twins"])


def solve(union: Union, cancel: bool = False) -> tuple[np.ndarray, np.ndarray, list[tuple[np.ndarray, float]]]:
    """Eigenvalues and steps of all lanes with edges, and the start and bound that each lane had."""
    lanes, local, count = union.lanes, union.arguments(), union.centres.size
    pending = sum(1 << lane for lane in range(count) if union.fact(LARGEST)[lane] > 0.0)
    second_bounds(*local, union.k, lanes, pending)
    lanes.v[: union.k * WIDTH] = 0.0
    for lane in range(count):
        if pending >> lane & 1:
            start_vector(*local, lane, lanes.stats, lanes.v)
    noisy = sum(1 << lane for lane in range(count) if pending >> lane & 1 and lanes.second[lane] == np.inf)
    add_noise(union.rows, union.rows.twins, union.k, lanes.stats, noisy, lanes.v)
    starts = [(lanes.v[lane : union.k * WIDTH : WIDTH].copy(), float(lanes.second[lane])) for lane in range(count)]
    lanes.theta[:] = 0.0
    lanes.steps[:] = 0
    lanczos_lanes(*local, union.k, lanes, TOLERANCE, pending, np.full(1, cancel, np.uint8))
    return lanes.theta[:count].copy(), lanes.steps[:count].copy(), starts


def solve_alone(union: Union, start: np.ndarray, second: float) -> tuple[float, int]:
    rows, degree = union.rows, union.rows.degree[: union.k * WIDTH : WIDTH].copy()
    value, steps = lanczos_one(rows.ptr, rows.columns, rows.weights, degree, start.copy(), second, TOLERANCE)
    return float(value), int(steps)


def union_of(graph: Graph, nodes: list[int], radius: int, kind: str = "plain") -> Union:
    graph = weighted_copy(graph, seed=3) if kind == "weights" else graph
    return union_of_balls(graph, nodes, radius, weighted=kind == "weights", collapsed=kind == "twins")


def check(graph: Graph, nodes: list[int], radius: int, kind: str = "plain") -> None:
    union = union_of(graph, nodes, radius, kind)
    values, steps, _ = solve(union)
    for lane, matrix in enumerate(union.matrices):
        # A clique is one row; whoever asks for its eigenvalue has been told before that one node is joined to all.
        if matrix.any() and (kind != "twins" or union.fact(LARGEST)[lane] + 1.0 < union.fact(NODES)[lane]):
            largest = np.linalg.eigvalsh(oracles.laplacian(matrix))[-1]
            assert abs(values[lane] - largest) <= 1e-9 * largest
            assert 1 <= steps[lane] <= 2 * union.k + 64
        elif kind != "twins":
            assert values[lane] == 0.0


@every_graph
@every_kind
def test_eight_balls_against_dense_eigenvalues(name: str, kind: str) -> None:
    for radius in (2, 3) if kind == "twins" else (1, 2, 4):
        for nodes in groups(ALL[name], 8, seed=radius)[:4]:
            check(ALL[name], nodes, radius, kind)


@every_graph
@every_kind
def test_one_ball_has_the_same_bits_as_one_of_eight(name: str, kind: str) -> None:
    for nodes in groups(ALL[name], 8, seed=5)[:4]:
        values, steps, _ = solve(union_of(ALL[name], nodes, 3, kind))
        for lane, node in enumerate(nodes):
            alone = union_of(ALL[name], [node], 3, kind)
            if not alone.matrices[0].any():
                continue
            own_value, own_steps, [(start, second)] = solve(alone)
            assert (values[lane], steps[lane]) == (own_value[0], own_steps[0])
            if kind != "twins":
                assert solve_alone(alone, start, second) == (values[lane], steps[lane])


def test_steps_beyond_those_checked_each_time() -> None:
    """A ball whose iteration takes well over forty steps, where the Ritz value is computed now and then."""
    graph = synthetic.cycle(400)
    union = union_of_balls(graph, [0], 150)
    values, steps, [(start, second)] = solve(union)
    assert steps[0] > 100
    assert values[0] == pytest.approx(2 - 2 * np.cos(np.pi * 300 / 301), rel=1e-10)
    assert solve_alone(union, start, second) == (values[0], steps[0])


def test_lanes_of_very_different_length() -> None:
    """A lane that ends at once beside one that takes long, each as on its own."""
    graph = synthetic.barbell(8, 120)
    nodes = [0, 60, 68, 70, 8, 9, 10, 127]
    values, steps, _ = solve(union_of_balls(graph, nodes, 50))
    assert steps.min() <= 20
    assert steps.max() > 40
    for lane, node in enumerate(nodes):
        own_value, own_steps, _ = solve(union_of_balls(graph, [node], 50))
        assert (values[lane], steps[lane]) == (own_value[0], own_steps[0])


@for_each("leaves", [3, 5, 8, 20])
def test_hubs_that_tie_or_nearly_so(leaves: int) -> None:
    """The gap below the top shrinks tenfold with every step between the hubs, from 1e-1 to 1e-8 of it.

    Closer eigenvalues count as one: the error is then at most their distance.
    """
    for distance in range(1, 14):
        graph = tied_hubs(leaves, distance)
        check(graph, [distance // 2, 0, distance], distance)


def test_a_set_flag_ends_the_iteration_at_once() -> None:
    _, steps, _ = solve(union_of_balls(synthetic.cycle(400), [0, 7], 150), cancel=True)
    assert steps.tolist() == [1, 1]


@for_each("radius", range(1, 61))
def test_balls_of_a_long_path(radius: int) -> None:
    """A path of k nodes has the largest eigenvalue 2 - 2 cos(pi (k - 1) / k)."""
    union = union_of_balls(synthetic.path(200), list(range(67, 75)), radius)
    values, _, _ = solve(union)
    k = 1 + 2 * radius
    assert np.allclose(values, 2.0 - 2.0 * np.cos(np.pi * (k - 1) / k), rtol=1e-10, atol=0.0)
