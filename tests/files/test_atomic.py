"""Files appear whole or not at all, with the permissions a plain open() gives."""

import errno
import os
import stat
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
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


@for_each("error", [None, ValueError, KeyboardInterrupt])
@for_each("existing", [[], ["old"]])
def test_the_file_appears_at_the_end_or_not_at_all(tmp_path, error, existing):
    target = tmp_path / "out.txt"
    for text in existing:
        target.write_text(text)
    with pytest.raises(error) if error else nullcontext(), atomic_path(target) as temporary:
        assert temporary.parent == tmp_path
        temporary.write_text("new")
        assert [path.read_text() for path in tmp_path.iterdir() if path != temporary] == existing
        if error:
            raise error
    assert [path.read_text() for path in tmp_path.iterdir()] == (existing if error else ["new"])


@for_each(("refused", "code"), [("file", errno.ENOSPC), ("folder", errno.EINVAL)])
def test_only_a_folder_may_refuse_to_be_synced(tmp_path, monkeypatch, refused, code):
    sync = os.fsync

    def refuse(descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode) == (refused == "folder"):
            raise OSError(code, os.strerror(code))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space left") if refused == "file" else nullcontext():
        write(tmp_path / "out.txt")
    assert names(tmp_path) == ([] if refused == "file" else ["out.txt"])


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
    if hard_links:
        target.unlink()
        with pytest.raises(FileExistsError) as caught, atomic_path(target, replace=False):
            target.write_text("appeared meanwhile")
        assert caught.value.filename == str(target)
    assert names(tmp_path) == [target.name]


def test_errors_name_the_users_file(tmp_path):
    for given, named in ((None, "out.txt"), ("temporary", "out.txt"), ("input.txt", "input.txt")):
        with pytest.raises(OSError) as caught, atomic_path(tmp_path / "out.txt") as temporary:
            raise OSError(errno.EIO, "broken", temporary if given == "temporary" else given)
        assert Path(caught.value.filename).name == named
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


def refuse(path):
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def test_what_a_killed_process_left_is_removed_after_a_day(tmp_path, monkeypatch):
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
    # Each process looks once, and what cannot be removed stays.
    remove_stale_files(tmp_path)
    assert set(left) < set(names(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        atomic._swept.discard(tmp_path)
        remove_stale_files(tmp_path)
    assert ".vnestruct-link.tmp" in names(tmp_path)
    atomic._swept.discard(tmp_path)
    with temporary_folder(tmp_path):
        pass
    assert sorted(names(tmp_path)) == ["other.txt", "thesis.tex"]
