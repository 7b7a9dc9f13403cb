"""What a killed process leaves is removed by the next one; what a living one writes is left alone."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from vnestruct.files import strays
from vnestruct.files.atomic import atomic_path
from vnestruct.files.strays import STRAY_SECONDS, create_locked, remove_strays, temporary_folder, temporary_name

HOLDING = """
import sys
from pathlib import Path
from vnestruct.files.atomic import atomic_path
from vnestruct.files.strays import temporary_folder
with atomic_path(sys.argv[1] + "/out.txt") as temporary, temporary_folder(Path(sys.argv[1])) as folder:
    temporary.write_text("half")
    (folder / "large").write_text("half")
    print("ready", flush=True)
    sys.stdin.read()
"""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_strays_of_a_killed_process_are_removed_and_those_of_a_living_one_are_not(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        before = names(tmp_path)
        remove_strays(tmp_path)
        assert names(tmp_path) == before
        assert len(before) == 2
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert names(tmp_path) == before
    # Any write into the folder removes them, the first time that a process writes there.
    strays._swept.discard(tmp_path)
    with atomic_path(tmp_path / "other.txt") as temporary:
        temporary.write_text("whole")
    assert names(tmp_path) == ["other.txt"]


def test_what_another_machine_writes_is_left_alone_for_an_hour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strays, "_machine", lambda: "1" * 8)
    # No lock is held, as if the file system did not pass locks on.
    written, folder = tmp_path / temporary_name(), tmp_path / temporary_name()
    os.close(create_locked(written))
    folder.mkdir()
    monkeypatch.setattr(strays, "_machine", lambda: "2" * 8)
    remove_strays(tmp_path)
    assert names(tmp_path) == sorted([written.name, folder.name])
    long_ago = time.time() - STRAY_SECONDS - 60
    for path in (written, folder):
        os.utime(path, (long_ago, long_ago))
    remove_strays(tmp_path)
    # Work in a folder may go on for days without a new file in it.
    assert names(tmp_path) == [folder.name]
    monkeypatch.setattr(strays, "_machine", lambda: "1" * 8)
    remove_strays(tmp_path)
    assert names(tmp_path) == []


def test_without_locks_age_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strays, "fcntl", None)
    path = tmp_path / temporary_name()
    os.close(create_locked(path))
    remove_strays(tmp_path)
    assert names(tmp_path) == [path.name]
    long_ago = time.time() - STRAY_SECONDS - 60
    os.utime(path, (long_ago, long_ago))
    remove_strays(tmp_path)
    assert names(tmp_path) == []


def test_a_folder_that_cannot_be_opened_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*words: object) -> int:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(os, "open", fail)
    with pytest.raises(OSError, match="broken"), temporary_folder(tmp_path):
        pass
    monkeypatch.undo()
    assert names(tmp_path) == []


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / temporary_name())
    remove_strays(tmp_path)
    assert len(names(tmp_path)) == 1


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "thesis.tex").write_text("years of work")
    (tmp_path / "text").write_text("years of work")
    for target in ("data", "text"):
        (tmp_path / temporary_name()).symlink_to(tmp_path / target)
    remove_strays(tmp_path)
    assert (tmp_path / "data" / "thesis.tex").read_text() == (tmp_path / "text").read_text() == "years of work"


@pytest.mark.parametrize("folder", [False, True])
def test_a_name_taken_again_is_not_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: bool) -> None:
    """One sweeper opens a stray, another removes it, and its owner creates it again before the first has the lock."""
    path = tmp_path / temporary_name()
    os.close(create_locked(path, folder=folder))
    lock, kept = strays._lock, []

    def lock_late(descriptor: int, *, wait: bool) -> bool | None:
        if not kept and not wait:
            (Path.rmdir if folder else Path.unlink)(path)
            kept.append(None)
            kept[0] = create_locked(path, folder=folder)
        return lock(descriptor, wait=wait)

    monkeypatch.setattr(strays, "_lock", lock_late)
    remove_strays(tmp_path)
    assert names(tmp_path) == [path.name]
    os.close(kept[0])
    remove_strays(tmp_path)
    assert names(tmp_path) == []


def test_writers_and_sweepers_at_once(tmp_path: Path) -> None:
    """A file between its creation and its lock is taken for a stray; its owner notices and creates it again."""
    over = threading.Event()

    def sweep() -> None:
        while not over.is_set():
            remove_strays(tmp_path)

    sweepers = [threading.Thread(target=sweep) for _ in range(2)]
    for thread in sweepers:
        thread.start()
    try:
        for number in range(300):
            with atomic_path(tmp_path / "out.txt") as temporary:
                temporary.write_text(str(number))
            assert (tmp_path / "out.txt").read_text() == str(number)
            with temporary_folder(tmp_path) as folder:
                (folder / "file").write_text("content")
                assert (folder / "file").read_text() == "content"
    finally:
        over.set()
        for thread in sweepers:
            thread.join()
    assert names(tmp_path) == ["out.txt"]
