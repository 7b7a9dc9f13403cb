"""Planning on an emulated device: the leaders, copies and costs of the CPU, whatever hashes do."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import generators
from tests.cases import for_each
from tests.cuda import emulated_cupy
from tests.cuda.planning import check_plans, found_by, ranked_on, same
from tests.graphs import ZOO, blown_up, disjoint_union, graph_strategy
from vnestruct import embed
from vnestruct.embedding import plan as planning
from vnestruct.embedding.backends import cuda
from vnestruct.embedding.plan import plan_ranked
from vnestruct.kernels.cuda import DeviceRows, rows

BASE = generators.barabasi_albert(14, 2, seed=1)
GRAPHS = ZOO | {
    "blown up": blown_up(BASE, seed=2, largest=9),
    "blown up twice": disjoint_union(blown_up(BASE, seed=3), generators.clique(7), generators.complete_bipartite(3, 4)),
    "tree": generators.balanced_tree(5, 3),
    "cliques": disjoint_union(*(generators.clique(size) for size in (2, 3, 9))),
    "multipartite": generators.complete_multipartite([3] * 20),
    "long path": generators.path(300),
}


@pytest.fixture
def every_twin_counts(monkeypatch):
    monkeypatch.setattr(planning, "_FEW_TWINS", 0.0)
    monkeypatch.setattr(planning, "_FEW_NODES", 0)


@for_each("name", sorted(name for name, graph in GRAPHS.items() if graph.indices.size))
@pytest.mark.usefixtures("emulated", "every_twin_counts")
def test_plans_are_those_of_the_cpu(name):
    check_plans(GRAPHS[name])


@pytest.mark.usefixtures("emulated", "every_twin_counts")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(graph_strategy(max_nodes=9, min_nodes=2), st.integers(0, 99))
def test_plans_of_random_graphs(graph, seed):
    for one in (graph, blown_up(graph, seed=seed, largest=3)):
        if one.indices.size:
            check_plans(one)


@for_each("n_words", [1, 2, 5])
@for_each("name", ["blown up", "blown up twice", "tree", "multipartite", "cycle", "disconnected"])
@pytest.mark.usefixtures("emulated", "every_twin_counts")
def test_hashes_that_collide_leave_twins_to_the_cpu(monkeypatch, name, n_words):
    """With few words most sums are equal by chance: no device answer may be wrong, and most are none at all."""
    graph = GRAPHS[name]
    monkeypatch.setattr(rows, "mix", SimpleNamespace(py_func=lambda nodes: nodes % np.uint64(n_words)))
    device = DeviceRows(graph.indptr, graph.indices)
    assert device.twins(leaves=True) is None
    plans = [
        plan_ranked(ranked, reduce_leaves=True, collapse=True)
        for ranked in (ranked_on(device, graph), ranked_on(None, graph))
    ]
    same(*map(found_by, plans))


def test_a_part_of_a_neighbourhood_is_not_all_of_it(emulated, monkeypatch):
    """In a path, one end collides with the node two steps away, which has its neighbour and one more, of hash 0."""
    path = generators.path(4)
    device = DeviceRows(path.indptr, path.indices)
    assert device.node.tolist() == [1, 2, 0, 3]
    assert device.twins(leaves=True) is not None
    words = emulated.asarray(np.array([5, 70, 900, 0], np.uint64))
    monkeypatch.setattr(rows, "mix", SimpleNamespace(py_func=lambda nodes: words[nodes]))
    assert device.twins(leaves=True) is None


def test_running_sums_may_overflow(emulated):
    device = DeviceRows(GRAPHS["tree"].indptr, GRAPHS["tree"].indices)
    values = emulated.asarray(
        np.full(device.rank.size, 1 << 63, np.uint64) + np.arange(device.rank.size, dtype=np.uint64)
    )
    rows = device.rows
    expected = [sum(values[rows.indices[a:b]].tolist()) % (1 << 64) for a, b in pairwise(rows.indptr)]
    assert device._sums(values).tolist() == expected


def test_without_memory_the_cpu_plans(emulated, monkeypatch):
    """There is room for the rows, but not for anything else."""
    graph = GRAPHS["blown up"]
    device = DeviceRows(graph.indptr, graph.indices)

    def full(*arguments, **options):
        raise emulated_cupy.OutOfMemoryError("Out of memory")

    for name in ("arange", "zeros", "ones"):
        monkeypatch.setattr(emulated, name, full)
    assert device.twins(leaves=True) is device.ball_costs(None, 2) is None
    plans = [plan_ranked(ranked_on(one, graph), reduce_leaves=True, collapse=True) for one in (device, None)]
    same(*map(found_by, plans))


def test_what_is_known_to_a_device_is_not_copied_again(emulated, monkeypatch):
    graph = GRAPHS["blown up"]
    device = DeviceRows(graph.indptr, graph.indices)
    plan = plan_ranked(ranked_on(device, graph)._replace(graph=device.rows), reduce_leaves=True, collapse=True)
    copied = []
    monkeypatch.setattr(emulated, "asarray", lambda array: copied.append(array))
    first = np.zeros((graph.n_nodes, 1))
    for array in (plan.graph.indptr, plan.graph.indices, plan.graph.split, plan.graph.copies):
        assert np.array_equal(device.upload(array), array)
    assert not copied
    device.upload(first)
    monkeypatch.setattr(emulated.cuda, "Device", lambda: SimpleNamespace(id=1))
    device.upload(plan.graph.indices)
    assert copied[0] is first
    assert copied[1] is plan.graph.indices


def test_device_memory_is_free_after_the_run(emulated, monkeypatch):
    monkeypatch.setattr(cuda, "RANKED_ABOVE_ARCS", 1)
    made = []

    class Watched(DeviceRows):
        def __init__(self, *arcs):
            super().__init__(*arcs)
            made.append(weakref.ref(self))

    monkeypatch.setattr(cuda.kernels, "DeviceRows", Watched)
    graph = GRAPHS["blown up"]
    np.testing.assert_allclose(embed(graph, 2, engine="cuda"), embed(graph, 2), rtol=0, atol=1e-9)
    gc.collect()
    assert [one() for one in made] == [None]
