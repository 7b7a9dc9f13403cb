"""Kinds that need every eigenvalue on an emulated GPU: against the oracle, the same bits however work is cut."""

from __future__ import annotations

import numpy as np
import pytest

from tests import generators, oracles
from tests.cuda import emulated_cupy
from tests.graphs import ZOO, blown_up, directed_copy, disjoint_union, weighted_copy
from vnestruct import embed
from vnestruct.embedding import tasks
from vnestruct.embedding.backends import cuda
from vnestruct.embedding.plan import plan_ranked, rank_graph
from vnestruct.embedding.tasks import SpectrumTask
from vnestruct.errors import TooLargeError
from vnestruct.execute import Block, Cancelled
from vnestruct.kernels.cuda import Spectra, device, spectra

KINDS = ("exact", "normalized", "punctured")


@pytest.fixture(autouse=True)
def small_components(emulated, monkeypatch):
    """Have the device reduce all components but those of a row or two, by blocks of few threads."""
    emulated_cupy.with_small_components(spectra, monkeypatch.setattr)


@pytest.fixture
def reduced(monkeypatch):
    """The sizes of all components that devices reduce."""
    sizes = []
    complete = Spectra.complete

    def counted(self, *arguments):
        sizes.extend(self.collected.places[: self.collected.used[0], 1].tolist())
        complete(self, *arguments)

    monkeypatch.setattr(Spectra, "complete", counted)
    return sizes


def check(graph, radius, kind, **options):
    found = embed(graph, radius, kind=kind, engine="cuda", n_jobs=2, **options)
    np.testing.assert_allclose(found, oracles.signature(graph, radius, kind, **options), rtol=0, atol=1e-9)
    np.testing.assert_allclose(found, embed(graph, radius, kind=kind, **options), rtol=0, atol=1e-10)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_zoo(kind, reduced):
    for graph in ZOO.values():
        check(graph, 3, kind)
    assert len(reduced) > 800
    assert min(reduced) == 3
    assert max(reduced) > 30


@pytest.mark.parametrize("kind", KINDS)
def test_weights_and_directions(kind, reduced):
    for name in ("disconnected", "clique", "star", "balanced bipartite", "caterpillar", "erdos renyi"):
        check(weighted_copy(ZOO[name], seed=2), 2, kind, weighted=True)
        graph = directed_copy(ZOO[name], seed=3, weighted=True)
        for direction, weighted in (("out", False), ("in", True), ("out+in", True)):
            check(graph, 3, kind, direction=direction, weighted=weighted)
    assert reduced


@pytest.mark.parametrize("kind", KINDS)
def test_twins_and_components(kind, reduced):
    base = generators.barabasi_albert(14, 2, seed=1)
    union = disjoint_union(base, generators.clique(5), generators.complete_bipartite(3, 4), generators.path(9))
    for graph in (blown_up(base, seed=1, largest=9), blown_up(union, seed=2)):
        check(graph, 2, kind)
    assert reduced


def test_tiny_eigenvalues(reduced):
    """A path has eigenvalues near 0, of the square of its inverse length; weights make some smaller still."""
    path = generators.path(130)
    for graph, options in ((path, {}), (weighted_copy(path, seed=1), {"weighted": True})):
        for kind in KINDS:
            found = embed(graph, 80, kind=kind, engine="cuda", nodes=[1], **options)
            np.testing.assert_allclose(found, embed(graph, 80, kind=kind, nodes=[1], **options), rtol=0, atol=1e-10)
    assert max(reduced) == 82


def test_the_same_bits_however_work_is_cut(monkeypatch, reduced):
    """By threads, blocks, devices, batches, squares in shared or global memory, and the blocks that share a square."""
    graph = disjoint_union(ZOO["barabasi albert"], ZOO["power law"], ZOO["grid"])
    embedded = lambda **options: embed(graph, 3, kind="exact", engine="cuda", **options)  # noqa: E731
    expected = embedded(n_jobs=1)
    n_whole = len(reduced)
    assert np.array_equal(expected[::7], embedded(nodes=range(0, graph.n_nodes, 7)))
    emulated_cupy.make_module(n_devices=2)
    monkeypatch.setattr(cuda, "LARGER_BLOCKS", 1)
    assert np.array_equal(expected, embedded(n_jobs=3))
    # Room for the components of one node, or not even for those: then it grows.
    monkeypatch.setattr(spectra, "_ROWS", 64)
    monkeypatch.setattr(spectra, "_ARCS", 300)
    reduced.clear()
    assert np.array_equal(expected, embedded(n_jobs=2))
    assert len(reduced) == n_whole
    monkeypatch.setattr(spectra, "_OTHER_SHARED", 232_448 - 7_000)
    assert np.array_equal(expected, embedded(n_jobs=1))
    monkeypatch.setattr(spectra, "ROWS_PER_BLOCK", 16)
    assert np.array_equal(expected, embedded(n_jobs=2))


@pytest.mark.parametrize(("threads", "n_inside"), [(32, 1), (64, 1), (64, 0)])
def test_tridiagonal_forms_have_the_eigenvalues(threads, n_inside):
    """Dense, diagonal, and with rows that need no reflection; by one block and by several."""
    chance = np.random.default_rng(1)
    dense = chance.normal(size=(70, 70))
    matrices = [dense + dense.T, np.diag(chance.normal(size=5)), np.ones((1, 1)), np.kron(np.eye(9), dense[:3, :3])]
    matrices[-1] = matrices[-1] + matrices[-1].T
    for matrix in matrices:
        n = len(matrix)
        row, column = np.nonzero(matrix - np.diag(np.diag(matrix)))
        ptr = np.searchsorted(row, np.arange(n + 1)).astype(np.int64)
        kernel = device.compiled(0, "tridiagonal.cu", "tridiagonalise", BLOCK_THREADS=threads, IN_SHARED=n_inside)
        kernel.max_dynamic_shared_size_bytes = shared = spectra._shared_bytes(n, threads, bool(n_inside))
        for blocks in (1,) if n_inside else (1, 2, 3):
            queue, diagonal, off = np.array([[0, n, 0, 0]]), np.diag(matrix).copy(), np.zeros(n)
            arrays = queue, ptr, column.astype(np.int32), matrix[row, column], np.empty(n * n + 2 * n), diagonal, off
            on_device = [emulated_cupy.asarray(array) for array in (*arrays, np.zeros(1, np.uint8))]
            kernel((1, blocks), (threads,), tuple(on_device), shared_mem=shared)
            diagonal, off = on_device[5].get(), on_device[6].get()[: n - 1]
            found = np.linalg.eigvalsh(np.diag(diagonal) + np.diag(off, 1) + np.diag(off, -1))
            np.testing.assert_allclose(found, np.linalg.eigvalsh(matrix), rtol=0, atol=1e-12)


def test_too_little_memory_goes_to_the_cpu():
    graph = ZOO["power law"]
    emulated_cupy.make_module(free_bytes=10)
    with pytest.warns(RuntimeWarning, match="balls do not fit into the memory of the GPU; computed on the CPU"):
        found = embed(graph, 2, kind="exact", engine="cuda")
    assert np.array_equal(found, embed(graph, 2, kind="exact"))


def test_components_beyond_the_limits(monkeypatch, reduced):
    """Those that are too large for a device go to the CPU, and those too large for that are refused."""
    graph = ZOO["grid"]
    expected = embed(graph, 4, kind="exact")
    monkeypatch.setattr(spectra, "MOST_ROWS", 20)
    np.testing.assert_allclose(embed(graph, 4, kind="exact", engine="cuda"), expected, rtol=0, atol=1e-10)
    assert max(reduced) <= 20
    monkeypatch.setattr(tasks, "EXACT_LIMIT", 2)
    with pytest.raises(TooLargeError, match="needs all eigenvalues of a ball; one around node"):
        embed(graph, 4, kind="exact", engine="cuda")


def spectrum_task(graph, radius):
    plan = plan_ranked(rank_graph(graph), reduce_leaves=True)
    work = plan.in_order(plan.required(np.ones(graph.n_nodes, bool)))
    return SpectrumTask(graph, plan, work, radius, ("exact",))


def test_work_can_be_stopped(monkeypatch):
    """While the device works, which sees it too."""
    task = cuda.DeviceTask(spectrum_task(ZOO["barabasi albert"], 2), np.ones(40))
    state, cancel = task.scratch(), np.zeros(1, np.uint8)

    def stop(flag, is_cancelled):
        assert not is_cancelled()
        cancel[0] = 1
        assert is_cancelled()

    monkeypatch.setattr(spectra, "wait", stop)
    with pytest.raises(Cancelled):
        task(Block(0, 0, 8, 1.0), state, cancel)
    assert not state.spectra.collected.used.any()


def test_a_cancelled_kernel_stops():
    cells = np.full(100 * 102, 7.0)
    queue, ptr = np.array([[0, 100, 0, 0]]), np.zeros(101, np.int64)
    kernel = device.compiled(0, "tridiagonal.cu", "tridiagonalise", BLOCK_THREADS=64, IN_SHARED=0)
    arrays = queue, ptr, np.empty(0, np.int32), np.empty(0), cells, np.arange(100.0), np.full(100, 7.0)
    on_device = [emulated_cupy.asarray(array) for array in (*arrays, np.ones(1, np.uint8))]
    kernel((1, 2), (64,), tuple(on_device), shared_mem=spectra._shared_bytes(100, 64, False))
    assert (on_device[6][:64] == 7.0).all()
    assert (on_device[6][64:99] != 7.0).any()


def test_several_kinds_and_a_checkpoint(tmp_path):
    graph, kinds = ZOO["barabasi albert"], ("exact", "approx", "punctured")
    first = embed(graph, 2, kind=kinds, engine="cuda", checkpoint=tmp_path)
    np.testing.assert_allclose(first, embed(graph, 2, kind=kinds), rtol=0, atol=1e-9)
    assert np.array_equal(first, embed(graph, 2, kind=kinds, engine="cuda", checkpoint=tmp_path))
