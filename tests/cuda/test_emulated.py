"""The kernels for GPUs, run thread by thread on the CPU: what they compute, and what happens when memory is short."""

from __future__ import annotations

import numpy as np
import pytest

from tests.cuda import emulated_cupy
from tests.graphs import ZOO, directed_copy, weighted_copy
from vnestruct import embed
from vnestruct.graph import synthetic
from vnestruct.kernels.cuda import balls, radius_one


def kernels_for(monkeypatch, which):
    """Send every ball to the kernels with a warp a ball, or to those with a block a ball."""
    if which == "blocks":
        monkeypatch.setattr(balls, "SMALL", tuple(small._replace(most_cost=-1.0) for small in balls.SMALL))


@pytest.mark.parametrize("which", ["warps", "blocks"])
@pytest.mark.parametrize("name", ZOO)
def test_zoo(emulated, monkeypatch, name, which):
    kernels_for(monkeypatch, which)
    np.testing.assert_allclose(embed(ZOO[name], 2, engine="cuda"), embed(ZOO[name], 2), rtol=0, atol=1e-9)


@pytest.mark.parametrize("which", ["warps", "blocks"])
@pytest.mark.parametrize("direction", ["out", "in"])
@pytest.mark.parametrize("weighted", [False, True])
def test_weights_and_directions(emulated, monkeypatch, weighted, direction, which):
    kernels_for(monkeypatch, which)
    graph = directed_copy(ZOO["power law"], seed=4, weighted=True)
    options = {"radius": 2, "weighted": weighted, "direction": direction}
    np.testing.assert_allclose(embed(graph, engine="cuda", **options), embed(graph, **options), rtol=0, atol=1e-9)


def test_weights_over_six_orders(emulated):
    graph = weighted_copy(ZOO["erdos renyi"], seed=2)
    np.testing.assert_allclose(
        embed(graph, 2, weighted=True, engine="cuda"), embed(graph, 2, weighted=True), rtol=0, atol=1e-9
    )


@pytest.mark.parametrize("which", ["warps", "blocks"])
def test_all_outputs_in_one_pass(emulated, monkeypatch, which):
    kernels_for(monkeypatch, which)
    kinds = ("unscaled", "parts", "quadratic", "approx")
    for name in ("empty", "isolated nodes", "power law", "disconnected", "friendship"):
        for graph in (ZOO[name], directed_copy(ZOO[name], seed=3, weighted=True)):
            options = {"kind": kinds, "weighted": graph.directed, "direction": "out" if graph.directed else "all"}
            for radius in (1, 3):
                found = embed(graph, radius, engine="cuda", **options)
                np.testing.assert_allclose(found, embed(graph, radius, **options), rtol=1e-9, atol=1e-9, err_msg=name)


def test_radius_one_and_quadratic(emulated):
    for graph in (ZOO["empty"], ZOO["isolated nodes"], ZOO["barabasi albert"], ZOO["friendship"]):
        for kind in ("approx", "quadratic"):
            for radius in (1, 2):
                found = embed(graph, radius, kind=kind, engine="cuda")
                np.testing.assert_allclose(found, embed(graph, radius, kind=kind), rtol=0, atol=1e-9)


def test_long_rows_take_several_tables(emulated, monkeypatch):
    """A clique of 60 has upward rows that fill tables of 32 slots several times."""
    monkeypatch.setattr(radius_one, "SHORT_ROW", 4)
    monkeypatch.setattr(radius_one, "_LONG_SLOTS", 32)
    monkeypatch.setattr(radius_one, "_SHORT_SLOTS", 32)
    graph = synthetic.clique(60)
    np.testing.assert_allclose(embed(graph, 1, engine="cuda"), embed(graph, 1), rtol=0, atol=1e-12)


def test_balls_are_handed_on(emulated, monkeypatch):
    """Estimates that are far too low change nothing: each ball finds a kernel that has room for it."""
    graph = synthetic.barabasi_albert(60, 3, seed=2)
    expected = embed(graph, 2)
    monkeypatch.setattr(balls, "SMALL", (balls.Small(1e9, 16, 64, 32), balls.Small(1e9, 32, 128, 32)))
    np.testing.assert_allclose(embed(graph, 2, engine="cuda"), expected, rtol=0, atol=1e-9)


def test_little_memory_makes_fewer_blocks(emulated, monkeypatch):
    graph = synthetic.barabasi_albert(60, 3, seed=2)
    kernels_for(monkeypatch, "blocks")
    emulated_cupy.make_module(free_bytes=60_000)
    np.testing.assert_allclose(embed(graph, 2, engine="cuda"), embed(graph, 2), rtol=0, atol=1e-9)


def test_too_little_memory_goes_to_the_cpu(emulated, monkeypatch):
    graph = synthetic.barabasi_albert(60, 3, seed=2)
    kernels_for(monkeypatch, "blocks")
    emulated_cupy.make_module(free_bytes=2_000)
    with pytest.warns(RuntimeWarning, match="do not fit into the memory of the GPU; computed on the CPU"):
        found = embed(graph, 2, engine="cuda")
    assert np.array_equal(found, embed(graph, 2))


def test_the_same_bits_however_work_is_cut(emulated, monkeypatch):
    from vnestruct.embedding.backends import cuda

    monkeypatch.setattr(cuda, "LEAST_COST", 50.0)
    graph = ZOO["barabasi albert"]
    alone = embed(graph, 2, engine="cuda")
    monkeypatch.setattr(cuda, "LEAST_COST", 1e9)
    assert np.array_equal(alone, embed(graph, 2, engine="cuda"))


def test_checkpoint(emulated, tmp_path):
    graph = ZOO["barabasi albert"]
    first = embed(graph, 2, engine="cuda", checkpoint=tmp_path)
    assert np.array_equal(first, embed(graph, 2, engine="cuda", checkpoint=tmp_path))
