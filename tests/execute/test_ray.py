"""The engine of clusters on three nodes: the same rows, whatever dies."""

from __future__ import annotations

import time
from contextlib import closing

import numpy as np
import pytest

from vnestruct.errors import EngineError, TooLargeError
from vnestruct.execute import Block, cut_blocks
from vnestruct.execute.ray import MAX_ATTEMPTS, RayEngine

pytest.importorskip("ray", reason="Ray is not installed")

from tests.ray_tasks import Deadly, Failing, Squares, Unready

pytestmark = pytest.mark.usefixtures("whole_cluster")
BLOCKS = [Block(i, 8 * i, 8 * i + 8, float(i % 5)) for i in range(24)]


def collected(task, blocks=BLOCKS, done=None, **options):
    rows = np.full((blocks[-1].stop, 3), np.nan)
    for block, part in RayEngine(**options).run(task, blocks):
        assert np.isnan(rows[block.start : block.stop]).all()
        rows[block.start : block.stop] = part
        if done is not None:
            done.append(block.index)
    return rows


def check(rows):
    np.testing.assert_array_equal(rows[:, 0], np.arange(len(rows)) ** 2.0)


def test_rows_are_complete_and_workspaces_are_kept():
    rows = collected(Squares(0.02))
    check(rows)
    n_processes = len(np.unique(rows[:, 1]))
    assert 1 <= n_processes <= 6
    # Each process counts its blocks in its workspace: made once, it sees all of them.
    assert rows[:, 2].max() >= len(BLOCKS) / 6


def test_as_many_at_once_as_asked():
    assert RayEngine().n_workers == 3
    assert RayEngine(n_jobs=2).n_workers == 2
    assert RayEngine(n_jobs=-2).n_workers == 2
    rows = collected(Squares(0.01), n_jobs=1)
    check(rows)


def test_a_killed_worker_costs_nothing_but_time(tmp_path):
    check(collected(Deadly(tmp_path, times=MAX_ATTEMPTS - 1)))


def test_a_block_that_kills_all_workers_is_named_and_the_rest_is_done(tmp_path):
    done = []
    with pytest.raises(EngineError, match=r"could not finish 1 of 24 blocks: nodes 16 to 23 \(WorkerCrashed") as caught:
        collected(Deadly(tmp_path, times=99), done=done)
    assert sorted(done) == [block.index for block in BLOCKS if block.index != 2]
    assert len(list(tmp_path.iterdir())) == MAX_ATTEMPTS
    assert caught.value.__cause__ is not None


def test_a_failing_block_is_named_and_the_rest_is_done():
    done = []
    with pytest.raises(EngineError, match=r"1 of 24 blocks: nodes 16 to 23 \(ZeroDivisionError: by zero\)") as caught:
        collected(Failing(ZeroDivisionError("by zero")), done=done)
    assert len(done) == 23
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_wrong_request_ends_at_once():
    with pytest.raises(EngineError, match="could not finish nodes 16 to 23: a ball is too large") as caught:
        collected(Failing(TooLargeError("a ball is too large")))
    assert isinstance(caught.value.__cause__, TooLargeError)


def test_workers_that_cannot_make_ready():
    with pytest.raises(EngineError, match="could not make ready: the workspace is too large"):
        collected(Unready())


def test_leaving_early_stops_the_work():
    task = Squares(0.5)
    begin = time.monotonic()
    with closing(RayEngine().run(task, cut_blocks(np.ones(800), target=8))) as results:
        next(results)
    assert time.monotonic() - begin < 10
    check(collected(Squares()))


def test_another_cluster_than_the_connected_one_is_refused(whole_cluster):
    assert RayEngine(address=whole_cluster.address).n_workers == 3
    with pytest.raises(EngineError, match=r"this process is connected to the cluster at .*, not 127\.0\.0\.1:9"):
        RayEngine(address="127.0.0.1:9")
