"""Files appear whole or not at all, with the permissions a plain open() gives."""

import errno
import os
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.cases import for_each
from vnestruct.files import atomic
from vnestruct.files.atomic import STALE_SECONDS, atomic_path, is_temporary, remove_stale_files, temporary_folder


def names(folder):
    return [path.name for path in folder.iterdir()]


def write(path, text="new", **options):
    with atomic_path(path, **options) as temporary:
        temporary.write_text(text)


@pytest.fixture
def umask():
    previous = os.umask(0o027)
    yield 0o027
    os.umask(previous)


def test_the_file_appears_at_the_end_only(tmp_path):
    target = tmp_path / "out.txt"
    with atomic_path(target) as temporary:
        assert temporary.parent == tmp_path
        assert temporary.read_bytes() == b""
        temporary.write_text("hello")
        assert not target.exists()
    assert target.read_text() == "hello"
    assert names(tmp_path) == ["out.txt"]


@for_each("error", [ValueError, KeyboardInterrupt, SystemExit])
@for_each("existing", [None, "old"])
def test_an_error_leaves_things_as_they_were(tmp_path, error, existing):
    target = tmp_path / "out.txt"
    if existing is not None:
        target.write_text(existing)

    def fail():
        with atomic_path(target) as temporary:
            temporary.write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert [path.read_text() for path in tmp_path.iterdir()] == ([] if existing is None else [existing])


@for_each("mode", [None, 0o600, 0o644])
def test_permissions_follow_the_umask_or_the_existing_file(tmp_path, umask, mode):
    target = tmp_path / "out.txt"
    if mode is not None:
        target.write_text("old")
        target.chmod(mode)
    write(target)
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == (0o666 & ~umask if mode is None else mode)


def test_links_are_followed(tmp_path):
    (tmp_path / "real").mkdir()
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "real" / "out.txt")
    for text in ("created through the link", "replaced through the link"):
        write(link, text)
        assert link.is_symlink()
        assert (tmp_path / "real" / "out.txt").read_text() == text


@for_each(("path", "error"), [("loop", OSError), (".", IsADirectoryError), ("missing/out.txt", FileNotFoundError)])
def test_places_that_hold_no_file(tmp_path, path, error):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(error) as caught:
        write(tmp_path / path)
    assert caught.value.filename == str(tmp_path / path)
    assert names(tmp_path) == ["loop"]


def test_a_full_disk_while_syncing_leaves_nothing(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write(tmp_path / "out.txt")
    assert names(tmp_path) == []


def test_a_directory_that_cannot_be_synced_is_tolerated(tmp_path, monkeypatch):
    sync = os.fsync

    def only_files(descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", only_files)
    write(tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == "new"


def test_a_pipe_is_written_to_directly(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text()))
    reader.start()
    write(pipe, "through the pipe")
    reader.join()
    assert received == ["through the pipe"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@for_each("hard_links", [True, False])
def test_without_replacing_the_first_one_stays(tmp_path, monkeypatch, hard_links):
    def link(*paths):
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    if not hard_links:
        monkeypatch.setattr(os, "link", link)
    target = tmp_path / ("n" * 255)
    write(target, "first", replace=False)
    with pytest.raises(FileExistsError):
        write(target, "second", replace=False)
    assert target.read_text() == "first"
    assert names(tmp_path) == [target.name]


def test_without_replacing_a_file_that_appears_meanwhile_stays(tmp_path):
    target = tmp_path / "out.txt"

    def race():
        with atomic_path(target, replace=False) as temporary:
            temporary.write_text("second")
            target.write_text("first")

    with pytest.raises(FileExistsError) as caught:
        race()
    assert caught.value.filename == str(target)
    assert target.read_text() == "first"


def test_errors_name_the_users_file(tmp_path):
    def fail(error):
        with atomic_path(tmp_path / "out.txt") as temporary:
            temporary.write_text("half")
            raise error(temporary)

    for error in (lambda _: OSError(errno.EIO, "broken"), lambda path: OSError(errno.EIO, "broken", path)):
        with pytest.raises(OSError) as caught:
            fail(error)
        assert caught.value.filename == str(tmp_path / "out.txt")
    with pytest.raises(OSError) as caught:
        fail(lambda _: OSError(errno.EIO, "broken", "input.txt"))
    assert caught.value.filename == "input.txt"
    assert names(tmp_path) == []


def test_a_temporary_folder_ends_with_its_block(tmp_path):
    with temporary_folder(tmp_path) as folder:
        assert is_temporary(folder.name)
        (folder / "file").write_text("content")
    assert names(tmp_path) == []


HOLDING = """
import os, signal, sys
from pathlib import Path
from vnestruct.files.atomic import atomic_path, temporary_folder
with atomic_path(sys.argv[1] + "/out.txt") as temporary, temporary_folder(Path(sys.argv[1])) as folder:
    temporary.write_text("half")
    (folder / "large").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_left_is_removed_after_a_day(tmp_path):
    subprocess.run([sys.executable, "-c", HOLDING, str(tmp_path)], check=False)
    left = sorted(names(tmp_path))
    assert len(left) == 2
    assert all(map(is_temporary, left))
    (tmp_path / "thesis.tex").write_text("years of work")
    (tmp_path / ".vnestruct-link.tmp").symlink_to(tmp_path / "thesis.tex")
    write(tmp_path / "other.txt")
    assert set(left) < set(names(tmp_path))
    long_ago = time.time() - STALE_SECONDS - 60
    for path in tmp_path.iterdir():
        os.utime(path, (long_ago, long_ago), follow_symlinks=False)
    # Each process looks once.
    remove_stale_files(tmp_path)
    assert set(left) < set(names(tmp_path))
    atomic._swept.discard(tmp_path)
    write(tmp_path / "other.txt")
    assert sorted(names(tmp_path)) == ["other.txt", "thesis.tex"]


def test_a_file_that_cannot_be_removed_is_left(tmp_path, monkeypatch):
    stale = tmp_path / ".vnestruct-0.tmp"
    stale.write_text("half")
    os.utime(stale, (0, 0))

    def refuse(path):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "unlink", refuse)
    remove_stale_files(tmp_path)
    assert names(tmp_path) == [stale.name]
