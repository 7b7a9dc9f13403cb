"""Two processes on one checkpoint, or one output file, either of them killed at any moment: the right bytes in the end.

Each process is a fork of one that has imported and compiled everything, so that a kill falls into the work itself.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PAIRS = """
import os, random, signal, sys, time
from pathlib import Path

import numpy as np

from vnestruct import embed
from vnestruct.files import atomic
from vnestruct.graph.synthetic import barabasi_albert
from vnestruct.store import write_embedding

folder, seed, n_pairs = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
chance = random.Random(seed)
graph = barabasi_albert(400, 3, seed=1)
expected = embed(graph, 3, n_jobs=1)
columns = ["h1", "h2", "h3"]
write_embedding(folder / "expected.npz", None, expected, columns)
begin = time.monotonic()
embed(graph, 3, n_jobs=1, checkpoint=folder / "timed")
seconds = time.monotonic() - begin


def start(run, output):
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        rows = embed(graph, 3, n_jobs=1, checkpoint=run)
        write_embedding(output, None, rows, columns)
        code = 0
    finally:
        os._exit(code)


killed = 0
for pair in range(n_pairs):
    run, output = folder / f"run{pair}", folder / f"rows{pair}.npz"
    children = [start(run, output) for _ in range(2)]
    time.sleep(chance.random() * 2.5 * seconds)
    victim, survivor = chance.sample(children, 2)
    os.kill(victim, signal.SIGKILL)
    killed += os.waitstatus_to_exitcode(os.waitpid(victim, 0)[1]) == -signal.SIGKILL
    assert os.waitstatus_to_exitcode(os.waitpid(survivor, 0)[1]) == 0, pair
    whole = (folder / "expected.npz").read_bytes()
    assert output.read_bytes() == whole, pair
    # A third one, a day later, finds all rows and removes all else.
    totals = []
    atomic._swept.clear()
    atomic.STALE_SECONDS = 0.0
    rows = embed(graph, 3, n_jobs=1, checkpoint=run, progress=lambda done, total: totals.append(total))
    assert set(totals) == {0.0}, pair
    assert np.array_equal(rows, expected), pair
    write_embedding(output, None, rows, columns)
    assert output.read_bytes() == whole, pair
    atomic.remove_stale_files(run)
    atomic.STALE_SECONDS = 1e9
    assert not [*run.glob(".vnestruct-*"), *folder.glob(".vnestruct-*")], pair
print(n_pairs, killed)
"""


@pytest.mark.parametrize("n_pairs", [3, pytest.param(50, marks=pytest.mark.full)])
def test_pairs_of_which_one_is_killed(n_pairs: int, tmp_path: Path, root: Path) -> None:
    # Forks of a process with threads of OpenMP would wait for them for ever.
    variables = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PAIRS, tmp_path, "7", str(n_pairs)],
        cwd=root,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    pairs, killed = map(int, done.stdout.split())
    assert pairs == n_pairs
    # The others had finished before.
    assert killed >= n_pairs // 5
