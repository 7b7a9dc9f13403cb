"""The largest eigenvalue by Lanczos, one ball or eight at once, against numpy.linalg.eigvalsh."""

from __future__ import annotations

import numpy as np
import pytest

from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, random_graphs
from tests.kernels.calls import add_noise, lanczos_lanes, second_bounds, start_vector
from tests.kernels.local import Union, groups, union_of
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
LONG = synthetic.cycle(400)


def solve(union: Union, cancel: bool = False) -> tuple[np.ndarray, np.ndarray, list[tuple[np.ndarray, float]]]:
    """Eigenvalues and steps of all lanes with edges, and the start and bound that each lane had."""
    lanes, local, count = union.lanes, union.arguments(), len(union.matrices)
    pending = sum(1 << lane for lane in range(count) if union.fact(LARGEST)[lane] > 0.0)
    second_bounds(*local, union.k, lanes, pending)
    lanes.v[: union.k * WIDTH] = 0.0
    for lane in range(count):
        if pending >> lane & 1:
            start_vector(*local, lane, lanes.stats, lanes.v)
    noisy = sum(1 << lane for lane in range(count) if pending >> lane & 1 and lanes.second[lane] == np.inf)
    add_noise(local[0], local[2], union.k, lanes.stats, noisy, lanes.v)
    starts = [(lanes.v[lane : union.k * WIDTH : WIDTH].copy(), float(lanes.second[lane])) for lane in range(count)]
    lanes.theta[:] = 0.0
    lanes.steps[:] = 0
    lanczos_lanes(*local, union.k, lanes, TOLERANCE, pending, np.full(1, cancel, np.uint8))
    return lanes.theta[:count].copy(), lanes.steps[:count].copy(), starts


def check_bits(graph: Graph, nodes: list[int], radius: int, kind: str = "plain") -> tuple[np.ndarray, np.ndarray]:
    """Compare each of eight balls with itself alone; return eigenvalues and steps."""
    values, steps, _ = solve(union_of(graph, nodes, radius, kind))
    for lane, node in enumerate(nodes):
        alone = union_of(graph, [node], radius, kind)
        if not alone.matrices[0].any():
            continue
        own_value, own_steps, [(start, second)] = solve(alone)
        assert (values[lane], steps[lane]) == (own_value[0], own_steps[0])
        if kind != "twins":
            rows, degree = alone.space.rows, alone.space.rows.degree[: alone.k * WIDTH : WIDTH].copy()
            plain = lanczos_one(rows.ptr, rows.columns, rows.weights, degree, start, second, TOLERANCE)
            assert plain == (values[lane], steps[lane])
    return values, steps


@for_each("name", ALL)
@for_each("kind", ["plain", "weights", "twins"])
def test_eight_balls(name: str, kind: str) -> None:
    """Against all eigenvalues, and against each ball alone."""
    for radius in (2, 3) if kind == "twins" else (1, 2, 4):
        for nodes in groups(ALL[name], 8, seed=radius)[:4]:
            union = union_of(ALL[name], nodes, radius, kind)
            values, steps, _ = solve(union)
            for lane, matrix in enumerate(union.matrices):
                # A clique is one row; whoever asks for its eigenvalue knows that one node is joined to all.
                if matrix.any() and (kind != "twins" or union.fact(LARGEST)[lane] + 1.0 < union.fact(NODES)[lane]):
                    largest = np.linalg.eigvalsh(oracles.laplacian(matrix))[-1]
                    assert abs(values[lane] - largest) <= 1e-9 * largest
                    assert 1 <= steps[lane] <= 2 * union.k + 64
                elif kind != "twins":
                    assert values[lane] == 0.0
    for nodes in groups(ALL[name], 8, seed=5)[:4]:
        check_bits(ALL[name], nodes, 3, kind)


def test_long_iterations() -> None:
    """Well over forty steps, where the Ritz value is computed now and then; beside a lane that ends at once."""
    values, steps = check_bits(LONG, [0], 150)
    assert steps[0] > 100
    assert values[0] == pytest.approx(2 - 2 * np.cos(np.pi * 300 / 301), rel=1e-10)
    _, steps = check_bits(synthetic.barbell(8, 120), [0, 60, 68, 70, 8, 9, 10, 127], 50)
    assert steps.min() <= 20
    assert steps.max() > 40


def test_a_set_flag_ends_the_iteration_at_once() -> None:
    _, steps, _ = solve(union_of(LONG, [0, 7], 150, "plain"), cancel=True)
    assert steps.tolist() == [1, 1]
