"""Files of version 0.1.0, before the redesign, are still read: graphs, and checkpoints of unfinished runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from vnestruct import CheckpointMismatchError, embed, read_graph
from vnestruct.graph.synthetic import barabasi_albert

FIXTURES = Path(__file__).parent / "fixtures"
OPTIONS = {"kind": "approx", "n_jobs": 1}


def test_a_graph_file_of_the_version_before() -> None:
    graph = read_graph(FIXTURES / "graph-0.1.0.vng")
    assert graph.hash == barabasi_albert(120, 3, seed=9).hash


def test_a_checkpoint_of_the_version_before_is_continued(tmp_path: Path) -> None:
    graph = read_graph(FIXTURES / "graph-0.1.0.vng")
    expected = np.load(FIXTURES / "rows-0.1.0.npy")[:, :3]
    folder = tmp_path / "run"
    shutil.copytree(FIXTURES / "checkpoint-0.1.0-approx", folder)
    kept = len(list(folder.glob("shard-*.bin")))
    assert kept > 0
    totals: list[float] = []
    rows = embed(graph, 3, checkpoint=folder, progress=lambda done, total: totals.append(total), **OPTIONS)
    fresh: list[float] = []
    embed(graph, 3, progress=lambda done, total: fresh.append(total), **OPTIONS)
    assert 0 < totals[0] < fresh[0], "finished rows are not computed again, and some were missing"
    # Values may differ in the last bits from those of another kind of CPU, which the fixture was made on.
    np.testing.assert_allclose(rows, expected, rtol=0, atol=1e-9)


def test_rows_of_exact_kinds_have_other_bits_since(tmp_path: Path) -> None:
    graph = read_graph(FIXTURES / "graph-0.1.0.vng")
    folder = tmp_path / "run"
    shutil.copytree(FIXTURES / "checkpoint-0.1.0", folder)
    with pytest.raises(CheckpointMismatchError, match=r"kernels is .* there and .*-fused.* here; choose another"):
        embed(graph, 3, kind=["approx", "exact"], checkpoint=folder)
    np.testing.assert_allclose(
        embed(graph, 3, kind=["approx", "exact"]), np.load(FIXTURES / "rows-0.1.0.npy"), rtol=0, atol=1e-9
    )
