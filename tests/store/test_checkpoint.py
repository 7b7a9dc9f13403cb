"""Checkpoints: bits round-trip, other computations are refused, the user's files are left alone."""

import json
import os
import time

import numpy as np
import pytest
from tests.cases import for_each

from vnestruct.errors import CheckpointMismatchError, ParameterError
from vnestruct.files.strays import STRAY_SECONDS
from vnestruct.store import Checkpoint

IDENTITY = {"graph": "5ad1", "radius": 2, "kinds": ("approx", "exact"), "tol": 1e-9, "weighted": False}


def open_checkpoint(folder, **changes):
    return Checkpoint.open(folder, {**IDENTITY, **changes}, n_columns=2)


def names(folder):
    return [path.name for path in folder.iterdir()]


def shards(folder):
    return sorted(folder.glob("shard-*"))


def test_bits_round_trip(tmp_path):
    # Every kind of float64: subnormal, huge, signed zero, NaN with a payload.
    bits = np.array(
        [[1, 2**52 - 1], [0x7FEFFFFFFFFFFFFF, 1 << 63], [0x7FF8000000000ABC, 0x3FD5555555555555]], np.uint64
    )
    checkpoint = open_checkpoint(tmp_path / "run")
    checkpoint.add([5, 0, 2], bits.view(np.float64))
    mask, rows = open_checkpoint(tmp_path / "run").finished(7)
    assert mask.tolist() == [True, False, True, False, False, True, False]
    np.testing.assert_array_equal(rows[[5, 0, 2]].view(np.uint64), bits)
    assert np.isnan(rows[~mask]).all()


def test_shards_accumulate_and_repeats_do_not(tmp_path):
    checkpoint = open_checkpoint(tmp_path)
    for _ in range(2):
        checkpoint.add(np.array([3, 1]), [[3.0, 30.0], [1.0, 10.0]])
        checkpoint.add(np.array([2], dtype=np.int64), [[2.0, 20.0]])
    checkpoint.add([], np.empty((0, 2)))
    assert len(shards(tmp_path)) == 2
    mask, rows = checkpoint.finished(4)
    assert mask.tolist() == [False, True, True, True]
    assert rows[1:].tolist() == [[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]]


def test_the_manifest_says_what_is_computed(tmp_path):
    open_checkpoint(tmp_path / "a" / "b")
    manifest = json.loads((tmp_path / "a" / "b" / "manifest.json").read_text())
    assert manifest["format_version"] == 1
    assert manifest["n_columns"] == 2
    assert manifest["identity"] == {**IDENTITY, "kinds": ["approx", "exact"]}


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


def test_fewer_keys_and_other_columns_are_refused(tmp_path):
    open_checkpoint(tmp_path)
    with pytest.raises(CheckpointMismatchError, match='graph is "5ad1" there and absent here'):
        Checkpoint.open(tmp_path, {key: IDENTITY[key] for key in IDENTITY if key != "graph"}, 2)
    with pytest.raises(CheckpointMismatchError, match="n_columns is 2 there and 3 here"):
        Checkpoint.open(tmp_path, IDENTITY, 3)


def test_numpy_values_are_the_numbers_they_hold(tmp_path):
    open_checkpoint(tmp_path).add([1], [[1.0, 10.0]])
    again = open_checkpoint(tmp_path, radius=np.int64(2), tol=np.float64(1e-9), weighted=np.False_)
    assert again.finished(2)[0].tolist() == [False, True]


def test_the_package_version_does_not_matter(tmp_path):
    open_checkpoint(tmp_path).add([1], [[1.0, 10.0]])
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "package_version": "99"}))
    assert open_checkpoint(tmp_path).finished(2)[0].tolist() == [False, True]


def test_a_newer_format_is_refused_whatever_else_it_says(tmp_path):
    (tmp_path / "manifest.json").write_text('{"format_version": 2}')
    with pytest.raises(CheckpointMismatchError, match=r"has format 2 .* reads up to 1; upgrade vnestruct, or choose"):
        open_checkpoint(tmp_path)


@for_each("content", ["", "{", "[]", "{}", '{"format_version": 1}', '{"format_version": "1"}', "\xff"])
def test_a_file_that_is_not_a_manifest(tmp_path, content):
    (tmp_path / "manifest.json").write_bytes(content.encode("latin-1"))
    with pytest.raises(CheckpointMismatchError, match=r"manifest.json is not the manifest of a checkpoint; choose"):
        open_checkpoint(tmp_path)


def test_the_users_files_are_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(
        ParameterError, match=r"such as thesis.tex\) but is not a checkpoint; choose a new or empty one"
    ):
        open_checkpoint(tmp_path)
    assert names(tmp_path) == ["thesis.tex"]


def test_a_file_in_place_of_the_directory(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(ParameterError, match="is not a directory; choose another name"):
            open_checkpoint(path)


def test_old_temporary_files_are_swept_and_young_ones_kept(tmp_path):
    # Of earlier versions, or of other machines, whose locks may not be seen here.
    checkpoint = open_checkpoint(tmp_path)
    young, old = (tmp_path / f".vnestruct-{name}.tmp" for name in ("young", "old"))
    for path in (young, old):
        path.write_bytes(b"half a shard")
    long_ago = time.time() - STRAY_SECONDS - 60
    os.utime(old, (long_ago, long_ago))
    open_checkpoint(tmp_path)
    assert young.exists()
    assert not old.exists()
    assert not checkpoint.finished(3)[0].any()


def test_temporary_files_alone_do_not_make_a_directory_foreign(tmp_path):
    # Another process is writing the manifest at this moment.
    (tmp_path / ".vnestruct-abc.tmp").write_bytes(b"")
    open_checkpoint(tmp_path).add([1], [[1.0, 10.0]])
    assert "manifest.json" in names(tmp_path)
    assert open_checkpoint(tmp_path).finished(2)[0].tolist() == [False, True]
