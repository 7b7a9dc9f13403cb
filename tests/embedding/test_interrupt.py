"""Ctrl-C inside one huge ball, and failures that say where they struck."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.cases import for_each
from vnestruct import EngineError, embed
from vnestruct.embedding import tasks
from vnestruct.graph import graph_from_pairs
from vnestruct.kernels import balls, dense_balls

LIMIT = 1.0
"""Seconds from Ctrl-C to the exception; a machine with other work gets more."""

# What comes before the ball that takes long: compiled code is loaded, so that the signal strikes the kernel.
HEAD = """
import sys, threading, time
import numpy as np
from vnestruct import embed
from vnestruct.graph import graph_from_ids, synthetic

tiny = graph_from_ids(np.arange(3), np.arange(1, 4), np.ones(3), n_nodes=4)
"""

# Three balls of tens of seconds, each in a single radius or a single node, each through other code.
LONG: dict[str, str] = {
    # One ball of 60,000 nodes whose spectrum crowds at its end: thousands of Lanczos steps.
    "weighted approx": """
n = 60_000
path = np.arange(n - 1)
source = np.concatenate([path, np.full(n, n)])
target = np.concatenate([path + 1, np.arange(n)])
weights = np.concatenate([np.ones(n - 1), np.full(n, 1e-9)])
graph = graph_from_ids(source, target, weights, n_nodes=n + 1)
options = dict(radius=1, weighted=True, nodes=[n])
""",
    # One node, few arcs, thousands of radii of hundreds of steps each.
    "many radii": """
graph = synthetic.path(10_001)
options = dict(radius=4_000, nodes=[5_000])
""",
    # One ball of 3,900 nodes, too dense to be eliminated: all of its eigenvalues.
    "exact": """
draw = np.random.default_rng(1)
rim = 1 + draw.integers(0, 3_900, (2, 900_000))
ends = np.concatenate([np.zeros(3_900, int), rim[0]]), np.concatenate([np.arange(1, 3_901), rim[1]])
graph = graph_from_ids(*ends, n_nodes=3_901)
options = dict(radius=1, kind="exact", nodes=[0])
""",
}

TAIL = """
embed(tiny, **{**options, "radius": 2, "nodes": [0]})
begun = time.monotonic()
print("ready", flush=True)
try:
    embed(graph, **options)
except KeyboardInterrupt:
    print("interrupted", threading.active_count(), flush=True)
    sys.exit(130)
print("finished after", time.monotonic() - begun, flush=True)
"""


@pytest.mark.parametrize(("case", "n_jobs"), [("weighted approx", 1), ("many radii", 2), ("exact", 1)])
def test_ctrl_c_inside_a_huge_ball(case: str, n_jobs: int) -> None:
    script = HEAD + LONG[case] + f"options['n_jobs'] = {n_jobs}\n" + TAIL
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(1.5)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            begin = time.monotonic()
            watchdog = threading.Timer(15, process.kill)
            watchdog.start()
            output = process.stdout.readline()
            waited = time.monotonic() - begin
            watchdog.cancel()
            process.wait(timeout=15)
        finally:
            process.kill()
    assert output, "still running 15 s after Ctrl-C"
    # No thread is left behind.
    assert output == "interrupted 1\n"
    assert process.returncode == 130
    assert waited < LIMIT * max(1.0, os.getloadavg()[0] / 2)


def failing(error: Exception) -> Callable[..., Any]:
    def kernel(*arguments: Any) -> Any:
        raise error

    return kernel


LETTERS = [chr(ord("a") + i) for i in range(20)]


@for_each("inline_below", [0.0, 1e9])
@for_each(("kind", "module", "name"), [("approx", balls, "fill_rows"), ("exact", dense_balls, "fill_dense_rows")])
def test_a_failing_block_names_its_nodes(
    kind: str, module: Any, name: str, inline_below: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "_SHORT_COST", inline_below)
    monkeypatch.setattr(module, name, failing(RuntimeError("the disk is on fire")))
    graph = graph_from_pairs(LETTERS, [*LETTERS[1:], "a"])
    with pytest.raises(EngineError) as caught:
        embed(graph, 2, kind=kind, n_jobs=1)
    text = str(caught.value)
    assert "nodes '" in text
    assert "in work order" in text
    assert "RuntimeError: the disk is on fire" in text
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_a_failing_block_of_one_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(balls, "fill_rows", failing(MemoryError("no room")))
    graph = graph_from_pairs(LETTERS, [*LETTERS[1:], "a"])
    with pytest.raises(EngineError, match=r"node 'c'.*no room"):
        embed(graph, 2, nodes=["c"])
