"""The engine of threads: completeness, one workspace per worker, failures, cancellation, bounded memory."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import for_each

from vnestruct.errors import EngineError, ParameterError
from vnestruct.execute import Block, Cancelled, ThreadsEngine, cut_blocks, resolve_n_jobs


class Squares:
    """Rows are the squares of the positions; counts workspaces and the most blocks alive at once."""

    def __init__(self):
        self.workspaces = []
        self.order = []

    def scratch(self):
        self.workspaces.append(threading.current_thread())
        return threading.get_ident()

    def __call__(self, block, scratch, cancel):
        assert scratch == threading.get_ident()
        self.order.append(block.index)
        return np.arange(block.start, block.stop, dtype=np.float64)[:, None] ** 2

    def describe(self, block):
        return f"nodes {block.start} to {block.stop - 1} ({len(block)} nodes)"


class Stubborn(Squares):
    """Every block waits for the cancel flag, as a kernel on a huge ball would."""

    def __call__(self, block, scratch, cancel):
        self.order.append(block.index)
        for _ in range(2000):
            if cancel[0]:
                raise Cancelled
            time.sleep(0.005)
        raise AssertionError("nobody set the flag")


class Failing(Squares):
    """Position 21 fails with a given exception; every other block waits to be cancelled."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def __call__(self, block, scratch, cancel):
        if block.start <= 21 < block.stop:
            raise self.error
        return Stubborn.__call__(self, block, scratch, cancel)


def workers_alive():
    return [thread for thread in threading.enumerate() if thread.name.startswith("vnestruct-worker")]


@given(
    st.lists(st.floats(0, 100), max_size=120),
    st.integers(1, 4),
    st.randoms(use_true_random=False),
)
def test_results_are_complete_whatever_the_blocks_and_their_order(costs, n_jobs, random):
    blocks = cut_blocks(costs, n_workers=n_jobs)
    random.shuffle(blocks)
    squares = np.full((len(costs), 1), np.nan)
    for block, rows in ThreadsEngine(n_jobs).run(Squares(), blocks):
        squares[block.start : block.stop] = rows
    np.testing.assert_array_equal(squares[:, 0], np.arange(len(costs)) ** 2.0)
    assert not workers_alive()


@for_each("asleep", [False, True])
def test_the_caller_does_what_no_thread_has_begun(asleep):
    awake, seen = threading.Event(), []
    with closing(ThreadsEngine(4)) as engine:
        for _ in range(4 * asleep):
            engine._pool.submit(awake.wait, 60)
        engine.map(lambda a, b: seen.append((a, b, threading.get_ident())), range(50), range(1, 51))
        awake.set()
        with pytest.raises(ZeroDivisionError):
            engine.map(lambda number: 1 // number, range(-20, 20))
    assert sorted(call[:2] for call in seen) == [(a, a + 1) for a in range(50)]
    assert not asleep or {call[2] for call in seen} == {threading.get_ident()}


@pytest.mark.parametrize("n_jobs", [1, 3])
def test_each_worker_makes_one_workspace_off_the_main_thread(n_jobs):
    everybody = threading.Barrier(n_jobs)

    class Together(Squares):
        """No worker computes before all have a workspace: a quick one could otherwise do all the blocks."""

        def scratch(self):
            made = super().scratch()
            everybody.wait(timeout=60)
            return made

    task = Together()
    results = list(ThreadsEngine(n_jobs).run(task, cut_blocks(np.ones(500))))
    assert len(results) > n_jobs
    assert len(task.workspaces) == len(set(task.workspaces)) == n_jobs
    assert threading.main_thread() not in task.workspaces


def test_the_costliest_block_runs_first():
    task = Squares()
    list(ThreadsEngine(1).run(task, [Block(0, 0, 8, 1.0), Block(1, 8, 16, 9.0), Block(2, 16, 24, 4.0)]))
    assert task.order == [1, 2, 0]


@for_each(
    ("error", "reason"),
    [
        (ZeroDivisionError("by zero"), "ZeroDivisionError: by zero"),
        (MemoryError(), "MemoryError"),
        (ParameterError("radius must be positive"), "radius must be positive"),
        (Cancelled(), "Cancelled"),  # nobody asked: a failure like any other, not an endless wait
    ],
)
def test_a_failure_names_its_nodes_and_stops_the_others(error, reason):
    started = time.perf_counter()
    with pytest.raises(EngineError) as caught:
        # The failing block is the costliest, hence among the first to run.
        list(ThreadsEngine(2).run(Failing(error), cut_blocks(np.eye(64)[21], max_items=8)))
    assert str(caught.value) == f"could not finish nodes 16 to 23 (8 nodes): {reason}"
    assert caught.value.__cause__ is error
    assert time.perf_counter() - started < 1.0
    assert not workers_alive()


def test_exit_from_a_task_is_not_disguised():
    with pytest.raises(SystemExit):
        list(ThreadsEngine(1).run(Failing(SystemExit(3)), [Block(0, 16, 24, 1.0)]))


def test_a_workspace_that_cannot_be_made():
    class Greedy(Squares):
        def scratch(self):
            raise MemoryError("too much")

    with pytest.raises(EngineError, match=r"workspace of one of 2 workers: MemoryError: too much; use fewer threads"):
        list(ThreadsEngine(2).run(Greedy(), cut_blocks(np.ones(64))))
    assert not workers_alive()


def test_closing_the_generator_stops_the_workers():
    class FirstIsQuick(Stubborn):
        def __call__(self, block, scratch, cancel):
            call = Squares.__call__ if block.index == 0 else Stubborn.__call__
            return call(self, block, scratch, cancel)

    with closing(ThreadsEngine(2).run(FirstIsQuick(), cut_blocks(np.ones(64)))) as results:
        assert next(results)[0].index == 0
        assert workers_alive()
        started = time.perf_counter()
    assert time.perf_counter() - started < 1.0
    assert not workers_alive()


def test_a_slow_consumer_bounds_the_rows_in_flight():
    task = Squares()
    n_taken = 0
    for _ in ThreadsEngine(2).run(task, cut_blocks(np.ones(512), max_items=8)):
        time.sleep(0.002)
        # Four permits for two workers: what was started is at most what was taken, plus three others.
        assert len(task.order) <= n_taken + 4
        n_taken += 1
    assert n_taken == 64


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no affinity masks")
def test_the_affinity_mask_counts():
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert resolve_n_jobs() == 1
    finally:
        os.sched_setaffinity(0, allowed)


@for_each(("n_jobs", "expected"), [(None, 8), (-1, 8), (-2, 7), (-8, 1), (-20, 1), (1, 1), (3, 3)])
def test_n_jobs(n_jobs, expected, monkeypatch):
    monkeypatch.setattr("joblib.cpu_count", lambda: 8)
    assert resolve_n_jobs(n_jobs) == expected


@for_each("n_jobs", [0, 1.5, "2", True])
def test_invalid_n_jobs_are_refused_at_once(n_jobs):
    with pytest.raises(ParameterError, match="n_jobs"):
        ThreadsEngine(n_jobs)


INTERRUPTED = """
import signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {folder!r})
import numpy as np
from test_threads import Stubborn, workers_alive
from vnestruct.execute import ThreadsEngine, cut_blocks

class Announced(Stubborn):
    def __call__(self, block, scratch, cancel):
        print("running\\n", end="", flush=True)  # in one piece: two threads say it
        return super().__call__(block, scratch, cancel)

try:
    list(ThreadsEngine({n_jobs}).run(Announced(), cut_blocks(np.ones(64))))
finally:
    print("alive:", len(workers_alive()), flush=True)
"""


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_interrupt_ends_the_program_within_a_second(n_jobs):
    script = INTERRUPTED.format(folder=str(Path(__file__).parent), n_jobs=n_jobs)
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "running\n"
        time.sleep(0.05)
        started = time.perf_counter()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
        elapsed = time.perf_counter() - started
    assert process.returncode == -signal.SIGINT
    assert err.rstrip().endswith("KeyboardInterrupt")
    assert "alive: 0" in out
    assert elapsed < 1.0
