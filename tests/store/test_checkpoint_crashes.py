"""Checkpoints under stress: damage costs only its rows, starts may race, kill -9 never corrupts."""

import json
import logging
import multiprocessing
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from vnestruct.errors import CheckpointMismatchError
from vnestruct.store import Checkpoint

IDENTITY = {"graph": "5ad1", "radius": 2}


def open_checkpoint(folder, **changes):
    return Checkpoint.open(folder, {**IDENTITY, **changes}, n_columns=2)


def shards(folder):
    return sorted(folder.glob("shard-*"))


def truncate(path):
    path.write_bytes(path.read_bytes()[:-3])


def lengthen(path):
    path.write_bytes(path.read_bytes() + b"x")


def empty(path):
    path.write_bytes(b"")


def flip_a_bit(path):
    content = bytearray(path.read_bytes())
    content[-10] ^= 1
    path.write_bytes(content)


def flip_a_count(path):
    content = bytearray(path.read_bytes())
    content[8] ^= 1
    path.write_bytes(content)


def hold_nothing(path):
    path.write_bytes(path.read_bytes()[:8] + bytes(48))


def be_something_else(path):
    path.write_bytes(b"PK\x03\x04" * 100)


@pytest.mark.parametrize(
    "damage", [truncate, lengthen, empty, flip_a_bit, flip_a_count, hold_nothing, be_something_else]
)
def test_a_damaged_shard_costs_only_its_rows(tmp_path, caplog, damage):
    checkpoint = open_checkpoint(tmp_path)
    checkpoint.add([0, 1], [[1.0, 2.0], [3.0, 4.0]])
    checkpoint.add([2], [[5.0, 6.0]])
    victim = shards(tmp_path)[0]
    damage(victim)
    with caplog.at_level(logging.WARNING, "vnestruct"):
        mask, rows = checkpoint.finished(4)
    assert mask.tolist() == [False, False, True, False]
    assert rows[2].tolist() == [5.0, 6.0]
    assert not victim.exists()
    assert len(checkpoint.notes) == 1
    assert f"deleted {victim}" in checkpoint.notes[0]
    assert caplog.messages == checkpoint.notes
    checkpoint.add([0, 1], [[1.0, 2.0], [3.0, 4.0]])
    assert checkpoint.finished(3)[0].all()


def test_rows_beyond_the_result_are_damage(tmp_path):
    checkpoint = open_checkpoint(tmp_path)
    checkpoint.add([9], [[1.0, 2.0]])
    assert not checkpoint.finished(5)[0].any()
    assert "row ids outside 0..4" in checkpoint.notes[0]


def test_a_shard_that_cannot_be_read_is_not_deleted(tmp_path):
    checkpoint = open_checkpoint(tmp_path)
    (tmp_path / "shard-0000000000-00.bin").mkdir()
    assert not checkpoint.finished(5)[0].any()
    assert "cannot be read" in checkpoint.notes[0]
    assert shards(tmp_path)


def test_checkpoints_travel_to_other_processes(tmp_path):
    pickle.loads(pickle.dumps(open_checkpoint(tmp_path))).add([0], [[1.0, 2.0]])
    assert open_checkpoint(tmp_path).finished(1)[0].all()


def start_and_add(folder, number, barrier, outcomes):
    barrier.wait()
    try:
        checkpoint = open_checkpoint(folder, radius=number % 2)
        checkpoint.add([number], [[number, number / 3]])
        outcomes.put((number, "added"))
    except CheckpointMismatchError:
        outcomes.put((number, "refused"))


def test_many_processes_start_at_once(tmp_path):
    context = multiprocessing.get_context("forkserver")
    barrier, outcomes = context.Barrier(4), context.Queue()
    processes = [
        context.Process(target=start_and_add, args=(tmp_path / "run", number, barrier, outcomes)) for number in range(4)
    ]
    for process in processes:
        process.start()
    results = dict(outcomes.get(timeout=60) for _ in processes)
    for process in processes:
        process.join()
    # Two computations race for one directory: one wins it whole, the other is told so.
    winner = json.loads((tmp_path / "run" / "manifest.json").read_text())["identity"]["radius"]
    assert results == {number: "added" if number % 2 == winner else "refused" for number in range(4)}
    mask, rows = open_checkpoint(tmp_path / "run", radius=winner).finished(4)
    assert mask.tolist() == [number % 2 == winner for number in range(4)]
    assert all(rows[number].tolist() == [number, number / 3] for number in range(4) if mask[number])


ADDING = """
import sys
import numpy as np
from vnestruct.store import Checkpoint
checkpoint = Checkpoint.open(sys.argv[1], {"graph": "5ad1"}, n_columns=2)
done = checkpoint.finished(1_000_000)[0]
print("ready", flush=True)
for start in range(0, 1_000_000, 500):
    ids = np.arange(start, start + 500)
    if not done[ids].all():
        checkpoint.add(ids, np.column_stack((ids / 3, np.sqrt(ids))))
        print(start, flush=True)
"""


def test_kill_at_any_moment_leaves_a_valid_checkpoint(tmp_path):
    folder = tmp_path / "run"
    acknowledged = 0
    for delay in (0.0, 0.013, 0.05, 0.11):
        with subprocess.Popen(
            [sys.executable, "-c", ADDING, str(folder)], stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout.readline() == "ready\n"
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            lines = process.stdout.read().splitlines()
        assert process.returncode == -signal.SIGKILL
        acknowledged += len(lines)
        checkpoint = Checkpoint.open(folder, {"graph": "5ad1"}, n_columns=2)
        mask, rows = checkpoint.finished(1_000_000)
        ids = np.flatnonzero(mask)
        assert checkpoint.notes == []
        # Nothing that was reported as saved is lost; at most one shard more per kill was saved unreported.
        assert 500 * acknowledged <= len(ids) <= 500 * (acknowledged + 4)
        np.testing.assert_array_equal(rows[ids], np.column_stack((ids / 3, np.sqrt(ids))))
    assert acknowledged > 0
