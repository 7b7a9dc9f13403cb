"""A checkpoint states what the last bits of its rows depend on, and the instruction set is not among it."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from vnestruct import CheckpointMismatchError, embed
from vnestruct.embedding.backends import ThreadsBackend
from vnestruct.graph.synthetic import barabasi_albert


def test_rows_of_another_device_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph = barabasi_albert(60, 2, seed=1)
    embed(graph, 2, n_jobs=1, checkpoint=tmp_path)
    monkeypatch.setattr(ThreadsBackend, "device", "GPU 9.0")
    with pytest.raises(CheckpointMismatchError, match=r'device is "cpu" there and "GPU 9\.0" here; choose another'):
        embed(graph, 2, n_jobs=1, checkpoint=tmp_path)


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
