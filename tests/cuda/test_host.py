"""The GPU engine as far as it needs no GPU: errors, warnings, the choice of an engine, and how work is cut."""

from __future__ import annotations

import re
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

from tests.cases import for_each
from vnestruct import VNEstruct, embed
from vnestruct.cli import main
from vnestruct.embedding.backends import ThreadsBackend
from vnestruct.embedding.backends import cuda as backend
from vnestruct.embedding.backends.cuda import CudaBackend, DeviceTask, cut_for_devices
from vnestruct.embedding.embed_graph import open_run
from vnestruct.embedding.parameters import checked_settings
from vnestruct.errors import CheckpointMismatchError, EngineError, MissingExtraError, ParameterError
from vnestruct.execute import ThreadsEngine
from vnestruct.graph import synthetic
from vnestruct.io import read_vng, write_graph
from vnestruct.kernels import cuda
from vnestruct.kernels.cuda.device import _FOLDER, read_source
from vnestruct.kernels.cuda.job import FIELDS, pack_job

PATH = [(0, 1), (1, 2)]


class FakeDevice:
    attributes = {"ComputeCapabilityMajor": 9, "ComputeCapabilityMinor": 0}  # noqa: RUF012
    mem_info = (600, 1000)

    def __init__(self, number, using):
        self.use = lambda: using(number)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


def fake_cupy(count, using=lambda number: None, pool=None):
    pool = pool or SimpleNamespace(total_bytes=lambda: 0)

    def device_count():
        if isinstance(count, Exception):
            raise count
        return count

    return SimpleNamespace(
        cuda=SimpleNamespace(
            runtime=SimpleNamespace(getDeviceCount=device_count), Device=lambda number: FakeDevice(number, using)
        ),
        get_default_memory_pool=lambda: pool,
    )


def test_without_cupy_the_extra_is_named(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(sys.modules, "cupy", None)
    for call in (lambda: embed(PATH, engine="cuda"), lambda: VNEstruct(engine="cuda").fit_transform(PATH)):
        with pytest.raises(MissingExtraError, match=r"`engine='cuda'` needs CuPy: pip install 'vnestruct\[cuda\]'"):
            call()
    edges = tmp_path / "path.txt"
    edges.write_text("0 1\n1 2\n")
    assert main(["embed", str(edges), "--engine", "cuda", "-q"]) == 2
    assert "--engine cuda needs CuPy: pip install 'vnestruct[cuda]'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("count", "reason"), [(0, "the driver reports none"), (RuntimeError("driver is too old"), "driver is too old")]
)
def test_without_a_gpu_the_reason_is_message(monkeypatch, count, reason):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(count))
    with pytest.raises(EngineError, match=f"found no NVIDIA GPU to use: {reason}; engine='threads' does without"):
        embed(PATH, engine="cuda")
    assert not cuda.has_device()


@pytest.mark.parametrize("engine", ["cuda", "auto"])
def test_gpus_take_no_address(engine):
    with pytest.raises(ParameterError, match="takes no address; got 'auto'"):
        embed(PATH, engine=engine, address="auto")


def test_unknown_engine():
    with pytest.raises(ParameterError, match="'threads', 'ray', 'cuda', 'auto', not 'gpu'"):
        embed(PATH, engine="gpu")


def auto(graph, settings):
    """Return the type of back end that engine="auto" takes."""
    with open_run(graph, settings, engine="auto") as run:
        return type(run.backend)


def test_auto_leaves_small_work_to_the_cpu(monkeypatch):
    """CuPy is not even imported."""
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert np.array_equal(embed(PATH, engine="auto"), embed(PATH))
    assert auto(synthetic.barabasi_albert(500, 3, seed=1), checked_settings(2)) is ThreadsBackend


def test_auto_takes_gpus_for_large_work(monkeypatch, tmp_path):
    graph = synthetic.barabasi_albert(500, 3, seed=1)
    write_graph(graph, tmp_path / "graph.vng")
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(1))
    monkeypatch.setattr(backend, "PAYS_ABOVE", 1e4)
    monkeypatch.setattr(backend, "PAYS_ABOVE_ARCS", 1e3)
    for present, expected in ((True, CudaBackend), (False, ThreadsBackend)):
        monkeypatch.setattr(cuda, "has_device", lambda present=present: present)
        for radius in (1, 2, 3):
            assert auto(graph, checked_settings(radius)) is expected
            assert auto(graph, checked_settings(radius, kind=("approx", "exact"))) is expected
        mapped = read_vng(tmp_path / "graph.vng")
        with open_run(mapped, checked_settings(2), engine="auto", max_memory="1G") as run:
            assert type(run.backend._inner) is ThreadsBackend


def test_auto_judges_the_work():
    """Walks grow with the radius and with hubs."""
    settings = [checked_settings(radius) for radius in (2, 3, 4, 5, 6)]
    graph = synthetic.barabasi_albert(3_000, 5, seed=1)
    decisions = [backend.is_large(graph, each) for each in settings]
    assert decisions == sorted(decisions)
    assert not decisions[0]
    assert decisions[-1]
    assert not backend.is_large(synthetic.path(1), checked_settings(3))
    # All eigenvalues are computed on the CPU.
    assert not backend.is_large(graph, checked_settings(6, kind="exact"))
    assert not backend.is_large(synthetic.star(10_000), checked_settings(1))


def full(*arguments, **options):
    raise cuda.DeviceMemoryError("the graph does not fit into the memory of the GPU: 1 TB")


def test_the_command_line_warns_in_one_line(monkeypatch, capsys, tmp_path, recwarn):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(1))
    for name in ("DeviceGraph", "closed_form_by_rank", "closed_form"):
        monkeypatch.setattr(cuda, name, full)
    edges = tmp_path / "path.txt"
    edges.write_text("0 1\n1 2\n2 3\n3 4\n")
    warnings.simplefilter("always")
    assert main(["embed", str(edges), "--engine", "cuda"]) == 0
    message = capsys.readouterr().err
    assert "does not fit into the memory of the GPU: 1 TB; computed on the CPU" in message
    assert "RuntimeWarning" not in message


def test_rows_of_gpus_and_cpus_are_not_mixed(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(1))
    embed(synthetic.grid(4, 4), 2, checkpoint=tmp_path)
    with pytest.raises(CheckpointMismatchError):
        embed(synthetic.grid(4, 4), 2, checkpoint=tmp_path, engine="cuda")


def test_devices_get_few_large_blocks():
    assert len(cut_for_devices(np.ones(1_000_000), 1)) == 1
    blocks = cut_for_devices(np.full(10_000, 1e6), 4)
    assert 30 <= len(blocks) <= 40
    assert sum(len(block) for block in blocks) == 10_000


def test_each_worker_has_its_own_device(monkeypatch):
    """Two blocks that wait for each other can only end on two devices."""
    import threading

    current = threading.local()
    using = lambda number: setattr(current, "number", number)  # noqa: E731
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(2, using))
    monkeypatch.setattr("vnestruct.kernels.cuda.DeviceGraph", lambda *arrays: current.number)
    meeting = threading.Barrier(2, timeout=20)

    class Where(DeviceTask):
        def __call__(self, block, scratch, cancel):
            meeting.wait()
            return np.full((len(block), 1), float(scratch))

    assert CudaBackend().n_workers == 2
    costs = np.full(16, 1e9)
    plan = SimpleNamespace(graph=None, search=None, components=None)
    ball_task = SimpleNamespace(plan=plan, first=None)
    task = Where(ball_task, costs, 2)
    numbers = [rows[0, 0] for _, rows in ThreadsEngine(2).run(task, cut_for_devices(costs, 2)[:2])]
    assert sorted(numbers) == [0.0, 1.0]


@for_each("held", [100, 101])
def test_memory_is_kept_for_the_next_call_up_to_a_tenth(held):
    freed = []
    pool = SimpleNamespace(total_bytes=lambda: held, free_all_blocks=lambda: freed.append(held))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cupy", fake_cupy(1, pool=pool))
        CudaBackend().close()
    assert freed == [held] * (held > 100)


def test_fields_of_a_job_are_those_of_the_source():
    text = (_FOLDER / "job.cuh").read_text()
    body = re.search(r"struct Job \{(.*?)\n\};", text, re.DOTALL)[1]
    assert re.findall(r"(\w+);", re.sub(r"//.*", "", body)) == [*FIELDS]
    assert [name for name, kind in FIELDS.items() if kind == "d"] == ["scale", "tolerance"]
    packed = dict(zip(FIELDS, pack_job({"n_nodes": 7, "tolerance": 0.25}), strict=True))
    assert packed.pop("n_nodes") == 7
    assert packed.pop("tolerance").view(np.float64) == 0.25
    assert not any(packed.values())


@pytest.mark.parametrize("path", sorted(_FOLDER.glob("*.cu*")), ids=lambda path: path.name)
def test_sources_say_what_they_compute(path):
    assert path.read_text().startswith("// ")
    assert '#include "' not in read_source(path.name)
    assert all(len(line) <= 120 for line in path.read_text().splitlines())
    assert len(path.read_text().splitlines()) <= 300
