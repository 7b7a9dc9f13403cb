"""GPUs of a cluster: the rows of engine="cuda" from another process, which may be short of memory, broken or killed."""

from __future__ import annotations

import json
import os
import signal
import sys

import numpy as np
import pytest

from tests import generators
from tests.cuda import emulated_cupy
from tests.graphs import ZOO, blown_up, directed_copy, disjoint_union
from tests.ray_gpus import BOTH, DEADLY, FREE_BYTES, NOT_INSTALLED
from tests.ray_tasks import Squares
from vnestruct import embed
from vnestruct.cli import main
from vnestruct.embedding.backends import cuda
from vnestruct.embedding.plan import plan_ranked, rank_graph
from vnestruct.embedding.tasks import BallTask
from vnestruct.errors import CheckpointMismatchError, EngineError, MissingExtraError, ParameterError, TooLargeError
from vnestruct.execute import Block, RayEngine
from vnestruct.execute.ray import engine as engines
from vnestruct.graph import graph_from_ids
from vnestruct.kernels.cuda import spectra

pytest.importorskip("ray", reason="Ray is not installed")

PATH = [(0, 1), (1, 2), (2, 3)]
SOME = ("isolated nodes", "one edge", "disconnected", "grid", "lollipop", "power law", "caterpillar", "twins")
UNION = disjoint_union(*(ZOO[name] for name in SOME))


@pytest.fixture
def many_blocks(monkeypatch):
    """Have work cut into blocks of a few nodes."""
    monkeypatch.setattr(cuda, "LEAST_COST", 40.0)


def on_cluster(graph, radius=2, **options):
    """Embed on the GPUs of the cluster, from a process without CuPy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cupy", None)
        return embed(graph, radius, engine="ray-cuda", **options)


def check(graph, radius=2, **options):
    """Compare with the devices of one machine, bit for bit, and with threads."""
    found = on_cluster(graph, radius, **options)
    threads, devices = embed(graph, radius, **options), embed(graph, radius, engine="cuda", **options)
    np.testing.assert_allclose(found, threads, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(found, devices)
    return found


def test_a_cluster_without_gpus(whole_cluster, monkeypatch):
    def rank(*arguments, **options):
        raise AssertionError("work has begun")

    monkeypatch.setattr("vnestruct.embedding.backends.threads.rank_graph", rank)
    with pytest.raises(EngineError, match="the Ray cluster has no GPU; engine='ray' uses its CPUs"):
        on_cluster(PATH)
    # Triangles are counted by threads of this process, which joins no cluster for them.
    assert np.array_equal(on_cluster(PATH, 1), embed(PATH, 1))


def test_without_ray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"engine='ray-cuda' needs Ray: pip install 'vnestruct\[ray\]'"):
        embed(PATH, engine="ray-cuda")


def test_parameters(capsys, tmp_path):
    with pytest.raises(ParameterError, match="n_jobs must be a positive integer"):
        on_cluster(PATH, n_jobs=0)
    with pytest.raises(ParameterError, match="address must be 'auto', 'host:port'"):
        on_cluster(PATH, address="nowhere")
    assert main(["embed", str(tmp_path / "missing.txt"), "--engine", "ray-cuda", "--address", "nowhere"]) == 2
    assert "--address must be 'auto'" in capsys.readouterr().err


def test_other_kernels_are_refused():
    """The kernels for GPUs count as well, which the digest of the others leaves out."""
    plan = plan_ranked(rank_graph(ZOO["grid"]), reduce_leaves=True)
    task = BallTask(None, plan, plan.in_order(plan.required(np.ones(plan.n_nodes, bool))), 2, ("approx",))
    with pytest.raises(EngineError, match="another version of vnestruct"):
        cuda.DeviceTask(task, np.ones(task.work.size), digest="another").scratch()


def test_some_of_the_zoo_in_blocks(gpus, emulated, many_blocks):
    """One process for each GPU, however many blocks; the first waits for the other, so that both take part."""
    (gpus / BOTH).touch()
    check(UNION, 3, kind=("approx", "parts", "unscaled"))
    assert sorted(file.read_text() for file in gpus.glob("process-*")) == ["0", "1"]


def test_twins(gpus, emulated):
    check(blown_up(generators.barabasi_albert(30, 2, seed=1), seed=3, largest=30), nodes=[0, 7, 200], n_jobs=1)


def test_weights_and_directions(gpus, emulated):
    check(directed_copy(ZOO["power law"], seed=4, weighted=True), weighted=True, direction="out+in")


def test_kinds_that_need_every_eigenvalue(gpus, emulated, many_blocks, monkeypatch):
    """Each process searches balls on threads of its own."""
    emulated_cupy.with_small_components(spectra, monkeypatch.setattr)
    check(ZOO["barabasi albert"], kind=("exact", "approx"))
    check(directed_copy(ZOO["power law"], seed=4), kind="punctured", direction="out")


def test_too_large_a_ball_is_named(gpus, emulated):
    """However many processes and threads the error has passed."""
    leaves = np.arange(42_000)
    rim = np.stack([leaves, np.roll(leaves, 1)])
    spokes = np.stack([leaves, 42_000 + leaves // 200])
    hub = np.stack([np.arange(42_000, 42_210), np.full(210, 42_210)])
    graph = graph_from_ids(*np.hstack([rim, spokes, hub]), n_nodes=42_211)
    with pytest.raises(TooLargeError, match="needs all eigenvalues of a ball; one around node 42210 has 42,211 nodes"):
        on_cluster(graph, kind="exact", nodes=[42_210])


def test_an_interrupted_run_is_resumed_there_alone(gpus, emulated, many_blocks, tmp_path):
    def press(done, total):
        if done > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        on_cluster(UNION, checkpoint=tmp_path, progress=press)
    assert json.loads((tmp_path / "manifest.json").read_text())["bits"]["gpu"] == ["accelerator_type:H200"]
    n_kept = len(list(tmp_path.glob("shard-*.npz")))
    assert n_kept
    for engine in ("threads", "cuda"):
        with pytest.raises(CheckpointMismatchError):
            embed(UNION, 2, engine=engine, checkpoint=tmp_path)
    found = on_cluster(UNION, checkpoint=tmp_path)
    assert len(list(tmp_path.glob("shard-*.npz"))) > n_kept
    np.testing.assert_array_equal(found, embed(UNION, 2, engine="cuda"))


def test_a_worker_is_killed(gpus, emulated, many_blocks):
    (gpus / DEADLY).touch()
    check(UNION)
    assert (gpus / "died").exists()


def test_too_little_memory_goes_to_the_cpu_of_the_worker(gpus, monkeypatch):
    (gpus / FREE_BYTES).write_text("10")
    graph = generators.barabasi_albert(300, 3, seed=2)
    with pytest.warns(RuntimeWarning, match="do not fit into the memory of the GPU; computed on the CPU"):
        found = on_cluster(graph)
    assert np.array_equal(found, embed(graph, 2))


def test_processes_that_cannot_start(gpus, monkeypatch):
    """One that cannot be loaded ends the run; one that dies is tried again, but not for ever."""

    class Unloadable:
        def __init__(self):
            raise ImportError("no vnestruct here")

    class Dying:
        def __init__(self):
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(engines, "MAX_ATTEMPTS", 2)
    blocks = [Block(0, 0, 8, 1.0), Block(1, 8, 16, 1.0)]
    for owner, wrong in ((Unloadable, "workers cannot start: .*no vnestruct here"), (Dying, "could not finish 2 of 2")):
        monkeypatch.setattr(engines.worker, "Owner", owner)
        with pytest.raises(EngineError, match=wrong):
            list(RayEngine(resource="GPU").run(Squares(), blocks))


def test_a_cluster_that_loses_its_gpus(gpus, monkeypatch):
    import ray

    (gpus / BOTH).touch()  # the one process that starts waits for another
    known = iter([ray.cluster_resources()])
    monkeypatch.setattr(ray, "cluster_resources", lambda: next(known, {}))
    monkeypatch.setattr(engines, "WITHOUT_WORKERS_SECONDS", 0.0)
    monkeypatch.setattr(engines, "_LOOK_SECONDS", 0.05)
    with pytest.raises(EngineError, match="the cluster has had no GPU for 0 s; 1 blocks are left"):
        on_cluster(UNION)


def test_workers_without_cupy(gpus):
    (gpus / NOT_INSTALLED).touch()
    with pytest.raises(EngineError, match=r"pip install 'vnestruct\[cuda\]'.*, on every machine with a GPU"):
        on_cluster(UNION)
