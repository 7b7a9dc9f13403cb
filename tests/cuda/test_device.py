"""The engine on a real GPU: it agrees with the CPU, and with itself. Skipped where there is none."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from tests import generators as synthetic
from tests.graphs import directed_copy, random_graphs, tied_hubs, weighted_copy
from vnestruct import embed
from vnestruct.graph import Graph
from vnestruct.kernels.cuda import balls

pytestmark = pytest.mark.usefixtures("gpu")

AGREEMENT = 1e-7
REAL = {"ca-GrQc": 3, "email-Eu-core": 2, "moscow-roads": 3, "facebook_combined": 2, "email-Enron": 2, "dblp-2010": 2}


def check(graph: Graph, radius: int, **options: object) -> np.ndarray:
    found = embed(graph, radius, engine="cuda", **options)
    np.testing.assert_allclose(found, embed(graph, radius, **options), rtol=0, atol=AGREEMENT)
    return found


def test_random_graphs():
    for _, graph in random_graphs(30, seed=9):
        check(graph, 3)


@pytest.mark.parametrize("leaves", [8, 40, 300, 3_000])
@pytest.mark.parametrize("distance", [1, 2, 3, 4])
def test_near_degenerate_balls(leaves, distance):
    """Two equal hubs: the two largest eigenvalues agree to many digits."""
    check(tied_hubs(leaves, distance), 4)


def test_long_iterations():
    """Paths, cycles and grids have crowded spectra; a ball of radius 60 needs hundreds of steps."""
    for graph in (synthetic.path(300), synthetic.cycle(400), synthetic.grid(12, 40)):
        check(graph, 60)


@pytest.mark.parametrize("name", REAL)
def test_real_graphs(name, real_graph):
    graph = real_graph(name)
    chance = np.random.default_rng(5)
    nodes = graph.nodes[chance.choice(graph.n_nodes, min(graph.n_nodes, 4_000), replace=False)]
    check(graph, REAL[name], nodes=nodes)


@pytest.mark.parametrize("direction", ["all", "out", "in", "out+in"])
@pytest.mark.parametrize("weighted", [False, True])
def test_weights_and_directions(direction, weighted):
    graph = synthetic.barabasi_albert(3_000, 4, seed=7)
    check(directed_copy(graph, 3, weighted), 2, direction=direction, weighted=weighted)
    check(weighted_copy(graph, 3), 2, weighted=True, kind=["quadratic", "approx"], aggregate="mean")


def test_the_same_bits_however_work_is_cut(monkeypatch):
    from vnestruct.embedding.backends import cuda

    graph = synthetic.barabasi_albert(5_000, 5, seed=1)
    first = embed(graph, 3, engine="cuda")
    some = np.arange(0, 5_000, 7)
    assert np.array_equal(first[some], embed(graph, 3, nodes=some, engine="cuda"))
    for cost in (cuda.MIN_COST, 1e4):
        monkeypatch.setattr(cuda, "MIN_COST", cost)
        assert np.array_equal(first, embed(graph, 3, engine="cuda"))


def test_more_nodes_than_two_bytes_number():
    graph = synthetic.barabasi_albert(80_000, 3, seed=1)
    nodes = np.arange(0, 80_000, 200)
    check(graph, 4, nodes=nodes)
    check(synthetic.watts_strogatz(200_000, 6, 0.1, seed=2), 2, nodes=nodes)


def test_little_memory(monkeypatch):
    """With less memory there are fewer blocks, and balls are handed on to blocks that have more; the result stays."""
    graph = synthetic.barabasi_albert(20_000, 8, seed=1)
    nodes = np.arange(0, 20_000, 20)
    expected = embed(graph, 3, nodes=nodes)
    monkeypatch.setattr(balls, "_FEW_ARCS", 1 << 10)
    for share in (1e-3, 1e-4):
        monkeypatch.setattr(balls, "_MEMORY_SHARE", share)
        np.testing.assert_allclose(embed(graph, 3, nodes=nodes, engine="cuda"), expected, rtol=0, atol=AGREEMENT)


def test_no_memory_at_all(monkeypatch):
    graph = synthetic.barabasi_albert(2_000, 8, seed=1)
    monkeypatch.setattr(balls, "_MEMORY_SHARE", 1e-7)
    with pytest.warns(RuntimeWarning, match="computed on the CPU"):
        found = embed(graph, 2, engine="cuda")
    np.testing.assert_allclose(found, embed(graph, 2), rtol=0, atol=AGREEMENT)


def test_work_can_be_stopped():
    """Closing the generator of an engine in the middle ends the kernels that run."""
    from vnestruct.embedding.backends.cuda import DeviceTask
    from vnestruct.embedding.plan import plan_ranked, rank_graph
    from vnestruct.embedding.tasks import BallTask
    from vnestruct.execute import ThreadsEngine, cut_blocks

    graph = synthetic.barabasi_albert(30_000, 8, seed=1)
    plan = plan_ranked(rank_graph(graph), reduce_leaves=True)
    work = plan.in_order(plan.required(np.ones(graph.n_nodes, bool)))
    costs = plan.costs(work, 3)
    first = np.zeros((graph.n_nodes, 1))
    task = DeviceTask(BallTask(graph, plan, work, 3, ("approx",), 1e-9, first), costs, 1)
    running = ThreadsEngine(1).run(task, cut_blocks(costs, n_workers=1, target=float(costs.sum()) / 200))
    next(running)
    closing = threading.Thread(target=running.close)
    closing.start()
    closing.join(timeout=20)
    assert not closing.is_alive()
