"""What only Linux or Unix has is used where it exists, and done without elsewhere."""

from __future__ import annotations

import mmap
import os
import signal
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Invoke, invoke  # noqa: F401
from vnestruct import embed, read_embedding
from vnestruct.execute import resolve_n_jobs
from vnestruct.graph.synthetic import grid
from vnestruct.io import read_vng, write_graph


@pytest.fixture
def other_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take away what Windows, and in part macOS, does not have."""
    for module, names in (
        (os, ("fchmod", "sched_getaffinity", "fork")),
        (signal, ("pthread_sigmask", "pthread_kill", "SIGHUP", "SIGUSR1")),
        (mmap, ("MADV_DONTNEED",)),
    ):
        for name in names:
            monkeypatch.delattr(module, name, raising=False)


def test_everything_works_without_linux(other_system: None, invoke: Invoke, tmp_path: Path) -> None:  # noqa: F811
    graph = grid(5, 6)
    write_graph(graph, tmp_path / "grid.vng")
    expected = embed(graph, 2)
    assert resolve_n_jobs() >= 1
    assert np.array_equal(embed(graph, 2, checkpoint=tmp_path / "run"), expected)
    assert np.array_equal(embed(read_vng(tmp_path / "grid.vng"), 2, max_memory="1G"), expected)
    for _ in range(2):  # the second time a file is replaced
        ended = invoke("embed", tmp_path / "grid.vng", "-j", 2, "-q", "-o", tmp_path / "rows.npz")
        assert (ended.code, ended.err) == (0, "")
        assert np.array_equal(read_embedding(tmp_path / "rows.npz").values, expected)
