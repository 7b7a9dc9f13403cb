"""A checkpoint states everything that can change a bit of its rows, and is refused wherever one of them differs."""

from __future__ import annotations

import ast
import hashlib
import math
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vnestruct import CheckpointMismatchError, embed
from vnestruct.embedding import identity
from vnestruct.embedding.backends import threads
from vnestruct.embedding.backends.threads import ThreadsBackend
from vnestruct.embedding.identity import CONSTANTS
from vnestruct.graph.synthetic import barabasi_albert
from vnestruct.kernels.cuda import device

GRAPH = barabasi_albert(60, 2, seed=1)


def start(folder: Path) -> np.ndarray:
    return embed(GRAPH, 2, n_jobs=1, checkpoint=folder)


def assert_refused(folder: Path, key: str) -> None:
    with pytest.raises(CheckpointMismatchError, match=f"{key} is .* there and .* here; choose another directory"):
        start(folder)


def test_every_tuning_constant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start(tmp_path)
    for module, names in CONSTANTS.items():
        for name in names.split():
            with monkeypatch.context() as patch:
                place = import_module(f"vnestruct.{module}")
                patch.setattr(place, name, getattr(place, name) * 2)
                assert_refused(tmp_path, f"{module}.{name}")
    start(tmp_path)


def test_no_number_of_the_kernels_is_left_out(root: Path) -> None:
    """Others are counters, places in tables, how far ahead memory is asked for, and where integers are added."""
    indices = {"AHEAD", "N_COUNTERS", "N_TWIN_COLUMNS", "N_LANE_FACTS", "_HUBS"}
    for path in sorted((root / "src" / "vnestruct" / "kernels").glob("*.py")):
        if path.stem in ("compilation", "live", "edge_sketch", "connectivity"):
            continue  # no row of a checkpoint comes from there
        if path.stem in ("edge_sort", "ranking", "spans"):
            continue  # whole numbers, which are the same in any order
        module = f"kernels.{path.stem}".removesuffix(".__init__")
        known = set(CONSTANTS.get(module, "").split())
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                value = getattr(import_module(f"vnestruct.{module}"), name, None) if name.isupper() else None
                if isinstance(value, int | float) and name not in indices:
                    assert name in known, f"{module}.{name} may change bits: add it to embedding/identity.py"


def test_the_kernels_and_the_kind_of_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ThreadsBackend, "machine", {"gpu": [9, 0]})
    start(tmp_path)
    monkeypatch.setattr(ThreadsBackend, "machine", {"gpu": [8, 0]})
    assert_refused(tmp_path, "gpu")
    monkeypatch.setattr(ThreadsBackend, "machine", {"gpu": [9, 0]})
    monkeypatch.setattr(threads.ThreadsBackend, "fingerprint", "other")
    assert_refused(tmp_path, "kernels")


def test_kinds_whose_bits_have_changed(tmp_path: Path) -> None:
    """Rows of exact kinds from earlier versions are not continued; those of other kinds are."""
    earlier = ThreadsBackend.fingerprint
    for kind, is_changed in (("exact", True), ("approx", False), (["approx", "punctured"], True)):
        folder = tmp_path / str(kind)
        embed(GRAPH, 2, kind=kind, n_jobs=1, checkpoint=folder)
        text = (folder / "manifest.json").read_text()
        assert (f'"{earlier}"' not in text) == is_changed
        for bits in ("", "-determinants", "-elimination", "-elimination-12"):
            (folder / "manifest.json").write_text(text.replace(f'"{earlier}-fused"', f'"{earlier}{bits}"'))
            if is_changed:
                wrong = f'kernels is .*{earlier}{bits}" there and .*-fused'
                with pytest.raises(CheckpointMismatchError, match=wrong):
                    embed(GRAPH, 2, kind=kind, n_jobs=1, checkpoint=folder)
            else:
                embed(GRAPH, 2, kind=kind, n_jobs=1, checkpoint=folder)


@pytest.mark.parametrize("change", [("SMALL = (Small(96.0", "SMALL = (Small(97.0"), ("Large(4096.0", "Large(4097.0")])
def test_the_routes_of_balls_to_gpu_kernels(
    change: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`CudaBackend` states the digest of its sources, host code included, as part of its fingerprint."""
    folder = tmp_path / "cuda"
    shutil.copytree(device._FOLDER, folder)
    monkeypatch.setattr(device, "_FOLDER", folder)
    compute: Any = device.digest.__wrapped__
    before = compute()
    balls = folder / "balls.py"
    assert change[0] in balls.read_text()
    balls.write_text(balls.read_text().replace(*change))
    assert compute() != before


def test_logarithms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start(tmp_path)
    right = math.log
    # One of the values that differs between versions of the C library, by its last bit.
    monkeypatch.setattr(
        identity.math, "log", lambda x: math.nextafter(right(x), 0.0) if x == 18187.5 / 20_000 else right(x)
    )
    identity._logarithms.cache_clear()
    try:
        assert_refused(tmp_path, "logarithms")
    finally:
        monkeypatch.undo()
        identity._logarithms.cache_clear()
    start(tmp_path)


def test_logarithms_of_a_cpu_without_fused_multiply_add() -> None:
    script = "from vnestruct.embedding.identity import bits_identity; print(bits_identity({})['logarithms'])"
    tunables = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable"
    digests = {
        subprocess.run(
            [sys.executable, "-c", script], env=os.environ | extra, capture_output=True, text=True, check=True
        ).stdout
        for extra in ({}, {"GLIBC_TUNABLES": tunables})
    }
    if len(digests) == 1:
        pytest.skip("this CPU, or this C library, has one version of the logarithm only")
    assert len(digests) == 2


BITS = """
import hashlib, sys
from tests.graphs import weighted_copy
from vnestruct import embed
from vnestruct.graph.synthetic import barabasi_albert
graph = barabasi_albert(150, 3, seed=2)
rows = [embed(graph, 3, kind=["approx", "quadratic"], n_jobs=1)]
rows.append(embed(graph, 1, kind=["exact", "normalized"], n_jobs=1))
rows.append(embed(weighted_copy(graph, 1), 2, kind=["approx", "punctured"], weighted=True, n_jobs=1))
print(*(hashlib.md5(part.tobytes()).hexdigest() for part in rows))
"""


@pytest.mark.full
def test_the_instruction_set_changes_no_bit_of_the_kernels(tmp_path: Path, root: Path) -> None:
    """Compiled for the oldest x86-64, without vectors wider than two, and for this machine: the same rows."""
    generic = {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    outcomes = {
        subprocess.run(
            [sys.executable, "-c", BITS], cwd=root, env=os.environ | extra, capture_output=True, text=True, check=True
        ).stdout
        for extra in ({}, generic)
    }
    assert len(outcomes) == 1
    assert len(hashlib.md5().hexdigest()) * 3 < len(outcomes.pop())
