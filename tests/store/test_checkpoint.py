"""Checkpoints: bits come back, other computations are refused, damage costs only its rows, kill -9 never corrupts.

Parts of the work: every position once, cuts aligned, cost balanced.
"""

import json
import multiprocessing
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import for_each

from vnestruct.errors import CheckpointMismatchError, ParameterError
from vnestruct.store import Checkpoint, checkpoint, parse_part, part_slice

IDENTITY = {"graph": "5ad1", "radius": 2, "kinds": ("approx", "exact"), "tol": 1e-9, "weighted": False}


def open_checkpoint(folder, n_columns=2, **changes):
    identity = {key: value for key, value in {**IDENTITY, **changes}.items() if value is not None}
    return Checkpoint.open(folder, identity, n_columns)


def test_bits_come_back(tmp_path):
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
    for ids in ([3, 1], np.array([2]), [3, 1], []):
        run.add(ids, np.outer(ids, [1, 10]))
    run.inner(1).add([0, 1], [[7.0], [8.0]])
    assert len(list(tmp_path.glob("shard-*"))) == 2
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
        ({"graph": None}, 'graph is "5ad1" there and absent here'),
        ({"n_columns": 3}, "n_columns is 2 there and 3 here"),
        ({}, r"bits is \d+ there and 99 here"),
    ],
)
def test_another_computation_is_refused(tmp_path, monkeypatch, changes, message):
    open_checkpoint(tmp_path).add([0], [[1.0, 2.0]])
    if not changes:
        monkeypatch.setattr(checkpoint, "BITS_VERSION", 99)
    with pytest.raises(CheckpointMismatchError, match=message):
        open_checkpoint(tmp_path, **changes)
    assert Checkpoint.count_rows(tmp_path) == 1


def test_equal_values_of_other_types_and_package_versions_do_not_matter(tmp_path):
    # Another process is writing the manifest at this moment.
    (tmp_path / ".vnestruct-abc.tmp").write_bytes(b"")
    open_checkpoint(tmp_path).add([1], [[1.0, 10.0]])
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "package_version": "99"}))
    again = open_checkpoint(tmp_path, radius=np.int64(2), tol=np.float64(1e-9), weighted=np.False_)
    assert again.finished(2)[0].tolist() == [False, True]


@for_each("content", ["", "{", "[]", "{}", '{"identity": 1}', '{"identity": [1]}', "\xff", "[" * 200_000])
def test_a_file_that_is_not_a_manifest(tmp_path, content):
    (tmp_path / "manifest.json").write_bytes(content.encode("latin-1"))
    with pytest.raises(CheckpointMismatchError, match=r"manifest.json"):
        open_checkpoint(tmp_path)


def test_the_users_files_are_left_alone(tmp_path):
    thesis = tmp_path / "thesis.tex"
    thesis.write_text("years of work")
    for place, named in ((tmp_path, "such as thesis.tex"), (thesis, "directory"), (thesis / "run", "directory")):
        with pytest.raises(ParameterError, match=named):
            open_checkpoint(place)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def flipped(content):
    place = content.index(np.float64(3.0).tobytes())
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


DAMAGE = [lambda content: content[:-3], lambda _: b"", flipped, lambda _: b"PK\x03\x04" * 100]
ONE, ROW = np.int32([0]), np.ones((1, 2))
STRANGERS = [
    {"ids": ONE},
    *({"ids": ids, "rows": rows} for ids, rows in (
        (ONE, np.ones((1, 3))), (ONE[None], ROW), (ONE - 1, ROW), (ONE + 9, ROW), (np.array([0.0]), ROW),
    )),
]  # fmt: skip


@for_each("damage", DAMAGE + STRANGERS)
def test_a_damaged_shard_costs_only_its_rows(tmp_path, damage):
    run = open_checkpoint(tmp_path)
    run.add([0, 1], [[1.0, 2.0], [3.0, 4.0]])
    run.add([2], [[5.0, 6.0]])
    victim = min(tmp_path.glob("shard-*"))
    if isinstance(damage, dict):
        np.savez(victim, **damage)
    else:
        victim.write_bytes(damage(victim.read_bytes()))
    mask, rows = run.finished(4)
    assert mask.tolist() == [False, False, True, False]
    assert rows[2].tolist() == [5.0, 6.0]
    assert not victim.exists()


def test_what_is_lost_or_cannot_be_read_is_logged(tmp_path, caplog):
    run = open_checkpoint(tmp_path)
    (tmp_path / "shard-0000000000-1-00.npz").mkdir()
    (tmp_path / "shard-0000000001-1-00.npz").write_bytes(b"")
    assert not run.finished(5)[0].any()
    assert ["cannot be read" in text for text in caplog.messages] == [True, False]
    assert f"{tmp_path / 'shard-0000000001-1-00.npz'} is damaged" in caplog.messages[1]
    assert len(list(tmp_path.glob("shard-*"))) == 1


def start_and_add(folder, number, barrier, outcomes):
    barrier.wait()
    try:
        open_checkpoint(folder, radius=number % 2).add([number], [[number, number / 3]])
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


@given(st.lists(st.just(0.0) | st.floats(0, 1e6), max_size=200), st.integers(1, 40), st.integers(1, 17))
def test_the_parts_cover_every_position_once_and_none_exceeds_its_share_by_more_than_a_group(costs, parts, align):
    slices = [part_slice(costs, part, parts, align=align) for part in range(1, parts + 1)]
    assert [i for piece in slices for i in range(len(costs))[piece]] == list(range(len(costs)))
    assert all(piece.start % align == 0 or piece.start == len(costs) for piece in slices)
    # Without any costs, parts have equal lengths.
    costs = np.array(costs) if any(costs) else np.ones(len(costs))
    costliest = np.add.reduceat(costs, np.arange(0, len(costs), align)).max() if len(costs) else 0.0
    assert all(costs[piece].sum() <= costs.sum() / parts + costliest + 1e-6 for piece in slices)


def test_parts_are_written_as_two_numbers():
    for part, expected in (("3/16", (3, 16)), (" 1 / 1 ", (1, 1)), ("016/16", (16, 16)), ((3, 16), (3, 16))):
        assert parse_part(part) == expected
    for text in ("", "3", "3/", "/16", "3-16", "a/b", "1.5/4", "-1/4", "3/16/2", "٣/٤", "0/4", "5/4", "0/0"):
        with pytest.raises(ParameterError, match=f"part.*{text}"):
            parse_part(text)
