"""Checkpoints: bits round-trip, other computations are refused, damage costs only its rows, kill -9 never corrupts."""

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
from tests.cases import for_each

from vnestruct.errors import CheckpointMismatchError, ParameterError
from vnestruct.store import Checkpoint, checkpoint

IDENTITY = {"graph": "5ad1", "radius": 2, "kinds": ("approx", "exact"), "tol": 1e-9, "weighted": False}


def open_checkpoint(folder, **changes):
    return Checkpoint.open(folder, {**IDENTITY, **changes}, n_columns=2)


def shards(folder):
    return sorted(folder.glob("shard-*"))


def test_bits_round_trip(tmp_path):
    # Every kind of float64: subnormal, huge, signed zero, NaN with a payload.
    bits = np.array(
        [[1, 2**52 - 1], [0x7FEFFFFFFFFFFFFF, 1 << 63], [0x7FF8000000000ABC, 0x3FD5555555555555]], np.uint64
    )
    # Checkpoints travel to other processes.
    pickle.loads(pickle.dumps(open_checkpoint(tmp_path / "a" / "run"))).add([5, 0, 2], bits.view(np.float64))
    mask, rows = open_checkpoint(tmp_path / "a" / "run").finished(7)
    assert mask.tolist() == [True, False, True, False, False, True, False]
    np.testing.assert_array_equal(rows[[5, 0, 2]].view(np.uint64), bits)
    assert np.isnan(rows[~mask]).all()


def test_shards_accumulate_and_repeats_do_not(tmp_path):
    run = open_checkpoint(tmp_path)
    for _ in range(2):
        run.add(np.array([3, 1]), [[3.0, 30.0], [1.0, 10.0]])
        run.add(np.array([2], dtype=np.int64), [[2.0, 20.0]])
    run.add([], np.empty((0, 2)))
    run.inner(1).add([0, 1], [[7.0], [8.0]])
    assert len(shards(tmp_path)) == 2
    mask, rows = run.finished(4)
    assert mask.tolist() == [False, True, True, True]
    assert rows[1:].tolist() == [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]
    assert open_checkpoint(tmp_path).inner(1).finished(2)[1].tolist() == [[7.0], [8.0]]
    assert Checkpoint.count_rows(tmp_path) == 5


@for_each(
    ("changes", "message"),
    [
        ({"radius": 3}, "radius is 2 there and 3 here"),
        ({"graph": "ffff", "radius": 3}, 'graph is "5ad1" there and "ffff" here'),
        ({"weighted": 0}, "weighted is false there and 0 here"),
        ({"kinds": ["approx"]}, r'kinds is \["approx", "exact"\] there and \["approx"\] here'),
        ({"direction": "out"}, 'direction is absent there and "out" here'),
    ],
)
def test_another_computation_is_refused(tmp_path, changes, message):
    open_checkpoint(tmp_path).add([0], [[1.0, 2.0]])
    with pytest.raises(CheckpointMismatchError, match=f"{message}; choose another directory or delete this one"):
        open_checkpoint(tmp_path, **changes)
    assert open_checkpoint(tmp_path).finished(1)[0].all()


def test_fewer_keys_other_columns_and_other_bits_are_refused(tmp_path, monkeypatch):
    open_checkpoint(tmp_path)
    with pytest.raises(CheckpointMismatchError, match='graph is "5ad1" there and absent here'):
        Checkpoint.open(tmp_path, {key: IDENTITY[key] for key in IDENTITY if key != "graph"}, 2)
    with pytest.raises(CheckpointMismatchError, match="n_columns is 2 there and 3 here"):
        Checkpoint.open(tmp_path, IDENTITY, 3)
    monkeypatch.setattr(checkpoint, "BITS_VERSION", 99)
    with pytest.raises(CheckpointMismatchError, match=r"bits is \d+ there and 99 here"):
        open_checkpoint(tmp_path)


def test_equal_values_of_other_types_and_package_versions_do_not_matter(tmp_path):
    open_checkpoint(tmp_path).add([1], [[1.0, 10.0]])
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "package_version": "99"}))
    again = open_checkpoint(tmp_path, radius=np.int64(2), tol=np.float64(1e-9), weighted=np.False_)
    assert again.finished(2)[0].tolist() == [False, True]


@for_each("content", ["", "{", "[]", "{}", '{"identity": 1}', '{"identity": [1]}', "\xff", "[" * 200_000])
def test_a_file_that_is_not_a_manifest(tmp_path, content):
    (tmp_path / "manifest.json").write_bytes(content.encode("latin-1"))
    with pytest.raises(CheckpointMismatchError, match=r"manifest.json is not the manifest of a checkpoint; choose"):
        open_checkpoint(tmp_path)


def test_the_users_files_are_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(ParameterError, match=r"such as thesis.tex\) but is not a checkpoint; choose a new or empty"):
        open_checkpoint(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    for path in (tmp_path / "thesis.tex", tmp_path / "thesis.tex" / "run"):
        with pytest.raises(ParameterError, match="is not a directory; choose another name"):
            open_checkpoint(path)


def test_temporary_files_alone_do_not_make_a_directory_foreign(tmp_path):
    # Another process is writing the manifest at this moment.
    (tmp_path / ".vnestruct-abc.tmp").write_bytes(b"")
    open_checkpoint(tmp_path).add([1], [[1.0, 10.0]])
    assert open_checkpoint(tmp_path).finished(2)[0].tolist() == [False, True]


def truncate(path):
    path.write_bytes(path.read_bytes()[:-3])


def empty(path):
    path.write_bytes(b"")


def flip_a_bit(path):
    content = bytearray(path.read_bytes())
    content[content.index(np.float64(3.0).tobytes())] ^= 1
    path.write_bytes(content)


def be_something_else(path):
    path.write_bytes(b"PK\x03\x04" * 100)


def hold(**arrays):
    def damage(path):
        np.savez(path, **arrays)

    return damage


@for_each(
    "damage",
    [
        truncate, empty, flip_a_bit, be_something_else, hold(ids=np.int32([0])),
        hold(ids=np.int32([0]), rows=np.ones((1, 3))), hold(ids=np.int32([[0]]), rows=np.ones((1, 2))),
        hold(ids=np.int32([-1]), rows=np.ones((1, 2))), hold(ids=np.int32([9]), rows=np.ones((1, 2))),
        hold(ids=np.array([0.0]), rows=np.ones((1, 2))),
    ],
)  # fmt: skip
def test_a_damaged_shard_costs_only_its_rows(tmp_path, damage):
    run = open_checkpoint(tmp_path)
    run.add([0, 1], [[1.0, 2.0], [3.0, 4.0]])
    run.add([2], [[5.0, 6.0]])
    victim = shards(tmp_path)[0]
    damage(victim)
    messages = []
    handler = logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())
    logging.getLogger("vnestruct").addHandler(handler)
    mask, rows = run.finished(4)
    logging.getLogger("vnestruct").removeHandler(handler)
    assert mask.tolist() == [False, False, True, False]
    assert rows[2].tolist() == [5.0, 6.0]
    assert not victim.exists()
    assert len(messages) == 1
    assert f"{victim} is damaged" in messages[0]
    run.add([0, 1], [[1.0, 2.0], [3.0, 4.0]])
    assert run.finished(3)[0].all()


def test_a_shard_that_cannot_be_read_is_not_deleted(tmp_path, caplog):
    run = open_checkpoint(tmp_path)
    (tmp_path / "shard-0000000000-1-00.npz").mkdir()
    assert not run.finished(5)[0].any()
    assert "cannot be read" in caplog.messages[0]
    assert shards(tmp_path)


def start_and_add(folder, number, barrier, outcomes):
    barrier.wait()
    try:
        run = open_checkpoint(folder, radius=number % 2)
        run.add([number], [[number, number / 3]])
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


def test_kill_at_any_moment_leaves_a_valid_checkpoint(tmp_path, caplog):
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
        mask, rows = Checkpoint.open(folder, {"graph": "5ad1"}, n_columns=2).finished(1_000_000)
        ids = np.flatnonzero(mask)
        assert caplog.messages == []
        # Nothing that was reported as saved is lost; at most one shard more per kill was saved unreported.
        assert 500 * acknowledged <= len(ids) <= 500 * (acknowledged + 4)
        np.testing.assert_array_equal(rows[ids], np.column_stack((ids / 3, np.sqrt(ids))))
    assert acknowledged > 0
