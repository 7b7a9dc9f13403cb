"""Relaxation of drawings: forces balance, nothing depends on the order of calls, levels keep neighbours."""

from __future__ import annotations

import numpy as np
import pytest

from tests.generators import power_law
from vnestruct import Graph
from vnestruct.kernels.forces import relax


def relaxed(graph: Graph, positions: np.ndarray, n_iterations: int = 200) -> np.ndarray:
    moved = positions.copy()
    weights = np.ones(graph.indices.size)
    relax(moved, graph.indptr.astype(np.int64), graph.indices, weights, np.int64(n_iterations), 1.0)
    return moved


def test_two_neighbours_stop_where_attraction_equals_repulsion() -> None:
    graph = Graph([0, 1, 2], [1, 0])
    for gap in (0.2, 1.5, 30.0):
        moved = relaxed(graph, np.array([[0.0, 0.0], [gap, 0.0]]))
        distance = float(np.linalg.norm(moved[1] - moved[0]))
        # 0.9 d = d (1 / (d^2 + 0.05) - 1 / (4 + 0.05))
        assert pytest.approx(1 / (distance**2 + 0.05) - 1 / 4.05, rel=0.02) == 0.9, gap


def test_distant_strangers_stay_where_they_are() -> None:
    graph = Graph([0, 0, 0], [])
    places = np.array([[0.0, 0.0], [3.0, 0.0]])
    np.testing.assert_array_equal(relaxed(graph, places), places)


def test_nodes_at_one_place_do_not_become_nan_and_a_crowd_spreads() -> None:
    graph = power_law(400, 2.3, seed=1)
    assert np.isfinite(relaxed(graph, np.zeros((400, 2)))).all()
    places = np.random.default_rng(0).normal(size=(400, 2))
    moved = relaxed(graph, places)
    np.testing.assert_array_equal(moved, relaxed(graph, places))
    gaps = np.linalg.norm(moved[:, None] - moved[None], axis=2) + 1e9 * np.eye(400)
    before = np.linalg.norm(places[:, None] - places[None], axis=2) + 1e9 * np.eye(400)
    assert np.median(gaps.min(axis=1)) > 5 * np.median(before.min(axis=1))
