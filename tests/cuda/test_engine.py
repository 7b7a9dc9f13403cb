"""The kernels for GPUs, on a GPU where there is one, and thread by thread on the CPU: they agree with the CPU."""

from __future__ import annotations

import numpy as np
import pytest

from tests import generators
from tests.cases import for_each
from tests.cuda import emulated_cupy
from tests.graphs import ZOO, blown_up, directed_copy, disjoint_union, tied_hubs, weighted_copy
from vnestruct import Graph, embed
from vnestruct.embedding.backends import cuda
from vnestruct.embedding.plan import plan_ranked, rank_graph
from vnestruct.graph import synthetic
from vnestruct.io import read_vng, write_graph
from vnestruct.kernels.cuda import DeviceGraph, balls, radius_one
from vnestruct.kernels.workspace import Request

KINDS = ("unscaled", "sizes", "quadratic", "approx")
every_kernel = for_each("which", ["warps", "blocks"])


@pytest.fixture(params=["emulated", "gpu"], autouse=True)
def device(request):
    """Each test runs on both, or on the emulated one alone."""
    request.getfixturevalue(request.param)
    return request.param


def check(graph: Graph, radius: int, **options: object) -> np.ndarray:
    found, expected = embed(graph, radius, engine="cuda", **options), embed(graph, radius, **options)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    return found


def kernels_for(monkeypatch, which):
    """Send every ball to the kernels with a warp a ball, or to those with a block a ball."""
    if which == "blocks":
        monkeypatch.setattr(balls, "SMALL", tuple(small._replace(most_cost=-1.0) for small in balls.SMALL))


@every_kernel
@for_each("name", ZOO)
def test_zoo(monkeypatch, name, which):
    kernels_for(monkeypatch, which)
    check(ZOO[name], 2)
    for graph, options in (
        (ZOO[name], {"radius": 1}),
        (directed_copy(ZOO[name], seed=4, weighted=True), {"radius": 3, "direction": "out"}),
        (directed_copy(ZOO[name], seed=3, weighted=True), {"radius": 2, "direction": "in", "weighted": True}),
        (weighted_copy(ZOO[name], seed=2), {"radius": 2, "weighted": True}),
    ):
        if name in ("empty", "isolated nodes", "power law", "disconnected", "friendship"):
            check(graph, kind=KINDS, **options)


@every_kernel
def test_one_row_stands_for_twins(monkeypatch, which):
    """Joined and not joined, as centre, hub and neighbour, few and many, and in a component that is all twins."""
    kernels_for(monkeypatch, which)
    base = generators.barabasi_albert(14, 2, seed=1)
    graphs = [blown_up(base, seed=seed, largest=largest) for seed, largest in ((1, 4), (2, 9), (3, 30))]
    graphs += [disjoint_union(graphs[0], generators.clique(5), generators.complete_bipartite(3, 4)), tied_hubs(40, 3)]
    for graph in graphs:
        check(graph, 3, kind=KINDS)


@every_kernel
def test_rows_of_twins_are_gone(monkeypatch, which):
    """A star of stars: the ball of its middle has one row per star and one for its leaves."""
    kernels_for(monkeypatch, which)
    graph = generators.balanced_tree(9, 2)
    plan = plan_ranked(rank_graph(graph), reduce_leaves=True, collapse=True)
    first = np.zeros((graph.n_nodes, 1))
    on_device = DeviceGraph(plan.graph, plan.search, plan.components, first)
    assert on_device.most_arcs[-1] == 36
    [hub] = plan.rank[[1]]
    work = np.array([hub], np.int32)
    request = Request(2, 2, np.array([3, 4, 6]), True, 1.0, 1e-10)
    rows, left = balls.fill_rows(on_device, work, np.ones(1), request)
    # The ball has the 9 leaves of the hub, the middle, and the 8 other hubs, one row each but for the leaves.
    laplacian = np.diag([9.0, 10.0] + 8 * [1.0] + 9 * [1.0])
    laplacian[0, 2:10] = laplacian[2:10, 0] = -1.0
    laplacian[1, 10:] = laplacian[10:, 1] = -1.0
    laplacian[0, 1] = laplacian[1, 0] = -1.0
    assert not left.size
    np.testing.assert_allclose(rows[0, 1::2], [19, 18, np.linalg.eigvalsh(laplacian)[-1]], rtol=1e-10)


def test_twins_in_a_file_are_followed_one_by_one(tmp_path):
    graph = blown_up(generators.barabasi_albert(14, 2, seed=1), seed=1)
    write_graph(graph, tmp_path / "graph.vng")
    found = embed(read_vng(tmp_path / "graph.vng"), 2, engine="cuda", max_memory="1G")
    np.testing.assert_allclose(found, embed(graph, 2), rtol=0, atol=1e-9)


def only_emulated(device):
    if device == "gpu":
        pytest.skip("an emulated device has as little memory as a test wants")


def test_a_graph_that_does_not_fit_goes_to_the_cpu(device):
    only_emulated(device)
    graph = blown_up(generators.barabasi_albert(14, 2, seed=1), seed=1)
    check(graph, 2)
    emulated_cupy.make_module(free_bytes=100)
    with pytest.warns(RuntimeWarning, match="computed on the CPU"):
        assert np.array_equal(embed(graph, 2, engine="cuda"), embed(graph, 2))


def test_long_rows_take_several_tables(monkeypatch):
    """A clique of 60 has upward rows that fill tables of 32 slots several times."""
    monkeypatch.setattr(radius_one, "SHORT_ROW", 4)
    monkeypatch.setattr(radius_one, "_LONG_SLOTS", 32)
    monkeypatch.setattr(radius_one, "_SHORT_SLOTS", 32)
    check(synthetic.clique(60), 1)


def test_balls_are_handed_on(monkeypatch):
    """Estimates that are far too low change nothing: each ball finds a kernel that has room for it."""
    monkeypatch.setattr(balls, "SMALL", (balls.Small(1e9, 16, 64, 32), balls.Small(1e9, 32, 128, 32)))
    check(synthetic.barabasi_albert(60, 3, seed=2), 2)


def test_little_memory_makes_fewer_blocks(monkeypatch, device):
    only_emulated(device)
    kernels_for(monkeypatch, "blocks")
    emulated_cupy.make_module(free_bytes=60_000)
    check(synthetic.barabasi_albert(60, 3, seed=2), 2)


def test_too_little_memory_goes_to_the_cpu(monkeypatch, device):
    only_emulated(device)
    graph = synthetic.barabasi_albert(60, 3, seed=2)
    kernels_for(monkeypatch, "blocks")
    emulated_cupy.make_module(free_bytes=2_000)
    with pytest.warns(RuntimeWarning, match="do not fit into the memory of the GPU; computed on the CPU"):
        found = embed(graph, 2, engine="cuda")
    assert np.array_equal(found, embed(graph, 2))


def test_the_same_bits_however_work_is_cut_and_kept(monkeypatch, tmp_path):
    graph = ZOO["barabasi albert"]
    first = embed(graph, 2, engine="cuda", checkpoint=tmp_path)
    assert np.array_equal(first, embed(graph, 2, engine="cuda", checkpoint=tmp_path))
    for cost in (50.0, 1e9):
        monkeypatch.setattr(cuda, "MIN_COST", cost)
        assert np.array_equal(first, embed(graph, 2, engine="cuda"))
