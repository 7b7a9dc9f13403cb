"""Kills, Ctrl-C, full disks and closed pipes: nothing is lost, nothing is left half done, one line says so."""

from __future__ import annotations

import os
import random
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import PROGRAM, Outcome, finish, start
from vnestruct.graph.synthetic import grid
from vnestruct.io import write_graph

OPTIONS = ["-r", "3", "-j", "1", "-q"]


def shards(run: Path) -> int:
    return len(list(run.glob("shard-*.npz")))


def wait_for(condition: object, process: subprocess.Popen[str], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition() and process.poll() is None:  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(2, 20))])
def test_a_killed_run_resumes_to_the_same_bytes(seed: int, busy_graph: Path, whole_run: bytes, tmp_path: Path) -> None:
    chance = random.Random(seed)
    run, rows = tmp_path / "run", tmp_path / "rows.csv"
    words = ["embed", busy_graph, *OPTIONS, "--checkpoint", run, "-o", rows]
    n_shards = chance.randrange(0, 33)
    with start(words) as process:
        wait_for(lambda: run.is_dir() and shards(run) >= n_shards, process)
        time.sleep(chance.random() * 0.05)
        process.kill()
    if rows.exists():
        # The kill came after the file was in its place: then it is whole.
        assert rows.read_bytes() == whole_run
        rows.unlink()
    assert finish(*words).code == 0
    assert rows.read_bytes() == whole_run


def test_parts_join_to_the_same_bytes(busy_graph: Path, whole_run: bytes, tmp_path: Path) -> None:
    run, rows = tmp_path / "run", tmp_path / "rows.csv"
    words = ["embed", busy_graph, "-r", "3", "-j", "1", "--checkpoint", run, "-o", rows]
    for part in ("3/3", "1/3"):
        ended = finish(*words, "--part", part)
        assert (ended.code, ended.out) == (0, "")
        assert f"Part {part} is done" in ended.err
        assert f"--checkpoint {run} -o {rows}\n" in ended.err
        assert not rows.exists()
    n_shards = shards(run)
    # The second part is missing: joining computes it.
    assert finish(*words, "-q").code == 0
    assert rows.read_bytes() == whole_run
    assert shards(run) > n_shards > 0


def interrupted(process: subprocess.Popen[str]) -> tuple[Outcome, float]:
    """Press Ctrl-C; return how the program ended, and how soon."""
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    return Outcome(process.returncode, out, err), time.monotonic() - begin


def test_ctrl_c_keeps_the_work_and_says_how_to_resume(busy_graph: Path, whole_run: bytes, tmp_path: Path) -> None:
    run, rows = tmp_path / "my run", tmp_path / "rows.csv"
    words = ["embed", busy_graph, *OPTIONS, "--checkpoint", run, "-o", rows]
    with start(words) as process:
        wait_for(lambda: run.is_dir() and shards(run) >= 3, process)
        ended, _ = interrupted(process)
    assert ended.code == 130
    n_rows = sum(len(np.load(path)["ids"]) for path in run.glob("shard-*.npz"))
    kept, _, command = ended.error.partition(", to resume run: vnestruct ")
    assert n_rows > 0
    assert kept == f"vnestruct: interrupted; {n_rows:,} finished rows are kept in {run}"
    assert not rows.exists()
    n_shards = shards(run)
    subprocess.run(f"{shlex.join(PROGRAM)} {command}", shell=True, check=True)
    assert rows.read_bytes() == whole_run
    assert shards(run) > n_shards >= 3


def test_ctrl_c_inside_one_huge_ball(whole_run: bytes, tmp_path: Path) -> None:
    graph = tmp_path / "grid.vng"
    write_graph(grid(300, 300), graph)
    # Every radius of the one ball is larger than the one before: hours of work.
    words = ["embed", graph, "-r", "400", "-j", "1", "-q", "--nodes", "45150", "-o", tmp_path / "rows.csv"]
    for attempt in range(3):
        run = tmp_path / f"run{attempt}"
        with start([*words, "--checkpoint", run]) as process:
            wait_for((run / "manifest.json").exists, process)
            time.sleep(1.0)
            ended, seconds = interrupted(process)
        assert (ended.code, "to resume run: vnestruct embed" in ended.error) == (130, True)
        assert not (tmp_path / "rows.csv").exists()
        if seconds < 1.0:
            return
    pytest.fail("Ctrl-C takes more than a second")


# A call into C that no signal ends, like a compiler or a long sort.
IN_C = """
import ctypes
from vnestruct.cli.errors import run_interruptible
sleep = ctypes.CDLL(None).sleep
run_interruptible(lambda: print("ready", flush=True) or [sleep(5) for _ in range(4)], lambda: "interrupted")
"""


def test_ctrl_c_while_a_library_keeps_the_main_thread() -> None:
    with start([], program=[sys.executable, "-c", IN_C]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        ended, seconds = interrupted(process)
    assert (ended.code, ended.err) == (130, "vnestruct: interrupted\n")
    assert seconds < 3.0


def test_ctrl_c_without_a_checkpoint(busy_graph: Path, whole_run: bytes) -> None:
    with start(["embed", busy_graph, "-r", "9", "-j", "1"]) as process:
        assert process.stderr is not None
        assert "3,000 nodes" in process.stderr.readline()
        ended, _ = interrupted(process)
    assert (ended.code, "nothing was kept: with --checkpoint DIR" in ended.error) == (130, True)


def test_a_closed_pipe(busy_graph: Path, whole_run: bytes, tmp_path: Path) -> None:
    with start(["embed", busy_graph, *OPTIONS, "--checkpoint", tmp_path / "run"]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "node,h1,h2,h3\n"
        process.stdout.close()
        assert process.stderr is not None
        ended = Outcome(process.wait(timeout=60), "", process.stderr.read())
    assert (ended.code, "the output was closed" in ended.error) == (1, True)
    assert shards(tmp_path / "run") > 0


@pytest.mark.parametrize("words", [["-o", "/dev/full", "--output-format", "csv"], []])
def test_a_device_that_is_full(words: list[str], edges: Path) -> None:
    with Path("/dev/full").open("w") as full:
        ended = finish("embed", edges, "-q", *words, stdout=full)
    assert (ended.code, "No space left on device" in ended.error) == (1, True)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KiB, too small for the checkpoint."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("mounting a small disk needs the superuser")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_keeps_the_checkpoint(small_disk: Path, busy_graph: Path, whole_run: bytes, tmp_path: Path) -> None:
    run, rows = small_disk / "run", tmp_path / "rows.csv"
    words = ["embed", busy_graph, *OPTIONS, "--checkpoint", run, "-o", rows]
    ended = finish(*words)
    assert (ended.code, "No space left on device; free some space" in ended.error) == (1, True)
    assert f"finished rows are kept in {run}" in ended.error
    assert not rows.exists()
    assert shards(run) > 0
    assert not list(run.glob(".vnestruct-*"))
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
    assert finish(*words).code == 0
    assert rows.read_bytes() == whole_run
