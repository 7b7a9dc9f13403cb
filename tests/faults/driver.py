"""Fail file operations of each command, one at a time, and check what is left: ``driver FOLDER SHIM EVERY``.

Runs in a process that has `shim.c` preloaded. Everything is imported and compiled once; every run is a fork of it.
Writes ``results.json`` into the folder: points and failures of each command and kind of fault.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, field
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tests.faults.commands import COMMANDS, FaultyCommand, write_inputs
from vnestruct.cli import main as run_command
from vnestruct.files import atomic

KINDS = {"ENOSPC": errno.ENOSPC, "EIO": errno.EIO, "EACCES": errno.EACCES, "EINTR": errno.EINTR, "kill": 0}
REPEATED = ("open", "read", "write", "sync")
"""Operations that take place all the same if a signal interrupts them; the others are not interrupted in practice."""

OLD = b"what was here before\n"
LONGEST_SECONDS = 120.0


@dataclass(frozen=True)
class Ended:
    """How a run of a command ended."""

    code: int | None
    calls: list[str]
    err: str


@dataclass
class Tally:
    """The faults of one kind in one command."""

    command: str
    kind: str
    calls: int
    points: int = 0
    failures: list[str] = field(default_factory=list)


class Place:
    """Folders of one command: a master copy of everything it starts with, and the one it runs in."""

    def __init__(self, folder: Path, command: FaultyCommand, shim: Any) -> None:
        self.command, self.shim = command, shim
        self.master, self.work, self.log, self.calls = (folder / name for name in ("master", "work", "log", "calls"))
        shutil.rmtree(self.master, ignore_errors=True)
        shutil.copytree(folder / "inputs", self.master)
        if command.prepare is not None:
            command.prepare(self.master)
        for name in command.outputs:
            (self.master / name).write_bytes(OLD)
        self.inputs = {name: content for name, content in contents(self.master).items() if content != OLD}

    def reset(self) -> None:
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.master, self.work)

    def run(self, call: int = 0, error: int = 0) -> Ended:
        """Run the command in a fork, its `call`-th operation failing; 0 for none."""
        self.calls.write_text("")
        fork = get_context("fork").Process(target=self._run_command, args=(call, error))
        fork.start()
        fork.join(LONGEST_SECONDS)
        if fork.is_alive():
            fork.kill()
            fork.join()
            return Ended(-1, [], f"still running after {LONGEST_SECONDS} s")
        return Ended(fork.exitcode, self.calls.read_text().split(), self.log.read_text(errors="replace"))

    def _run_command(self, call: int, error: int) -> None:
        with self.log.open("w") as log, Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(log.fileno(), 2)
        # As in a process of its own, a day later, whose temporary folders are in the folder that is watched.
        atomic._swept.clear()
        atomic.STALE_SECONDS = 0.0
        tempfile.tempdir = str(self.work)
        self.shim.faults_arm(os.fsencode(self.work), call, error)
        code = run_command(self.command.command_line(self.work))
        self.shim.faults_disarm()
        numbers = range(1, self.shim.faults_calls() + 1)
        self.calls.write_text(" ".join(self.shim.faults_name(number).decode() for number in numbers))
        os._exit(code)

    def outputs(self) -> dict[str, bytes]:
        return {name: (self.work / name).read_bytes() for name in self.command.outputs}

    def strays(self) -> list[str]:
        return sorted(path.name for path in self.work.rglob(".vnestruct-*"))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def try_fault(place: Place, new: dict[str, bytes], call: int, name: str, kind: str, tally: Tally) -> None:
    """One point: the fault, what it left, and the next run without one."""
    place.reset()
    ended = place.run(call, KINDS[kind])
    tally.points += 1
    problems = [*_after_fault(place, ended, new, name, kind)]
    again = place.run()
    if again.code != 0:
        problems.append(f"the next run ended with {again.code}: {again.err.strip()}")
    elif place.outputs() != new:
        problems.append("the next run wrote other bytes")
    elif strays := place.strays():
        problems.append(f"the next run left {strays}")
    tally.failures += [f"{place.command.name}, {name} number {call}, {kind}: {problem}" for problem in problems]


def _after_fault(place: Place, ended: Ended, new: dict[str, bytes], name: str, kind: str) -> Iterator[str]:
    """Yield the problems that a fault has caused."""
    outputs, now = place.outputs(), contents(place.work)
    if half := [file for file, content in outputs.items() if content not in (OLD, new[file])]:
        yield f"{half} are neither old nor new"
    if changed := [file for file, content in place.inputs.items() if now.get(file) != content]:
        yield f"{changed} have changed"
    if kind == "kill" or ended.code == 0:
        if ended.code != (-signal.SIGKILL if kind == "kill" else 0):
            yield f"ended with {ended.code}"
        if ended.code == 0 and outputs != new:
            yield "ended with 0 without the new output"
        return
    if ended.code not in (1, 2):
        yield f"ended with {ended.code}"
    if kind == "EINTR" and name in REPEATED:
        yield "the interrupted call was not repeated"
    if not is_clear(ended.err, name, kind):
        yield f"not a clear error in one line: {ended.err.strip()!r}"
    if ended.code == 2 and kind != "EACCES":
        yield f"a failing disk is not bad input: {ended.err.strip()!r}"
    if (strays := place.strays()) and name not in ("unlink", "close"):
        yield f"left {strays}"


def is_clear(err: str, name: str, kind: str) -> bool:
    """Tell whether an error is one line that names the reason, and no temporary file of ours."""
    lines = err.splitlines()
    if len(lines) != 1 or not err.startswith("vnestruct: ") or "internal error" in err:
        return False
    # Arrow does not say why it cannot close a file.
    reasons = [os.strerror(KINDS[kind]), "error closing file; check the disk"]
    if kind == "EACCES":
        # Our own words for it; and no file system denies to read what it has let a process open.
        reasons.append("" if name == "read" else "permission")
    # A file in the temporary folder of the system has no better name.
    names_temporary = re.search(r"\.vnestruct-[-0-9a-f]+\.tmp(?!/)", err) is not None
    return any(reason in err for reason in reasons) and not names_temporary


def tallies_of(place: Place, counter: Iterator[int], every: int) -> Iterator[Tally]:
    """Try every so manieth point of a command, after a run without faults."""
    place.reset()
    # In this process, which has all imports and kernels for its forks from then on.
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        assert run_command(place.command.command_line(place.work)) == 0, place.command.name
    place.reset()
    clean = place.run()
    assert clean.code == 0, clean.err
    new = place.outputs()
    assert OLD not in new.values()
    for kind in KINDS:
        tally = Tally(place.command.name, kind, len(clean.calls))
        for call, name in enumerate(clean.calls, start=1):
            if next(counter) % every == 0:
                try_fault(place, new, call, name, kind, tally)
        survived = tally.points - len(tally.failures)
        print(f"{tally.command:20} {tally.calls:5} operations, {kind:6} survived {survived}/{tally.points}", flush=True)
        yield tally


def main(folder: Path, library: str, every: int) -> None:
    """Try the points of all commands."""
    shim = ctypes.CDLL(library)
    shim.faults_name.restype = ctypes.c_char_p
    shim.faults_calls.restype = ctypes.c_long
    shim.faults_arm.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int]
    (folder / "inputs").mkdir(parents=True)
    write_inputs(folder / "inputs")
    counter = count()
    tallies = [tally for command in COMMANDS for tally in tallies_of(Place(folder, command, shim), counter, every)]
    (folder / "results.json").write_text(json.dumps([asdict(tally) for tally in tallies]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
